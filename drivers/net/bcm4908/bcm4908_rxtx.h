/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Queues and bursts. A queue lies in shared memory and holds no pointer to
 * code, so that a secondary process may run its bursts; the bursts need no
 * ethdev, only a queue.
 */

#ifndef BCM4908_RXTX_H
#define BCM4908_RXTX_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_stdatomic.h>

#include "bcm4908_dev.h"

#define BCM4908_MIN_DESC		32
#define BCM4908_MAX_DESC		8192
#define BCM4908_DESC_MULTIPLE		8
#define BCM4908_DEFAULT_DESC		512
#define BCM4908_DEFAULT_BURST		32
#define BCM4908_DEFAULT_FREE_THRESH	32
#define BCM4908_MIN_RX_BUFSIZE		256
#define BCM4908_MAX_TX_SEGS		24 /* of a frame, for the smallest ring to take it */

/* Descriptor, as in memory [3.1]; one aligned 64-bit word. */
struct bcm4908_desc {
	union {
		RTE_ATOMIC(uint64_t) word;
		struct {
			RTE_ATOMIC(uint32_t) ctl;
			uint32_t addr;
		};
	};
};

/*
 * What a burst function is asked to do beyond the plain path. Each set of
 * features is a function of its own, so that what is off costs nothing.
 */
#define BCM4908_RX_F_SCATTER		0x1u /* frames over several buffers */
#define BCM4908_RX_F_NONCOHERENT	0x2u /* cache care, two-pass publishing */
#define BCM4908_RX_F_LOAD_ADDR		0x4u /* buffer addresses are not mbuf + constant */
#define BCM4908_RX_F_RECYCLE		0x8u /* refill at the next poll, after recycling */
#define BCM4908_RX_F_ALL		0xfu

#define BCM4908_TX_F_FAST_FREE		0x1u /* one pool, no references, no indirection */
#define BCM4908_TX_F_NONCOHERENT	0x2u
#define BCM4908_TX_F_IOVA		0x4u /* buffers are addressed by buf_iova */
#define BCM4908_TX_F_ALL		0x7u

/* Written by the queue's one polling thread, read by any. */
typedef RTE_ATOMIC(uint64_t) bcm4908_counter_t;

struct bcm4908_rx_counters {
	bcm4908_counter_t packets;
	bcm4908_counter_t bytes;	/* without FCS */
	bcm4908_counter_t seq_errors;	/* frames without a proper SOP ... EOP sequence */
	bcm4908_counter_t short_errors;	/* frames below the minimum */
	bcm4908_counter_t long_errors;	/* frames above the MTU's length or the buffer's */
	bcm4908_counter_t no_mbuf;	/* buffers that the pool could not give */
	bcm4908_counter_t stop_drops;	/* frames received but not polled when the queue stopped */
	/* among "packets" and "bytes", but dropped by a filter in software */
	bcm4908_counter_t filter_drops;
	bcm4908_counter_t filter_bytes;
};

struct bcm4908_tx_counters {
	bcm4908_counter_t packets;
	bcm4908_counter_t bytes;	/* without FCS, with padding */
	bcm4908_counter_t window_drops;	/* buffers that 32 bits of bus address do not reach */
	bcm4908_counter_t seg_drops;	/* segments or frames of a length that cannot be sent */
	bcm4908_counter_t offload_drops; /* frames that an offload which they ask for does not fit */
	bcm4908_counter_t stop_drops;	/* frames not sent when the queue stopped */
};

struct bcm4908_filter;

struct __rte_cache_aligned bcm4908_rxq {
	struct bcm4908_desc *ring;
	struct rte_mbuf **sw_ring;	/* mbuf of each descriptor */
	struct rte_mempool *mp;
	uint64_t mbuf_init;		/* rearm word: data_off, refcnt, nb_segs, port */
	uint64_t bus_delta;		/* bus address = mbuf's address + this */
	RTE_ATOMIC(uint32_t) *doorbell;
	uint32_t ctl;			/* control word that gives a buffer away */
	RTE_ATOMIC(uint32_t) max_len;	/* longest good frame in one buffer, FCS included */
	uint16_t nb_desc;
	uint16_t next;			/* descriptor to look at */
	uint16_t refill;		/* first descriptor without a buffer */
	uint16_t nb_hold;		/* descriptors without a buffer */
	uint16_t free_thresh;		/* refill when that many wait; out of reach while stopped */
	uint16_t capacity;		/* bytes of a buffer that the device may fill */
	uint16_t mbuf_addr_off;
	uint16_t data_off;
	uint64_t bus_base;
	uint64_t ol_flags;		/* of a pool whose buffers are external */
	struct bcm4908_rx_counters stats;

