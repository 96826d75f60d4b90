/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#ifndef BCM4908_ETHDEV_H
#define BCM4908_ETHDEV_H

#include <ethdev_driver.h>

#include "bcm4908_dev.h"
#include "bcm4908_rxtx.h"
#include "bcm4908_rxtx_soft.h"

/* Ethernet header, two VLAN tags, FCS: what a frame has beyond its MTU. */
#define BCM4908_OVERHEAD	(RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN + RTE_ETHER_CRC_LEN)
#define BCM4908_MAX_MTU		(BCM4908_FRAME_LEN_MAX - BCM4908_OVERHEAD)

#define BCM4908_RX_OFFLOADS	(RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_VLAN_STRIP | \
				 RTE_ETH_RX_OFFLOAD_VLAN_FILTER)
#define BCM4908_TX_OFFLOADS	(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | \
				 RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE | \
				 RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
/* With sw-cksum=1. */
#define BCM4908_RX_CKSUM_OFFLOADS (RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | \
				   RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM)
#define BCM4908_TX_CKSUM_OFFLOADS (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | \
				   RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM)

/*
 * A 32-bit hardware counter, widened: its low half follows the register, so
 * that whoever brings it up to date, and how many at once, comes to the same.
 */
struct bcm4908_wide {
	RTE_ATOMIC(uint64_t) total;
	RTE_ATOMIC(uint32_t) shift;	/* from the register to total's low half */
	uint64_t base;			/* total at the last reset of statistics */
};

enum bcm4908_queue_state {
	BCM4908_QUEUE_OFF,
	BCM4908_QUEUE_HANDOVER,		/* going on or off: whoever polls it lets go, or takes hold */
	BCM4908_QUEUE_ON,
};

/* A port's own data, in shared memory. */
struct bcm4908_port {
	uint16_t port_id;
	bool coherent;
	bool running;			/* between start and stop */
	bool filled;			/* the device may have the queues' buffers */
	bool lost;			/* it forgot what start told it */
	bool recycle;			/* the application recycles mbufs */
	bool link_off;			/* the application took the link down */
	bool promisc;
	bool allmulti;
	bool ignore_pause;
	bool control_fwd;		/* MAC control frames go to memory */
	bool sw_cksum;			/* checksums are offered */
	bool ptypes_decided;		/* the application said which packet types it wants */
	enum bcm4908_stepping stepping;
	void *dev_shared;		/* what a secondary attaches to */
	struct bcm4908_rxq *rxq;
	struct bcm4908_txq *txq;
	void *rxq_buried;		/* released, but not yet freed */
	void *txq_buried;
	enum bcm4908_queue_state rx_state;	/* while the port runs */
	enum bcm4908_queue_state tx_state;
	uint32_t rx_features;		/* of the bursts in use */
	uint32_t tx_features;
	uint32_t rx_soft;		/* of the stages around them */
	uint32_t tx_soft;
	uint32_t ptypes_wanted;		/* RTE_PTYPE_*_MASK that the application asks for */
	uint32_t frame_len;		/* what the MAC is told to accept, bytes */
	unsigned int ticks;		/* of the watchdog */
	/*
	 * Alarms since start. EAL orders what an alarm does and what the control
	 * thread does before it is set and after it is cancelled; acquire and
	 * release of this let the thread sanitizer see that.
	 */
	RTE_ATOMIC(uint32_t) alarms;
	bool stall_reported;
	struct bcm4908_wide overflow;	/* frames that the receive FIFO lost */
	struct bcm4908_wide mib[BCM4908_MIB_COUNT];
	uint64_t line_drops_base;	/* at the last reset of statistics */
	struct bcm4908_filter filter;
};

static inline struct bcm4908_port *
bcm4908_port(const struct rte_eth_dev *eth_dev)
{
	return eth_dev->data->dev_private;
}

static inline bool
bcm4908_rx_is_on(const struct bcm4908_port *port)
{
	return port->rx_state != BCM4908_QUEUE_OFF;
}

static inline bool
bcm4908_tx_is_on(const struct bcm4908_port *port)
{
	return port->tx_state != BCM4908_QUEUE_OFF;
}

/* Are the MAC's receiver and transmitter to be on? */
static inline bool
bcm4908_mac_rx(const struct bcm4908_port *port)
{
	return bcm4908_rx_is_on(port) && !port->link_off;
}

static inline bool
bcm4908_mac_tx(const struct bcm4908_port *port)
{
	return bcm4908_tx_is_on(port) && !port->link_off;
}

