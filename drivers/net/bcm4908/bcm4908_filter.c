/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Which frames a port receives, and what software does to frames on their way:
 * the control side of the stages in bcm4908_rxtx_soft.c. The MAC itself knows
 * one station address, and lets all multicast pass [4.6].
 */

#include <errno.h>

#include "bcm4908_ethdev.h"
#include "bcm4908_hw.h"
#include "bcm4908_logs.h"
#include "bcm4908_rxtx_soft.h"

static void
addr_store(bcm4908_addr_t *addr, uint64_t word)
{
	rte_atomic_store_explicit(addr, word, rte_memory_order_relaxed);
}

static uint64_t
addr_load(bcm4908_addr_t *addr)
{
	return rte_atomic_load_explicit(addr, rte_memory_order_relaxed);
}

#define ALL_PTYPES	(RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK)

static bool
has_more_addrs(struct bcm4908_port *port)
{
	for (unsigned int i = 1; i < BCM4908_MAX_MAC_ADDRS; i++)
		if (addr_load(&port->filter.uc[i]) != BCM4908_ADDR_NONE)
			return true;
	return false;
}

static uint32_t
rx_stages(struct bcm4908_port *port, uint64_t offloads)
{
	return (!port->promisc && has_more_addrs(port) ? BCM4908_RX_SOFT_UNICAST : 0) |
		(!port->promisc && !port->allmulti ? BCM4908_RX_SOFT_MULTICAST : 0) |
		((offloads & RTE_ETH_RX_OFFLOAD_VLAN_FILTER) != 0 ?
		 BCM4908_RX_SOFT_VLAN_FILTER : 0) |
		((offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP) != 0 ?
		 BCM4908_RX_SOFT_VLAN_STRIP : 0) |
		(port->ptypes_wanted != 0 ? BCM4908_RX_SOFT_PTYPE : 0) |
		((offloads & BCM4908_RX_CKSUM_OFFLOADS) != 0 ? BCM4908_RX_SOFT_CKSUM : 0);
}

static uint32_t
tx_stages(uint64_t offloads)
{
	return ((offloads & BCM4908_TX_CKSUM_OFFLOADS) != 0 ? BCM4908_TX_SOFT_CKSUM : 0) |
		((offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT) != 0 ?
		 BCM4908_TX_SOFT_VLAN_INSERT : 0);
}

static uint32_t
rx_ptypes(const struct bcm4908_port *port, uint64_t offloads)
{
	/* Who has checksums judged gets the types as well: they come of the same look. */
	if (!port->ptypes_decided && (offloads & BCM4908_RX_CKSUM_OFFLOADS) != 0)
		return ALL_PTYPES;
	return port->ptypes_wanted;
}

void
bcm4908_soft_update(struct rte_eth_dev *eth_dev)
{
	const struct rte_eth_conf *conf = &eth_dev->data->dev_conf;
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	rte_atomic_store_explicit(&port->filter.ptype_mask,
				  rx_ptypes(port, conf->rxmode.offloads),
				  rte_memory_order_relaxed);
	port->rx_soft = rx_stages(port, conf->rxmode.offloads);
	port->tx_soft = tx_stages(conf->txmode.offloads);
	if (port->rxq != NULL)
		rte_atomic_store_explicit(&port->rxq->soft, port->rx_soft,
					  rte_memory_order_release);
	if (port->txq != NULL)
		rte_atomic_store_explicit(&port->txq->soft, port->tx_soft,
					  rte_memory_order_release);
	bcm4908_select_bursts(eth_dev);
}

bool
bcm4908_hw_promisc(struct bcm4908_port *port)
{
	return port->promisc || has_more_addrs(port);
}

/* The addresses or what is to be done with them changed. */
static void
filter_update(struct rte_eth_dev *eth_dev)
{
	const bool hw = bcm4908_hw_promisc(bcm4908_port(eth_dev));
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	/* One of the filters is always in place. */
	if (!hw)
		bcm4908_hw_set_promisc(dev, false);
	bcm4908_soft_update(eth_dev);
	if (hw)
		bcm4908_hw_set_promisc(dev, true);
}