	/* scattered receive: the longest good frame, and the one under construction */
	RTE_ATOMIC(uint32_t) max_frame;
	struct rte_mbuf *seg_first;
	struct rte_mbuf *seg_last;
	/* a bad frame that goes on: where, and after how many good ones */
	uint64_t bad_seq;
	uint16_t bad_next;

	/* stages in software: BCM4908_RX_SOFT_*, and what they let pass */
	RTE_ATOMIC(uint32_t) soft;
	const struct bcm4908_filter *filter;

	/* control path only, but for "polled" */
	RTE_ATOMIC(bool) polled;	/* during a handover, by the polling thread */
	bool deferred;			/* the application starts it itself */
	uint16_t conf_thresh;		/* free_thresh while started */
	uint16_t port_id;
	bool linear;			/* bus_delta serves the whole pool */
	uint16_t features;		/* of its burst function */
	uint64_t lo, hi;		/* addresses of the pool's buffers */
	struct bcm4908_dma dma;
	struct bcm4908_rx_counters base; /* counters at the last reset */
};

struct __rte_cache_aligned bcm4908_txq {
	struct bcm4908_desc *ring;
	struct rte_mbuf **sw_ring;	/* mbuf of each descriptor, a segment each */
	uint64_t bus_base;
	RTE_ATOMIC(uint32_t) *doorbell;
	struct rte_mempool *fast_mp;	/* fast free: the pool, once known */
	RTE_ATOMIC(uint16_t) next;	/* descriptor to fill; the watchdog reads it */
	RTE_ATOMIC(uint16_t) clean;	/* oldest descriptor not reclaimed; likewise */
	uint16_t nb_free;
	uint16_t nb_desc;
	uint16_t free_thresh;		/* reclaim when fewer are free */
	uint16_t batch;			/* descriptors reclaimed at once; out of reach while stopped */
	uint16_t mbuf_addr_off;
	struct bcm4908_tx_counters stats;

	/* short frames that cannot be padded in place are copied here, a slot a descriptor */
	uint8_t *bounce;
	uint64_t bounce_addr;		/* what mbuf_addr_off would hold for it */
	bool fast_free;
	RTE_ATOMIC(uint32_t) soft;	/* stages in software: BCM4908_TX_SOFT_* */

	/* control path only, but for "polled" */
	RTE_ATOMIC(bool) polled;	/* during a handover, by the sending thread */
	bool deferred;			/* the application starts it itself */
	uint16_t conf_batch;		/* batch while started; divides nb_desc */
	uint16_t port_id;
	struct bcm4908_dma dma;
	const struct rte_memzone *bounce_mz;
	struct bcm4908_tx_counters base;
	uint16_t watch_head;		/* the watchdog's: oldest unfinished descriptor */
	unsigned int watch_ticks;	/* for how long it has been that one */
};

#define BCM4908_BOUNCE_SLOT 64

