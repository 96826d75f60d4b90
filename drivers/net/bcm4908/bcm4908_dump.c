/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* A port's state in words, for people who look for what is wrong with it. */

#include <inttypes.h>
#include <stdio.h>

#include "bcm4908_ethdev.h"

static const char *
stepping_name(enum bcm4908_stepping stepping)
{
	static const char * const names[] = {
		[BCM4908_STEPPING_NONE] = "by itself",
		[BCM4908_STEPPING_THREAD] = "by a thread",
		[BCM4908_STEPPING_BURST] = "in bursts",
		[BCM4908_STEPPING_MANUAL] = "by hand",
	};

	return names[stepping];
}

static void
dump_port(const struct rte_eth_dev *eth_dev, FILE *f)
{
	const struct bcm4908_port *port = bcm4908_port(eth_dev);
	const struct bcm4908_dev *dev = bcm4908_dev(eth_dev);

	fprintf(f, "port: %s, memory %s, device moves %s\n",
		port->lost ? "lost its state" : port->running ? "running" : "stopped",
		port->coherent ? "coherent" : "not coherent", stepping_name(port->stepping));
	fprintf(f, "MAC: CMD %#x, longest frame %u, PAUSE %s, link %s\n",
		bcm4908_read(dev, BCM4908_UMAC_CMD), port->frame_len,
		port->ignore_pause ? "ignored" : "obeyed",
		dev->ops->link(dev) ? "there" : "not there");
	fprintf(f, "window: %#" PRIx64 " and 4 GiB\n", dev->bus_base);
}

static void
dump_rxq(struct rte_eth_dev *eth_dev, FILE *f)
{
	struct rte_eth_burst_mode mode;
	const struct bcm4908_rxq *rxq = bcm4908_port(eth_dev)->rxq;

	if (rxq == NULL) {
		fprintf(f, "rx queue: none\n");
		return;
	}
	bcm4908_rx_burst_mode_get(eth_dev, 0, &mode);
	fprintf(f, "rx queue: %s; %u descriptors, looks at %u, without buffers %u from %u\n",
		mode.info, rxq->nb_desc, rxq->next, rxq->nb_hold, rxq->refill);
	fprintf(f, "rx buffers: %u bytes from pool %s, %#" PRIx64 " to %#" PRIx64 "\n",
		rxq->capacity, rxq->mp->name, rxq->lo, rxq->hi);
}

static void
dump_txq(struct rte_eth_dev *eth_dev, FILE *f)
{
	struct bcm4908_txq *txq = bcm4908_port(eth_dev)->txq;
	struct rte_eth_burst_mode mode;

	if (txq == NULL) {
		fprintf(f, "tx queue: none\n");
		return;
	}
	bcm4908_tx_burst_mode_get(eth_dev, 0, &mode);
	fprintf(f, "tx queue: %s; %u descriptors, fills %u, in use %u, reclaims below %u free\n",
		mode.info, txq->nb_desc,
		rte_atomic_load_explicit(&txq->next, rte_memory_order_relaxed),
		bcm4908_txq_count(txq), txq->free_thresh);
}

static void
dump_chan(const struct bcm4908_dev *dev, unsigned int chan, FILE *f)
{
	fprintf(f, "%s channel: %s, ring %#x, interrupts %#x of %#x\n",
		chan == BCM4908_CHAN_RX ? "rx" : "tx",
		(bcm4908_read(dev, BCM4908_CHAN_CFG(chan)) & BCM4908_CHAN_CFG_ENABLE) != 0 ?
		"enabled" : "idle",
		bcm4908_read(dev, BCM4908_CHAN_BASE_DESC(chan)),
		bcm4908_read(dev, BCM4908_CHAN_INT_STAT(chan)),
		bcm4908_read(dev, BCM4908_CHAN_INT_MASK(chan)));
}

int
bcm4908_priv_dump(struct rte_eth_dev *eth_dev, FILE *f)
{
	dump_port(eth_dev, f);
	dump_rxq(eth_dev, f);
	dump_chan(bcm4908_dev(eth_dev), BCM4908_CHAN_RX, f);
	dump_txq(eth_dev, f);
	dump_chan(bcm4908_dev(eth_dev), BCM4908_CHAN_TX, f);
	return 0;
}
