/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Device model of the BCM4908 Ethernet block: register file, iuDMA engine with
 * its two channels, UniMAC and receive FIFO. Section numbers in brackets are
 * those of the hardware reference.
 *
 * The core is plain C11: it knows neither ethdev nor mbufs nor threads. It
 * moves only inside bcm4908_model_step() and reaches the outside through
 * struct bcm4908_model_env. The caller serialises write, step and line_rx;
 * reads, and stores to a doorbell, may come from any thread or process.
 */

#ifndef BCM4908_MODEL_H
#define BCM4908_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "../bcm4908_regs.h"

struct bcm4908_model;

/* The part of a model that other processes see; zeroed shared memory. */
struct bcm4908_model_shared {
	uint32_t reg[BCM4908_REGS_SIZE / sizeof(uint32_t)];
	/*
	 * Mailboxes, a cache line each: storing 1 (release) is as writing
	 * ENABLE = 1 to the channel's CFG; step takes them by atomic exchange.
	 */
	struct {
		uint32_t word;
		uint32_t pad[15];
	} doorbell[BCM4908_CHANS];
};

enum bcm4908_model_space {
	BCM4908_SPACE_RX_RING,
	BCM4908_SPACE_TX_RING,
	BCM4908_SPACE_BUFFER,
};

enum bcm4908_model_irq {
	BCM4908_IRQ_LINE_RX,	/* SPI 86 */
	BCM4908_IRQ_LINE_TX,	/* SPI 87 */
	BCM4908_IRQ_LINE_MAC,	/* SPI 88: receive FIFO overflow */
	BCM4908_IRQ_LINES,
};

/* A frame on the line, from the destination address to the last byte before the FCS. */
struct bcm4908_model_frame {
	const uint8_t *data;
	uint32_t len;		/* bytes, without FCS */
	bool bad_fcs;		/* its FCS is wrong */
};

struct bcm4908_model_env {
	void *ctx;
	/*
	 * CPU address of len bytes at a bus address, or NULL: a bus error. The
	 * memory stays valid until the step ends. write tells the direction.
	 * Descriptors are asked for a cache line at a time where that succeeds,
	 * and transmit buffers also ahead of their use.
	 */
	void *(*map)(void *ctx, enum bcm4908_model_space space, uint32_t bus,
		     uint32_t len, bool write);
	/*
	 * The MAC sends a frame. false: the line cannot take it now; the
	 * engine keeps it and tries again at the next step. May call
	 * bcm4908_model_line_rx(), also of this model.
	 */
	bool (*line_tx)(void *ctx, const struct bcm4908_model_frame *frame);
	/* An interrupt line changes its level; may be NULL. */
	void (*irq)(void *ctx, enum bcm4908_model_irq line, bool level);
	/*
	 * Nanoseconds of a monotonic clock, for PAUSE timers; NULL: PAUSE holds
	 * for one step per quantum.
	 */
	uint64_t (*now)(void *ctx);
	/*
	 * Strict mode: something that no correct driver does; NULL: off. It
	 * looks at every owned descriptor in each step.
	 */
	void (*report)(void *ctx, const char *what);
};

/**
 * Make a model in its reset state.
 *
 * @param shared
 *   Zeroed memory of the register file; outlives the model.
 * @param env
 *   Copied; the outside world.
 * @return
 *   The model, or NULL when memory is short.
 */
struct bcm4908_model *bcm4908_model_create(struct bcm4908_model_shared *shared,
					   const struct bcm4908_model_env *env);

/*
 * What the hardware reference leaves open [10]; all zero is the model's choice.
 */
struct bcm4908_model_knobs {
	uint32_t fifo_size;	/* room of the receive FIFO in bytes, at most 16384; 0: 16384 */
	bool no_rx_status;	/* received descriptors carry no status bits [3.4] */
	bool no_masked_latch;	/* INT_STAT forgets what INT_MASK masks [5] */
	bool overrun;		/* the receive DMA writes up to the next 64-byte boundary [3.3] */
};

/** Change the knobs; at any time. */
void bcm4908_model_set_knobs(struct bcm4908_model *model,
			     const struct bcm4908_model_knobs *knobs);

/** Free a model. */
void bcm4908_model_destroy(struct bcm4908_model *model);

/**
 * Read a register without side effect. Offsets must be multiples of 4 below
 * BCM4908_REGS_SIZE; others and unimplemented ones read 0.
 */
uint32_t bcm4908_model_read(const struct bcm4908_model_shared *shared, uint32_t reg);

/**
 * Write a register with its side effects [2]; takes effect before it returns,
 * except that a started channel moves at the next step.
 */
void bcm4908_model_write(struct bcm4908_model *model, uint32_t reg, uint32_t val);

/**
 * Move both engines: take the doorbells, then transmit and receive at most
 * budget frames each.
 *
 * @return
 *   Frames moved in both directions; 0 when there was nothing to do.
 */
unsigned int bcm4908_model_step(struct bcm4908_model *model, unsigned int budget);

/**
 * Would the MAC take a frame of len bytes (without FCS) now: RX_EN set, not in
 * reset, not looped back, and room in the FIFO? A wire that must not lose asks
 * first; one that paces does not.
 */
bool bcm4908_model_rx_ready(const struct bcm4908_model *model, uint32_t len);

/**
 * A frame arrives from the line: filter, count, and queue it in the FIFO, or
 * count why not [6, 10]. A frame that arrives while RX_EN is off leaves no
 * trace, as on a MAC that is off.
 */
void bcm4908_model_line_rx(struct bcm4908_model *model,
			   const struct bcm4908_model_frame *frame);

/**
 * The buffer at these bus addresses is about to be freed: strict mode reports
 * the first descriptor of each channel that owns a byte of it, if the channel
 * runs or is about to, and comes to it soon. Serialised with write and step.
 */
void bcm4908_model_check_free(struct bcm4908_model *model, uint64_t bus, uint32_t len);

/** FCS of a frame (CRC-32 of IEEE 802.3), as it stands in memory least significant byte first. */
uint32_t bcm4908_model_fcs(const uint8_t *data, uint32_t len);

#endif /* BCM4908_MODEL_H */