/* The controller, as this process sees it. */
static inline struct bcm4908_dev *
bcm4908_dev(const struct rte_eth_dev *eth_dev)
{
	return eth_dev->process_private;
}

/*
 * Operations whose shape is the same in all supported DPDK releases. The ops
 * table itself stands in bcm4908_ops.c, of which there is one per release.
 * The first list is what a secondary process may call, too.
 */
#define BCM4908_QUERY_OPS \
	.dev_infos_get = bcm4908_dev_infos_get, \
	.link_update = bcm4908_link_update, \
	.xstats_get = bcm4908_xstats_get, \
	.xstats_get_names = bcm4908_xstats_get_names, \
	.xstats_get_by_id = bcm4908_xstats_get_by_id, \
	.xstats_get_names_by_id = bcm4908_xstats_get_names_by_id, \
	.rxq_info_get = bcm4908_rxq_info_get, \
	.txq_info_get = bcm4908_txq_info_get, \
	.rx_burst_mode_get = bcm4908_rx_burst_mode_get, \
	.tx_burst_mode_get = bcm4908_tx_burst_mode_get, \
	.flow_ctrl_get = bcm4908_flow_ctrl_get, \
	.get_monitor_addr = bcm4908_get_monitor_addr, \
	.eth_dev_priv_dump = bcm4908_priv_dump, \
	.get_reg = bcm4908_get_reg

#define BCM4908_CONTROL_OPS \
	.dev_configure = bcm4908_dev_configure, \
	.dev_start = bcm4908_dev_start, \
	.dev_stop = bcm4908_dev_stop, \
	.dev_close = bcm4908_dev_close, \
	.dev_reset = bcm4908_dev_reset, \
	.stats_reset = bcm4908_stats_reset, \
	.xstats_reset = bcm4908_stats_reset, \
	.mtu_set = bcm4908_mtu_set, \
	.flow_ctrl_set = bcm4908_flow_ctrl_set, \
	.dev_set_link_up = bcm4908_set_link_up, \
	.dev_set_link_down = bcm4908_set_link_down, \
	.mac_addr_set = bcm4908_mac_addr_set, \
	.mac_addr_add = bcm4908_mac_addr_add, \
	.mac_addr_remove = bcm4908_mac_addr_remove, \
	.set_mc_addr_list = bcm4908_set_mc_addr_list, \
	.promiscuous_enable = bcm4908_promiscuous_enable, \
	.promiscuous_disable = bcm4908_promiscuous_disable, \
	.allmulticast_enable = bcm4908_allmulticast_enable, \
	.allmulticast_disable = bcm4908_allmulticast_disable, \
	.vlan_filter_set = bcm4908_vlan_filter_set, \
	.vlan_offload_set = bcm4908_vlan_offload_set, \
	.vlan_strip_queue_set = bcm4908_vlan_strip_queue_set, \
	.dev_ptypes_set = bcm4908_ptypes_set, \
	.rx_queue_intr_enable = bcm4908_rx_queue_intr_enable, \
	.rx_queue_intr_disable = bcm4908_rx_queue_intr_disable, \
	.rx_queue_setup = bcm4908_rx_queue_setup, \
	.rx_queue_release = bcm4908_rx_queue_release, \
	.rx_queue_start = bcm4908_rx_queue_start, \
	.rx_queue_stop = bcm4908_rx_queue_stop, \
	.tx_queue_setup = bcm4908_tx_queue_setup, \
	.tx_queue_release = bcm4908_tx_queue_release, \
	.tx_queue_start = bcm4908_tx_queue_start, \
	.tx_queue_stop = bcm4908_tx_queue_stop, \
	.tx_done_cleanup = bcm4908_tx_done_cleanup

/* bcm4908_ops.c */
void bcm4908_set_ops(struct rte_eth_dev *eth_dev);

/* bcm4908_ethdev.c */
int bcm4908_dev_configure(struct rte_eth_dev *eth_dev);
int bcm4908_dev_start(struct rte_eth_dev *eth_dev);
int bcm4908_dev_stop(struct rte_eth_dev *eth_dev);
int bcm4908_dev_close(struct rte_eth_dev *eth_dev);
int bcm4908_dev_reset(struct rte_eth_dev *eth_dev);
int bcm4908_dev_infos_get(struct rte_eth_dev *eth_dev, struct rte_eth_dev_info *info);
int bcm4908_link_update(struct rte_eth_dev *eth_dev, int wait_to_complete);
int bcm4908_mtu_set(struct rte_eth_dev *eth_dev, uint16_t mtu);
int bcm4908_get_reg(struct rte_eth_dev *eth_dev, struct rte_dev_reg_info *regs);

