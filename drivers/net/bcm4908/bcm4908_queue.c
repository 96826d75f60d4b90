/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Queues as ethdev sees them: setup, start and stop, which burst functions serve
 * them, and what can be asked about them.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

#include "bcm4908_ethdev.h"
#include "bcm4908_hw.h"
#include "bcm4908_logs.h"

#define HANDOVER_STEP_US	50
#define HANDOVER_STEPS		200	/* 10 ms in all: who has not polled by then does not poll */

/*
 * Bursts
 */

bool
bcm4908_can_burst(const struct bcm4908_port *port)
{
	return rte_eal_process_type() == RTE_PROC_PRIMARY ||
		(port->stepping == BCM4908_STEPPING_THREAD && port->coherent) ||
		port->stepping == BCM4908_STEPPING_NONE;
}

/*
 * In place of a queue's burst while control and polling thread hand the queue
 * over to each other: a call tells that the thread which polls is out of the
 * burst before, and lets it see what was done to the queue meanwhile.
 */
static uint16_t
burst_handover(RTE_ATOMIC(bool) *polled)
{
	if (!rte_atomic_load_explicit(polled, rte_memory_order_acquire))
		rte_atomic_store_explicit(polled, true, rte_memory_order_release);
	return 0;
}

static uint16_t
rx_burst_handover(void *queue, struct rte_mbuf **pkts __rte_unused, uint16_t nb_pkts __rte_unused)
{
	struct bcm4908_rxq *rxq = queue;

	return burst_handover(&rxq->polled);
}

static uint16_t
tx_burst_handover(void *queue, struct rte_mbuf **pkts __rte_unused, uint16_t nb_pkts __rte_unused)
{
	struct bcm4908_txq *txq = queue;

	return burst_handover(&txq->polled);
}

void
bcm4908_select_bursts(struct rte_eth_dev *eth_dev)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);
	bcm4908_burst_t rx = bcm4908_rx_burst_get(port->rx_features)->fn;
	bcm4908_burst_t tx = bcm4908_tx_burst_get(port->tx_features)->fn;
	struct rte_eth_fp_ops *fp_ops = &rte_eth_fp_ops[eth_dev->data->port_id];

	bcm4908_soft_set(port->port_id, rx, tx);
	if (port->rx_soft != 0)
		rx = bcm4908_rx_burst_soft;
	if (port->tx_soft != 0)
		tx = bcm4908_tx_burst_soft;
	if (port->stepping == BCM4908_STEPPING_BURST) {
		bcm4908_stepped_set(eth_dev, rx, tx);
		rx = bcm4908_rx_burst_stepped;
		tx = bcm4908_tx_burst_stepped;
	}
	/* A queue that is off may be gone: nothing must look at it. */
	if (port->rx_state != BCM4908_QUEUE_ON)
		rx = port->rx_state == BCM4908_QUEUE_HANDOVER ? rx_burst_handover :
			rte_eth_pkt_burst_dummy;
	if (port->tx_state != BCM4908_QUEUE_ON)
		tx = port->tx_state == BCM4908_QUEUE_HANDOVER ? tx_burst_handover :
			rte_eth_pkt_burst_dummy;
	if (!bcm4908_can_burst(port)) {
		rx = rte_eth_pkt_burst_dummy;
		tx = rte_eth_pkt_burst_dummy;
	}
	eth_dev->rx_pkt_burst = rx;
	eth_dev->tx_pkt_burst = tx;
	if (port->running) {
		__atomic_store_n(&fp_ops->rx_pkt_burst, rx, __ATOMIC_RELEASE);
		__atomic_store_n(&fp_ops->tx_pkt_burst, tx, __ATOMIC_RELEASE);
	}
}

