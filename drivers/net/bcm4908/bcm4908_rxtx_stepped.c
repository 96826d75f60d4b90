/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * stepping=burst: the model moves inside the burst calls of the primary
 * process, so that one core runs both, each time in the same order. The table
 * is this process's own: queues hold no pointer to code.
 */

#include "bcm4908_ethdev.h"

#define STEP_BUDGET 64

static struct {
	struct bcm4908_dev *dev;
	bcm4908_burst_t rx;
	bcm4908_burst_t tx;
} stepped[RTE_MAX_ETHPORTS];

void
bcm4908_stepped_set(struct rte_eth_dev *eth_dev, bcm4908_burst_t rx, bcm4908_burst_t tx)
{
	const uint16_t port = eth_dev->data->port_id;

	stepped[port].dev = bcm4908_dev(eth_dev);
	stepped[port].rx = rx;
	stepped[port].tx = tx;
}

uint16_t
bcm4908_rx_burst_stepped(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct bcm4908_rxq *rxq = queue;
	struct bcm4908_dev *dev = stepped[rxq->port_id].dev;

	dev->ops->step(dev, STEP_BUDGET);
	return stepped[rxq->port_id].rx(queue, pkts, nb_pkts);
}

uint16_t
bcm4908_tx_burst_stepped(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct bcm4908_txq *txq = queue;
	struct bcm4908_dev *dev = stepped[txq->port_id].dev;
	const uint16_t nb_tx = stepped[txq->port_id].tx(queue, pkts, nb_pkts);

	dev->ops->step(dev, STEP_BUDGET);
	return nb_tx;
}
