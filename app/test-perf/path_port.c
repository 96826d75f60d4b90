/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Paths whose port is a device of EAL's: of this driver, and of others. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ethdev_driver.h>
#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_vect.h>

#include "bcm4908_dev_model.h"
#include "bcm4908_ethdev.h"
#include "model/bcm4908_model.h"
#include "path.h"

#define STEP_BUDGET	64u
#define MTU_OVERHEAD	(RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN)
#define RING_PORT_BURST	32u

static int
port_create(struct perf_path *path, const char *args)
{
	int ret = rte_eal_hotplug_add("vdev", path->name, args);

	if (ret == 0)
		ret = rte_eth_dev_get_port_by_name(path->name, &path->port);
	if (ret != 0)
		fprintf(stderr, "%s: no such device with this DPDK: %s\n", path->name,
			rte_strerror(-ret));
	return ret;
}

static void
port_destroy(struct perf_path *path)
{
	rte_eth_dev_close(path->port);
	rte_eal_hotplug_remove("vdev", path->name);
}

static void
port_stop(struct perf_path *path)
{
	rte_eth_dev_stop(path->port);
}

static void
port_name_bursts(struct perf_path *path)
{
	struct rte_eth_burst_mode rx, tx;

	path->bursts[0] = '\0';
	if (rte_eth_rx_burst_mode_get(path->port, 0, &rx) == 0 &&
	    rte_eth_tx_burst_mode_get(path->port, 0, &tx) == 0)
		snprintf(path->bursts, sizeof(path->bursts), "%.70s / %.70s", rx.info, tx.info);
}

static int
port_start(struct perf_path *path, uint16_t ring, const struct rte_eth_conf *conf,
	   const struct perf_options *opt)
{
	const uint16_t port = path->port;
	struct rte_eth_dev_info info;
	int ret = rte_eth_dev_info_get(port, &info);

	if (opt != NULL && opt->rx_free_thresh != 0)
		info.default_rxconf.rx_free_thresh = opt->rx_free_thresh;
	if (opt != NULL && opt->tx_free_thresh != 0)
		info.default_txconf.tx_free_thresh = opt->tx_free_thresh;
	info.default_rxconf.offloads = conf->rxmode.offloads;
	info.default_txconf.offloads = conf->txmode.offloads;
	if (ret == 0)
		ret = rte_eth_dev_configure(port, 1, 1, conf);
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(port, 0, ring, SOCKET_ID_ANY, &info.default_rxconf,
					     path->mp);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(port, 0, ring, SOCKET_ID_ANY, &info.default_txconf);
	if (ret == 0)
		ret = rte_eth_dev_start(port);
	if (ret != 0) {
		fprintf(stderr, "%s: does not start with rings of %u: %s\n", path->name, ring,
			rte_strerror(-ret));
		return ret;
	}
	port_name_bursts(path);
	return 0;
}

/*
 * This driver. Its device is stepped by hand, and is connected to nothing: a
 * cable without another end.
 */

static int
driver_create(struct perf_path *path, const struct perf_env *env __rte_unused)
{
	char args[96];

	snprintf(args, sizeof(args), "stepping=manual,wire=cable:%s", path->name);
	return port_create(path, args);
}

static int
driver_start_port(struct perf_path *path, const struct perf_case *c, const struct perf_env *env)
{
	const struct perf_driver_variant *variant = path->variant;
	struct rte_eth_conf conf = {
		.rxmode.mtu = RTE_MAX(c->size - MTU_OVERHEAD, RTE_ETHER_MTU),
		.rxmode.offloads = variant->scatter ? RTE_ETH_RX_OFFLOAD_SCATTER : 0,
		.txmode.offloads = (variant->safe_free ? 0 : RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE) |
			(variant->scatter ? RTE_ETH_TX_OFFLOAD_MULTI_SEGS : 0),
	};

	path->mp = variant->large ? env->large_mp : env->mp;
	return port_start(path, c->ring, &conf, env->opt);
}

