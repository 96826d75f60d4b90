/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Receive, with a device that keeps to the rules. */

#include <string.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "model/bcm4908_model.h"
#include "bcm4908_cache.h"
#include "port.h"
#include "trap.h"

#define BURST_MAX 4096

static struct rte_mbuf *pkts[BURST_MAX];

static int
stats_get(const struct port *p, struct rte_eth_stats *stats)
{
	CHECK_EQ(rte_eth_stats_get(p->id, stats), 0);
	return 0;
}

/* Leave in free mbufs what an application may leave there. */
static int
pool_dirty(struct rte_mempool *mp)
{
	static void *objs[BURST_MAX];
	const unsigned int n = rte_mempool_avail_count(mp);

	CHECK(n <= BURST_MAX);
	CHECK_EQ(rte_mempool_get_bulk(mp, objs, n), 0);
	for (unsigned int i = 0; i < n; i++) {
		struct rte_mbuf *m = objs[i];

		m->port = 0x7777;
		m->ol_flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_RSS_HASH | RTE_MBUF_F_TX_IPV4;
		m->packet_type = 0x12345678;
		m->pkt_len = 0x11111111;
		m->data_len = 0x2222;
		m->vlan_tci = 0x3333;
		m->data_off = 7;
		m->hash.rss = 0x44444444;
		memset(m->buf_addr, 0xa5, m->buf_len);
	}
	rte_mempool_put_bulk(mp, objs, n);
	return 0;
}

/* Receive and free n frames of lengths that begin at len, seeds likewise. */
static int
expect(struct port *p, unsigned int n, uint32_t len, uint32_t seed)
{
	CHECK_EQ(port_rx(p, pkts, n + 1), n);
	for (unsigned int i = 0; i < n; i++)
		CHECK_OK(mbuf_check(p, pkts[i], len + i, seed + i));
	rte_pktmbuf_free_bulk(pkts, n);
	return 0;
}

static int
rx_fields(const struct port_variant *rx)
{
	static const uint32_t lens[] = {
		60, 61, 63, 64, 65, 66, 127, 128, 255, 256, 511, 1023, 1024, 1500, 1513, 1514,
	};
	struct rte_eth_stats stats;
	uint64_t bytes = 0;
	struct port p;

	PORT_OPEN(&p, .rx = rx, .stopped = true);
	CHECK_OK(pool_dirty(p.pool));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	for (unsigned int i = 0; i < RTE_DIM(lens); i++) {
		CHECK(port_push_frame(&p, lens[i], i));
		port_run(&p);
		CHECK_OK(expect(&p, 1, lens[i], i));
		bytes += lens[i];
	}
	/* the frame check sequence is the line's */
	CHECK_OK(stats_get(&p, &stats));
	CHECK_EQ(stats.ipackets, RTE_DIM(lens));
	CHECK_EQ(stats.ibytes, bytes);
	CHECK_EQ(stats.ierrors + stats.imissed + stats.rx_nombuf, 0);
	CHECK_XSTAT(&p, "rx_q0_packets", RTE_DIM(lens));
	CHECK_XSTAT(&p, "rx_q0_bytes", bytes);
	return port_close(&p);
}

TEST(rx_fields)
{
	return each_rx_variant(rx_fields);
}

/* Let frames of mixed lengths arrive until ahead of them wait in the ring. */
static int
arrive(struct port *p, uint32_t *sent, uint32_t got, uint32_t ahead)
{
	while (*sent - got < ahead) {
		CHECK(port_push_frame(p, 60 + *sent * 37 % 300, *sent), "frame %u", *sent);
		(*sent)++;
	}
	port_run(p);
	return 0;
}

