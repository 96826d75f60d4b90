/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Mbuf recycling: sent mbufs go from a Tx ring straight to an Rx ring, past the
 * mempool. For the ops files of DPDK releases that have the API (23.11 and
 * later); it does not exist in older ones.
 */

#ifndef BCM4908_RECYCLE_H
#define BCM4908_RECYCLE_H

#include "bcm4908_ethdev.h"
#include "bcm4908_rxtx_inline.h"

/* Asking for the queue's data is the sign that an application is going to recycle. */
static void
bcm4908_recycle_rxq_info_get(struct rte_eth_dev *eth_dev, uint16_t qid,
			     struct rte_eth_recycle_rxq_info *info)
{
	struct bcm4908_rxq *rxq = eth_dev->data->rx_queues[qid];

	info->mbuf_ring = rxq->sw_ring;
	/* Other drivers' Tx queues reckon by masks: keep them off any other ring. */
	info->mp = rte_is_power_of_2(rxq->nb_desc) ? rxq->mp : NULL;
	info->mbuf_ring_size = rxq->nb_desc;
	info->refill_requirement = rxq->conf_thresh;
	info->refill_head = &rxq->refill;
	info->receive_tail = &rxq->next;
	bcm4908_recycle_enable(eth_dev);
}

/* May n sent mbufs go to the Rx pool mp just so? The plain free would have to look at each, too. */
static inline bool
bcm4908_recycle_allowed(const struct bcm4908_txq *txq, struct rte_mbuf **sent, uint32_t n,
			const struct rte_mempool *mp)
{
	if (txq->fast_free)
		return txq->fast_mp == mp;
	for (uint32_t i = 0; i < n; i++)
		if (sent[i] == NULL || sent[i]->pool != mp || !RTE_MBUF_DIRECT(sent[i]) ||
		    rte_mbuf_refcnt_read(sent[i]) != 1 || sent[i]->next != NULL)
			return false;
	return true;
}

/*
 * Move the oldest batch of sent mbufs to where the Rx ring wants buffers.
 * Returns how many were moved: all of a batch, or 0 when it is not complete, is
 * not of the Rx pool, or finds no room without a wrap; the next transmit then
 * frees it as ever.
 */
static uint16_t
bcm4908_recycle_tx_mbufs_reuse(void *tx_queue, struct rte_eth_recycle_rxq_info *info)
{
	struct bcm4908_txq *txq = tx_queue;
	const uint32_t clean = rte_atomic_load_explicit(&txq->clean, rte_memory_order_relaxed);
	const uint32_t batch = txq->batch, size = info->mbuf_ring_size;
	const uint32_t head = *info->refill_head;
	const uint32_t hold = (*info->receive_tail + size - head) % size;
	struct rte_mbuf **sent = &txq->sw_ring[clean];

	if (batch != info->refill_requirement || hold < batch || head + batch > size ||
	    txq->nb_free + batch > txq->nb_desc)
		return 0;
	if ((bcm4908_desc_ctl(&txq->ring[clean + batch - 1]) & BCM4908_DESC_OWN) != 0)
		return 0;
	if (!bcm4908_recycle_allowed(txq, sent, batch, info->mp))
		return 0;
	memcpy(&info->mbuf_ring[head], sent, batch * sizeof(*sent));
	bcm4908_tx_cleaned(txq, clean);
	return batch;
}

/* Give nb mbufs that were put into the ring's array to the device. */
static void
bcm4908_recycle_rx_descriptors_refill(void *rx_queue, uint16_t nb)
{
	struct bcm4908_rxq *rxq = rx_queue;

	bcm4908_rx_give(rxq, nb, rxq->features, bcm4908_rx_post);
	bcm4908_ring_doorbell(rxq->doorbell, (rxq->features & BCM4908_RX_F_NONCOHERENT) == 0);
}

#endif /* BCM4908_RECYCLE_H */
