/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Receive, with a device that writes back what it must not: the test plays it
 * on the ring's memory. What comes of each word is told by a reference of the
 * test's own; never may a byte outside of an mbuf be part of a packet, never
 * is a bad frame counted twice or a buffer lost.
 */

#include <string.h>

#include <rte_ethdev.h>

#include "port.h"
#include "rx_ref.h"

#define OWN	BCM4908_DESC_OWN
#define SOP	BCM4908_DESC_SOP
#define EOP	BCM4908_DESC_EOP
#define WHOLE	(SOP | EOP)

#define MTU_LEN(mtu)	((mtu) + 14 + 8 + 4)	/* header, two tags, FCS */
#define LEN_MIN		60u			/* a shorter LENGTH is no frame [3.3] */

struct liar {
	struct port p;
	struct rx_ref ref;
	uint32_t at;		/* descriptor that the device writes back next */
};

static int
liar_open(struct liar *l, const struct port_config *cfg)
{
	*l = (struct liar){ .ref.max = MTU_LEN(cfg->mtu == 0 ? 1500 : cfg->mtu) };
	CHECK_OK(port_open(&l->p, cfg));
	l->p.lies = true;
	l->ref.cap = port_rxq(&l->p)->capacity;
	l->ref.scattered = l->p.eth_dev->data->scattered_rx;
	return 0;
}

#define LIAR_OPEN(l, ...) \
	CHECK_OK(liar_open(l, &(const struct port_config){ __VA_ARGS__ }))

/* The device gives its next descriptor back with this word. */
static int
lie(struct liar *l, uint32_t ctl)
{
	struct bcm4908_rxq *rxq = port_rxq(&l->p);
	struct bcm4908_desc *desc = &rxq->ring[l->at];

	CHECK((desc->ctl & OWN) != 0, "descriptor %u is not the device's", l->at);
	CHECK_EQ(desc->ctl & BCM4908_DESC_WRAP,
		 l->at + 1 == rxq->nb_desc ? BCM4908_DESC_WRAP : 0);
	__atomic_store_n(&desc->ctl, ctl & ~OWN, __ATOMIC_RELEASE);
	l->at = (l->at + 1) % rxq->nb_desc;
	rx_ref_word(&l->ref, ctl);
	return 0;
}

static int
check_packet(const struct rte_mbuf *m, uint32_t len, uint32_t segs)
{
	uint32_t sum = 0, n = 0;

	CHECK_EQ(m->pkt_len, len);
	/* the FCS may have been all of the last one or two segments, or more */
	CHECK(m->nb_segs <= segs && m->nb_segs + 4u >= segs, "%u of %u segments", m->nb_segs, segs);
	for (const struct rte_mbuf *seg = m; seg != NULL; seg = seg->next, n++) {
		CHECK(seg->data_len > 0);
		CHECK((uint32_t)seg->data_off + seg->data_len <= seg->buf_len, "%u + %u of %u",
		      seg->data_off, seg->data_len, seg->buf_len);
		sum += seg->data_len;
	}
	CHECK_EQ(sum, len);
	CHECK_EQ(n, m->nb_segs);
	return 0;
}

/* Poll n at a time until the device owns the whole ring, and compare. */
static int
compare(struct liar *l, uint16_t n, bcm4908_burst_t burst)
{
	const struct bcm4908_rxq *rxq = port_rxq(&l->p);
	struct rte_mbuf *pkts[RX_REF_FRAMES_MAX];
	unsigned int got = 0;

	while (bcm4908_rxq_count(port_rxq(&l->p)) > 0) {
		const uint16_t nb = burst(port_rxq(&l->p), pkts, n);

		for (unsigned int i = 0; i < nb; i++, got++) {
			CHECK(got < l->ref.nb, "more than %u frames", l->ref.nb);
			CHECK_OK(check_packet(pkts[i], l->ref.frame_len[got], l->ref.frame_segs[got]));
			rte_pktmbuf_free(pkts[i]);
		}
	}
	CHECK(got == l->ref.nb, "%u of %u frames", got, l->ref.nb);
	CHECK_EQ(rxq->stats.seq_errors, l->ref.seq);
	CHECK_EQ(rxq->stats.short_errors, l->ref.shorts);
	CHECK_EQ(rxq->stats.long_errors, l->ref.longs);
	l->ref.nb = 0;
	return 0;
}

static bcm4908_burst_t
own_burst(const struct liar *l)
{
	return rte_eth_fp_ops[l->p.id].rx_pkt_burst;
}