/* What an MTU means: to the MAC, to the receive queue, and to the choice of bursts. */
void
bcm4908_port_apply_mtu(struct rte_eth_dev *eth_dev, uint16_t mtu)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct rte_eth_dev_data *data = eth_dev->data;
	struct bcm4908_rxq *rxq = port->rxq;
	const bool wanted = (data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_SCATTER) != 0;

	port->frame_len = mtu + BCM4908_FRAME_LEN_SPARE;
	data->scattered_rx = wanted || (rxq != NULL && port->frame_len > rxq->capacity);
	port->rx_features = (data->scattered_rx != 0 ? BCM4908_RX_F_SCATTER : 0) |
		(port->coherent ? 0 : BCM4908_RX_F_NONCOHERENT) |
		(rxq != NULL && !rxq->linear ? BCM4908_RX_F_LOAD_ADDR : 0) |
		(port->recycle ? BCM4908_RX_F_RECYCLE : 0);
	if (rxq != NULL)
		rxq->features = port->rx_features;
	port->tx_features = (port->coherent ? 0 : BCM4908_TX_F_NONCOHERENT) |
		(bcm4908_dev(eth_dev)->mbuf_addr_off == offsetof(struct rte_mbuf, buf_iova) ?
		 BCM4908_TX_F_IOVA : 0) |
		(port->txq != NULL && port->txq->fast_free ? BCM4908_TX_F_FAST_FREE : 0);
	bcm4908_soft_update(eth_dev);
}

void
bcm4908_recycle_enable(struct rte_eth_dev *eth_dev)
{
	bcm4908_port(eth_dev)->recycle = true;
	bcm4908_port_apply_mtu(eth_dev, eth_dev->data->mtu);
}

/*
 * Setup
 */

/*
 * Free a queue whose memory is free already. On a running port the thread that
 * polled it may have been held up in the burst of the handover, which looks at
 * it: it is freed when the next one goes.
 */
static void
queue_bury(const struct bcm4908_port *port, void **buried, void *queue)
{
	rte_free(*buried);
	*buried = port->running ? queue : NULL;
	if (!port->running)
		rte_free(queue);
}

int
bcm4908_rx_queue_setup(struct rte_eth_dev *eth_dev, uint16_t qid, uint16_t nb_desc,
		       unsigned int socket, const struct rte_eth_rxconf *conf,
		       struct rte_mempool *mp)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	int ret;

	/* ethdev has released an earlier one */
	ret = bcm4908_rxq_create(bcm4908_dev(eth_dev), port->port_id, nb_desc,
				 conf->rx_free_thresh, mp, socket, &port->rxq);
	if (ret != 0)
		return ret;
	port->rxq->deferred = conf->rx_deferred_start != 0;
	port->rxq->filter = &port->filter;
	eth_dev->data->rx_queues[qid] = port->rxq;
	return 0;
}

void
bcm4908_rx_queue_release(struct rte_eth_dev *eth_dev, uint16_t qid)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	bcm4908_rxq_release(bcm4908_dev(eth_dev), port->rxq);
	queue_bury(port, &port->rxq_buried, port->rxq);
	port->rxq = NULL;
	if (eth_dev->data->rx_queues != NULL)
		eth_dev->data->rx_queues[qid] = NULL;
}

int
bcm4908_tx_queue_setup(struct rte_eth_dev *eth_dev, uint16_t qid, uint16_t nb_desc,
		       unsigned int socket, const struct rte_eth_txconf *conf)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	const uint64_t offloads = conf->offloads | eth_dev->data->dev_conf.txmode.offloads;
	int ret;

	/* ethdev has released an earlier one */
	ret = bcm4908_txq_create(bcm4908_dev(eth_dev), port->port_id, nb_desc,
				 conf->tx_free_thresh,
				 (offloads & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE) != 0, socket,
				 &port->txq);
	if (ret != 0)
		return ret;
	port->txq->deferred = conf->tx_deferred_start != 0;
	eth_dev->data->tx_queues[qid] = port->txq;
	return 0;
}

void
bcm4908_tx_queue_release(struct rte_eth_dev *eth_dev, uint16_t qid)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	bcm4908_txq_release(bcm4908_dev(eth_dev), port->txq);
	queue_bury(port, &port->txq_buried, port->txq);
	port->txq = NULL;
	if (eth_dev->data->tx_queues != NULL)
		eth_dev->data->tx_queues[qid] = NULL;
}

/*
 * Start and stop
 */

int
bcm4908_rx_fill(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	int ret;

	if (bcm4908_rx_is_on(port)) {
		ret = bcm4908_rxq_start(dev, port->rxq, eth_dev->data->mtu + BCM4908_OVERHEAD);
		if (ret != 0)
			return ret;
		eth_dev->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
		port->filled = true;
	}
	/* A channel without a queue forgets the ring of an earlier one. */
	bcm4908_hw_chan_init(dev, BCM4908_CHAN_RX,
			     bcm4908_rx_is_on(port) ? port->rxq->dma.bus : 0);
	return 0;
}

