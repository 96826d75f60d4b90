/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The ethdev ops table for DPDK 24.11. */

#include "bcm4908_ethdev.h"
#include "bcm4908_recycle.h"

static int
stats_get(struct rte_eth_dev *eth_dev, struct rte_eth_stats *stats)
{
	bcm4908_basic_stats(eth_dev, stats);
	stats->q_ipackets[0] = stats->ipackets;
	stats->q_ibytes[0] = stats->ibytes;
	stats->q_opackets[0] = stats->opackets;
	stats->q_obytes[0] = stats->obytes;
	return 0;
}

static uint32_t
rx_queue_count(void *rx_queue)
{
	return bcm4908_rxq_count(rx_queue);
}

static int
tx_queue_count(void *tx_queue)
{
	return bcm4908_txq_count(tx_queue);
}

/* Start sets all of it by itself. */
static uint64_t
get_restore_flags(struct rte_eth_dev *eth_dev __rte_unused,
		  enum rte_eth_dev_operation op __rte_unused)
{
	return 0;
}

static const struct eth_dev_ops bcm4908_primary_ops = {
	BCM4908_QUERY_OPS,
	BCM4908_CONTROL_OPS,
	.stats_get = stats_get,
	.dev_supported_ptypes_get = bcm4908_ptypes_get,
	.recycle_rxq_info_get = bcm4908_recycle_rxq_info_get,
	.get_restore_flags = get_restore_flags,
};

static const struct eth_dev_ops bcm4908_secondary_ops = {
	BCM4908_QUERY_OPS,
	.stats_get = stats_get,
	.dev_supported_ptypes_get = bcm4908_ptypes_get,
};

void
bcm4908_set_ops(struct rte_eth_dev *eth_dev)
{
	eth_dev->dev_ops = rte_eal_process_type() == RTE_PROC_PRIMARY ?
		&bcm4908_primary_ops : &bcm4908_secondary_ops;
	eth_dev->rx_queue_count = rx_queue_count;
	eth_dev->tx_queue_count = tx_queue_count;
	eth_dev->recycle_tx_mbufs_reuse = bcm4908_recycle_tx_mbufs_reuse;
	eth_dev->recycle_rx_descriptors_refill = bcm4908_recycle_rx_descriptors_refill;
	eth_dev->rx_descriptor_status = bcm4908_rx_descriptor_status;
	eth_dev->tx_descriptor_status = bcm4908_tx_descriptor_status;
}
