/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Frames over several buffers, and the change between burst functions on a running port. */

#include <string.h>

#include <rte_ethdev.h>

#include "port.h"

#define BURST_MAX 128

static struct rte_mbuf *pkts[BURST_MAX];

static bool
is_scattered(const struct port_variant *rx)
{
	return (rx->offloads & RTE_ETH_RX_OFFLOAD_SCATTER) != 0;
}

/* The packet of a frame over buffers of cap bytes: every field of every segment. */
static int
check_chain(const struct port *p, const struct rte_mbuf *m, uint32_t len, uint32_t seed,
	    uint32_t cap)
{
	const uint32_t segs = (len + cap - 1) / cap;
	const struct rte_mbuf *seg = m;

	CHECK(m->nb_segs == segs, "%u bytes: %u segments, not %u", len, m->nb_segs, segs);
	CHECK_EQ(m->pkt_len, len);
	CHECK_EQ(m->port, p->id);
	CHECK_EQ(m->packet_type, 0);
	CHECK_EQ(m->vlan_tci, 0);
	for (uint32_t i = 0; i < segs; i++, seg = seg->next) {
		CHECK(seg != NULL);
		CHECK_EQ(seg->data_len, i + 1 < segs ? cap : len - i * cap);
		CHECK(seg->data_off >= RTE_PKTMBUF_HEADROOM);
		CHECK_EQ(rte_pktmbuf_mtod(seg, uintptr_t) % BCM4908_BUF_ALIGN, 0);
		CHECK_EQ(rte_mbuf_refcnt_read(seg), 1);
		CHECK_EQ(seg->ol_flags & ~RTE_MBUF_F_EXTERNAL, 0);
		CHECK_EQ(seg->port, p->id);
		if (i > 0)
			CHECK_EQ(seg->nb_segs, 1);
	}
	CHECK(seg == NULL);
	return mbuf_check_bytes(m, len, seed);
}

/* A jumbo frame may need more buffers than a ring holds: poll while it arrives. */
static int
receive_one(struct port *p, struct rte_mbuf **m)
{
	for (unsigned int tries = 0; port_rx(p, m, 1) == 0; tries++) {
		CHECK(tries < 1000, "no frame");
		port_step(p, 1);
	}
	return 0;
}

static int
pass_one(struct port *p, uint32_t len, uint32_t seed)
{
	const uint32_t cap = port_rxq(p)->capacity;
	struct rte_mbuf *m;

	CHECK(port_push_frame(p, len, seed), "%u bytes", len);
	CHECK_OK(receive_one(p, &m));
	CHECK_OK(check_chain(p, m, len, seed, cap));
	rte_pktmbuf_free(m);
	return 0;
}

/* All lengths around the joints of buffers: the FCS lies in the last, or over the joint. */
static int
scatter_lengths(const struct port_variant *rx)
{
	struct rte_eth_stats stats;
	uint64_t packets = 0, bytes = 0;
	struct port p;
	uint32_t len;

	if (!is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx, .data_room = 128 + 256, .mtu = 9000);
	CHECK_EQ(port_rxq(&p)->capacity, 256);
	for (len = 60; len <= 1300; len++, packets++, bytes += len - 1)
		CHECK_OK(pass_one(&p, len, len));
	for (len = 1300; len <= 9022; len += len % 256 > 245 || len % 256 < 5 ? 1 : 83) {
		CHECK_OK(pass_one(&p, len, len));
		packets++;
		bytes += len;
	}
	CHECK_OK(pass_one(&p, 9022, 1));
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ipackets, packets + 1);
	CHECK_EQ(stats.ibytes, bytes + 9022);
	CHECK_EQ(stats.ierrors + stats.imissed + stats.rx_nombuf, 0);
	return port_close(&p);
}

TEST(scatter_lengths)
{
	return each_rx_variant(scatter_lengths);
}

/* Buffers of the usual size, the longest frame of all. */
static int
scatter_max_mtu(const struct port_variant *rx)
{
	struct rte_eth_dev_info info;
	struct rte_mbuf *m;
	struct port p;

	if (!is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx);
	CHECK_EQ(rte_eth_dev_info_get(p.id, &info), 0);
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, info.max_mtu), 0);
	for (uint32_t i = 0; i < 100; i++)
		CHECK_OK(pass_one(&p, info.max_mtu + 22 - i, i));
	/* one more is not taken */
	CHECK(port_push_frame(&p, info.max_mtu + 23, 1));
	port_run(&p);
	CHECK_EQ(port_rx(&p, &m, 1), 0);
	CHECK_EQ(port_rxq(&p)->stats.long_errors, 1);
	CHECK_OK(pass_one(&p, 9000, 7));
	return port_close(&p);
}

