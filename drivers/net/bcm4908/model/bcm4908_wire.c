/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "bcm4908_model_log.h"
#include "bcm4908_wire_kinds.h"

/* What a frame costs on the line beside its own bytes: FCS, preamble with SFD, gap. */
#define LINE_OVERHEAD	(4u + 8u + 12u)

#define PS_PER_NS	1000u

/*
 * How long a wire may refuse frames before they are dropped: less than the
 * 100 ms without progress that a driver takes for a hang.
 */
#define PATIENCE_NS	50000000u

/* Refusals further apart than this are not in a row. */
#define PATIENCE_GAP_NS	10000000u

/*
 * A paced line may catch up with this much of its time, or with this many
 * bytes when that is more, after whoever steps the device was kept away.
 */
#define SLACK_NS	1000000u
#define SLACK_BYTES	(2u * (BCM4908_WIRE_FRAME_MAX + LINE_OVERHEAD))

RTE_LOG_REGISTER_SUFFIX(bcm4908_model_logtype, model, NOTICE);

static bool
pace_free(const struct bcm4908_wire *wire, const struct bcm4908_wire_pace *pace)
{
	return pace->free_at <= wire->now;
}

static void
pace_spend(const struct bcm4908_wire *wire, struct bcm4908_wire_pace *pace, uint32_t len)
{
	const uint64_t cost = pace->rest + (len + LINE_OVERHEAD) * wire->ps_per_byte;

	if (pace->free_at + wire->slack < wire->now)
		pace->free_at = wire->now - wire->slack;
	pace->free_at += cost / PS_PER_NS;
	pace->rest = cost % PS_PER_NS;
}

bool
bcm4908_wire_out_of_patience(struct bcm4908_wire *wire)
{
	bcm4908_wire_count(&wire->cfg.shared->retried, 1);
	if (wire->refused_last == 0 || wire->now - wire->refused_last > PATIENCE_GAP_NS)
		wire->refused_at = wire->now;
	wire->refused_last = wire->now;
	return wire->now - wire->refused_at >= PATIENCE_NS;
}

bool
bcm4908_wire_tx(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame)
{
	enum bcm4908_wire_verdict verdict = BCM4908_WIRE_LOST;

	if (wire->ps_per_byte != 0 && !pace_free(wire, &wire->tx_pace))
		return false;
	if (wire->started && frame->len <= BCM4908_WIRE_FRAME_MAX)
		verdict = wire->ops->tx(wire, frame);
	if (verdict == BCM4908_WIRE_BUSY)
		return false;
	if (verdict == BCM4908_WIRE_FULL && !bcm4908_wire_out_of_patience(wire))
		return false;

	if (wire->ps_per_byte != 0)
		pace_spend(wire, &wire->tx_pace, frame->len);
	if (verdict != BCM4908_WIRE_TAKEN)
		bcm4908_wire_count(&wire->cfg.shared->dropped, 1);
	return true;
}

static void
wire_give(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame)
{
	bcm4908_model_line_rx(wire->cfg.model, frame);
	bcm4908_wire_count(&wire->cfg.shared->received, 1);
}

bool
bcm4908_wire_deliver(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame)
{
	if (wire->ps_per_byte != 0 && !pace_free(wire, &wire->rx_pace))
		return false;
	if (!bcm4908_model_rx_ready(wire->cfg.model, frame->len)) {
		if (wire->ps_per_byte == 0)
			return false;
		/* The engine works while a frame arrives: it gets its chance before an overflow. */
		wire->moved += bcm4908_model_step(wire->cfg.model, 1);
	}
	if (wire->ps_per_byte != 0)
		pace_spend(wire, &wire->rx_pace, frame->len);
	wire_give(wire, frame);
	return true;
}

/* The plug: no memory of its own, a frame goes from the transmitter to the receiver. */
struct loop_wire {
	struct bcm4908_wire wire;
	uint64_t room_step;	/* when the receiver last had room */
	uint64_t full_step;	/* when it was found full, with more to come */
};

