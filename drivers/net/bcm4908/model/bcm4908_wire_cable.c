/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * A cable between two devices of this process: a ring of frames for each
 * direction. Its two ends may be stepped by different threads.
 */

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <rte_common.h>
#include <rte_errno.h>
#include <rte_ring.h>
#include <rte_ring_elem.h>

#include "bcm4908_model_log.h"
#include "bcm4908_wire_kinds.h"

#define CABLE_ENDS	2u
#define CABLE_SLOTS	256u	/* a power of two */
#define CABLE_BURST	32u	/* slots that a sender reserves at a time */

/* A ring's element holds the frame itself. */
struct __rte_cache_aligned cable_slot {
	uint32_t len;
	bool bad_fcs;
	alignas(16) uint8_t data[BCM4908_WIRE_FRAME_MAX];
};

struct cable_wire {
	struct bcm4908_wire wire;
	struct cable *cable;
	unsigned int end;
	bool up;		/* started, as the other end sees it */
	/* Reserved in the ring to the other end, published at the end of a step. */
	struct rte_ring_zc_data room;
	unsigned int room_slots;
	unsigned int used_slots;
};

struct cable {
	LIST_ENTRY(cable) next;
	char name[64];
	struct rte_ring *to[CABLE_ENDS];	/* frames on their way to an end */
	struct cable_wire *end[CABLE_ENDS];
};

static LIST_HEAD(, cable) cables = LIST_HEAD_INITIALIZER(cables);
static pthread_mutex_t cables_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int cables_made; /* numbers the rings' names */

static struct rte_ring *
cable_peer_ring(const struct cable_wire *cw)
{
	return cw->cable->to[1 - cw->end];
}

static struct cable_slot *
cable_slot(const struct rte_ring_zc_data *zcd, unsigned int i)
{
	return i < zcd->n1 ? (struct cable_slot *)zcd->ptr1 + i :
		(struct cable_slot *)zcd->ptr2 + (i - zcd->n1);
}

static void
cable_flush(struct bcm4908_wire *wire)
{
	struct cable_wire *cw = (struct cable_wire *)wire;

	if (cw->room_slots == 0)
		return;
	rte_ring_enqueue_zc_elem_finish(cable_peer_ring(cw), cw->used_slots);
	cw->room_slots = 0;
	cw->used_slots = 0;
}

static enum bcm4908_wire_verdict
cable_tx(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame)
{
	struct cable_wire *cw = (struct cable_wire *)wire;
	struct cable_slot *slot;

	if (rte_atomic_load_explicit(&wire->cfg.shared->link, rte_memory_order_relaxed) == 0)
		return BCM4908_WIRE_LOST;
	if (cw->used_slots == cw->room_slots) {
		cable_flush(wire);
		cw->room_slots = rte_ring_enqueue_zc_burst_elem_start(cable_peer_ring(cw),
				sizeof(*slot), CABLE_BURST, &cw->room, NULL);
		if (cw->room_slots == 0)
			return BCM4908_WIRE_FULL;
	}
	slot = cable_slot(&cw->room, cw->used_slots++);
	slot->len = frame->len;
	slot->bad_fcs = frame->bad_fcs;
	memcpy(slot->data, frame->data, frame->len);
	bcm4908_wire_sent(wire, 1);
	return BCM4908_WIRE_TAKEN;
}

static void
cable_rx(struct bcm4908_wire *wire, unsigned int budget)
{
	struct cable_wire *cw = (struct cable_wire *)wire;
	struct rte_ring *ring = cw->cable->to[cw->end];
	struct bcm4908_model_frame frame;
	const struct cable_slot *slot;
	struct rte_ring_zc_data zcd;
	unsigned int n, i;

	n = rte_ring_dequeue_zc_burst_elem_start(ring, sizeof(*slot), budget, &zcd, NULL);
	if (n == 0)
		return;
	for (i = 0; i < n; i++) {
		slot = cable_slot(&zcd, i);
		frame = (struct bcm4908_model_frame){
			.data = slot->data, .len = slot->len, .bad_fcs = slot->bad_fcs,
		};
		if (!bcm4908_wire_deliver(wire, &frame))
			break;
	}
	rte_ring_dequeue_zc_elem_finish(ring, i);
}

/* What is on its way to an end is lost. */
static void
cable_drain(struct cable_wire *cw)
{
	struct rte_ring *ring = cw->cable->to[cw->end];
	struct rte_ring_zc_data zcd;
	unsigned int n;

	n = rte_ring_dequeue_zc_burst_elem_start(ring, sizeof(struct cable_slot), CABLE_SLOTS,
						 &zcd, NULL);
	rte_ring_dequeue_zc_elem_finish(ring, n);
}