/* Every LENGTH, alone and among others. */
static int
lies_lengths(const struct port_variant *rx)
{
	static const uint16_t polls[] = { 1, 3, 32 };
	struct rte_eth_stats stats;
	struct liar l;

	for (unsigned int i = 0; i < RTE_DIM(polls); i++) {
		LIAR_OPEN(&l, .rx = rx);
		for (uint32_t len = 0; len <= 4095; len++) {
			CHECK_OK(lie(&l, len << 16 | WHOLE));
			if (len % 11 == 0)
				CHECK_OK(compare(&l, polls[i], own_burst(&l)));
		}
		CHECK_OK(compare(&l, polls[i], own_burst(&l)));
		CHECK_EQ(l.ref.shorts, 60);
		CHECK_EQ(l.ref.longs, 4096 - 1526 - 1);
		CHECK_EQ(rte_eth_stats_get(l.p.id, &stats), 0);
		CHECK_EQ(stats.ipackets, 4096 - l.ref.shorts - l.ref.longs);
		CHECK_EQ(stats.ierrors, l.ref.shorts + l.ref.longs);
		CHECK_OK(port_close(&l.p));
	}
	return 0;
}

TEST(lies_lengths)
{
	return each_rx_variant(lies_lengths);
}

/*
 * A burst function may run once more after another took its place, when the
 * longest frame is already longer than a buffer.
 */
static int
lies_stale_burst(const struct port_variant *rx)
{
	bcm4908_burst_t plain;
	struct liar l;

	LIAR_OPEN(&l, .rx = rx);
	if (l.ref.scattered)
		return port_close(&l.p);
	plain = own_burst(&l);
	CHECK_EQ(rte_eth_dev_set_mtu(l.p.id, 9000), 0);
	CHECK(plain != own_burst(&l));
	CHECK(l.ref.cap < 4032);
	l.ref.max = MTU_LEN(9000);
	for (uint32_t len = l.ref.cap - 20; len <= 4095; len++) {
		CHECK_OK(lie(&l, len << 16 | WHOLE));
		if (len % 11 == 0)
			CHECK_OK(compare(&l, 32, plain));
	}
	CHECK_OK(compare(&l, 32, plain));
	CHECK_EQ(l.ref.longs, 4095 - l.ref.cap);
	return port_close(&l.p);
}

TEST(lies_stale_burst)
{
	return each_rx_variant(lies_stale_burst);
}

/* Start and end of packet in all combinations over five descriptors, good frames around them. */
static int
lies_sequences(const struct port_variant *rx)
{
	static const uint32_t flags[] = { 0, SOP, EOP, WHOLE };
	static const uint16_t polls[] = { 1, 2, 32 };
	struct liar l;

	for (unsigned int i = 0; i < RTE_DIM(polls); i++) {
		LIAR_OPEN(&l, .rx = rx);
		for (uint32_t combo = 0; combo < 4 * 4 * 4 * 4 * 4; combo++) {
			for (uint32_t j = 0, rest = combo; j < 5; j++, rest /= 4)
				CHECK_OK(lie(&l, (100 + j) << 16 | flags[rest % 4]));
			CHECK(compare(&l, polls[i], own_burst(&l)) == 0, "combination %#x", combo);
		}
		CHECK_OK(port_close(&l.p));
	}
	return 0;
}

TEST(lies_sequences)
{
	return each_rx_variant(lies_sequences);
}

/* A word that says all of a good frame but that it is the driver's: not yet. */
static int
lies_own_kept(const struct port_variant *rx)
{
	struct rte_mbuf *pkts[32];
	struct liar l;

	LIAR_OPEN(&l, .rx = rx, .rx_desc = 32);
	for (uint32_t owned = 0; owned < 8; owned++) {
		struct bcm4908_desc *desc = &port_rxq(&l.p)->ring[(l.at + owned) % 32];
		uint32_t ctl;

		for (unsigned int i = 0; i < 8; i++)
			CHECK_OK(lie(&l, 100 << 16 | WHOLE));
		ctl = desc->ctl;
		desc->ctl = ctl | OWN;
		CHECK_EQ(port_rx(&l.p, pkts, 32), owned);
		rte_pktmbuf_free_bulk(pkts, owned);
		desc->ctl = ctl;
		CHECK_EQ(port_rx(&l.p, pkts, 32), 8 - owned);
		rte_pktmbuf_free_bulk(pkts, 8 - owned);
	}
	return port_close(&l.p);
}