static int
driver_start(struct perf_path *path, const struct perf_case *c, const struct perf_env *env)
{
	const struct perf_driver_variant *variant = path->variant;
	const uint16_t width = rte_vect_get_max_simd_bitwidth();
	const struct bcm4908_rxq *rxq;
	const struct bcm4908_txq *txq;
	int ret;

	/* The driver looks at the allowed width when it starts. */
	if (variant->scalar)
		rte_vect_set_max_simd_bitwidth(RTE_VECT_SIMD_DISABLED);
	ret = driver_start_port(path, c, env);
	if (variant->scalar)
		rte_vect_set_max_simd_bitwidth(width);
	if (ret != 0)
		return ret;
	rxq = rte_eth_fp_ops[path->port].rxq.data[0];
	txq = rte_eth_fp_ops[path->port].txq.data[0];
	path->rx = (struct perf_ring){
		.desc = rxq->ring, .base = rxq->bus_base, .size = rxq->nb_desc,
	};
	path->tx = (struct perf_ring){ .desc = txq->ring, .size = txq->nb_desc };
	path->unstamped = env->opt->model;
	path->priv = env->opt->model ? bcm4908_dev(&rte_eth_devices[path->port]) : NULL;
	return 0;
}

static void
driver_stop(struct perf_path *path)
{
	const struct bcm4908_dev *dev = bcm4908_dev(&rte_eth_devices[path->port]);

	port_stop(path);
	if (bcm4908_dev_model_reports(dev) != 0)
		fprintf(stderr, "%s: the model saw what no correct driver does\n", path->name);
}

/* The frames come from the line into the model's FIFO, as many as it holds at a time. */
static bool
model_fill(struct bcm4908_dev *dev, uint32_t n, uint32_t len)
{
	static const uint8_t data[BCM4908_FRAME_LEN_MAX] = { 2 };
	const struct bcm4908_model_frame frame = { .data = data, .len = len };
	struct bcm4908_model *model = bcm4908_dev_model_of(dev);

	while (n > 0) {
		for (; n > 0 && bcm4908_model_rx_ready(model, len); n--)
			bcm4908_model_line_rx(model, &frame);
		if (dev->ops->step(dev, STEP_BUDGET) == 0)
			return false;
	}
	while (dev->ops->step(dev, STEP_BUDGET) != 0)
		;
	return true;
}

static bool
driver_fill(struct perf_path *path, uint32_t n)
{
	if (path->priv != NULL)
		return model_fill(path->priv, n, path->len);
	return perf_ring_fill(&path->rx, n, path->len);
}

static bool
driver_drain(struct perf_path *path, uint32_t n)
{
	struct bcm4908_dev *dev = path->priv;

	if (dev == NULL)
		return perf_ring_drain(&path->tx, n);
	while (dev->ops->step(dev, STEP_BUDGET) != 0)
		;
	return true;
}

const struct perf_path_ops perf_driver_ops = {
	.create = driver_create,
	.start = driver_start,
	.stop = driver_stop,
	.destroy = port_destroy,
	.fill = driver_fill,
	.drain = driver_drain,
};

/* net_null makes frames of nothing, and needs no device side. */

static int
null_create(struct perf_path *path, const struct perf_env *env __rte_unused)
{
	return port_create(path, "copy=0");
}

static int
plain_start(struct perf_path *path, const struct perf_case *c, const struct perf_env *env)
{
	const struct rte_eth_conf conf = { .rxmode.mtu = RTE_ETHER_MTU };

	path->mp = env->mp;
	return port_start(path, c->ring, &conf, NULL);
}

static bool
null_device(struct perf_path *path __rte_unused, uint32_t n __rte_unused)
{
	return true;
}

const struct perf_path_ops perf_null_ops = {
	.create = null_create,
	.start = plain_start,
	.stop = port_stop,
	.destroy = port_destroy,
	.fill = null_device,
	.drain = null_device,
};

/* net_ring hands pointers over: what it is given to send is what it receives. */

static int
ring_create(struct perf_path *path, const struct perf_env *env __rte_unused)
{
	return port_create(path, "");
}

static bool
ring_fill(struct perf_path *path, uint32_t n)
{
	struct rte_mbuf *pkts[RING_PORT_BURST];

	while (n > 0) {
		const uint32_t now = RTE_MIN(n, RING_PORT_BURST);

		if (!perf_path_build(path, pkts, now) ||
		    rte_eth_tx_burst(path->port, 0, pkts, now) != now)
			return false;
		n -= now;
	}
	return true;
}

static bool
ring_drain(struct perf_path *path, uint32_t n)
{
	struct rte_mbuf *pkts[RING_PORT_BURST];

	while (n > 0) {
		const uint16_t got = rte_eth_rx_burst(path->port, 0, pkts,
						      RTE_MIN(n, RING_PORT_BURST));

		if (got == 0)
			return false;
		rte_pktmbuf_free_bulk(pkts, got);
		n -= got;
	}
	return true;
}

const struct perf_path_ops perf_ring_ops = {
	.create = ring_create,
	.start = plain_start,
	.stop = port_stop,
	.destroy = port_destroy,
	.fill = ring_fill,
	.drain = ring_drain,
};