void
bcm4908_filter_init(struct bcm4908_port *port, const struct rte_ether_addr *mac)
{
	addr_store(&port->filter.uc[0], bcm4908_addr_word(mac));
	for (unsigned int i = 1; i < BCM4908_MAX_MAC_ADDRS; i++)
		addr_store(&port->filter.uc[i], BCM4908_ADDR_NONE);
	/* As the MAC resets [4.6]: a wire may bring frames before an application asks for them. */
	port->promisc = true;
}

int
bcm4908_mac_addr_set(struct rte_eth_dev *eth_dev, struct rte_ether_addr *mac)
{
	addr_store(&bcm4908_port(eth_dev)->filter.uc[0], bcm4908_addr_word(mac));
	bcm4908_hw_set_mac_addr(bcm4908_dev(eth_dev), mac);
	return 0;
}

int
bcm4908_mac_addr_add(struct rte_eth_dev *eth_dev, struct rte_ether_addr *mac, uint32_t index,
		     uint32_t pool)
{
	if (pool != 0) {
		PMD_LOG(ERR, "port %u: an address cannot belong to pool %u; there is but pool 0",
			eth_dev->data->port_id, pool);
		return -ENOTSUP;
	}
	addr_store(&bcm4908_port(eth_dev)->filter.uc[index], bcm4908_addr_word(mac));
	filter_update(eth_dev);
	return 0;
}

void
bcm4908_mac_addr_remove(struct rte_eth_dev *eth_dev, uint32_t index)
{
	addr_store(&bcm4908_port(eth_dev)->filter.uc[index], BCM4908_ADDR_NONE);
	filter_update(eth_dev);
}

int
bcm4908_set_mc_addr_list(struct rte_eth_dev *eth_dev, struct rte_ether_addr *addrs,
			 uint32_t count)
{
	struct bcm4908_filter *filter = &bcm4908_port(eth_dev)->filter;
	const uint32_t used = rte_atomic_load_explicit(&filter->mc_used, rte_memory_order_relaxed);
	struct bcm4908_mc_list *mc = &filter->mc[1 - used];

	if (count > BCM4908_MAX_MC_ADDRS) {
		PMD_LOG(ERR, "port %u: %u multicast addresses; at most %u are possible, or all-multicast",
			eth_dev->data->port_id, count, BCM4908_MAX_MC_ADDRS);
		return -ENOSPC;
	}
	/* A burst looks at the other list until this one is complete. */
	for (uint32_t i = 0; i < count; i++)
		addr_store(&mc->addrs[i], bcm4908_addr_word(&addrs[i]));
	rte_atomic_store_explicit(&mc->count, count, rte_memory_order_relaxed);
	rte_atomic_store_explicit(&filter->mc_used, 1 - used, rte_memory_order_release);
	return 0;
}

static int
set_promisc(struct rte_eth_dev *eth_dev, bool on)
{
	bcm4908_port(eth_dev)->promisc = on;
	filter_update(eth_dev);
	return 0;
}

int
bcm4908_promiscuous_enable(struct rte_eth_dev *eth_dev)
{
	return set_promisc(eth_dev, true);
}

int
bcm4908_promiscuous_disable(struct rte_eth_dev *eth_dev)
{
	return set_promisc(eth_dev, false);
}

static int
set_allmulti(struct rte_eth_dev *eth_dev, bool on)
{
	bcm4908_port(eth_dev)->allmulti = on;
	filter_update(eth_dev);
	return 0;
}

int
bcm4908_allmulticast_enable(struct rte_eth_dev *eth_dev)
{
	return set_allmulti(eth_dev, true);
}

int
bcm4908_allmulticast_disable(struct rte_eth_dev *eth_dev)
{
	return set_allmulti(eth_dev, false);
}

