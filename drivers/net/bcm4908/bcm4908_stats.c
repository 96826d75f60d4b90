/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "bcm4908_ethdev.h"
#include "bcm4908_hw.h"

/* The MIB's counters in the order of their registers [6]. */
static const char * const mib_names[BCM4908_MIB_COUNT] = {
	"rx_mac_fcs_errors",
	"rx_mac_control_packets",
	"rx_mac_pause_packets",
	"rx_mac_unknown_opcode_packets",
	"rx_mac_align_errors",
	"rx_mac_length_out_of_range_errors",
	"rx_mac_symbol_errors",
	"rx_mac_carrier_errors",
	"rx_oversize_errors",
	"rx_jabber_errors",
	"rx_mac_mtu_errors",
	"rx_mac_runt_errors",
	"rx_undersized_errors",
	"rx_fragmented_errors",
	"rx_mac_runt_bytes",
	"rx_multicast_packets",
	"rx_broadcast_packets",
	"rx_size_64_packets",
	"rx_size_65_to_127_packets",
	"rx_size_128_to_255_packets",
	"rx_size_256_to_511_packets",
	"rx_size_512_to_1023_packets",
	"rx_size_1024_to_1518_packets",
	"rx_size_1519_to_1522_packets",
	"rx_size_1523_to_2047_packets",
	"rx_size_2048_to_4095_packets",
	"rx_size_4096_to_max_packets",
	"rx_mac_packets",
	"rx_mac_bytes",
	"rx_unicast_packets",
	"rx_mac_good_packets",
	"rx_mac_ppp_packets",
	"rx_mac_crc_match_packets",
	"tx_mac_pause_packets",
	"tx_jabber_errors",
	"tx_mac_fcs_errors",
	"tx_mac_control_packets",
	"tx_oversize_errors",
	"tx_mac_deferred_packets",
	"tx_mac_excessive_deferral_errors",
	"tx_mac_single_collision_packets",
	"tx_mac_multiple_collision_packets",
	"tx_mac_late_collision_errors",
	"tx_mac_excessive_collision_errors",
	"tx_mac_fragmented_errors",
	"tx_mac_collisions",
	"tx_multicast_packets",
	"tx_broadcast_packets",
	"tx_size_64_packets",
	"tx_size_65_to_127_packets",
	"tx_size_128_to_255_packets",
	"tx_size_256_to_511_packets",
	"tx_size_512_to_1023_packets",
	"tx_size_1024_to_1518_packets",
	"tx_size_1519_to_1522_packets",
	"tx_size_1523_to_2047_packets",
	"tx_size_2048_to_4095_packets",
	"tx_size_4096_to_max_packets",
	"tx_mac_packets",
	"tx_mac_bytes",
	"tx_unicast_packets",
	"tx_mac_good_packets",
};

/* Positions in the MIB that basic statistics and sums use. */
#define MIB_RX_FCS_ERRORS	0
#define MIB_RX_JABBER		9
#define MIB_RX_RUNT		11
#define MIB_RX_1024_TO_1518	22
#define MIB_RX_1523_TO_2047	24
#define MIB_TX_1024_TO_1518	53
#define MIB_TX_1523_TO_2047	55

/* Size classes that monitoring tools know, as sums of the MIB's finer ones. */
static const struct {
	const char *name;
	unsigned int first;
	unsigned int count;
} mib_sums[] = {
	{ "rx_size_1024_to_1522_packets", MIB_RX_1024_TO_1518, 2 },
	{ "rx_size_1523_to_max_packets", MIB_RX_1523_TO_2047, 3 },
	{ "tx_size_1024_to_1522_packets", MIB_TX_1024_TO_1518, 2 },
	{ "tx_size_1523_to_max_packets", MIB_TX_1523_TO_2047, 3 },
};

struct queue_stat {
	const char *name;
	size_t offset;
};

#define RX_STAT(text, field) { text, offsetof(struct bcm4908_rx_counters, field) }
#define TX_STAT(text, field) { text, offsetof(struct bcm4908_tx_counters, field) }