/**
 * What the control path does every 10 ms on a started port: repeat kicks that
 * may have been lost, see that transmission advances, widen counters. Runs by
 * an alarm, except on a device that is stepped by hand.
 */
void bcm4908_watchdog(struct rte_eth_dev *eth_dev);

/** See whether the link changed, and tell the application if it wants to know. */
void bcm4908_link_watch(struct rte_eth_dev *eth_dev);

/** See that no alarm is due or, but for the caller's own, under way. */
void bcm4908_watchdog_cancel(struct rte_eth_dev *eth_dev);

/** Set the alarm of a started port; 0, or negative errno (which was logged). */
int bcm4908_watchdog_set(struct rte_eth_dev *eth_dev);

/* bcm4908_queue.c */
int bcm4908_rx_queue_setup(struct rte_eth_dev *eth_dev, uint16_t qid, uint16_t nb_desc,
			   unsigned int socket, const struct rte_eth_rxconf *conf,
			   struct rte_mempool *mp);
void bcm4908_rx_queue_release(struct rte_eth_dev *eth_dev, uint16_t qid);
int bcm4908_rx_queue_start(struct rte_eth_dev *eth_dev, uint16_t qid);
int bcm4908_rx_queue_stop(struct rte_eth_dev *eth_dev, uint16_t qid);
int bcm4908_tx_queue_setup(struct rte_eth_dev *eth_dev, uint16_t qid, uint16_t nb_desc,
			   unsigned int socket, const struct rte_eth_txconf *conf);
void bcm4908_tx_queue_release(struct rte_eth_dev *eth_dev, uint16_t qid);
int bcm4908_tx_queue_start(struct rte_eth_dev *eth_dev, uint16_t qid);
int bcm4908_tx_queue_stop(struct rte_eth_dev *eth_dev, uint16_t qid);
void bcm4908_rxq_info_get(struct rte_eth_dev *eth_dev, uint16_t qid,
			  struct rte_eth_rxq_info *info);
void bcm4908_txq_info_get(struct rte_eth_dev *eth_dev, uint16_t qid,
			  struct rte_eth_txq_info *info);
int bcm4908_rx_burst_mode_get(struct rte_eth_dev *eth_dev, uint16_t qid,
			      struct rte_eth_burst_mode *mode);
int bcm4908_tx_burst_mode_get(struct rte_eth_dev *eth_dev, uint16_t qid,
			      struct rte_eth_burst_mode *mode);
int bcm4908_rx_descriptor_status(void *rx_queue, uint16_t offset);
int bcm4908_tx_descriptor_status(void *tx_queue, uint16_t offset);
int bcm4908_tx_done_cleanup(void *tx_queue, uint32_t free_cnt);

/**
 * Choose the bursts by what is configured, and publish them: to the ethdev, and
 * on a running port to its fast-path operations, where ethdev does not look.
 */
void bcm4908_select_bursts(struct rte_eth_dev *eth_dev);

/** From now on the Rx queue is refilled late, so that recycled mbufs find room. */
void bcm4908_recycle_enable(struct rte_eth_dev *eth_dev);

/**
 * Can this process run bursts? A secondary cannot move a model that does not move
 * by itself, nor reach the cache of one.
 */
bool bcm4908_can_burst(const struct bcm4908_port *port);

/** What an MTU means to the MAC, the receive queue, and the choice of bursts. */
void bcm4908_port_apply_mtu(struct rte_eth_dev *eth_dev, uint16_t mtu);

/**
 * Give a queue that is to be on its buffers, and its channel the ring.
 *
 * @return
 *   0, or -ENOMEM when the pool cannot fill the ring.
 */
int bcm4908_rx_fill(struct rte_eth_dev *eth_dev);
void bcm4908_tx_fill(struct rte_eth_dev *eth_dev);

/** Take all buffers back from the queue of a channel that was stopped. */
void bcm4908_rx_empty(struct rte_eth_dev *eth_dev);
void bcm4908_tx_empty(struct rte_eth_dev *eth_dev);