/* The link is up at both ends, or at none. */
static void
cable_set_link(const struct cable *cable)
{
	bool up = true;

	for (unsigned int i = 0; i < CABLE_ENDS; i++)
		up = up && cable->end[i] != NULL && cable->end[i]->up;
	for (unsigned int i = 0; i < CABLE_ENDS; i++)
		if (cable->end[i] != NULL)
			bcm4908_wire_set_link(&cable->end[i]->wire, up);
}

static void
cable_start(struct bcm4908_wire *wire)
{
	struct cable_wire *cw = (struct cable_wire *)wire;

	cable_drain(cw);
	pthread_mutex_lock(&cables_lock);
	cw->up = true;
	cable_set_link(cw->cable);
	pthread_mutex_unlock(&cables_lock);
}

static void
cable_stop(struct bcm4908_wire *wire)
{
	struct cable_wire *cw = (struct cable_wire *)wire;

	pthread_mutex_lock(&cables_lock);
	cw->up = false;
	cable_set_link(cw->cable);
	pthread_mutex_unlock(&cables_lock);
}

static void
cable_free(struct cable *cable)
{
	for (unsigned int i = 0; i < CABLE_ENDS; i++)
		rte_ring_free(cable->to[i]);
	free(cable);
}

static void
cable_destroy(struct bcm4908_wire *wire)
{
	struct cable_wire *cw = (struct cable_wire *)wire;
	struct cable *cable = cw->cable;

	pthread_mutex_lock(&cables_lock);
	cable->end[cw->end] = NULL;
	if (cable->end[1 - cw->end] == NULL) {
		LIST_REMOVE(cable, next);
		cable_free(cable);
	}
	pthread_mutex_unlock(&cables_lock);
	free(cw);
}

static const struct bcm4908_wire_ops cable_ops = {
	.start = cable_start,
	.stop = cable_stop,
	.tx = cable_tx,
	.rx = cable_rx,
	.flush = cable_flush,
	.destroy = cable_destroy,
};

static struct cable *
cable_find(const char *name)
{
	struct cable *cable;

	LIST_FOREACH(cable, &cables, next)
		if (strcmp(cable->name, name) == 0)
			return cable;
	return NULL;
}

static struct cable *
cable_make(const char *name, int socket)
{
	struct cable *cable = calloc(1, sizeof(*cable));
	char ring[RTE_RING_NAMESIZE];

	if (cable == NULL)
		return NULL;
	snprintf(cable->name, sizeof(cable->name), "%s", name);
	for (unsigned int i = 0; i < CABLE_ENDS; i++) {
		snprintf(ring, sizeof(ring), "bcm4908_cable_%u_%u", cables_made, i);
		cable->to[i] = rte_ring_create_elem(ring, sizeof(struct cable_slot), CABLE_SLOTS,
						    socket, RING_F_SP_ENQ | RING_F_SC_DEQ);
		if (cable->to[i] == NULL) {
			MODEL_LOG(ERR, "cable:%s: no memory for ring %s: %s", name, ring,
				  rte_strerror(rte_errno));
			cable_free(cable);
			return NULL;
		}
	}
	cables_made++;
	LIST_INSERT_HEAD(&cables, cable, next);
	return cable;
}

/* Plug one end into the cable of that name, which the first end makes. */
static int
cable_plug(struct cable_wire *cw, const struct bcm4908_wire_config *cfg, const char *name)
{
	struct cable *cable = cable_find(name);

	if (cable == NULL)
		cable = cable_make(name, cfg->socket);
	if (cable == NULL)
		return -ENOMEM;
	cw->end = cable->end[0] == NULL ? 0 : 1;
	if (cable->end[cw->end] != NULL) {
		MODEL_LOG(ERR, "%s: wire=%s: a cable has two ends, and %s and %s hold them",
			  cfg->name, cfg->wire, cable->end[0]->wire.cfg.name,
			  cable->end[1]->wire.cfg.name);
		return -EBUSY;
	}
	cw->cable = cable;
	cable->end[cw->end] = cw;
	return 0;
}

int
bcm4908_wire_cable_create(struct bcm4908_wire **wire, const struct bcm4908_wire_config *cfg)
{
	const char *name = cfg->wire + strlen(BCM4908_WIRE_CABLE);
	struct cable_wire *cw;
	int ret;

	if (*name == '\0') {
		MODEL_LOG(ERR, "%s: wire=%s: a cable needs a name, as in cable:a", cfg->name,
			  cfg->wire);
		return -EINVAL;
	}
	cw = calloc(1, sizeof(*cw));
	if (cw == NULL)
		return -ENOMEM;
	cw->wire.ops = &cable_ops;
	cw->wire.cfg = *cfg;
	pthread_mutex_lock(&cables_lock);
	ret = cable_plug(cw, cfg, name);
	pthread_mutex_unlock(&cables_lock);
	if (ret != 0) {
		free(cw);
		return ret;
	}
	*wire = &cw->wire;
	return 0;
}