/* Poll n at a time until total frames are there, each poll as full as it can be. */
static int
receive(struct port *p, uint16_t n, uint32_t total, uint32_t ahead)
{
	uint64_t bytes = port_xstat(p, "rx_q0_bytes");
	uint32_t sent = 0, got = 0;

	while (got < total) {
		uint16_t want, nb;

		CHECK_OK(arrive(p, &sent, got, ahead));
		want = RTE_MIN((uint32_t)n, sent - got);
		memset(pkts, 0, sizeof(pkts[0]) * RTE_MIN(n + 1, BURST_MAX));
		nb = port_rx(p, pkts, n);
		CHECK(nb == want, "burst of %u gave %u of %u", n, nb, want);
		CHECK(nb == BURST_MAX || pkts[nb] == NULL, "burst of %u wrote beyond %u", n, nb);
		for (unsigned int i = 0; i < nb; i++, got++) {
			CHECK_OK(mbuf_check(p, pkts[i], 60 + got * 37 % 300, got));
			bytes += 60 + got * 37 % 300;
		}
		rte_pktmbuf_free_bulk(pkts, nb);
		CHECK_XSTAT(p, "rx_q0_bytes", bytes);
	}
	while ((n = port_rx(p, pkts, 64)) > 0)
		rte_pktmbuf_free_bulk(pkts, n);
	return 0;
}

static int
rx_burst_sizes(const struct port_variant *rx)
{
	static const uint16_t sizes[] = {
		1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 512, 4096,
	};
	struct port p;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 512);
	CHECK(port_push_frame(&p, 60, 0));
	port_run(&p);
	CHECK_EQ(port_rx(&p, NULL, 0), 0);
	CHECK_EQ(rte_eth_rx_queue_count(p.id, 0), 1);
	CHECK_OK(expect(&p, 1, 60, 0));
	for (unsigned int i = 0; i < RTE_DIM(sizes); i++)
		CHECK_OK(receive(&p, sizes[i], 4 * sizes[i] + 40, 71));
	return port_close(&p);
}

TEST(rx_burst_sizes)
{
	return each_rx_variant(rx_burst_sizes);
}

static int
rx_ring_sizes(const struct port_variant *rx)
{
	static const uint16_t sizes[] = { 32, 40, 64, 72, 512 };
	struct port p;

	for (unsigned int i = 0; i < RTE_DIM(sizes); i++) {
		const uint16_t n = sizes[i], threshs[] = { 0, 1, 3, 7, 8, n / 2 };

		for (unsigned int j = 0; j < RTE_DIM(threshs); j++) {
			PORT_OPEN(&p, .rx = rx, .rx_desc = n, .rx_free_thresh = threshs[j]);
			CHECK_OK(receive(&p, 5, 4 * n, RTE_MIN(n / 2, 60)));
			CHECK_OK(receive(&p, 32, 4 * n + 3, RTE_MIN(n / 2, 60)));
			CHECK_OK(port_close(&p));
		}
	}
	return 0;
}

TEST(rx_ring_sizes)
{
	return each_rx_variant(rx_ring_sizes);
}

static int
rx_ring_largest(const struct port_variant *rx)
{
	struct port p;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 8192);
	CHECK_OK(receive(&p, 32, 2 * 8192 + 100, 60));
	CHECK_OK(port_close(&p));
	if (!rx->scalar)
		return 0;
	PORT_OPEN(&p, .rx = rx, .rx_desc = 8192, .rx_free_thresh = 4096);
	CHECK_OK(receive(&p, 32, 2 * 8192 + 100, 60));
	return port_close(&p);
}

TEST(rx_ring_largest)
{
	return each_rx_variant(rx_ring_largest);
}