typedef uint16_t (*bcm4908_burst_t)(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* A burst function and the name that burst_mode_get gives. */
struct bcm4908_burst {
	bcm4908_burst_t fn;
	const char *name;
};

/** The receive burst for a set of BCM4908_RX_F_*; never NULL. */
const struct bcm4908_burst *bcm4908_rx_burst_get(uint32_t features);

/** The transmit burst for a set of BCM4908_TX_F_*; never NULL. */
const struct bcm4908_burst *bcm4908_tx_burst_get(uint32_t features);

/**
 * Give a receive queue its memory and its pool.
 *
 * @param dev
 *   Where the ring lies.
 * @param nb_desc
 *   BCM4908_MIN_DESC to BCM4908_MAX_DESC, a multiple of BCM4908_DESC_MULTIPLE.
 * @param free_thresh
 *   Refill when that many descriptors wait; 0: the default.
 * @param mp
 *   Pool of the buffers; any mempool of mbufs whose data can start on a
 *   64-byte boundary.
 * @param[out] rxq
 *   The queue.
 * @return
 *   0, -ENOMEM, or -EINVAL (the reason was logged).
 */
int bcm4908_rxq_create(struct bcm4908_dev *dev, uint16_t port_id, uint16_t nb_desc,
		       uint16_t free_thresh, struct rte_mempool *mp, unsigned int socket,
		       struct bcm4908_rxq **rxq);

/** Free what a stopped receive queue has, and leave itself to rte_free(); NULL is allowed. */
void bcm4908_rxq_release(struct bcm4908_dev *dev, struct bcm4908_rxq *rxq);

/** Free a stopped receive queue; NULL is allowed. */
void bcm4908_rxq_destroy(struct bcm4908_dev *dev, struct bcm4908_rxq *rxq);

/**
 * Fill the ring with buffers and start at index 0. The channel is idle, the
 * window is set.
 *
 * @param max_len
 *   Longest good frame in bytes, FCS included.
 * @return
 *   0, or -ENOMEM when the pool cannot fill the ring.
 */
int bcm4908_rxq_start(struct bcm4908_dev *dev, struct bcm4908_rxq *rxq, uint32_t max_len);

/**
 * Take all buffers back from a halted channel's ring and count what was received
 * but not polled. A burst of a stopped queue receives nothing and changes nothing.
 */
void bcm4908_rxq_stop(struct bcm4908_rxq *rxq);

/** Change the longest good frame, also while running. */
void bcm4908_rxq_set_max_len(struct bcm4908_rxq *rxq, uint32_t max_len);

/** Descriptors that hold a received frame. */
uint32_t bcm4908_rxq_count(struct bcm4908_rxq *rxq);

/** State of the descriptor at an offset from the next to be polled: RTE_ETH_RX_DESC_*. */
int bcm4908_rxq_desc_status(struct bcm4908_rxq *rxq, uint16_t offset);

/**
 * Give a transmit queue its memory.
 *
 * @param free_thresh
 *   Reclaim when fewer descriptors are free; 0: the default.
 * @param fast_free
 *   RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE holds for this queue.
 * @return
 *   0, -ENOMEM, or -EINVAL (the reason was logged).
 */
int bcm4908_txq_create(struct bcm4908_dev *dev, uint16_t port_id, uint16_t nb_desc,
		       uint16_t free_thresh, bool fast_free, unsigned int socket,
		       struct bcm4908_txq **txq);

/** Free what a stopped transmit queue has, and leave itself to rte_free(); NULL is allowed. */
void bcm4908_txq_release(struct bcm4908_dev *dev, struct bcm4908_txq *txq);

/** Free a stopped transmit queue; NULL is allowed. */
void bcm4908_txq_destroy(struct bcm4908_dev *dev, struct bcm4908_txq *txq);

/** Start an empty ring at index 0. The channel is idle, the window is set. */
void bcm4908_txq_start(struct bcm4908_dev *dev, struct bcm4908_txq *txq);

/**
 * Free all mbufs of a halted channel's ring and count what was not sent. A burst
 * of a stopped queue takes nothing and changes nothing.
 */
void bcm4908_txq_stop(struct bcm4908_txq *txq);

/** Descriptors in use. */
uint32_t bcm4908_txq_count(struct bcm4908_txq *txq);

/**
 * Free the mbufs of sent frames now, oldest first, in the sending thread.
 *
 * @param free_cnt
 *   At most that many frames; 0: all. Fast free returns mbufs by whole batches
 *   only, so that fewer may be freed than could be.
 * @return
 *   Number of frames whose mbufs were freed.
 */
uint32_t bcm4908_txq_done_cleanup(struct bcm4908_txq *txq, uint32_t free_cnt);

/** State of the descriptor at an offset from the next to be filled: RTE_ETH_TX_DESC_*. */
int bcm4908_txq_desc_status(struct bcm4908_txq *txq, uint16_t offset);

/**
 * Look at a started transmit queue from the control path, once per tick.
 *
 * @return
 *   Ticks since the device last finished a frame, with frames outstanding; 0
 *   when there is progress or nothing to do.
 */
unsigned int bcm4908_txq_watch(struct bcm4908_txq *txq);

#endif /* BCM4908_RXTX_H */
