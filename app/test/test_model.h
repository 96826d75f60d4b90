/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * A rig for the device model alone: rings and buffers in plain memory, a line
 * that records what is sent, interrupt levels, and strict mode's reports.
 */

#ifndef BCM4908_TEST_MODEL_H
#define BCM4908_TEST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/bcm4908_model.h"
#include "test.h"

#define RIG_BUFS 64		/* for each channel */
#define RIG_RING 16		/* descriptors, unless a test says otherwise */
#define RIG_SENT 512
#define RIG_FRAME_MAX 16384

/* Where the device sees things. */
#define RIG_RING_BUS(chan) (0x00100000u * ((chan) + 1))
#define RIG_BUF_STRIDE 0x4000u
#define RIG_BUF_BUS(chan, i) (0x10000000u * ((chan) + 1) + RIG_BUF_STRIDE * (i))
#define RIG_NOWHERE 0xdead0000u	/* nothing is mapped here */

struct rig_sent {
	uint8_t *data;
	uint32_t len;
	bool bad_fcs;
};

struct rig {
	struct bcm4908_model_shared *shared;
	struct bcm4908_model *model;
	uint32_t *ring[BCM4908_CHANS];
	uint32_t ring_len[BCM4908_CHANS];
	uint8_t *buf[BCM4908_CHANS][RIG_BUFS];
	uint32_t buf_len[BCM4908_CHANS][RIG_BUFS];
	struct rig_sent sent[RIG_SENT];	/* what went out to the line */
	unsigned int nb_sent;
	bool line_busy;			/* the line refuses frames */
	void (*on_tx)(struct rig *rig);	/* called when a frame goes out */
	bool irq[BCM4908_IRQ_LINES];
	unsigned int irq_changes[BCM4908_IRQ_LINES];
	unsigned int reports;		/* of strict mode */
	char report[128];		/* the last one */
	uint64_t now;
	unsigned int count;		/* for the test's use */
};

/*
 * A model with both rings in place, the MAC and the DMA on, no descriptor
 * owned and no channel started. The rig of a test that failed is freed here.
 */
struct rig *rig_open(void);
/* The same with a clock: rig->now. */
struct rig *rig_open_clock(void);
/* 0 when strict mode reported exactly so many times. */
int rig_close(struct rig *rig, unsigned int reports);

uint32_t rig_read(const struct rig *rig, uint32_t reg);
void rig_write(struct rig *rig, uint32_t reg, uint32_t val);
void rig_set_bits(struct rig *rig, uint32_t reg, uint32_t clear, uint32_t set);
void rig_kick(struct rig *rig, unsigned int chan);
/* Step until nothing moves, or 1000 times. */
void rig_run(struct rig *rig);

void rig_ring_size(struct rig *rig, unsigned int chan, uint32_t len);
void rig_desc_set(struct rig *rig, unsigned int chan, uint32_t i, uint32_t ctl, uint32_t addr);
uint32_t rig_desc(const struct rig *rig, unsigned int chan, uint32_t i);
/* WRAP for the last descriptor of the ring, else 0. */
uint32_t rig_wrap(const struct rig *rig, unsigned int chan, uint32_t i);
/* A fresh buffer of exactly len bytes, of its own malloc(). */
uint8_t *rig_buf(struct rig *rig, unsigned int chan, uint32_t i, uint32_t len);
/* Give descriptor i with a fresh buffer of cap bytes to the receive DMA. */
void rig_rx_post(struct rig *rig, uint32_t i, uint32_t cap);
/* Post n descriptors of 1536 bytes from index 0 on and start the channel. */
void rig_rx_fill(struct rig *rig, uint32_t n);
/* Give descriptor i with len bytes to the transmit DMA; bits: SOP, EOP, APPEND_CRC. */
void rig_tx_post(struct rig *rig, uint32_t i, const uint8_t *data, uint32_t len, uint32_t bits);
#define RIG_TX_WHOLE 0x6100u /* SOP, EOP, APPEND_CRC [3.1] */

/* A frame of len bytes without FCS: addresses, length/type, and a pattern that depends on seed. */
const uint8_t *rig_frame(uint64_t da, uint16_t type, uint32_t len, unsigned int seed);
#define RIG_UCAST 0x021122334455u
#define RIG_MCAST 0x01005e000001u
#define RIG_BCAST 0xffffffffffffu
#define RIG_PAUSE_DA 0x0180c2000001u
#define RIG_IPV4 0x0800

/* A frame of len bytes arrives from the line. */
void rig_arrive(struct rig *rig, const uint8_t *data, uint32_t len);
void rig_arrive_bad(struct rig *rig, const uint8_t *data, uint32_t len);

/* CRC-32 bit by bit, independent of the model's. */
uint32_t rig_fcs(const uint8_t *data, uint32_t len);
/* Does buf hold the frame, and after it its FCS? */
bool rig_same(const uint8_t *buf, const uint8_t *frame, uint32_t len, bool fcs);

#endif /* BCM4908_TEST_MODEL_H */
