/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include "loop.h"

static __rte_always_inline uint32_t
rx_run(struct loop_rxq *q, struct rte_mbuf **pkts, uint32_t n, uint64_t *bytes)
{
	const volatile uint64_t *ring = &q->ring[q->next];
	struct rte_mbuf **sw = &q->sw[q->next];
	const uint32_t range = q->max_len - BCM4908_RX_LEN_MIN;
	const uint64_t rearm = q->rearm;
	struct rte_mbuf **out = pkts;
	uint32_t left = n;
	uint64_t sum = 0;

	for (; left >= 4; left -= 4, ring += 4, sw += 4, out += 4) {
		const uint64_t w0 = rte_le_to_cpu_64(ring[0]);
		const uint64_t w1 = rte_le_to_cpu_64(ring[1]);
		const uint64_t w2 = rte_le_to_cpu_64(ring[2]);
		const uint64_t w3 = rte_le_to_cpu_64(ring[3]);
		struct rte_mbuf *m0 = sw[0], *m1 = sw[1], *m2 = sw[2], *m3 = sw[3];
		const uint32_t l0 = loop_len(w0), l1 = loop_len(w1);
		const uint32_t l2 = loop_len(w2), l3 = loop_len(w3);

		if (unlikely(((w0 | w1 | w2 | w3) & BCM4908_DESC_OWN) != 0))
			break;
		if (unlikely((w0 & w1 & w2 & w3 & LOOP_WHOLE) != LOOP_WHOLE))
			break;
		if (unlikely(l0 - BCM4908_RX_LEN_MIN > range || l1 - BCM4908_RX_LEN_MIN > range ||
			     l2 - BCM4908_RX_LEN_MIN > range || l3 - BCM4908_RX_LEN_MIN > range))
			break;
		out[0] = m0;
		out[1] = m1;
		out[2] = m2;
		out[3] = m3;
		loop_rx_mbuf(m0, rearm, l0 - BCM4908_FCS_LEN);
		loop_rx_mbuf(m1, rearm, l1 - BCM4908_FCS_LEN);
		loop_rx_mbuf(m2, rearm, l2 - BCM4908_FCS_LEN);
		loop_rx_mbuf(m3, rearm, l3 - BCM4908_FCS_LEN);
		sum += (uint64_t)l0 + l1 + l2 + l3 - 4 * BCM4908_FCS_LEN;
	}
	*bytes += sum;
	return loop_rx_rest(q, pkts, n - left, n, bytes);
}

static __rte_always_inline void
rx_post(struct loop_rxq *q, uint32_t n)
{
	volatile uint64_t *ring = &q->ring[q->next];
	struct rte_mbuf **sw = &q->sw[q->next];
	const volatile uint64_t *end = &q->ring[q->size];
	const uint64_t delta = q->delta;

	rte_io_wmb();
	for (; n >= 4; n -= 4, ring += 4, sw += 4) {
		ring[0] = loop_rx_word((uintptr_t)sw[0] + delta, false);
		ring[1] = loop_rx_word((uintptr_t)sw[1] + delta, false);
		ring[2] = loop_rx_word((uintptr_t)sw[2] + delta, false);
		/* a ring ends where a group of four does */
		ring[3] = loop_rx_word((uintptr_t)sw[3] + delta, ring + 4 == end);
	}
	for (; n > 0; n--, ring++, sw++)
		ring[0] = loop_rx_word((uintptr_t)sw[0] + delta, ring + 1 == end);
}

uint16_t
perf_floor_rx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_rx_burst(queue, pkts, nb_pkts, rx_run, rx_post);
}

static __rte_always_inline uint32_t
tx_run(struct loop_txq *q, struct rte_mbuf **pkts, uint32_t n, uint64_t *bytes)
{
	volatile uint64_t *ring = &q->ring[q->next];
	struct rte_mbuf **sw = &q->sw[q->next];
	const volatile uint64_t *end = &q->ring[q->size];
	const uint64_t base = q->base;
	struct rte_mbuf **in = pkts;
	uint32_t left = n;
	uint64_t sum = 0;

	rte_io_wmb();
	for (; left >= 4; left -= 4, ring += 4, sw += 4, in += 4) {
		struct rte_mbuf *m0 = in[0], *m1 = in[1], *m2 = in[2], *m3 = in[3];
		const uint64_t b0 = loop_tx_bus(m0, base), b1 = loop_tx_bus(m1, base);
		const uint64_t b2 = loop_tx_bus(m2, base), b3 = loop_tx_bus(m3, base);
		const uint32_t l0 = m0->data_len, l1 = m1->data_len;
		const uint32_t l2 = m2->data_len, l3 = m3->data_len;

		if (unlikely(!loop_tx_good(m0, b0) || !loop_tx_good(m1, b1) ||
			     !loop_tx_good(m2, b2) || !loop_tx_good(m3, b3)))
			break;
		sw[0] = m0;
		sw[1] = m1;
		sw[2] = m2;
		sw[3] = m3;
		sum += l0 + l1 + l2 + l3;
		ring[0] = loop_tx_word(b0, l0, false);
		ring[1] = loop_tx_word(b1, l1, false);
		ring[2] = loop_tx_word(b2, l2, false);
		ring[3] = loop_tx_word(b3, l3, ring + 4 == end);
	}
	*bytes += sum;
	return loop_tx_rest(q, pkts, n - left, n, bytes);
}

uint16_t
perf_floor_tx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_tx_burst(queue, pkts, nb_pkts, tx_run, loop_free_bulk);
}

/* Mbufs of any pool, perhaps with other owners: neighbours of one pool go back to it at once. */
static __rte_always_inline void
free_safe(struct loop_txq *q __rte_unused, struct rte_mbuf **sw)
{
	struct rte_mempool *mp = NULL;
	struct rte_mbuf **first = sw, **end = sw;

	for (uint32_t i = 0; i < LOOP_BATCH; i++) {
		struct rte_mbuf *m = rte_pktmbuf_prefree_seg(sw[i]);

		if (unlikely(m == NULL))
			continue;
		if (unlikely(m->pool != mp)) {
			if (end > first)
				rte_mempool_put_bulk(mp, (void **)first, end - first);
			mp = m->pool;
			first = end;
		}
		*end++ = m;
	}
	if (likely(end > first))
		rte_mempool_put_bulk(mp, (void **)first, end - first);
}

uint16_t
perf_floor_tx_safe(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_tx_burst(queue, pkts, nb_pkts, tx_run, free_safe);
}