static enum bcm4908_wire_verdict
loop_tx(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame)
{
	struct loop_wire *loop = (struct loop_wire *)wire;

	if (!bcm4908_model_rx_ready(wire->cfg.model, frame->len)) {
		/* Nobody listens, and will not while a transmitter drains. */
		if ((bcm4908_model_read(wire->cfg.regs, BCM4908_UMAC_CMD) &
		     BCM4908_CMD_RX_EN) == 0)
			return BCM4908_WIRE_LOST;
		if (wire->ps_per_byte == 0)
			return BCM4908_WIRE_FULL;
		/* The receive engine's turn comes after this: no overflow before it. */
		if (loop->room_step == wire->steps || loop->full_step + 1 != wire->steps) {
			loop->full_step = wire->steps;
			return BCM4908_WIRE_BUSY;
		}
	} else {
		loop->room_step = wire->steps;
	}
	wire_give(wire, frame);
	bcm4908_wire_sent(wire, 1);
	return BCM4908_WIRE_TAKEN;
}

static void
loop_start(struct bcm4908_wire *wire)
{
	bcm4908_wire_set_link(wire, true);
}

static void
loop_stop(struct bcm4908_wire *wire)
{
	bcm4908_wire_set_link(wire, false);
}

static void
loop_destroy(struct bcm4908_wire *wire)
{
	free((struct loop_wire *)wire);
}

static const struct bcm4908_wire_ops loop_ops = {
	.start = loop_start,
	.stop = loop_stop,
	.tx = loop_tx,
	.destroy = loop_destroy,
};

static int
loop_create(struct bcm4908_wire **wire, const struct bcm4908_wire_config *cfg)
{
	struct loop_wire *loop = calloc(1, sizeof(*loop));

	if (loop == NULL)
		return -ENOMEM;
	loop->wire.ops = &loop_ops;
	loop->wire.cfg = *cfg;
	*wire = &loop->wire;
	return 0;
}

int
bcm4908_wire_create(struct bcm4908_wire **wire, const struct bcm4908_wire_config *cfg)
{
	int ret;

	if (strcmp(cfg->wire, BCM4908_WIRE_LOOP) == 0) {
		ret = loop_create(wire, cfg);
	} else if (strncmp(cfg->wire, BCM4908_WIRE_CABLE, strlen(BCM4908_WIRE_CABLE)) == 0) {
		ret = bcm4908_wire_cable_create(wire, cfg);
	} else if (cfg->wire[0] != '\0') {
		ret = bcm4908_wire_port_create(wire, cfg);
	} else {
		MODEL_LOG(ERR, "%s: wire=: allowed are loop, cable:NAME and the name of a port",
			  cfg->name);
		ret = -EINVAL;
	}
	if (ret != 0)
		return ret;

	if (cfg->rate != 0) {
		/* A bit at 1 Mbit/s takes a microsecond. */
		(*wire)->ps_per_byte = RTE_MAX(8000000u / cfg->rate, 1u);
		(*wire)->slack = RTE_MAX(SLACK_BYTES * (*wire)->ps_per_byte / PS_PER_NS, SLACK_NS);
	}
	return 0;
}

void
bcm4908_wire_destroy(struct bcm4908_wire *wire)
{
	if (wire == NULL)
		return;
	bcm4908_wire_stop(wire);
	wire->ops->destroy(wire);
}

/* The kind's own functions may take long: the data path stays away by itself, not by the lock. */

void
bcm4908_wire_start(struct bcm4908_wire *wire)
{
	if (wire->started)
		return;
	wire->ops->start(wire);
	wire->cfg.lock(wire->cfg.ctx);
	wire->refused_last = 0;
	wire->started = true;
	wire->cfg.unlock(wire->cfg.ctx);
}

void
bcm4908_wire_stop(struct bcm4908_wire *wire)
{
	if (!wire->started)
		return;
	wire->cfg.lock(wire->cfg.ctx);
	bcm4908_wire_end(wire);
	wire->started = false;
	wire->cfg.unlock(wire->cfg.ctx);
	wire->ops->stop(wire);
}
