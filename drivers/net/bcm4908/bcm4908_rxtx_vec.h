/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#ifndef BCM4908_RXTX_VEC_H
#define BCM4908_RXTX_VEC_H

#include <stdint.h>

#include <rte_mbuf.h>

/*
 * Bursts of the plain path for a vector instruction set; queue is a struct
 * bcm4908_rxq or bcm4908_txq. They are used only where the device addresses
 * buffers by buf_addr.
 */
uint16_t bcm4908_rx_burst_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t bcm4908_rx_burst_avx2_recycle(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t bcm4908_tx_burst_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t bcm4908_tx_burst_avx2_fast_free(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

#endif /* BCM4908_RXTX_VEC_H */