static const struct queue_stat rx_stats[] = {
	RX_STAT("rx_desc_sequence_errors", seq_errors),
	RX_STAT("rx_desc_short_errors", short_errors),
	RX_STAT("rx_desc_long_errors", long_errors),
	RX_STAT("rx_stop_dropped", stop_drops),
	RX_STAT("rx_filter_dropped", filter_drops),
};

static const struct queue_stat tx_stats[] = {
	TX_STAT("tx_window_dropped", window_drops),
	TX_STAT("tx_segment_dropped", seg_drops),
	TX_STAT("tx_stop_dropped", stop_drops),
	TX_STAT("tx_offload_dropped", offload_drops),
};

/* xstats, in this order: FIFO, line, receive queue, transmit queue, MIB, sums of the MIB */
#define XSTAT_LINE	1
#define XSTAT_RX	2
#define XSTAT_TX	(XSTAT_RX + RTE_DIM(rx_stats))
#define XSTAT_MIB	(XSTAT_TX + RTE_DIM(tx_stats))
#define XSTAT_SUMS	(XSTAT_MIB + BCM4908_MIB_COUNT)
#define XSTAT_COUNT	(XSTAT_SUMS + RTE_DIM(mib_sums))

static uint64_t
counter_read(const void *counters, size_t offset)
{
	const bcm4908_counter_t *counter = RTE_PTR_ADD(counters, offset);

	return rte_atomic_load_explicit(counter, rte_memory_order_relaxed);
}

/* Since the last reset of statistics. */
static uint64_t
counter_since(const void *now, const void *base, size_t offset)
{
	return counter_read(now, offset) - counter_read(base, offset);
}

static void
counters_copy(void *to, const void *from, size_t size)
{
	for (size_t offset = 0; offset < size; offset += sizeof(bcm4908_counter_t))
		rte_atomic_store_explicit((bcm4908_counter_t *)RTE_PTR_ADD(to, offset),
					  counter_read(from, offset), rte_memory_order_relaxed);
}

#define RX_SINCE(rxq, field) \
	counter_since(&(rxq)->stats, &(rxq)->base, offsetof(struct bcm4908_rx_counters, field))
#define TX_SINCE(txq, field) \
	counter_since(&(txq)->stats, &(txq)->base, offsetof(struct bcm4908_tx_counters, field))

static uint32_t
mib_reg(unsigned int i)
{
	return BCM4908_MIB_BASE + i * sizeof(uint32_t);
}

/* Without storing anything: any process may ask. */
static uint64_t
wide_now(const struct bcm4908_dev *dev, const struct bcm4908_wide *wide, uint32_t reg)
{
	/* The register is read later, so that it is not behind. */
	const uint64_t total = rte_atomic_load_explicit(&wide->total, rte_memory_order_acquire);
	const uint32_t shift = rte_atomic_load_explicit(&wide->shift, rte_memory_order_acquire);

	/* unsigned: the difference is right across a wrap */
	return total + (uint32_t)(bcm4908_read(dev, reg) + shift - (uint32_t)total);
}

/*
 * Do the hardware counters go on from where they were seen last? Not while the
 * port is stopped, nor in a device that lost its power.
 */
static bool
counters_are_live(const struct rte_eth_dev *eth_dev)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);

	return port->running && !port->lost &&
		bcm4908_hw_alive(bcm4908_dev(eth_dev), bcm4908_mac_rx(port), bcm4908_mac_tx(port));
}

static uint64_t
wide_since(const struct rte_eth_dev *eth_dev, const struct bcm4908_wide *wide, uint32_t reg,
	   bool live)
{
	const uint64_t now = live ? wide_now(bcm4908_dev(eth_dev), wide, reg) :
		rte_atomic_load_explicit(&wide->total, rte_memory_order_relaxed);

	return now - wide->base;
}

static void
wide_update(const struct bcm4908_dev *dev, struct bcm4908_wide *wide, uint32_t reg)
{
	rte_atomic_store_explicit(&wide->total, wide_now(dev, wide, reg),
				  rte_memory_order_release);
}

