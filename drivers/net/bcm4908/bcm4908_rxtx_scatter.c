/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include "bcm4908_rxtx_inline.h"
#include "bcm4908_rxtx_scatter.h"

/* The FCS may lie in the last segment, alone in it, or across its start. */
static void
scatter_strip_fcs(struct rte_mbuf *first, struct rte_mbuf *last)
{
	uint32_t left = first->pkt_len - BCM4908_FCS_LEN;
	struct rte_mbuf *m = first;
	uint16_t segs = 1;

	first->pkt_len = left;
	if (likely(last->data_len > BCM4908_FCS_LEN)) {
		last->data_len -= BCM4908_FCS_LEN;
		return;
	}
	while (left > m->data_len) {
		left -= m->data_len;
		m = m->next;
		segs++;
	}
	m->data_len = left;
	rte_pktmbuf_free(m->next);
	m->next = NULL;
	first->nb_segs = segs;
}

static void
scatter_append(struct bcm4908_rxq *rxq, struct rte_mbuf *m)
{
	if (rxq->seg_first == NULL) {
		rxq->seg_first = m;
	} else {
		rxq->seg_first->pkt_len += m->data_len;
		rxq->seg_first->nb_segs++;
		rxq->seg_last->next = m;
	}
	rxq->seg_last = m;
}

/* Give up the frame under construction. */
static void
scatter_discard(struct bcm4908_rxq *rxq, bcm4908_counter_t *why)
{
	bcm4908_count(why, 1);
	rte_pktmbuf_free(rxq->seg_first);
	rxq->seg_first = NULL;
}

/*
 * Add the buffer of the descriptor at idx to the frame under construction.
 * Returns true when that completes it; whatever the device wrote, the buffer is
 * in a frame or freed, and what was not delivered is counted.
 */
static bool
scatter_add(struct bcm4908_rxq *rxq, struct rte_mbuf *m, uint32_t idx, uint32_t ctl, uint64_t seq,
	    const uint32_t features)
{
	const bool eop = (ctl & BCM4908_DESC_EOP) != 0;
	const uint32_t len = bcm4908_desc_len(ctl);
	const uint32_t max_frame = rte_atomic_load_explicit(&rxq->max_frame,
							    rte_memory_order_relaxed);

	/* A new frame begins: the end of the one before never came. */
	if (unlikely((ctl & BCM4908_DESC_SOP) != 0 && rxq->seg_first != NULL))
		scatter_discard(rxq, &rxq->stats.seq_errors);
	/* No frame has begun, unless one that was already counted as bad goes on. */
	if (unlikely((ctl & BCM4908_DESC_SOP) == 0 && rxq->seg_first == NULL)) {
		if (!bcm4908_rx_bad_goes_on(rxq, idx, ctl, seq))
			bcm4908_count(&rxq->stats.seq_errors, 1);
		bcm4908_rx_bad_mark(rxq, idx, ctl, seq);
		rte_mbuf_raw_free(m);
		return false;
	}
	if ((features & BCM4908_RX_F_NONCOHERENT) != 0)
		bcm4908_cache_clean_inval((uintptr_t)m->buf_addr + rxq->data_off,
					  RTE_MIN(len, (uint32_t)rxq->capacity));
	bcm4908_rx_mbuf_init(rxq, m, rxq->mbuf_init, len, features);
	scatter_append(rxq, m);
	if (unlikely(len > rxq->capacity || rxq->seg_first->pkt_len > max_frame))
		scatter_discard(rxq, &rxq->stats.long_errors);
	else if (unlikely(eop && rxq->seg_first->pkt_len < BCM4908_RX_LEN_MIN))
		scatter_discard(rxq, &rxq->stats.short_errors);
	else if (unlikely(len == 0))
		scatter_discard(rxq, &rxq->stats.seq_errors);
	else
		return eop;
	bcm4908_rx_bad_mark(rxq, idx, ctl, seq);
	return false;
}

static __rte_always_inline uint16_t
rx_burst_scatter(struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts,
		 const uint32_t features)
{
	const uint64_t packets = rte_atomic_load_explicit(&rxq->stats.packets,
							  rte_memory_order_relaxed);
	uint32_t left = rxq->nb_desc - rxq->nb_hold;
	uint64_t bytes = 0;
	uint16_t nb_rx = 0;

	for (; nb_rx < nb_pkts && left > 0; left--) {
		const uint32_t idx = rxq->next;
		const uint32_t ctl = bcm4908_desc_ctl(&rxq->ring[idx]);
		struct rte_mbuf *m;

		if ((ctl & BCM4908_DESC_OWN) != 0)
			break;
		bcm4908_rx_mark_taken(rxq, &rxq->sw_ring[idx], 1);
		bcm4908_rx_advance(rxq, 1);
		if (!scatter_add(rxq, rxq->sw_ring[idx], idx, ctl, packets + nb_rx, features))
			continue;
		m = rxq->seg_first;
		scatter_strip_fcs(m, rxq->seg_last);
		rxq->seg_first = NULL;
		bytes += m->pkt_len;
		pkts[nb_rx++] = m;
	}
	if ((features & BCM4908_RX_F_NONCOHERENT) != 0)
		bcm4908_cache_sync();
	bcm4908_count(&rxq->stats.packets, nb_rx);
	bcm4908_count(&rxq->stats.bytes, bytes);
	bcm4908_rx_refill(rxq, features, bcm4908_rx_post);
	return nb_rx;
}

#define RX_BURST(suffix, features) \
uint16_t \
bcm4908_rx_burst_scatter##suffix(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts) \
{ \
	return rx_burst_scatter(queue, pkts, nb_pkts, features); \
}

RX_BURST(, 0)
RX_BURST(_load, BCM4908_RX_F_LOAD_ADDR)
RX_BURST(_noncoherent, BCM4908_RX_F_NONCOHERENT)
RX_BURST(_noncoherent_load, BCM4908_RX_F_NONCOHERENT | BCM4908_RX_F_LOAD_ADDR)