/* bcm4908_rxtx_stepped.c: bursts that move a device of stepping=burst first */
void bcm4908_stepped_set(struct rte_eth_dev *eth_dev, bcm4908_burst_t rx, bcm4908_burst_t tx);
uint16_t bcm4908_rx_burst_stepped(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t bcm4908_tx_burst_stepped(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* bcm4908_intr.c */
/* Describe the receive interrupt to EAL, if the application asked for it. */
int bcm4908_intr_start(struct rte_eth_dev *eth_dev);
void bcm4908_intr_stop(struct rte_eth_dev *eth_dev);
void bcm4908_intr_close(struct rte_eth_dev *eth_dev);
int bcm4908_rx_queue_intr_enable(struct rte_eth_dev *eth_dev, uint16_t qid);
int bcm4908_rx_queue_intr_disable(struct rte_eth_dev *eth_dev, uint16_t qid);
int bcm4908_get_monitor_addr(void *rx_queue, struct rte_power_monitor_cond *cond);

/* bcm4908_link.c */
int bcm4908_flow_ctrl_get(struct rte_eth_dev *eth_dev, struct rte_eth_fc_conf *conf);
int bcm4908_flow_ctrl_set(struct rte_eth_dev *eth_dev, struct rte_eth_fc_conf *conf);
int bcm4908_set_link_up(struct rte_eth_dev *eth_dev);
int bcm4908_set_link_down(struct rte_eth_dev *eth_dev);

/* bcm4908_dump.c */
int bcm4908_priv_dump(struct rte_eth_dev *eth_dev, FILE *f);

/* bcm4908_filter.c */
int bcm4908_mac_addr_set(struct rte_eth_dev *eth_dev, struct rte_ether_addr *mac);
int bcm4908_mac_addr_add(struct rte_eth_dev *eth_dev, struct rte_ether_addr *mac, uint32_t index,
			 uint32_t pool);
void bcm4908_mac_addr_remove(struct rte_eth_dev *eth_dev, uint32_t index);
int bcm4908_set_mc_addr_list(struct rte_eth_dev *eth_dev, struct rte_ether_addr *addrs,
			     uint32_t count);
int bcm4908_promiscuous_enable(struct rte_eth_dev *eth_dev);
int bcm4908_promiscuous_disable(struct rte_eth_dev *eth_dev);
int bcm4908_allmulticast_enable(struct rte_eth_dev *eth_dev);
int bcm4908_allmulticast_disable(struct rte_eth_dev *eth_dev);
int bcm4908_vlan_filter_set(struct rte_eth_dev *eth_dev, uint16_t id, int on);
int bcm4908_vlan_offload_set(struct rte_eth_dev *eth_dev, int mask);
void bcm4908_vlan_strip_queue_set(struct rte_eth_dev *eth_dev, uint16_t qid, int on);
int bcm4908_ptypes_set(struct rte_eth_dev *eth_dev, uint32_t mask);
/* Supported packet types; the list ends with RTE_PTYPE_UNKNOWN, which is not counted. */
const uint32_t *bcm4908_ptypes_get(struct rte_eth_dev *eth_dev, size_t *count);

/** Nothing but the station address; all unicast passes. */
void bcm4908_filter_init(struct bcm4908_port *port, const struct rte_ether_addr *mac);

/** Must the MAC let all unicast pass? Either that is wanted, or software knows better. */
bool bcm4908_hw_promisc(struct bcm4908_port *port);

/** Find out which stages in software are needed, tell the queues, and choose the bursts anew. */
void bcm4908_soft_update(struct rte_eth_dev *eth_dev);

/** Append the names of stages to a burst's; returns the length. */
int bcm4908_soft_names(uint32_t rx_soft, uint32_t tx_soft, char *text, size_t size);

/* bcm4908_stats.c */
/* Basic statistics without the queue arrays, whose place differs between releases. */
void bcm4908_basic_stats(struct rte_eth_dev *eth_dev, struct rte_eth_stats *stats);
int bcm4908_stats_reset(struct rte_eth_dev *eth_dev);
int bcm4908_xstats_get(struct rte_eth_dev *eth_dev, struct rte_eth_xstat *xstats, unsigned int n);
int bcm4908_xstats_get_names(struct rte_eth_dev *eth_dev, struct rte_eth_xstat_name *names,
			     unsigned int n);
int bcm4908_xstats_get_by_id(struct rte_eth_dev *eth_dev, const uint64_t *ids, uint64_t *values,
			     unsigned int n);
int bcm4908_xstats_get_names_by_id(struct rte_eth_dev *eth_dev, const uint64_t *ids,
				   struct rte_eth_xstat_name *names, unsigned int n);
/*
 * Add up what the hardware counters advanced; primary process, control thread.
 * The device is alive, or was so a moment ago.
 */
void bcm4908_counters_update(struct rte_eth_dev *eth_dev);
/* The hardware counters were cleared: count from what they read now. */
void bcm4908_counters_restart(struct rte_eth_dev *eth_dev);

#endif /* BCM4908_ETHDEV_H */