/* Buffers are given once a threshold of them waits, in one batch, with a doorbell. */
static int
rx_free_thresh(const struct port_variant *rx)
{
	static const uint16_t threshs[] = { 1, 12, 16, 32 };
	struct port p;

	for (unsigned int i = 0; i < RTE_DIM(threshs); i++) {
		unsigned int hold = 0, given;

		PORT_OPEN(&p, .rx = rx, .rx_desc = 64, .rx_free_thresh = threshs[i]);
		for (unsigned int j = 0; j < 200; j++) {
			CHECK(port_push_frame(&p, 60, j));
			port_run(&p);
			given = rte_mempool_avail_count(p.pool);
			CHECK_EQ(port_rx(&p, pkts, 1), 1);
			given -= rte_mempool_avail_count(p.pool);
			rte_pktmbuf_free(pkts[0]);
			hold++;
			/* no more than stand before the ring's end: a batch does not wrap */
			CHECK(given == 0 ? hold < threshs[i] :
			      given == RTE_MIN(threshs[i], 64 - (j + 1 - hold) % 64),
			      "%u of %u given at a threshold of %u", given, hold, threshs[i]);
			CHECK_EQ(port_take_kick(&p, BCM4908_CHAN_RX), given > 0);
			hold -= given;
			CHECK_EQ(port_rxq(&p)->nb_hold, hold);
		}
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(rx_free_thresh)
{
	return each_rx_variant(rx_free_thresh);
}

/* All mbufs are the application's: frames wait in the FIFO, and none is lost. */
static int
rx_pool_exhausted(const struct port_variant *rx)
{
	struct rte_eth_stats stats;
	uint32_t sent = 0, got = 0;
	struct port p;
	uint16_t n;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .pool_size = 32 + 21);
	do {
		while (port_push_frame(&p, 60 + sent % 50, sent))
			sent++;
		port_run(&p);
		n = port_rx(&p, &pkts[got], 7);
		got += n;
	} while (n > 0);
	CHECK_EQ(got, 32 + 21);
	CHECK_EQ(rte_mempool_avail_count(p.pool), 0);
	CHECK(port_chan_idle(&p, BCM4908_CHAN_RX));
	CHECK_EQ(rte_eth_rx_queue_count(p.id, 0), 0);
	/* nothing was given: nothing is to be said */
	port_take_kick(&p, BCM4908_CHAN_RX);
	CHECK_EQ(port_rx(&p, &pkts[got], 7), 0);
	CHECK(!port_take_kick(&p, BCM4908_CHAN_RX));
	CHECK_EQ(rte_eth_rx_descriptor_status(p.id, 0, 0), RTE_ETH_RX_DESC_UNAVAIL);
	CHECK_OK(stats_get(&p, &stats));
	CHECK(stats.rx_nombuf > 0);
	CHECK_EQ(stats.ipackets, got);

	for (uint32_t i = 0; i < got; i++)
		CHECK_OK(mbuf_check(&p, pkts[i], 60 + i % 50, i));
	rte_pktmbuf_free_bulk(pkts, got);
	CHECK_EQ(port_rx(&p, pkts, 7), 0); /* takes buffers, there is nothing else yet */
	port_run(&p);
	while (got < sent) {
		n = port_rx(&p, pkts, 7);
		CHECK(n > 0, "%u of %u frames", got, sent);
		for (unsigned int i = 0; i < n; i++, got++)
			CHECK_OK(mbuf_check(&p, pkts[i], 60 + got % 50, got));
		rte_pktmbuf_free_bulk(pkts, n);
		port_run(&p);
	}
	CHECK_OK(stats_get(&p, &stats));
	CHECK_EQ(stats.ipackets, sent);
	CHECK_EQ(stats.ierrors + stats.imissed, 0);
	return port_close(&p);
}

TEST(rx_pool_exhausted)
{
	return each_rx_variant(rx_pool_exhausted);
}

/* Buffers that the pool lacked are given as soon as it has them, frames or not. */
static int
rx_refill_idle(const struct port_variant *rx)
{
	struct port p;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .rx_free_thresh = 8, .pool_size = 32 + 4);
	for (uint32_t i = 0; i < 20; i++)
		CHECK(port_push_frame(&p, 60, i));
	port_run(&p);
	CHECK_EQ(port_rx(&p, pkts, 32), 20);
	CHECK(port_rxq(&p)->nb_hold >= 16);
	rte_pktmbuf_free_bulk(pkts, 20);
	CHECK_EQ(port_rx(&p, pkts, 32), 0);
	CHECK_EQ(port_rxq(&p)->nb_hold, 0);
	return port_close(&p);
}