/* Go on from the same total with what the register reads now. */
static void
wide_restart(const struct bcm4908_dev *dev, struct bcm4908_wide *wide, uint32_t reg)
{
	const uint64_t total = rte_atomic_load_explicit(&wide->total, rte_memory_order_relaxed);

	rte_atomic_store_explicit(&wide->shift, (uint32_t)total - bcm4908_read(dev, reg),
				  rte_memory_order_release);
}

void
bcm4908_counters_update(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	wide_update(dev, &port->overflow, BCM4908_OVERFLOW_COUNTER);
	for (unsigned int i = 0; i < BCM4908_MIB_COUNT; i++)
		wide_update(dev, &port->mib[i], mib_reg(i));
}

void
bcm4908_counters_restart(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);
	struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	/* The MIB's clear is not known to reach the overflow counter: read both. */
	wide_restart(dev, &port->overflow, BCM4908_OVERFLOW_COUNTER);
	for (unsigned int i = 0; i < BCM4908_MIB_COUNT; i++)
		wide_restart(dev, &port->mib[i], mib_reg(i));
}

static uint64_t
overflow_since(const struct rte_eth_dev *eth_dev, bool live)
{
	return wide_since(eth_dev, &bcm4908_port(eth_dev)->overflow, BCM4908_OVERFLOW_COUNTER,
			  live);
}

static uint64_t
mib_since(const struct rte_eth_dev *eth_dev, unsigned int i, bool live)
{
	return wide_since(eth_dev, &bcm4908_port(eth_dev)->mib[i], mib_reg(i), live);
}

static uint64_t
line_drops(struct rte_eth_dev *eth_dev)
{
	const struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	return dev->ops->line_drops != NULL ? dev->ops->line_drops(dev) : 0;
}

void
bcm4908_basic_stats(struct rte_eth_dev *eth_dev, struct rte_eth_stats *stats)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);
	const struct bcm4908_rxq *rxq = port->rxq;
	const struct bcm4908_txq *txq = port->txq;
	const bool live = counters_are_live(eth_dev);

	if (rxq != NULL) {
		stats->ipackets = RX_SINCE(rxq, packets) - RX_SINCE(rxq, filter_drops);
		stats->ibytes = RX_SINCE(rxq, bytes) - RX_SINCE(rxq, filter_bytes);
		stats->ierrors = RX_SINCE(rxq, seq_errors) + RX_SINCE(rxq, short_errors) +
			RX_SINCE(rxq, long_errors);
		stats->rx_nombuf = RX_SINCE(rxq, no_mbuf);
		stats->imissed = RX_SINCE(rxq, stop_drops);
	}
	/* frames that the MAC itself refused, and those that found its FIFO full */
	stats->ierrors += mib_since(eth_dev, MIB_RX_FCS_ERRORS, live) +
		mib_since(eth_dev, MIB_RX_JABBER, live) + mib_since(eth_dev, MIB_RX_RUNT, live);
	stats->imissed += overflow_since(eth_dev, live);
	if (txq != NULL) {
		stats->opackets = TX_SINCE(txq, packets);
		stats->obytes = TX_SINCE(txq, bytes);
		stats->oerrors = TX_SINCE(txq, window_drops) + TX_SINCE(txq, seg_drops) +
			TX_SINCE(txq, offload_drops) + TX_SINCE(txq, stop_drops);
	}
}

int
bcm4908_stats_reset(struct rte_eth_dev *eth_dev)
{
	struct bcm4908_port *port = bcm4908_port(eth_dev);

	/* The bursts own their counters: remember where they stand. */
	if (port->rxq != NULL)
		counters_copy(&port->rxq->base, &port->rxq->stats, sizeof(port->rxq->base));
	if (port->txq != NULL)
		counters_copy(&port->txq->base, &port->txq->stats, sizeof(port->txq->base));
	if (counters_are_live(eth_dev))
		bcm4908_counters_update(eth_dev);
	port->line_drops_base = line_drops(eth_dev);
	port->overflow.base = rte_atomic_load_explicit(&port->overflow.total,
						       rte_memory_order_relaxed);
	for (unsigned int i = 0; i < BCM4908_MIB_COUNT; i++)
		port->mib[i].base = rte_atomic_load_explicit(&port->mib[i].total,
							     rte_memory_order_relaxed);
	return 0;
}

