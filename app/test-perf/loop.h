/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Loops over the controller's descriptors that know one case only: the floors,
 * which do the least that a driver must, with every check that the driver
 * promises; and the strategies, which do it in other ways. They end a burst at
 * anything out of the ordinary and count it: a measurement that met it fails.
 */

#ifndef PERF_LOOP_H
#define PERF_LOOP_H

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_ethdev.h>
#include <rte_io.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "bcm4908_rxtx.h"

#define LOOP_CAPACITY		2048u	/* bytes of a receive buffer */
#define LOOP_BATCH		32u	/* descriptors that are reclaimed together */
#define LOOP_RX_CTL		(BCM4908_DESC_OWN | LOOP_CAPACITY << BCM4908_DESC_LEN_SHIFT)
#define LOOP_TX_CTL		(BCM4908_DESC_OWN | BCM4908_DESC_SOP | BCM4908_DESC_EOP | \
				 BCM4908_DESC_APPEND_CRC)
#define LOOP_WHOLE		(BCM4908_DESC_SOP | BCM4908_DESC_EOP)

typedef uint64_t loop_word_t __rte_may_alias;

struct __rte_cache_aligned loop_rxq {
	volatile uint64_t *ring;
	struct rte_mbuf **sw;
	struct rte_mempool *mp;
	uint64_t rearm;
	uint64_t delta;		/* bus address = mbuf's address + this */
	uint32_t size;
	uint32_t next;
	uint32_t max_len;
	volatile uint32_t doorbell;
	uint64_t packets;
	uint64_t bytes;
	uint64_t errors;
	uint8_t *copies;	/* buffers of a ring whose frames are copied */
};

struct __rte_cache_aligned loop_txq {
	volatile uint64_t *ring;
	struct rte_mbuf **sw;
	struct rte_mempool *mp;
	uint64_t base;		/* bus address = address - this */
	uint32_t size;
	uint32_t next;
	uint32_t clean;
	uint32_t nb_free;
	volatile uint32_t doorbell;
	uint64_t packets;
	uint64_t bytes;
	uint64_t errors;
	uint8_t *copies;
};

/* Both directions of a path. */
struct loop_port {
	struct loop_rxq rxq;
	struct loop_txq txq;
	void *queues[2];
	struct rte_eth_fp_ops saved;
};