TEST(rx_refill_idle)
{
	return each_rx_variant(rx_refill_idle);
}

/* The engine has stopped at an empty ring: as few buffers as there are start it again. */
static int
rx_starved(const struct port_variant *rx)
{
	for (unsigned int spare = 1; spare < 32; spare++) {
		struct rte_mbuf *held[32];
		struct rte_eth_stats stats;
		unsigned int given;
		struct port p;
		uint16_t n;

		PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .rx_free_thresh = 8,
			  .pool_size = 32 + spare);
		for (uint32_t i = 0; i < 32; i++)
			CHECK(port_push_frame(&p, 60, i));
		port_run(&p);
		CHECK(port_chan_idle(&p, BCM4908_CHAN_RX));
		CHECK_EQ(port_rx(&p, held, 32), 32);
		given = spare - rte_mempool_avail_count(p.pool);
		CHECK(given == spare || 32 - given < 8, "%u given of %u", given, spare);
		CHECK_OK(stats_get(&p, &stats));
		CHECK(stats.rx_nombuf >= 32 - given, "%u not given, %ju counted", 32 - given,
		      (uintmax_t)stats.rx_nombuf);
		for (uint32_t i = 0; i < given; i++)
			CHECK(port_push_frame(&p, 60, i));
		port_run(&p);
		n = port_rx(&p, pkts, 32);
		CHECK(n == given, "%u of %u", n, given);
		rte_pktmbuf_free_bulk(held, 32);
		rte_pktmbuf_free_bulk(pkts, n);
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(rx_starved)
{
	return each_rx_variant(rx_starved);
}

/* A refill rings the doorbell once, a poll that gives nothing does not. */
struct doorbell_count {
	struct port *p;
	unsigned int kicks;
	uint16_t n;
	uint16_t got;
};

static void
doorbell_hook(void *ctx)
{
	struct doorbell_count *count = ctx;

	if (port_take_kick(count->p, BCM4908_CHAN_RX))
		count->kicks++;
}

static void
doorbell_poll(void *arg)
{
	struct doorbell_count *count = arg;

	count->got = port_rx(count->p, pkts, count->n);
}

static int
rx_one_doorbell(const struct port_variant *rx)
{
	struct doorbell_count count;
	struct port p;
	void (*hook)(uintptr_t addr, size_t len, bool invalidate);

	PORT_OPEN(&p, .rx = rx, .rx_desc = 128, .rx_free_thresh = 8);
	CHECK_OK(receive(&p, 8, 112, 8));
	/* buffers to give, over the ring's end */
	for (uint32_t i = 0; i < 14; i++)
		CHECK(port_push_frame(&p, 60, i));
	port_run(&p);
	/* a modelled cache has too many instructions to step through */
	hook = bcm4908_cache_hook;
	bcm4908_cache_hook = NULL;
	count = (struct doorbell_count){ .p = &p, .n = 32 };
	trap_each(doorbell_poll, &count, doorbell_hook, &count);
	CHECK_EQ(count.got, 14);
	CHECK_EQ(count.kicks, 1);
	rte_pktmbuf_free_bulk(pkts, count.got);
	count = (struct doorbell_count){ .p = &p, .n = 32 };
	trap_each(doorbell_poll, &count, doorbell_hook, &count);
	bcm4908_cache_hook = hook;
	CHECK_EQ(count.got, 0);
	CHECK_EQ(count.kicks, 0);
	return port_close(&p);
}

TEST(rx_one_doorbell)
{
	return trap_works() ? each_rx_variant(rx_one_doorbell) : 0;
}

/* The device moves between any two instructions of a poll. */
static void
device_hook(void *ctx)
{
	port_step(ctx, 1);
}

static int
rx_device_between(const struct port_variant *rx)
{
	struct doorbell_count count = { .n = 13 };
	uint32_t sent = 0, got = 0;
	struct port p;

	if (rx->args != NULL)
		return 0; /* without coherence, the device moves at each cache operation */
	PORT_OPEN(&p, .rx = rx, .rx_desc = 32);
	count.p = &p;
	while (got < 36) {
		for (unsigned int i = 0; i < 9; i++, sent++)
			CHECK(port_push_frame(&p, 60 + sent % 90, sent));
		trap_each(doorbell_poll, &count, device_hook, &p);
		for (unsigned int i = 0; i < count.got; i++, got++)
			CHECK_OK(mbuf_check(&p, pkts[i], 60 + got % 90, got));
		rte_pktmbuf_free_bulk(pkts, count.got);
	}
	return port_close(&p);
}

TEST(rx_device_between)
{
	return trap_works() ? each_rx_variant(rx_device_between) : 0;
}

/* Buffers start on 64 bytes, behind the headroom, whatever precedes them. */
static int
rx_private_sizes(const struct port_variant *rx)
{
	static const uint16_t privs[] = { 8, 16, 24, 40, 56, 64, 72, 120, 128 };
	struct rte_eth_rxq_info info;
	struct port p;

	if (rx->pinned)
		return 0; /* its buffers do not follow the private area */
	for (unsigned int i = 0; i < RTE_DIM(privs); i++) {
		uint32_t room, len;

		PORT_OPEN(&p, .rx = rx, .priv_size = privs[i]);
		CHECK_OK(pool_dirty(p.pool));
		CHECK_EQ(rte_eth_rx_queue_info_get(p.id, 0, &info), 0);
		room = port_rxq(&p)->sw_ring[0]->buf_len - port_rxq(&p)->data_off;
		CHECK(info.rx_buf_size % 64 == 0 && info.rx_buf_size <= room &&
		      info.rx_buf_size + 64u > room, "%u of %u", info.rx_buf_size, room);
		for (uint32_t j = 0; j < 100; j++) {
			len = j % 2 == 0 ? 60 : 1514;
			CHECK(port_push_frame(&p, len, j));
			port_run(&p);
			CHECK_OK(expect(&p, 1, len, j));
		}
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(rx_private_sizes)
{
	return each_rx_variant(rx_private_sizes);
}

/* What the device is told of a buffer lies inside it, at the erratum's granularity. */
TEST(rx_descriptors)
{
	struct bcm4908_rxq *rxq;
	struct port p;

	PORT_OPEN(&p, .rx_desc = 64, .priv_size = 24);
	rxq = port_rxq(&p);
	CHECK_EQ((uintptr_t)rxq->ring % 64, 0);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_BASE_DESC(BCM4908_CHAN_RX)), rxq->dma.bus);
	CHECK_EQ(rxq->dma.bus % BCM4908_RING_ALIGN, 0);
	for (unsigned int i = 0; i < 64; i++) {
		const struct rte_mbuf *m = rxq->sw_ring[i];
		const uintptr_t data = p.dev->bus_base + rxq->ring[i].addr;
		const uint32_t len = rxq->ring[i].ctl >> 16;

		CHECK_EQ(rxq->ring[i].ctl & 0xffff, i == 63 ? 0x9000 : 0x8000);
		CHECK(len % 64 == 0 && len >= 1532 && len <= 4032, "%u", len);
		CHECK_EQ(rxq->ring[i].addr % 64, 0);
		CHECK(data >= (uintptr_t)m->buf_addr + RTE_PKTMBUF_HEADROOM);
		CHECK(data + len <= (uintptr_t)m->buf_addr + m->buf_len);
	}
	return port_close(&p);
}

/* The frame may be written up to the next 64 bytes: still inside the buffer. */
TEST(rx_overrun_erratum)
{
	const struct bcm4908_model_knobs knobs = { .overrun = true };
	struct port p;

	PORT_OPEN(&p, .data_room = RTE_PKTMBUF_HEADROOM + 1599);
	bcm4908_model_set_knobs(p.model, &knobs);
	for (uint32_t len = 60; len <= 1514; len++) {
		CHECK(port_push_frame(&p, len, len));
		port_run(&p);
		CHECK_OK(expect(&p, 1, len, len));
	}
	/* the tail behind the capacity was never the device's */
	CHECK_EQ(port_rxq(&p)->capacity, 1536);
	return port_close(&p);
}

static int
setup_rx(struct port *p, uint16_t nb_desc, uint16_t thresh, struct rte_mempool *mp)
{
	const struct rte_eth_rxconf conf = { .rx_free_thresh = thresh };

	return rte_eth_rx_queue_setup(p->id, 0, nb_desc, SOCKET_ID_ANY, &conf, mp);
}

/* A start that would differ from buffer to buffer cannot be rounded. */
TEST(rx_pool_not_uniform)
{
	struct rte_mempool *bad = pool_make_pinned(64, 2176, 2176 + 8);
	struct port p;
	int ret;

	CHECK(bad != NULL);
	PORT_OPEN(&p, .unset = true);
	log_catch();
	ret = setup_rx(&p, 32, 0, bad);
	CHECK(strstr(log_caught(), bad->name) != NULL, "%s", log_caught());
	CHECK_EQ(ret, -EINVAL);
	CHECK(p.eth_dev->data->rx_queues[0] == NULL);
	/* the port is none the worse for it */
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK(port_push_frame(&p, 100, 1));
	port_run(&p);
	CHECK_OK(expect(&p, 1, 100, 1));
	CHECK_OK(port_close(&p));
	return pool_free_full(bad);
}

/* Bus addresses on 64 bytes, but not all at the same distance from their mbufs. */
static void
shift_iova(struct rte_mempool *mp __rte_unused, void *arg __rte_unused, void *obj,
	   unsigned int idx)
{
	struct rte_mempool_objhdr *hdr = RTE_PTR_SUB(obj, sizeof(*hdr));

	hdr->iova += idx % 2 * 64;
}

static int
check_linear(struct port *p, struct rte_mempool *mp, bool linear)
{
	p->dev->mbuf_addr_off = offsetof(struct rte_mbuf, buf_iova); /* as on silicon */
	CHECK_EQ(setup_rx(p, 32, 0, mp), 0);
	p->dev->mbuf_addr_off = offsetof(struct rte_mbuf, buf_addr);
	CHECK_EQ(port_rxq(p)->linear, linear);
	return 0;
}

TEST(rx_pool_not_linear)
{
	struct rte_mempool *mp = pool_make(512, 0, 2176);
	struct port p;

	CHECK(mp != NULL);
	PORT_OPEN(&p, .unset = true);
	CHECK_OK(check_linear(&p, mp, true));
	rte_mempool_obj_iter(mp, shift_iova, NULL);
	CHECK_OK(check_linear(&p, mp, false));
	CHECK_OK(port_close(&p));
	return pool_free_full(mp);
}

/* A pool that is in use, by clones too: what counts are its own buffers. */
TEST(rx_pool_in_use)
{
	struct rte_mempool *mp = pool_make(512, 0, 2176), *far = pool_make(8, 0, 2176);
	struct rte_mbuf *m, *clone;
	uint64_t lo, hi;
	struct port p;

	CHECK(mp != NULL && far != NULL);
	PORT_OPEN(&p, .unset = true);
	CHECK_EQ(setup_rx(&p, 32, 0, mp), 0);
	lo = port_rxq(&p)->lo;
	hi = port_rxq(&p)->hi;
	m = rte_pktmbuf_alloc(far);
	CHECK(m != NULL);
	clone = rte_pktmbuf_clone(m, mp);
	CHECK(clone != NULL);
	CHECK_EQ(setup_rx(&p, 32, 0, mp), 0);
	CHECK_EQ(port_rxq(&p)->lo, lo);
	CHECK_EQ(port_rxq(&p)->hi, hi);
	CHECK(port_rxq(&p)->linear);
	rte_pktmbuf_free(clone);
	rte_pktmbuf_free(m);
	CHECK_OK(port_close(&p));
	CHECK_OK(pool_free_full(far));
	return pool_free_full(mp);
}

TEST(rx_buffer_sizes)
{
	static const struct {
		uint16_t room;		/* behind the headroom */
		uint16_t capacity;	/* 0: refused */
	} cases[] = {
		{ 64, 0 }, { 255, 0 }, { 256, 256 }, { 319, 256 }, { 320, 320 }, { 2048, 2048 },
		{ 4031, 3968 }, { 4032, 4032 }, { 4096, 4032 }, { 9216, 4032 }, { 65000, 4032 },
	};
	struct rte_eth_rxq_info info;
	struct port p;

	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		struct rte_mempool *mp = pool_make(64, 0, RTE_PKTMBUF_HEADROOM + cases[i].room);
		int ret;

		CHECK(mp != NULL);
		PORT_OPEN(&p, .unset = true);
		log_catch();
		ret = setup_rx(&p, 32, 0, mp);
		log_caught();
		CHECK_EQ(ret, cases[i].capacity == 0 ? -EINVAL : 0);
		if (ret == 0) {
			CHECK_EQ(rte_eth_rx_queue_info_get(p.id, 0, &info), 0);
			CHECK_EQ(info.rx_buf_size, cases[i].capacity);
			CHECK(info.mp == mp);
			CHECK_EQ(info.nb_desc, 32);
		}
		CHECK_OK(port_close(&p));
		CHECK_OK(pool_free_full(mp));
	}
	return 0;
}