TEST(scatter_max_mtu)
{
	return each_rx_variant(scatter_max_mtu);
}

/* Frames of one buffer and of many in one stream, polled in any number. */
static int
scatter_bursts(const struct port_variant *rx)
{
	static const uint16_t polls[] = { 1, 3, 4, 32, 128 };
	struct port p;

	if (!is_scattered(rx))
		return 0;
	for (unsigned int i = 0; i < RTE_DIM(polls); i++) {
		uint32_t sent = 0, got = 0, cap;

		PORT_OPEN(&p, .rx = rx, .rx_desc = 64, .data_room = 128 + 320, .mtu = 4000);
		cap = port_rxq(&p)->capacity;
		while (got < 400) {
			uint16_t n;

			for (unsigned int j = 0; j < 3; j++)
				if (port_push_frame(&p, 60 + sent * 397 % 3950, sent))
					sent++;
			port_step(&p, 2);
			n = port_rx(&p, pkts, polls[i]);
			for (unsigned int j = 0; j < n; j++, got++) {
				CHECK_OK(check_chain(&p, pkts[j], 60 + got * 397 % 3950, got, cap));
				rte_pktmbuf_free(pkts[j]);
			}
		}
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(scatter_bursts)
{
	return each_rx_variant(scatter_bursts);
}

/* The smallest ring, frames of more buffers than it has. */
static int
scatter_small_ring(const struct port_variant *rx)
{
	struct port p;

	if (!is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .data_room = 128 + 256, .mtu = 9190);
	for (uint32_t i = 0; i < 50; i++) {
		CHECK_OK(pass_one(&p, 9212 - i, i));
		CHECK_OK(pass_one(&p, 60 + i, i));
	}
	return port_close(&p);
}

TEST(scatter_small_ring)
{
	return each_rx_variant(scatter_small_ring);
}

/* The pool runs out in the middle of a frame: the rest comes when buffers do. */
static int
scatter_pool_exhausted(const struct port_variant *rx)
{
	struct rte_mbuf *held[100], *m;
	struct port p;
	uint32_t cap;

	if (!is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .pool_size = 32 + 100, .data_room = 128 + 256,
		  .mtu = 9000);
	cap = port_rxq(&p)->capacity;
	for (unsigned int i = 0; i < RTE_DIM(held); i++)
		held[i] = rte_pktmbuf_alloc(p.pool);
	CHECK_EQ(rte_mempool_avail_count(p.pool), 0);
	CHECK(port_push_frame(&p, 9000, 1)); /* 36 buffers */
	port_run(&p);
	CHECK_EQ(port_rx(&p, &m, 1), 0);
	CHECK(port_chan_idle(&p, BCM4908_CHAN_RX));
	CHECK(port_rxq(&p)->stats.no_mbuf > 0);
	rte_pktmbuf_free_bulk(held, RTE_DIM(held));
	CHECK_OK(receive_one(&p, &m));
	CHECK_OK(check_chain(&p, m, 9000, 1, cap));
	rte_pktmbuf_free(m);
	CHECK_OK(pass_one(&p, 9000, 2));
	return port_close(&p);
}

TEST(scatter_pool_exhausted)
{
	return each_rx_variant(scatter_pool_exhausted);
}

/* The port stops in the middle of a frame. */
static int
scatter_stop(const struct port_variant *rx)
{
	struct rte_eth_stats stats;
	struct rte_mbuf *m;
	struct port p;

	if (!is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .data_room = 128 + 256, .mtu = 9000);
	CHECK(port_push_frame(&p, 9000, 1));
	port_run(&p);
	CHECK_EQ(port_rx(&p, &m, 1), 0);
	CHECK(port_rxq(&p)->seg_first != NULL);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.imissed, 1);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK_OK(pass_one(&p, 9000, 2));
	return port_close(&p);
}

TEST(scatter_stop)
{
	return each_rx_variant(scatter_stop);
}

/* Which burst receives, as the application's fast path sees it. */
static int
check_mode(const struct port *p, const char *name, bool scattered)
{
	const uint32_t features = bcm4908_port(p->eth_dev)->rx_features;
	struct rte_eth_burst_mode mode;
	struct rte_eth_rxq_info info;

	CHECK_EQ(rte_eth_rx_burst_mode_get(p->id, 0, &mode), 0);
	CHECK(strstr(mode.info, name) == mode.info, "%s", mode.info);
	CHECK(rte_eth_fp_ops[p->id].rx_pkt_burst == bcm4908_rx_burst_get(features)->fn);
	CHECK(rte_eth_fp_ops[p->id].rx_pkt_burst == p->eth_dev->rx_pkt_burst);
	CHECK_EQ((features & BCM4908_RX_F_SCATTER) != 0, scattered);
	CHECK_EQ(p->eth_dev->data->scattered_rx, scattered);
	CHECK_EQ(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
	CHECK_EQ(info.scattered_rx, scattered);
	return 0;
}

/* An MTU beyond the buffers switches the running port's burst, and back. */
static int
scatter_live_mtu(const struct port_variant *rx)
{
	struct rte_mbuf *m;
	struct port p;

	if (is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx);
	for (unsigned int round = 0; round < 10; round++) {
		CHECK_OK(check_mode(&p, rx->name, false));
		for (uint32_t i = 0; i < 30; i++)
			CHECK_OK(pass_one(&p, 1514, i));
		CHECK(port_push_frame(&p, 4000, round));
		port_run(&p);
		CHECK_EQ(port_rx(&p, &m, 1), 0);
		CHECK_EQ(port_rxq(&p)->stats.long_errors, round + 1);

		CHECK_EQ(rte_eth_dev_set_mtu(p.id, 4000), 0);
		CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAX_FRAME_LEN), 4032);
		CHECK_OK(check_mode(&p, "Scattered", true));
		for (uint32_t i = 0; i < 30; i++)
			CHECK_OK(pass_one(&p, 60 + i * 131, i));

		/* the largest that one buffer of 2048 bytes holds, spare bytes included */
		CHECK_EQ(rte_eth_dev_set_mtu(p.id, 2016), 0);
		CHECK_OK(check_mode(&p, rx->name, false));
		CHECK_OK(pass_one(&p, 2016 + 22, round));
		CHECK_EQ(rte_eth_dev_set_mtu(p.id, 2017), 0);
		CHECK_OK(check_mode(&p, "Scattered", true));
		CHECK_EQ(rte_eth_dev_set_mtu(p.id, 1500), 0);
		CHECK_EQ(port_reg(&p, BCM4908_UMAC_MAX_FRAME_LEN), 1532);
	}
	return port_close(&p);
}