TEST(lies_own_kept)
{
	return each_rx_variant(lies_own_kept);
}

/* The lengths at both ends of what is allowed, and just beyond, in each place of a group. */
static int
lies_length_edges(const struct port_variant *rx)
{
	struct liar l;

	LIAR_OPEN(&l, .rx = rx, .rx_desc = 32);
	for (uint32_t place = 0; place < 8; place++) {
		for (unsigned int side = 0; side < 2; side++) {
			const uint32_t bad = side == 0 ? LEN_MIN - 1 : l.ref.max + 1;

			for (uint32_t i = 0; i < 8; i++)
				CHECK_OK(lie(&l, (i == place ? bad : i % 2 == 0 ? LEN_MIN : l.ref.max) << 16 |
					     WHOLE));
			CHECK(compare(&l, 32, own_burst(&l)) == 0, "%u bytes at %u", bad, place);
		}
	}
	CHECK_EQ(l.ref.shorts, 8);
	CHECK_EQ(l.ref.longs, 8);
	return port_close(&l.p);
}

TEST(lies_length_edges)
{
	return each_rx_variant(lies_length_edges);
}

/* A bad frame ended with the good one behind it: a ring's length later nothing goes on with it. */
static int
lies_bad_long_ago(const struct port_variant *rx)
{
	struct liar l;

	LIAR_OPEN(&l, .rx = rx, .rx_desc = 32);
	CHECK_OK(lie(&l, 100 << 16));
	for (unsigned int i = 0; i < 32; i++) {
		CHECK_OK(lie(&l, 100 << 16 | WHOLE));
		CHECK_OK(compare(&l, 32, own_burst(&l)));
	}
	CHECK_OK(lie(&l, 100 << 16 | EOP));
	CHECK_OK(compare(&l, 32, own_burst(&l)));
	CHECK_EQ(l.ref.seq, 2);
	return port_close(&l.p);
}

TEST(lies_bad_long_ago)
{
	return each_rx_variant(lies_bad_long_ago);
}

/* A frame without its end is one error however long it goes on, over the ring's end too. */
static int
lies_long_sequence(const struct port_variant *rx)
{
	struct liar l;

	LIAR_OPEN(&l, .rx = rx, .rx_desc = 32);
	CHECK_OK(lie(&l, 1500 << 16 | SOP));
	for (unsigned int i = 0; i < 500; i++) {
		CHECK_OK(lie(&l, 1500 << 16));
		if (i % 7 == 0)
			CHECK_OK(compare(&l, 32, own_burst(&l)));
	}
	CHECK_OK(lie(&l, 1500 << 16 | EOP));
	CHECK_OK(lie(&l, 1000 << 16 | WHOLE));
	CHECK_OK(compare(&l, 32, own_burst(&l)));
	CHECK_EQ(l.ref.seq + l.ref.longs, 1);
	CHECK_EQ(port_rxq(&l.p)->stats.packets, 1);
	return port_close(&l.p);
}

TEST(lies_long_sequence)
{
	return each_rx_variant(lies_long_sequence);
}

/* Any word at all, and any address beside it. */
static int
lies_garbage(const struct port_variant *rx)
{
	uint64_t x = 88172645463325252;
	struct liar l;

	LIAR_OPEN(&l, .rx = rx, .rx_desc = 40);
	for (unsigned int i = 0; i < 20000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		port_rxq(&l.p)->ring[l.at].addr = x >> 40;
		/* lengths of frames more often than not */
		CHECK_OK(lie(&l, (x & 0x700000000) != 0 ? x & 0xf7ffffff : x & 0x07ffffff));
		if (x >> 60 == 0)
			CHECK_OK(compare(&l, 1 + (x >> 50) % 40, own_burst(&l)));
		else if (bcm4908_rxq_count(port_rxq(&l.p)) > 25)
			CHECK_OK(compare(&l, 32, own_burst(&l)));
	}
	CHECK_OK(compare(&l, 32, own_burst(&l)));
	CHECK(l.ref.seq > 0 && l.ref.shorts > 0 && l.ref.longs > 0);
	CHECK(port_rxq(&l.p)->stats.packets > 0);
	return port_close(&l.p);
}

TEST(lies_garbage)
{
	return each_rx_variant(lies_garbage);
}