/* Of a ring's size and threshold: what the queue itself refuses, ethdev or not. */
TEST(rx_ring_limits)
{
	static const struct {
		uint16_t nb_desc;
		uint16_t thresh;
		int ret;
	} cases[] = {
		{ 24, 0, -EINVAL }, { 31, 0, -EINVAL }, { 33, 0, -EINVAL }, { 36, 0, -EINVAL },
		{ 8184, 0, 0 }, { 8192, 0, 0 }, { 8200, 0, -EINVAL }, { 65528, 0, -EINVAL },
		{ 32, 16, 0 }, { 32, 17, -EINVAL }, { 32, 32, -EINVAL }, { 64, 32, 0 },
	};
	struct bcm4908_rxq *rxq;
	struct port p;
	int ret;

	PORT_OPEN(&p, .unset = true);
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		log_catch();
		ret = bcm4908_rxq_create(p.dev, p.id, cases[i].nb_desc, cases[i].thresh, p.pool, 0,
					 &rxq);
		log_caught();
		CHECK(ret == cases[i].ret, "%u, %u: %d", cases[i].nb_desc, cases[i].thresh, ret);
		if (ret == 0)
			bcm4908_rxq_destroy(p.dev, rxq);
	}
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		log_catch();
		ret = setup_rx(&p, cases[i].nb_desc, cases[i].thresh, p.pool);
		log_caught();
		CHECK(ret == cases[i].ret, "%u, %u: %d", cases[i].nb_desc, cases[i].thresh, ret);
	}
	return port_close(&p);
}