void
bcm4908_tx_fill(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	if (bcm4908_tx_is_on(port)) {
		bcm4908_txq_start(dev, port->txq);
		eth_dev->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
		port->filled = true;
	}
	bcm4908_hw_chan_init(dev, BCM4908_CHAN_TX,
			     bcm4908_tx_is_on(port) ? port->txq->dma.bus : 0);
}

void
bcm4908_rx_empty(struct rte_eth_dev *eth_dev)
{
	bcm4908_rxq_stop(bcm4908_port(eth_dev)->rxq);
	eth_dev->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
}

void
bcm4908_tx_empty(struct rte_eth_dev *eth_dev)
{
	bcm4908_txq_stop(bcm4908_port(eth_dev)->txq);
	eth_dev->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
}

/* Take a queue away from the thread that polls it, or give it to that thread. */
static void
queue_hand_over(struct rte_eth_dev *eth_dev, enum bcm4908_queue_state *state,
		RTE_ATOMIC(bool) *polled, enum bcm4908_queue_state to)
{
	rte_atomic_store_explicit(polled, false, rte_memory_order_release);
	*state = BCM4908_QUEUE_HANDOVER;
	bcm4908_select_bursts(eth_dev);
	for (unsigned int i = 0; i < HANDOVER_STEPS; i++) {
		if (rte_atomic_load_explicit(polled, rte_memory_order_acquire))
			break;
		rte_delay_us_sleep(HANDOVER_STEP_US);
	}
	*state = to;
	bcm4908_select_bursts(eth_dev);
}

/* The other direction runs, and with it the window: does it hold the queue's buffers? */
static int
window_check(const struct rte_eth_dev *eth_dev, const struct bcm4908_rxq *rxq)
{
	const uint64_t base = bcm4908_dev(eth_dev)->bus_base;

	if (rxq->lo >= base && rxq->hi - base <= (uint64_t)UINT32_MAX + 1)
		return 0;
	PMD_LOG(ERR, "port %u: the buffers from %#" PRIx64 " to %#" PRIx64
		" are outside of what the running port can reach; stop and start the port",
		rxq->port_id, rxq->lo, rxq->hi);
	return -ERANGE;
}

int
bcm4908_rx_queue_start(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);
	int ret = window_check(eth_dev, port->rxq);

	if (ret != 0)
		return ret;
	bcm4908_watchdog_cancel(eth_dev);
	/* The queue may have been set up anew, for other bursts. */
	bcm4908_port_apply_mtu(eth_dev, eth_dev->data->mtu);
	port->rx_state = BCM4908_QUEUE_HANDOVER;
	ret = bcm4908_rx_fill(eth_dev);
	if (ret == 0) {
		queue_hand_over(eth_dev, &port->rx_state, &port->rxq->polled, BCM4908_QUEUE_ON);
		bcm4908_hw_chan_enable(dev, BCM4908_CHAN_RX);
		bcm4908_hw_mac_enable(dev, bcm4908_mac_rx(port), bcm4908_mac_tx(port));
	} else {
		port->rx_state = BCM4908_QUEUE_OFF;
	}
	bcm4908_watchdog_set(eth_dev);
	return ret;
}

int
bcm4908_rx_queue_stop(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	int ret;

	bcm4908_watchdog_cancel(eth_dev);
	queue_hand_over(eth_dev, &port->rx_state, &port->rxq->polled, BCM4908_QUEUE_OFF);
	ret = bcm4908_hw_rx_stop(bcm4908_dev(eth_dev));
	/* Memory that the channel may still write to is better lost than reused. */
	if (ret == 0) {
		bcm4908_hw_chan_init(bcm4908_dev(eth_dev), BCM4908_CHAN_RX, 0);
		bcm4908_rx_empty(eth_dev);
	}
	bcm4908_watchdog_set(eth_dev);
	return ret;
}

