/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What other controllers do to a frame in hardware and this one lacks: address
 * and VLAN filters, VLAN tags, packet types, checksums. Each is a stage around
 * a burst, in burst functions of their own: what nobody asks for costs nothing.
 */

#ifndef BCM4908_RXTX_SOFT_H
#define BCM4908_RXTX_SOFT_H

#include <stdint.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_stdatomic.h>

#include "bcm4908_rxtx.h"

/* Stages of a receive queue. */
#define BCM4908_RX_SOFT_UNICAST		0x01u /* drop what is for none of the station addresses */
#define BCM4908_RX_SOFT_MULTICAST	0x02u /* drop multicast that is not on the list */
#define BCM4908_RX_SOFT_VLAN_FILTER	0x04u /* drop VLANs that are not on the list */
#define BCM4908_RX_SOFT_VLAN_STRIP	0x08u
#define BCM4908_RX_SOFT_PTYPE		0x10u
#define BCM4908_RX_SOFT_CKSUM		0x20u

/* Stages of a transmit queue. */
#define BCM4908_TX_SOFT_CKSUM		0x01u
#define BCM4908_TX_SOFT_VLAN_INSERT	0x02u

#define BCM4908_MAX_MAC_ADDRS		8
#define BCM4908_MAX_MC_ADDRS		64

/* An address as a number, as its six bytes lie in memory. */
#define BCM4908_ADDR_NONE		UINT64_MAX
typedef RTE_ATOMIC(uint64_t) bcm4908_addr_t;

struct bcm4908_mc_list {
	RTE_ATOMIC(uint32_t) count;
	bcm4908_addr_t addrs[BCM4908_MAX_MC_ADDRS];
};

/*
 * What a port's receive filters let pass: written by the control thread, read
 * by the burst. In shared memory, without pointers to code.
 */
struct bcm4908_filter {
	bcm4908_addr_t uc[BCM4908_MAX_MAC_ADDRS];
	struct bcm4908_mc_list mc[2];		/* one in use, one to be filled */
	RTE_ATOMIC(uint32_t) mc_used;		/* which */
	RTE_ATOMIC(uint32_t) ptype_mask;	/* RTE_PTYPE_*_MASK that are asked for */
	RTE_ATOMIC(uint64_t) vlans[RTE_ETHER_MAX_VLAN_ID / 64 + 1];
};

/** An address as struct bcm4908_filter holds it. */
static inline uint64_t
bcm4908_addr_word(const struct rte_ether_addr *addr)
{
	uint64_t word = 0;

	memcpy(&word, addr, sizeof(*addr));
	return word;
}

/**
 * What the bursts below call for a port's queues in this process; each may be
 * running meanwhile.
 */
void bcm4908_soft_set(uint16_t port_id, bcm4908_burst_t rx, bcm4908_burst_t tx);

/** Receive, then do the stages of the queue's "soft". */
uint16_t bcm4908_rx_burst_soft(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/** Do the stages of the queue's "soft" to those frames that find room, and send them. */
uint16_t bcm4908_tx_burst_soft(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

#endif /* BCM4908_RXTX_SOFT_H */