/* A pool that cannot fill the ring: the start fails, and succeeds with another. */
TEST(rx_pool_too_small)
{
	struct rte_mempool *small = pool_make(63, 0, RTE_MBUF_DEFAULT_BUF_SIZE);
	struct port p;
	int ret;

	CHECK(small != NULL);
	PORT_OPEN(&p, .unset = true, .rx_desc = 64);
	CHECK_OK(port_setup_queues(&p));
	CHECK_EQ(setup_rx(&p, 64, 0, small), 0);
	log_catch();
	ret = rte_eth_dev_start(p.id);
	CHECK(strstr(log_caught(), small->name) != NULL, "%s", log_caught());
	CHECK_EQ(ret, -ENOMEM);
	CHECK_EQ(rte_mempool_avail_count(small), 63);
	CHECK_EQ(setup_rx(&p, 64, 0, p.pool), 0);
	CHECK_EQ(rte_eth_dev_start(p.id), 0);
	CHECK(port_push_frame(&p, 100, 1));
	port_run(&p);
	CHECK_OK(expect(&p, 1, 100, 1));
	CHECK_OK(port_close(&p));
	return pool_free_full(small);
}

static int
rx_queue_state(const struct port_variant *rx)
{
	struct port p;
	uint32_t i;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 64, .rx_free_thresh = 8);
	/* somewhere in the ring, so that what follows wraps */
	for (i = 0; i < 56; i++) {
		CHECK(port_push_frame(&p, 60, i));
		port_run(&p);
		CHECK_OK(expect(&p, 1, 60, i));
	}
	CHECK_EQ(rte_eth_rx_queue_count(p.id, 0), 0);
	for (i = 0; i < 30; i++) {
		CHECK(port_push_frame(&p, 60 + i, i));
		port_run(&p);
		CHECK_EQ(rte_eth_rx_queue_count(p.id, 0), i + 1);
	}
	CHECK_EQ(port_rx(&p, pkts, 3), 3); /* leaves three descriptors without a buffer */
	rte_pktmbuf_free_bulk(pkts, 3);
	CHECK_EQ(rte_eth_rx_queue_count(p.id, 0), 27);
	for (i = 0; i < 64; i++)
		CHECK(rte_eth_rx_descriptor_status(p.id, 0, i) ==
		      (i < 27 ? RTE_ETH_RX_DESC_DONE :
		       i < 61 ? RTE_ETH_RX_DESC_AVAIL : RTE_ETH_RX_DESC_UNAVAIL),
		      "%u: %d", i, rte_eth_rx_descriptor_status(p.id, 0, i));
	CHECK_EQ(rte_eth_rx_descriptor_status(p.id, 0, 64), -EINVAL);
	CHECK_OK(expect(&p, 27, 63, 3));
	return port_close(&p);
}