typedef uint16_t (*loop_burst_t)(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* A variant of perf_loop_ops. */
struct perf_loop {
	loop_burst_t rx;
	loop_burst_t tx;
	const char *name;
	bool rx_copies;
	bool tx_copies;
};

/* floor.c */
uint16_t perf_floor_rx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t perf_floor_tx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t perf_floor_tx_safe(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* floor_avx2.c */
uint16_t perf_floor_rx_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t perf_floor_tx_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* strategy.c */
uint16_t perf_strategy_rx_copy(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t perf_strategy_tx_copy(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t perf_strategy_rx_single(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t perf_strategy_tx_single(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t perf_strategy_tx_free_each(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* What the loops have in common. */

static __rte_always_inline void
loop_kick(volatile uint32_t *doorbell)
{
	rte_io_wmb();
	*doorbell = 1;
}

static __rte_always_inline uint32_t
loop_len(uint64_t word)
{
	return word >> BCM4908_DESC_LEN_SHIFT & BCM4908_DESC_LEN_MAX;
}

static __rte_always_inline bool
loop_rx_good(uint64_t word, uint32_t max_len)
{
	return ((word & LOOP_WHOLE) == LOOP_WHOLE) &
		(loop_len(word) - BCM4908_RX_LEN_MIN <= max_len - BCM4908_RX_LEN_MIN);
}

static __rte_always_inline void
loop_rx_mbuf(struct rte_mbuf *m, uint64_t rearm, uint32_t len)
{
	*(loop_word_t *)&m->rearm_data = rearm;
	m->ol_flags = 0;
	*(loop_word_t *)&m->packet_type = (uint64_t)len << 32;
	*(loop_word_t *)&m->data_len = len;
}

static __rte_always_inline uint64_t
loop_rx_word(uint64_t bus, bool last)
{
	return rte_cpu_to_le_64(bus << 32 | LOOP_RX_CTL | (last ? BCM4908_DESC_WRAP : 0));
}

static __rte_always_inline uint64_t
loop_tx_word(uint64_t bus, uint32_t len, bool last)
{
	return rte_cpu_to_le_64(bus << 32 | len << BCM4908_DESC_LEN_SHIFT | LOOP_TX_CTL |
				(last ? BCM4908_DESC_WRAP : 0));
}

static __rte_always_inline bool
loop_tx_good(const struct rte_mbuf *m, uint64_t bus)
{
	return bus <= UINT32_MAX - BCM4908_DESC_LEN_MAX && m->nb_segs == 1 &&
		m->data_len - BCM4908_TX_LEN_MIN <= BCM4908_DESC_LEN_MAX - BCM4908_TX_LEN_MIN;
}

static __rte_always_inline uint64_t
loop_tx_bus(const struct rte_mbuf *m, uint64_t base)
{
	return (uintptr_t)m->buf_addr + m->data_off - base;
}

/* Receive n frames one by one from descriptor idx; how many there were before one that is not. */
static __rte_always_inline uint32_t
loop_rx_rest(struct loop_rxq *q, struct rte_mbuf **pkts, uint32_t i, uint32_t n, uint64_t *bytes)
{
	for (; i < n; i++) {
		const uint64_t word = rte_le_to_cpu_64(q->ring[q->next + i]);
		const uint32_t len = loop_len(word) - BCM4908_FCS_LEN;

		if ((word & BCM4908_DESC_OWN) != 0)
			break;
		if (unlikely(!loop_rx_good(word, q->max_len))) {
			q->errors++;
			break;
		}
		pkts[i] = q->sw[q->next + i];
		loop_rx_mbuf(pkts[i], q->rearm, len);
		*bytes += len;
	}
	return i;
}

/* Post packets from the i-th to n - 1; how many before one that cannot be. */
static __rte_always_inline uint32_t
loop_tx_rest(struct loop_txq *q, struct rte_mbuf **pkts, uint32_t i, uint32_t n, uint64_t *bytes)
{
	for (; i < n; i++) {
		struct rte_mbuf *m = pkts[i];
		const uint64_t bus = loop_tx_bus(m, q->base);
		const uint32_t idx = q->next + i;

		if (unlikely(!loop_tx_good(m, bus))) {
			q->errors++;
			break;
		}
		q->sw[idx] = m;
		*bytes += m->data_len;
		q->ring[idx] = loop_tx_word(bus, m->data_len, idx + 1 == q->size);
	}
	return i;
}

typedef uint32_t (*loop_rx_run_t)(struct loop_rxq *q, struct rte_mbuf **pkts, uint32_t n,
				  uint64_t *bytes);
typedef void (*loop_rx_post_t)(struct loop_rxq *q, uint32_t n);

/* Zero copy, in bulk: frames of up to two runs, new buffers for each, one doorbell. */
static __rte_always_inline uint16_t
loop_rx_burst(struct loop_rxq *q, struct rte_mbuf **pkts, uint16_t nb_pkts,
	      const loop_rx_run_t take, const loop_rx_post_t post)
{
	uint64_t bytes = 0;
	uint16_t nb_rx = 0;

	while (nb_rx < nb_pkts) {
		const uint32_t run = RTE_MIN((uint32_t)nb_pkts - nb_rx, q->size - q->next);
		const uint32_t n = take(q, &pkts[nb_rx], run, &bytes);

		if (n == 0)
			break;
		if (unlikely(rte_mempool_get_bulk(q->mp, (void **)&q->sw[q->next], n) < 0)) {
			q->errors++;
			break;
		}
		post(q, n);
		q->next = q->next + n == q->size ? 0 : q->next + n;
		nb_rx += n;
		if (n < run)
			break;
	}
	if (nb_rx > 0) {
		q->packets += nb_rx;
		q->bytes += bytes;
		loop_kick(&q->doorbell);
	}
	return nb_rx;
}

typedef void (*loop_tx_free_t)(struct loop_txq *q, struct rte_mbuf **sw);
typedef uint32_t (*loop_tx_run_t)(struct loop_txq *q, struct rte_mbuf **pkts, uint32_t n,
				  uint64_t *bytes);

static __rte_always_inline uint16_t
loop_tx_burst(struct loop_txq *q, struct rte_mbuf **pkts, uint16_t nb_pkts,
	      const loop_tx_run_t fill, const loop_tx_free_t give_back)
{
	const uint32_t need = RTE_MAX(nb_pkts, LOOP_BATCH);
	uint64_t bytes = 0;
	uint16_t nb_tx = 0;

	/* The device completes in order: a batch's last descriptor tells. */
	while (q->nb_free < need && q->nb_free + LOOP_BATCH <= q->size &&
	       (rte_le_to_cpu_64(q->ring[q->clean + LOOP_BATCH - 1]) & BCM4908_DESC_OWN) == 0) {
		give_back(q, &q->sw[q->clean]);
		q->clean = q->clean + LOOP_BATCH == q->size ? 0 : q->clean + LOOP_BATCH;
		q->nb_free += LOOP_BATCH;
	}
	while (nb_tx < nb_pkts && q->nb_free > 0) {
		uint32_t run = RTE_MIN((uint32_t)nb_pkts - nb_tx, q->nb_free);
		uint32_t n;

		run = RTE_MIN(run, q->size - q->next);
		n = fill(q, &pkts[nb_tx], run, &bytes);
		q->next = q->next + n == q->size ? 0 : q->next + n;
		q->nb_free -= n;
		nb_tx += n;
		if (unlikely(n < run))
			break;
	}
	if (nb_tx > 0) {
		q->packets += nb_tx;
		q->bytes += bytes;
		loop_kick(&q->doorbell);
	}
	return nb_tx;
}

static __rte_always_inline void
loop_free_bulk(struct loop_txq *q, struct rte_mbuf **sw)
{
	rte_mempool_put_bulk(q->mp, (void **)sw, LOOP_BATCH);
}

#endif /* PERF_LOOP_H */