/* The same with frames over several buffers. */
static int
lies_garbage_jumbo(const struct port_variant *rx)
{
	uint64_t x = 362436069362436069;
	struct liar l;

	if ((rx->offloads & RTE_ETH_RX_OFFLOAD_SCATTER) == 0)
		return 0;
	LIAR_OPEN(&l, .rx = rx, .rx_desc = 64, .mtu = 9000, .data_room = 128 + 256);
	CHECK_EQ(l.ref.cap, 256);
	for (unsigned int i = 0; i < 20000; i++) {
		uint32_t ctl;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		/* mostly the middle of frames that fit */
		ctl = (x & 0xf0) == 0 ? x >> 32 : (x & 0xff0000) | (x & SOP & x >> 8 & x >> 16) |
		      (x & EOP & x >> 8 & x >> 16);
		CHECK_OK(lie(&l, ctl));
		if (bcm4908_rxq_count(port_rxq(&l.p)) > 40)
			CHECK_OK(compare(&l, 1 + i % 40, own_burst(&l)));
	}
	CHECK_OK(compare(&l, 32, own_burst(&l)));
	CHECK(l.ref.seq > 0 && l.ref.shorts > 0 && l.ref.longs > 0);
	CHECK(port_rxq(&l.p)->stats.packets > 100);
	return port_close(&l.p);
}

TEST(lies_garbage_jumbo)
{
	return each_rx_variant(lies_garbage_jumbo);
}

/* After all that, the next honest frame is received as ever. */
static int
lies_then_truth(const struct port_variant *rx)
{
	static const uint32_t words[] = {
		0, 0x0fff6000, 0x00006000, 0x003b6000, 0x05fc2000, 0x05fc4000, 0xffff7fff,
	};
	struct rte_mbuf *m;
	struct liar l;
	uint32_t i;

	for (i = 0; i < RTE_DIM(words); i++) {
		LIAR_OPEN(&l, .rx = rx);
		CHECK_OK(lie(&l, words[i]));
		/* the device's own index follows what was played for it */
		bcm4908_write(l.p.dev, BCM4908_CHAN_CFG(BCM4908_CHAN_RX), 0);
		bcm4908_write(l.p.dev, BCM4908_CHAN_STATE_DATA(BCM4908_CHAN_RX), 1);
		bcm4908_write(l.p.dev, BCM4908_CHAN_CFG(BCM4908_CHAN_RX), 1);
		for (uint32_t j = 0; j < 100; j++) {
			CHECK(port_push_frame(&l.p, 60 + j, j));
			port_run(&l.p);
			while (port_rx(&l.p, &m, 1) == 0)
				CHECK(bcm4908_rxq_count(port_rxq(&l.p)) > 0, "frame %u", j);
			CHECK_OK(mbuf_check(&l.p, m, 60 + j, j));
			rte_pktmbuf_free(m);
		}
		CHECK_OK(port_close(&l.p));
	}
	return 0;
}

TEST(lies_then_truth)
{
	return each_rx_variant(lies_then_truth);
}

/* Half a frame, and frames nobody polled, when the port stops: counted once, nothing leaks. */
static int
lies_stop(const struct port_variant *rx)
{
	struct rte_eth_stats stats;
	struct rte_mbuf *m;
	struct liar l;

	LIAR_OPEN(&l, .rx = rx);
	CHECK_OK(lie(&l, 100 << 16 | SOP));
	CHECK_OK(lie(&l, 100 << 16));
	CHECK_EQ(port_rx(&l.p, &m, 1), 0);
	CHECK_EQ(port_rx(&l.p, &m, 1), 0);
	CHECK_OK(lie(&l, 100 << 16));
	CHECK_OK(lie(&l, 100 << 16 | WHOLE));
	CHECK_OK(lie(&l, 100 << 16 | SOP));
	CHECK_OK(lie(&l, 100 << 16 | EOP));
	CHECK_EQ(rte_eth_dev_stop(l.p.id), 0);
	CHECK_EQ(rte_mempool_avail_count(l.p.pool), l.p.pool->size);
	CHECK_EQ(rte_eth_stats_get(l.p.id, &stats), 0);
	CHECK_EQ(stats.imissed + stats.ierrors, 3);
	CHECK_EQ(stats.ipackets, 0);
	CHECK_EQ(rte_eth_dev_start(l.p.id), 0);
	CHECK(port_push_frame(&l.p, 60, 1));
	port_run(&l.p);
	CHECK_EQ(port_rx(&l.p, &m, 1), 1);
	CHECK_OK(mbuf_check(&l.p, m, 60, 1));
	rte_pktmbuf_free(m);
	return port_close(&l.p);
}

TEST(lies_stop)
{
	return each_rx_variant(lies_stop);
}