int
bcm4908_vlan_filter_set(struct rte_eth_dev *eth_dev, uint16_t id, int on)
{
	RTE_ATOMIC(uint64_t) *word = &bcm4908_port(eth_dev)->filter.vlans[id / 64];
	const uint64_t bit = RTE_BIT64(id % 64);
	const uint64_t now = rte_atomic_load_explicit(word, rte_memory_order_relaxed);

	rte_atomic_store_explicit(word, on != 0 ? now | bit : now & ~bit,
				  rte_memory_order_relaxed);
	return 0;
}

/* ethdev has stored the new offloads, and knows which are possible. */
int
bcm4908_vlan_offload_set(struct rte_eth_dev *eth_dev, int mask __rte_unused)
{
	bcm4908_soft_update(eth_dev);
	return 0;
}

/* With one queue, its setting and the port's are the same. */
void
bcm4908_vlan_strip_queue_set(struct rte_eth_dev *eth_dev, uint16_t qid __rte_unused, int on)
{
	uint64_t *offloads = &eth_dev->data->dev_conf.rxmode.offloads;

	if (on != 0)
		*offloads |= RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	else
		*offloads &= ~RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	bcm4908_soft_update(eth_dev);
}

static void
set_ptypes(struct rte_eth_dev *eth_dev, uint32_t mask)
{
	bcm4908_port(eth_dev)->ptypes_wanted = mask;
	bcm4908_soft_update(eth_dev);
}

int
bcm4908_ptypes_set(struct rte_eth_dev *eth_dev, uint32_t mask)
{
	bcm4908_port(eth_dev)->ptypes_decided = true;
	set_ptypes(eth_dev, mask);
	return 0;
}

const uint32_t *
bcm4908_ptypes_get(struct rte_eth_dev *eth_dev, size_t *count)
{
	/* What rte_net_get_ptype() tells; the last entry ends the list for older releases. */
	static const uint32_t ptypes[] = {
		RTE_PTYPE_L2_ETHER,
		RTE_PTYPE_L2_ETHER_VLAN,
		RTE_PTYPE_L2_ETHER_QINQ,
		RTE_PTYPE_L3_IPV4,
		RTE_PTYPE_L3_IPV4_EXT,
		RTE_PTYPE_L3_IPV6,
		RTE_PTYPE_L3_IPV6_EXT,
		RTE_PTYPE_L4_FRAG,
		RTE_PTYPE_L4_TCP,
		RTE_PTYPE_L4_UDP,
		RTE_PTYPE_L4_SCTP,
		RTE_PTYPE_UNKNOWN,
	};

	*count = RTE_DIM(ptypes) - 1;
	/* Who asks relies on the answer, as l3fwd does, unless it sets what it wants. */
	if (rte_eal_process_type() == RTE_PROC_PRIMARY &&
	    !bcm4908_port(eth_dev)->ptypes_decided)
		set_ptypes(eth_dev, ALL_PTYPES);
	return ptypes;
}

int
bcm4908_soft_names(uint32_t rx_soft, uint32_t tx_soft, char *text, size_t size)
{
	static const struct {
		uint32_t rx;
		uint32_t tx;
		const char *name;
	} stages[] = {
		{ BCM4908_RX_SOFT_UNICAST | BCM4908_RX_SOFT_MULTICAST, 0, "address filter" },
		{ BCM4908_RX_SOFT_VLAN_FILTER, 0, "VLAN filter" },
		{ BCM4908_RX_SOFT_VLAN_STRIP, 0, "VLAN strip" },
		{ BCM4908_RX_SOFT_PTYPE, 0, "packet types" },
		{ BCM4908_RX_SOFT_CKSUM, BCM4908_TX_SOFT_CKSUM, "checksums" },
		{ 0, BCM4908_TX_SOFT_VLAN_INSERT, "VLAN insert" },
	};
	int len = 0;

	text[0] = '\0';
	for (unsigned int i = 0; i < RTE_DIM(stages); i++)
		if ((stages[i].rx & rx_soft) != 0 || (stages[i].tx & tx_soft) != 0)
			len += snprintf(text + len, size - len, ", software %s", stages[i].name);
	return len;
}
