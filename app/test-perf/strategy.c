/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* What drivers did before they learned better. */

#include <string.h>

#include "loop.h"

/* Each frame is copied out of a buffer that stays in the ring. */
uint16_t
perf_strategy_rx_copy(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct loop_rxq *q = queue;
	uint16_t nb_rx = 0;

	for (; nb_rx < nb_pkts; nb_rx++) {
		const uint32_t idx = q->next;
		const uint64_t word = rte_le_to_cpu_64(q->ring[idx]);
		const uint32_t len = loop_len(word) - BCM4908_FCS_LEN;
		struct rte_mbuf *m;

		if ((word & BCM4908_DESC_OWN) != 0)
			break;
		m = rte_pktmbuf_alloc(q->mp);
		if (unlikely(m == NULL || !loop_rx_good(word, q->max_len))) {
			rte_pktmbuf_free(m);
			q->errors++;
			break;
		}
		memcpy(rte_pktmbuf_mtod(m, void *), &q->copies[idx * LOOP_CAPACITY], len);
		m->data_len = len;
		m->pkt_len = len;
		pkts[nb_rx] = m;
		q->bytes += len;
		rte_io_wmb();
		q->ring[idx] = loop_rx_word(idx * LOOP_CAPACITY, idx + 1 == q->size);
		q->next = idx + 1 == q->size ? 0 : idx + 1;
	}
	if (nb_rx > 0) {
		q->packets += nb_rx;
		loop_kick(&q->doorbell);
	}
	return nb_rx;
}

/* Each frame is copied into a buffer that stays in the ring. */
uint16_t
perf_strategy_tx_copy(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct loop_txq *q = queue;
	uint16_t nb_tx = 0;

	for (; nb_tx < nb_pkts; nb_tx++) {
		const uint32_t idx = q->next;
		struct rte_mbuf *m = pkts[nb_tx];
		const uint32_t len = m->data_len;

		if ((rte_le_to_cpu_64(q->ring[idx]) & BCM4908_DESC_OWN) != 0)
			break;
		if (unlikely(m->nb_segs != 1 || len < BCM4908_TX_LEN_MIN || len > LOOP_CAPACITY)) {
			q->errors++;
			break;
		}
		memcpy(&q->copies[idx * LOOP_CAPACITY], rte_pktmbuf_mtod(m, void *), len);
		rte_pktmbuf_free(m);
		q->bytes += len;
		rte_io_wmb();
		q->ring[idx] = loop_tx_word(idx * LOOP_CAPACITY, len, idx + 1 == q->size);
		q->next = idx + 1 == q->size ? 0 : idx + 1;
	}
	if (nb_tx > 0) {
		q->packets += nb_tx;
		loop_kick(&q->doorbell);
	}
	return nb_tx;
}

/* Buffers change hands, but each is asked for by itself. */
uint16_t
perf_strategy_rx_single(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct loop_rxq *q = queue;
	uint16_t nb_rx = 0;

	for (; nb_rx < nb_pkts; nb_rx++) {
		const uint32_t idx = q->next;
		const uint64_t word = rte_le_to_cpu_64(q->ring[idx]);
		const uint32_t len = loop_len(word) - BCM4908_FCS_LEN;
		struct rte_mbuf *m;

		if ((word & BCM4908_DESC_OWN) != 0)
			break;
		m = rte_pktmbuf_alloc(q->mp);
		if (unlikely(m == NULL || !loop_rx_good(word, q->max_len))) {
			rte_pktmbuf_free(m);
			q->errors++;
			break;
		}
		pkts[nb_rx] = q->sw[idx];
		loop_rx_mbuf(pkts[nb_rx], q->rearm, len);
		q->bytes += len;
		q->sw[idx] = m;
		rte_io_wmb();
		q->ring[idx] = loop_rx_word((uintptr_t)m + q->delta, idx + 1 == q->size);
		q->next = idx + 1 == q->size ? 0 : idx + 1;
	}
	if (nb_rx > 0) {
		q->packets += nb_rx;
		loop_kick(&q->doorbell);
	}
	return nb_rx;
}

/* A slot's old mbuf is freed when the slot is needed. */
uint16_t
perf_strategy_tx_single(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct loop_txq *q = queue;
	uint16_t nb_tx = 0;

	for (; nb_tx < nb_pkts; nb_tx++) {
		const uint32_t idx = q->next;
		struct rte_mbuf *m = pkts[nb_tx];
		const uint64_t bus = loop_tx_bus(m, q->base);

		if ((rte_le_to_cpu_64(q->ring[idx]) & BCM4908_DESC_OWN) != 0)
			break;
		if (unlikely(!loop_tx_good(m, bus))) {
			q->errors++;
			break;
		}
		rte_pktmbuf_free(q->sw[idx]);
		q->sw[idx] = m;
		q->bytes += m->data_len;
		rte_io_wmb();
		q->ring[idx] = loop_tx_word(bus, m->data_len, idx + 1 == q->size);
		q->next = idx + 1 == q->size ? 0 : idx + 1;
	}
	if (nb_tx > 0) {
		q->packets += nb_tx;
		loop_kick(&q->doorbell);
	}
	return nb_tx;
}

static __rte_always_inline void
free_each(struct loop_txq *q __rte_unused, struct rte_mbuf **sw)
{
	for (uint32_t i = 0; i < LOOP_BATCH; i++)
		rte_pktmbuf_free(sw[i]);
}

static __rte_always_inline uint32_t
tx_run(struct loop_txq *q, struct rte_mbuf **pkts, uint32_t n, uint64_t *bytes)
{
	rte_io_wmb();
	return loop_tx_rest(q, pkts, 0, n, bytes);
}

uint16_t
perf_strategy_tx_free_each(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_tx_burst(queue, pkts, nb_pkts, tx_run, free_each);
}