static uint64_t
xstat_value(struct rte_eth_dev *eth_dev, uint64_t id, bool live)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);
	uint64_t sum = 0;

	if (id < XSTAT_LINE)
		return overflow_since(eth_dev, live);
	if (id < XSTAT_RX)
		return line_drops(eth_dev) - port->line_drops_base;
	if (id < XSTAT_TX)
		return port->rxq == NULL ? 0 : counter_since(&port->rxq->stats, &port->rxq->base,
							      rx_stats[id - XSTAT_RX].offset);
	if (id < XSTAT_MIB)
		return port->txq == NULL ? 0 : counter_since(&port->txq->stats, &port->txq->base,
							      tx_stats[id - XSTAT_TX].offset);
	if (id < XSTAT_SUMS)
		return mib_since(eth_dev, id - XSTAT_MIB, live);
	for (unsigned int i = 0; i < mib_sums[id - XSTAT_SUMS].count; i++)
		sum += mib_since(eth_dev, mib_sums[id - XSTAT_SUMS].first + i, live);
	return sum;
}

static const char *
xstat_name(uint64_t id)
{
	if (id < XSTAT_LINE)
		return "rx_fifo_overflow_dropped";
	if (id < XSTAT_RX)
		return "line_dropped";
	if (id < XSTAT_TX)
		return rx_stats[id - XSTAT_RX].name;
	if (id < XSTAT_MIB)
		return tx_stats[id - XSTAT_TX].name;
	if (id < XSTAT_SUMS)
		return mib_names[id - XSTAT_MIB];
	return mib_sums[id - XSTAT_SUMS].name;
}

static void
xstat_name_set(struct rte_eth_xstat_name *name, uint64_t id)
{
	rte_strscpy(name->name, xstat_name(id), sizeof(name->name));
}

int
bcm4908_xstats_get(struct rte_eth_dev *eth_dev, struct rte_eth_xstat *xstats, unsigned int n)
{
	const bool live = counters_are_live(eth_dev);

	if (xstats == NULL || n < XSTAT_COUNT)
		return XSTAT_COUNT;
	for (unsigned int i = 0; i < XSTAT_COUNT; i++) {
		xstats[i].id = i;
		xstats[i].value = xstat_value(eth_dev, i, live);
	}
	return XSTAT_COUNT;
}

int
bcm4908_xstats_get_names(struct rte_eth_dev *eth_dev __rte_unused,
			 struct rte_eth_xstat_name *names, unsigned int n)
{
	if (names == NULL || n < XSTAT_COUNT)
		return XSTAT_COUNT;
	for (unsigned int i = 0; i < XSTAT_COUNT; i++)
		xstat_name_set(&names[i], i);
	return XSTAT_COUNT;
}

int
bcm4908_xstats_get_by_id(struct rte_eth_dev *eth_dev, const uint64_t *ids, uint64_t *values,
			 unsigned int n)
{
	const bool live = counters_are_live(eth_dev);

	if (values == NULL || (ids == NULL && n < XSTAT_COUNT))
		return XSTAT_COUNT;
	for (unsigned int i = 0; i < (ids == NULL ? XSTAT_COUNT : n); i++) {
		const uint64_t id = ids == NULL ? i : ids[i];

		if (id >= XSTAT_COUNT)
			return -EINVAL;
		values[i] = xstat_value(eth_dev, id, live);
	}
	return ids == NULL ? XSTAT_COUNT : n;
}

int
bcm4908_xstats_get_names_by_id(struct rte_eth_dev *eth_dev __rte_unused, const uint64_t *ids,
			       struct rte_eth_xstat_name *names, unsigned int n)
{
	if (names == NULL || (ids == NULL && n < XSTAT_COUNT))
		return XSTAT_COUNT;
	for (unsigned int i = 0; i < (ids == NULL ? XSTAT_COUNT : n); i++) {
		const uint64_t id = ids == NULL ? i : ids[i];

		if (id >= XSTAT_COUNT)
			return -EINVAL;
		xstat_name_set(&names[i], id);
	}
	return ids == NULL ? XSTAT_COUNT : n;
}