TEST(rx_queue_state)
{
	return each_rx_variant(rx_queue_state);
}

/* What was received but not polled when the port stops is counted, its mbufs come back. */
static int
rx_stop_drops(const struct port_variant *rx)
{
	struct rte_eth_stats stats;
	struct port p;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 32);
	for (unsigned int round = 1; round <= 3; round++) {
		for (uint32_t i = 0; i < 20; i++)
			CHECK(port_push_frame(&p, 60 + i, i));
		port_run(&p);
		CHECK_EQ(port_rx(&p, pkts, 9), 9);
		rte_pktmbuf_free_bulk(pkts, 9);
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
		CHECK_OK(stats_get(&p, &stats));
		CHECK_EQ(stats.ipackets, 9 * round);
		CHECK_EQ(stats.imissed, 11 * round);
		CHECK_EQ(stats.ierrors, 0);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
	}
	return port_close(&p);
}

TEST(rx_stop_drops)
{
	return each_rx_variant(rx_stop_drops);
}

/* Zero copy: the mbuf that arrives is the one whose buffer the device filled. */
static int
rx_zero_copy(const struct port_variant *rx)
{
	struct rte_mbuf *posted[32];
	struct port p;

	PORT_OPEN(&p, .rx = rx, .rx_desc = 32);
	memcpy(posted, port_rxq(&p)->sw_ring, sizeof(posted));
	for (uint32_t i = 0; i < 20; i++)
		CHECK(port_push_frame(&p, 60 + i, i));
	port_run(&p);
	CHECK_EQ(port_rx(&p, pkts, 32), 20);
	for (uint32_t i = 0; i < 20; i++)
		CHECK(pkts[i] == posted[i]);
	rte_pktmbuf_free_bulk(pkts, 20);
	return port_close(&p);
}

TEST(rx_zero_copy)
{
	return each_rx_variant(rx_zero_copy);
}