TEST(scatter_live_mtu)
{
	return each_rx_variant(scatter_live_mtu);
}

/* The change comes when frames of the old length wait in the ring, one of them half polled. */
static int
scatter_switch_midway(const struct port_variant *rx)
{
	struct rte_eth_stats stats;
	struct rte_mbuf *m;
	struct port p;

	if (is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .data_room = 128 + 512, .mtu = 256);
	CHECK_OK(check_mode(&p, rx->name, false));
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, 9000), 0);
	CHECK(port_push_frame(&p, 9000, 1)); /* 18 buffers */
	CHECK(port_push_frame(&p, 100, 2));
	port_step(&p, 1);
	/* the burst stops before the frame's end, which is not there yet in this ring */
	CHECK(port_rxq(&p)->ring[17].ctl != 0);
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, 256), 0);
	port_run(&p);
	while (port_rx(&p, &m, 1) == 0)
		CHECK(bcm4908_rxq_count(port_rxq(&p)) > 0);
	CHECK_OK(mbuf_check(&p, m, 100, 2));
	rte_pktmbuf_free(m);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 1);
	CHECK_EQ(stats.ipackets, 1);
	return port_close(&p);
}

TEST(scatter_switch_midway)
{
	return each_rx_variant(scatter_switch_midway);
}

/* A frame that the scattered burst has begun is not left behind by the switch. */
static int
scatter_switch_begun(const struct port_variant *rx)
{
	struct rte_eth_stats stats;
	struct rte_mbuf *m;
	struct port p;

	if (is_scattered(rx))
		return 0;
	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .data_room = 128 + 256, .mtu = 200);
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, 9000), 0);
	CHECK_OK(check_mode(&p, "Scattered", true));
	CHECK(port_push_frame(&p, 9000, 1)); /* 36 buffers: more than the ring */
	port_run(&p);
	CHECK_EQ(port_rx(&p, &m, 1), 0);
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, 200), 0);
	port_run(&p);
	CHECK(port_push_frame(&p, 100, 2));
	for (unsigned int i = 0; port_rx(&p, &m, 1) == 0; i++) {
		CHECK(i < 100);
		port_run(&p);
	}
	CHECK_OK(mbuf_check(&p, m, 100, 2));
	rte_pktmbuf_free(m);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.ierrors, 1);
	CHECK_EQ(rte_eth_dev_set_mtu(p.id, 9000), 0);
	CHECK_OK(pass_one(&p, 5000, 3));
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK(stats.ierrors + stats.imissed == 1, "one bad frame is counted %" PRIu64 " times",
	      stats.ierrors + stats.imissed);
	CHECK_EQ(stats.ipackets, 2);
	return port_close(&p);
}

TEST(scatter_switch_begun)
{
	return each_rx_variant(scatter_switch_begun);
}
