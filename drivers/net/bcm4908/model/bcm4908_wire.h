/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What a model's line side is connected to. A wire takes the frames that the
 * MAC sends and brings those that arrive:
 *
 *   loop        a plug that returns what is sent
 *   cable:NAME  joins the two devices of this process that name it
 *   PORT        any other ethdev port, through which frames come and go
 *
 * Data path functions are called with the device's lock held, by whoever steps
 * the device; the others belong to the control thread.
 */

#ifndef BCM4908_WIRE_H
#define BCM4908_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_stdatomic.h>

#include "bcm4908_model.h"

/* Longest frame that a wire carries, without FCS. */
#define BCM4908_WIRE_FRAME_MAX 9728u

/* The part that other processes see. Counters have one writer, who holds the device's lock. */
struct bcm4908_wire_shared {
	RTE_ATOMIC(uint32_t) link;	/* 1: up */
	RTE_ATOMIC(uint64_t) sent;	/* frames that the wire took */
	RTE_ATOMIC(uint64_t) received;	/* frames that the wire gave to the MAC */
	RTE_ATOMIC(uint64_t) retried;	/* times that the wire refused a frame */
	RTE_ATOMIC(uint64_t) dropped;	/* link down, refused for too long, unfit, wire gone */
};

/* What a wire is made of; the strings outlive it. */
struct bcm4908_wire_config {
	const char *name;	/* of the device at this end */
	const char *wire;	/* the wire= argument */
	uint32_t rate;		/* Mbit/s of the line, each way; 0: unpaced */
	int socket;		/* NUMA node */
	struct bcm4908_model *model;
	const struct bcm4908_model_shared *regs;
	struct bcm4908_wire_shared *shared;
	/* Keep the data path out, for what happens outside the control thread. */
	void (*lock)(void *ctx);
	void (*unlock)(void *ctx);
	void *ctx;
};

/* What became of a frame. */
enum bcm4908_wire_verdict {
	BCM4908_WIRE_TAKEN,	/* it is on its way, or waits in the wire to be */
	BCM4908_WIRE_LOST,	/* nobody will ever take it */
	BCM4908_WIRE_FULL,	/* the wire refuses it for now */
	BCM4908_WIRE_BUSY,	/* the line is not free yet, which is no refusal */
};

struct bcm4908_wire;

/* One kind of wire. start, stop and destroy are called without the device's lock. */
struct bcm4908_wire_ops {
	void (*start)(struct bcm4908_wire *wire);
	void (*stop)(struct bcm4908_wire *wire);
	/* Take a frame of at most BCM4908_WIRE_FRAME_MAX bytes. */
	enum bcm4908_wire_verdict (*tx)(struct bcm4908_wire *wire,
					const struct bcm4908_model_frame *frame);
	/* Offer up to budget arrived frames to bcm4908_wire_deliver(); NULL: none ever arrive. */
	void (*rx)(struct bcm4908_wire *wire, unsigned int budget);
	/* A step ends: send what was collected; may be NULL. */
	void (*flush)(struct bcm4908_wire *wire);
	void (*destroy)(struct bcm4908_wire *wire);
};

/* When the line is free again. */
struct bcm4908_wire_pace {
	uint64_t free_at;	/* ns */
	uint64_t rest;		/* and ps, below 1000 */
};

/* The common part; each kind continues it. */
struct bcm4908_wire {
	const struct bcm4908_wire_ops *ops;
	struct bcm4908_wire_config cfg;
	bool started;
	uint64_t now;		/* ns, of this step */
	uint64_t steps;
	unsigned int moved;	/* frames that the engine moved inside rx, this step */
	uint64_t ps_per_byte;	/* time that a byte takes on the line; 0: unpaced */
	uint64_t slack;		/* line time that may be caught up with, ns */
	struct bcm4908_wire_pace tx_pace;
	struct bcm4908_wire_pace rx_pace;
	uint64_t refused_at;	/* ns, of the first refusal in a row */
	uint64_t refused_last;	/* and of the latest; 0: none */
};

/**
 * Make a wire, not yet started.
 *
 * @return
 *   0, -ENOMEM, -EINVAL (a malformed name), -EBUSY (the cable has two ends
 *   already); the reason is logged.
 */
int bcm4908_wire_create(struct bcm4908_wire **wire, const struct bcm4908_wire_config *cfg);

/** Stop and free a wire; NULL is accepted. */
void bcm4908_wire_destroy(struct bcm4908_wire *wire);

/** Plug it in; frames that were sent before are lost. Without the device's lock. */
void bcm4908_wire_start(struct bcm4908_wire *wire);

/** Unplug it. Without the device's lock. */
void bcm4908_wire_stop(struct bcm4908_wire *wire);

/** A step begins. now: nanoseconds of a monotonic clock, not 0. */
static inline void
bcm4908_wire_begin(struct bcm4908_wire *wire, uint64_t now)
{
	wire->now = now;
	wire->steps++;
	wire->moved = 0;
}

/**
 * Bring up to budget arrived frames to the MAC.
 *
 * @return
 *   Frames that the model's engine moved meanwhile.
 */
static inline unsigned int
bcm4908_wire_rx(struct bcm4908_wire *wire, unsigned int budget)
{
	if (wire->started && wire->ops->rx != NULL)
		wire->ops->rx(wire, budget);
	return wire->moved;
}

/** The MAC sends a frame. false: not now, try again at the next step. */
bool bcm4908_wire_tx(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame);

/** A step ends. */
static inline void
bcm4908_wire_end(struct bcm4908_wire *wire)
{
	if (wire->started && wire->ops->flush != NULL)
		wire->ops->flush(wire);
}

/* For the kinds of wire: */

/**
 * Give an arrived frame to the MAC: unpaced, only when it has room; paced,
 * when the line has brought it, room or not.
 *
 * @return
 *   false: not yet.
 */
bool bcm4908_wire_deliver(struct bcm4908_wire *wire, const struct bcm4908_model_frame *frame);

/** Is the patience with a wire that refuses frames used up? Call at each refusal. */
bool bcm4908_wire_out_of_patience(struct bcm4908_wire *wire);

/* Add to a counter; its one writer needs no atomic addition. */
static inline void
bcm4908_wire_count(RTE_ATOMIC(uint64_t) *counter, uint64_t n)
{
	rte_atomic_store_explicit(counter,
			rte_atomic_load_explicit(counter, rte_memory_order_relaxed) + n,
			rte_memory_order_relaxed);
}

/* The wire took frames for good: earlier refusals are forgotten. */
static inline void
bcm4908_wire_sent(struct bcm4908_wire *wire, unsigned int frames)
{
	wire->refused_last = 0;
	bcm4908_wire_count(&wire->cfg.shared->sent, frames);
}

static inline void
bcm4908_wire_set_link(struct bcm4908_wire *wire, bool up)
{
	rte_atomic_store_explicit(&wire->cfg.shared->link, up, rte_memory_order_release);
}

#endif /* BCM4908_WIRE_H */