int
bcm4908_tx_queue_start(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	bcm4908_watchdog_cancel(eth_dev);
	bcm4908_port_apply_mtu(eth_dev, eth_dev->data->mtu);
	port->tx_state = BCM4908_QUEUE_HANDOVER;
	bcm4908_tx_fill(eth_dev);
	bcm4908_hw_mac_enable(bcm4908_dev(eth_dev), bcm4908_mac_rx(port),
			      bcm4908_mac_tx(port));
	queue_hand_over(eth_dev, &port->tx_state, &port->txq->polled, BCM4908_QUEUE_ON);
	bcm4908_watchdog_set(eth_dev);
	return 0;
}

int
bcm4908_tx_queue_stop(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	int ret;

	bcm4908_watchdog_cancel(eth_dev);
	queue_hand_over(eth_dev, &port->tx_state, &port->txq->polled, BCM4908_QUEUE_OFF);
	ret = bcm4908_hw_tx_stop(bcm4908_dev(eth_dev));
	if (ret == 0) {
		/* Nor may the port's stop find the ring and drain it: it may be freed. */
		bcm4908_hw_chan_init(bcm4908_dev(eth_dev), BCM4908_CHAN_TX, 0);
		bcm4908_tx_empty(eth_dev);
	}
	bcm4908_watchdog_set(eth_dev);
	return ret;
}

/*
 * Queries
 */

void
bcm4908_rxq_info_get(struct rte_eth_dev *eth_dev, uint16_t qid, struct rte_eth_rxq_info *info)
{
	const struct bcm4908_rxq *rxq = eth_dev->data->rx_queues[qid];

	info->mp = rxq->mp;
	info->scattered_rx = eth_dev->data->scattered_rx;
	info->nb_desc = rxq->nb_desc;
	info->rx_buf_size = rxq->capacity;
	info->conf.rx_free_thresh = rxq->conf_thresh;
	info->conf.rx_deferred_start = rxq->deferred;
	info->conf.offloads = eth_dev->data->dev_conf.rxmode.offloads;
	/* a full ring drops nothing here: frames wait in the FIFO */
	info->conf.rx_drop_en = 0;
}

void
bcm4908_txq_info_get(struct rte_eth_dev *eth_dev, uint16_t qid, struct rte_eth_txq_info *info)
{
	const struct bcm4908_txq *txq = eth_dev->data->tx_queues[qid];

	info->nb_desc = txq->nb_desc;
	info->conf.tx_free_thresh = txq->free_thresh;
	info->conf.tx_rs_thresh = txq->conf_batch;
	info->conf.tx_deferred_start = txq->deferred;
	info->conf.offloads = eth_dev->data->dev_conf.txmode.offloads |
		(txq->fast_free ? RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE : 0);
}

static int
burst_mode_set(const struct bcm4908_port *port, const struct bcm4908_burst *burst,
	       uint32_t rx_soft, uint32_t tx_soft, struct rte_eth_burst_mode *mode)
{
	const size_t size = sizeof(mode->info);
	int len = snprintf(mode->info, size, "%s", burst->name);

	len += bcm4908_soft_names(rx_soft, tx_soft, mode->info + len, size - len);
	if (port->stepping == BCM4908_STEPPING_BURST)
		snprintf(mode->info + len, size - len, ", stepping the model");
	return 0;
}

int
bcm4908_rx_burst_mode_get(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused,
			  struct rte_eth_burst_mode *mode)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);

	return burst_mode_set(port, bcm4908_rx_burst_get(port->rx_features), port->rx_soft, 0,
			      mode);
}

int
bcm4908_tx_burst_mode_get(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused,
			  struct rte_eth_burst_mode *mode)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);

	return burst_mode_set(port, bcm4908_tx_burst_get(port->tx_features), 0, port->tx_soft,
			      mode);
}

int
bcm4908_rx_descriptor_status(void *rx_queue, uint16_t offset)
{
	return bcm4908_rxq_desc_status(rx_queue, offset);
}

int
bcm4908_tx_descriptor_status(void *tx_queue, uint16_t offset)
{
	return bcm4908_txq_desc_status(tx_queue, offset);
}

int
bcm4908_tx_done_cleanup(void *tx_queue, uint32_t free_cnt)
{
	return bcm4908_txq_done_cleanup(tx_queue, free_cnt);
}
