/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#ifndef BCM4908_RXTX_SCATTER_H
#define BCM4908_RXTX_SCATTER_H

#include <stdint.h>

#include <rte_mbuf.h>

/* Receive bursts for frames that span several buffers; queue is a struct bcm4908_rxq. */
uint16_t bcm4908_rx_burst_scatter(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t bcm4908_rx_burst_scatter_load(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t bcm4908_rx_burst_scatter_noncoherent(void *queue, struct rte_mbuf **pkts,
					      uint16_t nb_pkts);
uint16_t bcm4908_rx_burst_scatter_noncoherent_load(void *queue, struct rte_mbuf **pkts,
						   uint16_t nb_pkts);

#endif /* BCM4908_RXTX_SCATTER_H */
