/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Transmit. What the line shows and what becomes of the mbufs, with every burst function. */

#include <string.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "port.h"
#include "trap.h"

#define BURST_MAX 4096

static struct rte_mbuf *pkts[BURST_MAX];

static bool
is_fast_free(const struct port_variant *tx)
{
	return (tx->offloads & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE) != 0;
}

static int
make_frames(struct port *p, unsigned int n, uint32_t len, uint32_t seed)
{
	for (unsigned int i = 0; i < n; i++) {
		pkts[i] = mbuf_frame(p->pool, len + i, seed + i);
		CHECK(pkts[i] != NULL);
	}
	return 0;
}

/* Send one mbuf, which must be taken, and let the device move. */
static int
send_one(struct port *p, struct rte_mbuf *m)
{
	CHECK(m != NULL);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	port_run(p);
	return 0;
}

/* The i-th frame on the line has these bytes and is padded with zeros. */
static int
check_padded(const struct port *p, unsigned int i, const uint8_t *data, uint32_t len)
{
	const uint8_t *sent;
	uint32_t sent_len;

	CHECK(i < port_sent(p), "frame %u of %u", i, port_sent(p));
	sent = port_sent_data(p, i, &sent_len);
	CHECK_EQ(sent_len, RTE_MAX(len, 60u));
	CHECK(memcmp(sent, data, len) == 0);
	for (uint32_t at = len; at < 60; at++)
		CHECK(sent[at] == 0, "byte %u of the padding is %#x", at, sent[at]);
	return 0;
}

static int
tx_lengths(const struct port_variant *tx)
{
	struct rte_eth_stats stats;
	uint64_t bytes = 0;
	struct port p;
	uint32_t len;

	PORT_OPEN(&p, .tx = tx, .data_room = 128 + 4095);
	for (len = 60; len <= 1514; len++)
		CHECK_OK(send_one(&p, mbuf_frame(p.pool, len, len)));
	for (; len <= 4095; len += len % 64 == 0 || len >= 4090 ? 1 : 21)
		CHECK_OK(send_one(&p, mbuf_frame(p.pool, len, len)));
	for (unsigned int i = 0; i < port_sent(&p); i++) {
		port_sent_data(&p, i, &len);
		CHECK_OK(port_check_sent(&p, i, i <= 1454 ? i + 60 : len, i <= 1454 ? i + 60 : len));
		bytes += len;
	}
	CHECK_OK(send_one(&p, mbuf_frame(p.pool, 4095, 1)));
	CHECK_OK(port_check_sent(&p, port_sent(&p) - 1, 4095, 1));
	bytes += 4095;
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.opackets, port_sent(&p));
	CHECK_EQ(stats.obytes, bytes);
	CHECK_EQ(stats.oerrors, 0);
	CHECK_XSTAT(&p, "tx_q0_packets", stats.opackets);
	CHECK_XSTAT(&p, "tx_q0_bytes", stats.obytes);
	return port_close(&p);
}

TEST(tx_lengths)
{
	return each_tx_variant(tx_lengths);
}

/* Each bit that the device reads. */
static int
tx_descriptors(const struct port_variant *tx)
{
	struct bcm4908_txq *txq;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 40);
	txq = port_txq(&p);
	CHECK_EQ((uintptr_t)txq->ring % 64, 0);
	CHECK_EQ(port_reg(&p, BCM4908_CHAN_BASE_DESC(BCM4908_CHAN_TX)), txq->dma.bus);
	CHECK_OK(make_frames(&p, 40, 60, 0));
	CHECK_EQ(port_tx(&p, pkts, 40), 40);
	for (unsigned int i = 0; i < 40; i++) {
		CHECK_EQ(txq->ring[i].ctl, (60 + i) << 16 | (i == 39 ? 0xf100 : 0xe100));
		CHECK_EQ(p.dev->bus_base + txq->ring[i].addr, rte_pktmbuf_mtod(pkts[i], uintptr_t));
	}
	port_run(&p);
	CHECK_EQ(port_sent(&p), 40);
	return port_close(&p);
}

TEST(tx_descriptors)
{
	return each_tx_variant(tx_descriptors);
}

/* Send total frames n at a time; each burst is taken whole. */
static int
transmit(struct port *p, uint16_t n, unsigned int total)
{
	uint64_t bytes = port_xstat(p, "tx_q0_bytes");

	port_line_clear(p);
	for (unsigned int sent = 0; sent < total; sent += n) {
		for (unsigned int i = 0; i < n; i++) {
			pkts[i] = mbuf_frame(p->pool, 60 + (sent + i) % 200, sent + i);
			CHECK(pkts[i] != NULL);
			bytes += 60 + (sent + i) % 200;
		}
		CHECK_EQ(port_tx(p, pkts, n), n);
		CHECK_XSTAT(p, "tx_q0_bytes", bytes);
		port_run(p);
		CHECK_EQ(port_sent(p), n);
		for (unsigned int i = 0; i < n; i++)
			CHECK_OK(port_check_sent(p, i, 60 + (sent + i) % 200, sent + i));
		port_line_clear(p);
	}
	return 0;
}

static int
tx_burst_sizes(const struct port_variant *tx)
{
	static const uint16_t sizes[] = {
		1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 448,
	};
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 512, .pool_size = 2048);
	CHECK_EQ(port_tx(&p, NULL, 0), 0);
	for (unsigned int i = 0; i < RTE_DIM(sizes); i++)
		CHECK_OK(transmit(&p, sizes[i], 3 * sizes[i] + 100));
	return port_close(&p);
}

TEST(tx_burst_sizes)
{
	return each_tx_variant(tx_burst_sizes);
}

/* A burst beyond the ring is taken as far as the ring goes, again and again. */
static int
tx_burst_beyond_ring(const struct port_variant *tx)
{
	static const uint16_t bursts[] = { 512, 513, 1000, 4096 };
	unsigned int done, seen;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 512, .pool_size = 5000);
	for (unsigned int i = 0; i < RTE_DIM(bursts); i++) {
		for (unsigned int j = 0; j < bursts[i]; j++) {
			pkts[j] = mbuf_frame(p.pool, 60 + j % 100, j);
			CHECK(pkts[j] != NULL);
		}
		port_line_clear(&p);
		for (done = 0; done < bursts[i];) {
			const uint16_t n = port_tx(&p, &pkts[done], bursts[i] - done);

			CHECK(n > 0 && n <= 512, "%u", n);
			done += n;
			port_run(&p);
		}
		seen = port_sent(&p);
		CHECK_EQ(seen, bursts[i]);
		for (unsigned int j = 0; j < seen; j++)
			CHECK_OK(port_check_sent(&p, j, 60 + j % 100, j));
	}
	return port_close(&p);
}

TEST(tx_burst_beyond_ring)
{
	return each_tx_variant(tx_burst_beyond_ring);
}

static int
tx_ring_sizes(const struct port_variant *tx)
{
	static const uint16_t sizes[] = { 32, 40, 48, 64, 72, 104, 512 };
	struct port p;

	for (unsigned int i = 0; i < RTE_DIM(sizes); i++) {
		const uint16_t n = sizes[i], threshs[] = { 0, 1, 7, 8, n / 2 };

		for (unsigned int j = 0; j < RTE_DIM(threshs); j++) {
			PORT_OPEN(&p, .tx = tx, .tx_desc = n, .tx_free_thresh = threshs[j]);
			CHECK_OK(transmit(&p, 5, 3 * n));
			CHECK_OK(transmit(&p, 16, 3 * n + 5));
			CHECK_OK(transmit(&p, 1, n));
			CHECK_OK(port_close(&p));
		}
	}
	return 0;
}

TEST(tx_ring_sizes)
{
	return each_tx_variant(tx_ring_sizes);
}

static int
tx_ring_largest(const struct port_variant *tx)
{
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 8192, .pool_size = 8192 + 1024);
	CHECK_OK(transmit(&p, 64, 2 * 8192 + 100));
	return port_close(&p);
}

TEST(tx_ring_largest)
{
	return each_tx_variant(tx_ring_largest);
}

/* A full ring takes nothing more, drops nothing, and goes on when the line does. */
static int
tx_ring_full(const struct port_variant *tx)
{
	struct rte_eth_stats stats;
	unsigned int kept;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (unsigned int round = 0; round < 5; round++) {
		port_line_clear(&p);
		port_line_busy(&p, true);
		CHECK_OK(make_frames(&p, 50, 60, 0));
		/* what was sent before is reclaimed by batches */
		kept = port_tx(&p, pkts, 50);
		CHECK(round == 0 ? kept == 32 : kept > 32 - 8 && kept <= 32, "%u", kept);
		CHECK_EQ(port_tx(&p, &pkts[kept], 50 - kept), 0);
		port_run(&p);
		CHECK_EQ(port_tx(&p, &pkts[kept], 50 - kept), 0);
		CHECK_EQ(port_sent(&p), 0);
		port_line_busy(&p, false);
		port_run(&p);
		CHECK_EQ(port_tx(&p, &pkts[kept], 50 - kept), 50 - kept);
		port_run(&p);
		CHECK_EQ(port_sent(&p), 50);
		for (unsigned int i = 0; i < 50; i++)
			CHECK_OK(port_check_sent(&p, i, 60 + i, i));
		CHECK_OK(transmit(&p, 1, round + 1)); /* elsewhere in the ring next time */
	}
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.oerrors, 0);
	return port_close(&p);
}

TEST(tx_ring_full)
{
	return each_tx_variant(tx_ring_full);
}

/* A frame of len bytes behind which its memory is not clean. */
static struct rte_mbuf *
dirty_frame(struct rte_mempool *mp, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(mp);

	if (m == NULL)
		return NULL;
	memset(m->buf_addr, 0xa5, m->buf_len);
	frame_fill((uint8_t *)rte_pktmbuf_append(m, len), len, seed);
	return m;
}

/* Short frames leave with 60 bytes, the rest zeros; in their own memory where that may be. */
static int
tx_pad_in_place(const struct port_variant *tx)
{
	struct rte_eth_stats stats;
	struct rte_mbuf *m;
	uint8_t want[60];
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (uint32_t len = 1; len <= 60; len++) {
		m = dirty_frame(p.pool, len, len);
		CHECK(m != NULL);
		frame_fill(want, len, len);
		CHECK_EQ(port_tx(&p, &m, 1), 1);
		CHECK_EQ(p.dev->bus_base + port_txq(&p)->ring[(len - 1) % 32].addr,
			 rte_pktmbuf_mtod(m, uintptr_t));
		port_run(&p);
		CHECK_OK(check_padded(&p, len - 1, want, len));
	}
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.opackets, 60);
	CHECK_EQ(stats.obytes, 60 * 60);
	return port_close(&p);
}

TEST(tx_pad_in_place)
{
	return each_tx_variant(tx_pad_in_place);
}

/* The driver may have freed what is looked at, which the sanitizer is not to see. */
__attribute__((no_sanitize("address")))
static bool
same_bytes(const uint8_t *before, const uint8_t *now, uint32_t len)
{
	while (len > 0 && before[len - 1] == now[len - 1])
		len--;
	return len == 0;
}

/* Memory that the mbuf does not own alone, or that ends too soon, is left as it was. */
static int
check_bounced(struct port *p, struct rte_mbuf *m, uint32_t len, uint32_t seed)
{
	uint8_t before[256], want[60];
	const uint8_t *buf = rte_pktmbuf_mtod(m, const uint8_t *);
	const uint32_t room = RTE_MIN((uint32_t)m->buf_len - m->data_off, sizeof(before));

	memcpy(before, buf, room);
	frame_fill(want, len, seed);
	port_line_clear(p);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	CHECK(same_bytes(before, buf, room), "memory behind a frame of %u bytes changed", len);
	port_run(p);
	CHECK_EQ(port_sent(p), 1);
	CHECK_OK(check_padded(p, 0, want, len));
	CHECK(same_bytes(before, buf, room));
	return 0;
}

static int
tx_pad_no_tailroom(const struct port_variant *tx)
{
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (uint32_t len = 1; len < 60; len++) {
		/* the frame's end is less than the padding away from the buffer's */
		for (uint32_t tail = 0; tail < 60 - len; tail += RTE_MAX(1u, 59 - len - tail)) {
			m = dirty_frame(p.pool, 0, 0);
			CHECK(m != NULL);
			m->data_off = m->buf_len - len - tail;
			frame_fill((uint8_t *)rte_pktmbuf_append(m, len), len, len);
			CHECK_OK(check_bounced(&p, m, len, len));
		}
		/* one byte more is room enough */
		m = dirty_frame(p.pool, 0, 0);
		CHECK(m != NULL);
		m->data_off = m->buf_len - 60;
		frame_fill((uint8_t *)rte_pktmbuf_append(m, len), len, len);
		CHECK_OK(send_one(&p, m));
	}
	return port_close(&p);
}

TEST(tx_pad_no_tailroom)
{
	return each_tx_variant(tx_pad_no_tailroom);
}

static int
tx_pad_shared(const struct port_variant *tx)
{
	struct rte_mbuf *m, *clone;
	struct port p;

	if (is_fast_free(tx))
		return 0; /* promises that nothing is shared */
	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (uint32_t len = 1; len < 60; len++) {
		m = dirty_frame(p.pool, len, len);
		CHECK(m != NULL);
		rte_mbuf_refcnt_update(m, 1);
		CHECK_OK(check_bounced(&p, m, len, len));
		CHECK_EQ(rte_mbuf_refcnt_read(m), 1); /* a copy went: the driver's share is free */
		clone = rte_pktmbuf_clone(m, p.pool);
		CHECK(clone != NULL);
		CHECK_OK(check_bounced(&p, clone, len, len));
		CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
		/* the one that the clone is of, while it lives */
		clone = rte_pktmbuf_clone(m, p.pool);
		CHECK(clone != NULL);
		CHECK_OK(check_bounced(&p, m, len, len));
		CHECK_EQ(clone->data_len, len);
		CHECK_EQ(*rte_pktmbuf_mtod(clone, uint8_t *), 0x02);
		rte_pktmbuf_free(clone);
	}
	return port_close(&p);
}

TEST(tx_pad_shared)
{
	return each_tx_variant(tx_pad_shared);
}

static unsigned int ext_freed;

static void
ext_free(void *addr __rte_unused, void *opaque __rte_unused)
{
	ext_freed++;
}

/* An mbuf whose buffer is memory of the test's. */
static struct rte_mbuf *
ext_frame(struct rte_mempool *mp, void *buf, uint16_t len, struct rte_mbuf_ext_shared_info *info)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(mp);

	if (m == NULL)
		return NULL;
	*info = (struct rte_mbuf_ext_shared_info){ .free_cb = ext_free };
	rte_mbuf_ext_refcnt_set(info, 1);
	rte_pktmbuf_attach_extbuf(m, buf, rte_malloc_virt2iova(buf), len, info);
	m->data_off = 0;
	m->data_len = len;
	m->pkt_len = len;
	return m;
}

static int
tx_pad_external(const struct port_variant *tx)
{
	struct rte_mbuf_ext_shared_info info;
	uint8_t *buf = rte_malloc(NULL, 256, 64);
	struct rte_mbuf *m;
	struct port p;

	if (is_fast_free(tx)) {
		rte_free(buf);
		return 0;
	}
	CHECK(buf != NULL);
	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	ext_freed = 0;
	for (uint32_t len = 1; len < 60; len++) {
		memset(buf, 0xa5, 256);
		frame_fill(buf, len, len);
		m = ext_frame(p.pool, buf, 256, &info);
		CHECK(m != NULL);
		m->data_len = len;
		m->pkt_len = len;
		CHECK_OK(check_bounced(&p, m, len, len));
		CHECK_EQ(ext_freed, len);
	}
	CHECK_OK(port_close(&p));
	rte_free(buf);
	return 0;
}

TEST(tx_pad_external)
{
	return each_tx_variant(tx_pad_external);
}

/* A frame in pieces that are short together. */
static int
tx_pad_chain(const struct port_variant *tx)
{
	static const uint16_t chains[][8] = {
		{ 1, 1 }, { 1, 58 }, { 58, 1 }, { 14, 20 }, { 30, 29 }, { 14, 4, 20 }, { 59, 1 },
		{ 1, 1, 1, 1, 1, 1, 1 }, { 10, 10, 10, 10, 10, 9 },
	};
	uint32_t len, seed = 0;
	struct rte_mbuf *m;
	uint8_t want[60];
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (unsigned int round = 0; round < 10; round++) {
		for (unsigned int i = 0; i < RTE_DIM(chains); i++, seed++) {
			m = mbuf_chain(p.pool, chains[i], seed);
			CHECK(m != NULL);
			len = m->pkt_len;
			frame_fill(want, len, seed);
			port_line_clear(&p);
			CHECK_OK(send_one(&p, m));
			CHECK_EQ(port_sent(&p), 1);
			CHECK_OK(check_padded(&p, 0, want, len));
		}
	}
	return port_close(&p);
}

TEST(tx_pad_chain)
{
	return each_tx_variant(tx_pad_chain);
}

/* A whole ring of frames that are copied: each has memory of its own until it is sent. */
static int
tx_pad_ring_full(const struct port_variant *tx)
{
	uint8_t want[60];
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 64);
	port_line_busy(&p, true);
	for (unsigned int i = 0; i < 64; i++) {
		pkts[i] = dirty_frame(p.pool, 0, 0);
		CHECK(pkts[i] != NULL);
		pkts[i]->data_off = pkts[i]->buf_len - 20;
		frame_fill((uint8_t *)rte_pktmbuf_append(pkts[i], 20), 20, i);
		memcpy(rte_pktmbuf_mtod_offset(pkts[i], void *, 14), &i, sizeof(i));
	}
	CHECK_EQ(port_tx(&p, pkts, 64), 64);
	port_line_busy(&p, false);
	port_run(&p);
	CHECK_EQ(port_sent(&p), 64);
	for (unsigned int i = 0; i < 64; i++) {
		frame_fill(want, 20, i);
		memcpy(want + 14, &i, sizeof(i));
		CHECK_OK(check_padded(&p, i, want, 20));
	}
	return port_close(&p);
}

TEST(tx_pad_ring_full)
{
	return each_tx_variant(tx_pad_ring_full);
}

/* Chains of many shapes, over the ring's end in each of its positions. */
static int
tx_chains(const struct port_variant *tx)
{
	static const uint16_t chains[][12] = {
		{ 60, 1 }, { 1, 60 }, { 59, 1 }, { 1, 1, 58 }, { 700, 814 }, { 14, 1500 },
		{ 100, 100, 100 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }, { 2048, 2048, 2048, 2048 },
		{ 1514, 0 }, { 64, 64, 64, 64, 64, 64, 64 },
	};
	static const uint16_t rings[] = { 32, 40 };
	struct rte_mbuf *m;
	struct port p;

	for (unsigned int r = 0; r < RTE_DIM(rings); r++) {
		uint32_t seed = 0, len;

		PORT_OPEN(&p, .tx = tx, .tx_desc = rings[r]);
		for (unsigned int round = 0; round < 33; round++) {
			for (unsigned int i = 0; i < RTE_DIM(chains); i++, seed++) {
				m = mbuf_chain(p.pool, chains[i], seed);
				CHECK(m != NULL);
				len = m->pkt_len;
				port_line_clear(&p);
				CHECK_OK(send_one(&p, m));
				CHECK_EQ(port_sent(&p), 1);
				CHECK_OK(port_check_sent(&p, 0, len, seed));
			}
			CHECK_OK(transmit(&p, 1, 1));
		}
		CHECK_EQ(port_txq(&p)->stats.seg_drops, 0);
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(tx_chains)
{
	return each_tx_variant(tx_chains);
}

/* The descriptors of a chain, bit by bit, with the wrap inside. */
static int
tx_chain_descriptors(const struct port_variant *tx)
{
	static const uint16_t lens[] = { 100, 200, 300, 400, 500, 0 };
	struct rte_mbuf *segs[5], *m;
	struct bcm4908_txq *txq;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	txq = port_txq(&p);
	CHECK_OK(transmit(&p, 1, 29));
	m = mbuf_chain(p.pool, lens, 1);
	CHECK(m != NULL);
	for (unsigned int i = 0; i < 5; i++)
		segs[i] = i == 0 ? m : segs[i - 1]->next;
	CHECK_EQ(port_tx(&p, &m, 1), 1);
	for (unsigned int i = 0; i < 5; i++) {
		const unsigned int idx = (29 + i) % 32;
		uint32_t ctl = lens[i] << 16 | 0x8100;

		ctl |= i == 0 ? BCM4908_DESC_SOP : i == 4 ? BCM4908_DESC_EOP : 0;
		ctl |= idx == 31 ? BCM4908_DESC_WRAP : 0;
		CHECK_EQ(txq->ring[idx].ctl, ctl);
		CHECK_EQ(p.dev->bus_base + txq->ring[idx].addr,
			 rte_pktmbuf_mtod(segs[i], uintptr_t));
	}
	port_run(&p);
	CHECK_OK(port_check_sent(&p, 0, 1500, 1));
	return port_close(&p);
}

TEST(tx_chain_descriptors)
{
	return each_tx_variant(tx_chain_descriptors);
}

/* Chains use more descriptors than a burst has frames: what is complete makes room within it. */
static int
tx_chain_burst(const struct port_variant *tx)
{
	static const uint16_t lens[] = { 100, 200, 0 };
	struct rte_mbuf *burst[32];
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 64);
	for (unsigned int round = 0; round < 5; round++) {
		for (unsigned int i = 0; i < RTE_DIM(burst); i++) {
			burst[i] = mbuf_chain(p.pool, lens, round * 100 + i);
			CHECK(burst[i] != NULL);
		}
		port_line_clear(&p);
		CHECK_EQ(port_tx(&p, burst, RTE_DIM(burst)), RTE_DIM(burst));
		port_run(&p);
		CHECK_EQ(port_sent(&p), RTE_DIM(burst));
		for (unsigned int i = 0; i < RTE_DIM(burst); i++)
			CHECK_OK(port_check_sent(&p, i, 300, round * 100 + i));
	}
	return port_close(&p);
}

TEST(tx_chain_burst)
{
	return each_tx_variant(tx_chain_burst);
}

/* n segments of 60 bytes. */
static struct rte_mbuf *
long_chain(struct rte_mempool *mp, unsigned int n, uint32_t seed)
{
	uint16_t lens[256] = { 0 };

	for (unsigned int i = 0; i < n; i++)
		lens[i] = 60;
	return mbuf_chain(mp, lens, seed);
}

/*
 * A chain that a ring can hardly hold, or cannot, from each position of the
 * ring: it is sent or dropped, but it does not wait for ever.
 */
static int
tx_chain_limits(const struct port_variant *tx)
{
	static const uint16_t rings[] = { 32, 40, 64 };
	struct rte_eth_dev_info info;
	struct rte_mbuf *m;
	struct port p;

	for (unsigned int r = 0; r < RTE_DIM(rings); r++) {
		const unsigned int n = rings[r];

		PORT_OPEN(&p, .tx = tx, .tx_desc = n);
		CHECK_EQ(rte_eth_dev_info_get(p.id, &info), 0);
		CHECK(info.tx_desc_lim.nb_seg_max > 0 && info.tx_desc_lim.nb_mtu_seg_max > 0);
		for (unsigned int segs = n - 20; segs <= n + 3; segs++) {
			for (unsigned int at = 0; at < 9; at++) {
				uint64_t drops = port_txq(&p)->stats.seg_drops;
				unsigned int tries = 0;

				port_line_clear(&p);
				m = long_chain(p.pool, segs, segs);
				CHECK(m != NULL);
				while (port_tx(&p, &m, 1) == 0) {
					CHECK(tries++ < 3, "%u segments wait for ever in a ring of %u", segs,
					      n);
					port_run(&p);
				}
				port_run(&p);
				drops = port_txq(&p)->stats.seg_drops - drops;
				CHECK_EQ(drops + port_sent(&p), 1);
				/* what is promised, and what cannot be */
				if (segs <= info.tx_desc_lim.nb_seg_max)
					CHECK_EQ(drops, 0);
				if (segs > n)
					CHECK_EQ(drops, 1);
				if (drops == 0)
					CHECK_OK(port_check_sent(&p, 0, segs * 60, segs));
				CHECK_OK(transmit(&p, 1, 1));
			}
		}
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(tx_chain_limits)
{
	return each_tx_variant(tx_chain_limits);
}

/* A chain that does not fit now is not taken, nor is what comes after it. */
static int
tx_chain_waits(const struct port_variant *tx)
{
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	port_line_busy(&p, true);
	CHECK_OK(make_frames(&p, 32, 60, 0));
	rte_pktmbuf_free(pkts[30]);
	pkts[30] = long_chain(p.pool, 3, 30);
	CHECK(pkts[30] != NULL);
	CHECK_EQ(port_tx(&p, pkts, 32), 30);
	CHECK_EQ(port_tx(&p, &pkts[30], 2), 0);
	port_line_busy(&p, false);
	port_run(&p);
	CHECK_EQ(port_tx(&p, &pkts[30], 2), 2);
	port_run(&p);
	CHECK_EQ(port_sent(&p), 32);
	CHECK_OK(port_check_sent(&p, 29, 89, 29));
	CHECK_OK(port_check_sent(&p, 30, 180, 30));
	CHECK_OK(port_check_sent(&p, 31, 91, 31));
	return port_close(&p);
}

TEST(tx_chain_waits)
{
	return each_tx_variant(tx_chain_waits);
}

/* What cannot be sent is taken, counted and freed, and its neighbours are sent. */
struct bad_frame {
	const char *what;
	uint16_t lens[8];	/* of its segments */
	int zero;		/* this segment is made empty, -1: none */
	int huge;		/* this one is said to have 4096 bytes */
	int claim;		/* nb_segs is said to be that, -1: the truth */
};

static int
tx_bad_frames(const struct port_variant *tx)
{
	static const struct bad_frame bad[] = {
		{ "empty", { 60 }, 0, -1, -1 },
		{ "empty first segment", { 60, 60 }, 0, -1, -1 },
		{ "empty middle segment", { 60, 60, 60 }, 1, -1, -1 },
		{ "empty last segment", { 60, 60, 60 }, 2, -1, -1 },
		{ "short, empty last segment", { 20, 20 }, 1, -1, -1 },
		{ "4096 bytes", { 60 }, -1, 0, -1 },
		{ "4096 bytes first", { 60, 60 }, -1, 0, -1 },
		{ "4096 bytes last", { 60, 60 }, -1, 1, -1 },
		{ "fewer segments than said", { 60, 60 }, -1, -1, 3 },
		{ "one segment, two said", { 60 }, -1, -1, 2 },
		{ "short, one segment, two said", { 20 }, -1, -1, 2 },
		{ "more segments than said", { 60, 60, 60 }, -1, -1, 2 },
		{ "short, more segments than said", { 10, 10, 10 }, -1, -1, 2 },
		{ "no segments", { 60 }, -1, -1, 0 },
		{ "too many segments", { 60 }, -1, -1, 65535 },
		{ "9213 bytes", { 2000, 2000, 2000, 2000, 1213 }, -1, -1, -1 },
	};
	struct rte_eth_stats stats;
	struct rte_mbuf *seg;
	uint64_t drops;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (unsigned int round = 0; round < 4; round++) {
		for (unsigned int i = 0; i < RTE_DIM(bad); i++) {
			drops = port_txq(&p)->stats.seg_drops;
			port_line_clear(&p);
			CHECK_OK(make_frames(&p, 9, 60, i));
			rte_pktmbuf_free(pkts[round * 2]);
			pkts[round * 2] = mbuf_chain(p.pool, bad[i].lens, 0);
			seg = pkts[round * 2];
			CHECK(seg != NULL);
			if (bad[i].claim >= 0)
				seg->nb_segs = bad[i].claim;
			for (int j = 0; seg != NULL; seg = seg->next, j++) {
				if (j == bad[i].zero)
					seg->data_len = 0;
				if (j == bad[i].huge)
					seg->data_len = 4096;
			}
			CHECK(port_tx(&p, pkts, 9) == 9, "%s", bad[i].what);
			port_run(&p);
			CHECK(port_txq(&p)->stats.seg_drops == drops + 1, "%s", bad[i].what);
			CHECK(port_sent(&p) == 8, "%s: %u", bad[i].what, port_sent(&p));
			for (unsigned int j = 0; j < 8; j++) {
				unsigned int n = j < round * 2 ? j : j + 1;

				CHECK_OK(port_check_sent(&p, j, 60 + n, i + n));
			}
		}
	}
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.oerrors, 4 * RTE_DIM(bad));
	CHECK_EQ(stats.opackets, 4 * RTE_DIM(bad) * 8);
	/* the longest that is sent */
	port_line_clear(&p);
	CHECK_OK(send_one(&p, mbuf_chain(p.pool, (const uint16_t []){ 2000, 2000, 2000, 2000, 1212, 0 },
					 5)));
	CHECK_OK(port_check_sent(&p, 0, 9212, 5));
	return port_close(&p);
}

TEST(tx_bad_frames)
{
	return each_tx_variant(tx_bad_frames);
}

/* The driver goes by the segments: a total that lies changes nothing. */
static int
tx_pkt_len_lies(const struct port_variant *tx)
{
	static const uint16_t chains[][4] = { { 10, 20 }, { 30 }, { 100 }, { 100, 100 } };
	static const uint32_t lies[] = { 0, 1, 29, 5000, UINT32_MAX };
	struct rte_mbuf *m;
	uint8_t want[200];
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (unsigned int i = 0; i < RTE_DIM(chains); i++) {
		for (unsigned int j = 0; j < RTE_DIM(lies); j++) {
			uint32_t len;

			m = mbuf_chain(p.pool, chains[i], i);
			CHECK(m != NULL);
			len = m->pkt_len;
			frame_fill(want, len, i);
			m->pkt_len = lies[j];
			port_line_clear(&p);
			CHECK_OK(send_one(&p, m));
			CHECK_EQ(port_sent(&p), 1);
			CHECK_OK(check_padded(&p, 0, want, len));
		}
	}
	return port_close(&p);
}

TEST(tx_pkt_len_lies)
{
	return each_tx_variant(tx_pkt_len_lies);
}

/* A burst of nothing but bad frames: all taken, nothing given to the device. */
static int
tx_all_bad(const struct port_variant *tx)
{
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	port_take_kick(&p, BCM4908_CHAN_TX);
	CHECK_OK(make_frames(&p, 64, 60, 0));
	for (unsigned int i = 0; i < 64; i++)
		pkts[i]->data_len = 0;
	CHECK_EQ(port_tx(&p, pkts, 64), 64);
	CHECK_EQ(port_txq(&p)->stats.seg_drops, 64);
	CHECK(!port_take_kick(&p, BCM4908_CHAN_TX));
	CHECK_OK(transmit(&p, 4, 40));
	return port_close(&p);
}

TEST(tx_all_bad)
{
	return each_tx_variant(tx_all_bad);
}

/* Everything that a free can meet, each mbuf freed exactly once. */
static int
tx_safe_free(const struct port_variant *tx)
{
	struct rte_mempool *other = pool_make(256, 0, 1024);
	struct rte_mbuf_ext_shared_info info[8];
	uint8_t *buf = rte_malloc(NULL, 2048, 64);
	struct rte_mbuf *origs[8];
	struct port p;

	CHECK(other != NULL && buf != NULL);
	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	ext_freed = 0;
	for (unsigned int round = 0; round < (is_fast_free(tx) ? 0 : 20); round++) {
		unsigned int n = 0;

		for (unsigned int i = 0; i < 4; i++) {
			pkts[n++] = mbuf_frame(p.pool, 100, i);
			pkts[n++] = mbuf_frame(other, 100, i);
			origs[i] = mbuf_frame(i % 2 == 0 ? other : p.pool, 100, i);
			CHECK(origs[i] != NULL);
			pkts[n++] = rte_pktmbuf_clone(origs[i], p.pool); /* indirect */
			rte_mbuf_refcnt_update(origs[i], 1);
			pkts[n++] = origs[i]; /* shared, and cloned */
			pkts[n++] = ext_frame(p.pool, buf, 100, &info[i]);
		}
		for (unsigned int i = 0; i < n; i++)
			CHECK(pkts[i] != NULL);
		CHECK_EQ(port_tx(&p, pkts, n), n);
		port_run(&p);
		/* the batches in which they are freed end anywhere */
		CHECK_OK(transmit(&p, 1, 25 + round));
		for (unsigned int i = 0; i < 4; i++) {
			CHECK_EQ(rte_mbuf_refcnt_read(origs[i]), 1);
			CHECK_EQ(*rte_pktmbuf_mtod(origs[i], uint8_t *), 0x02);
			rte_pktmbuf_free(origs[i]);
		}
		CHECK_EQ(ext_freed, 4 * (round + 1));
	}
	CHECK_OK(port_close(&p));
	rte_free(buf);
	return pool_free_full(other);
}

TEST(tx_safe_free)
{
	return each_tx_variant(tx_safe_free);
}

/* Chains whose segments are shared, from two pools. */
static int
tx_safe_free_chains(const struct port_variant *tx)
{
	struct rte_mempool *other = pool_make(256, 0, 1024);
	static const uint16_t lens[] = { 50, 60, 70, 0 };
	struct rte_mbuf *m, *clone, *middle;
	struct port p;

	CHECK(other != NULL);
	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	for (unsigned int round = 0; round < (is_fast_free(tx) ? 0 : 20); round++) {
		m = mbuf_chain(round % 2 == 0 ? other : p.pool, lens, round);
		CHECK(m != NULL);
		clone = rte_pktmbuf_clone(m, p.pool);
		CHECK(clone != NULL);
		port_line_clear(&p);
		middle = m->next;
		rte_mbuf_refcnt_update(middle, 1); /* another holds it */
		CHECK_EQ(port_tx(&p, &clone, 1), 1);
		CHECK_EQ(port_tx(&p, &m, 1), 1);
		port_run(&p);
		CHECK_OK(port_check_sent(&p, 0, 180, round));
		CHECK_OK(port_check_sent(&p, 1, 180, round));
		CHECK_OK(transmit(&p, 1, 33));
		CHECK_EQ(rte_mbuf_refcnt_read(middle), 1);
		rte_pktmbuf_free_seg(middle);
	}
	CHECK_OK(port_close(&p));
	return pool_free_full(other);
}

TEST(tx_safe_free_chains)
{
	return each_tx_variant(tx_safe_free_chains);
}

/* Freed mbufs are as a pool's mbufs must be, whatever was sent. */
static int
tx_free_clean(const struct port_variant *tx)
{
	static const uint16_t chains[][4] = { { 60, 60, 60 }, { 10, 10 }, { 20 }, { 1000 } };
	static struct rte_mbuf *objs[2048];
	struct rte_mbuf *m;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32, .rx_desc = PORT_NO_QUEUE);
	for (unsigned int i = 0; i < 200; i++) {
		m = mbuf_chain(p.pool, chains[i % RTE_DIM(chains)], i);
		CHECK_OK(send_one(&p, m));
	}
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
	CHECK_EQ(rte_mempool_get_bulk(p.pool, (void **)objs, p.pool->size), 0);
	for (unsigned int i = 0; i < p.pool->size; i++) {
		CHECK(objs[i]->next == NULL);
		CHECK_EQ(objs[i]->nb_segs, 1);
		CHECK_EQ(rte_mbuf_refcnt_read(objs[i]), 1);
		CHECK(RTE_MBUF_DIRECT(objs[i]));
	}
	rte_mempool_put_bulk(p.pool, (void **)objs, p.pool->size);
	return port_close(&p);
}

TEST(tx_free_clean)
{
	return each_tx_variant(tx_free_clean);
}

/* Completed frames are freed in batches, once fewer descriptors are free than the threshold. */
static int
tx_free_thresh(const struct port_variant *tx)
{
	static const struct {
		uint16_t ring, thresh, batch;
	} cases[] = {
		{ 64, 32, 16 }, { 40, 8, 8 }, { 72, 20, 8 }, { 512, 32, 32 }, { 48, 24, 8 },
		{ 80, 10, 16 },
	};
	struct rte_eth_txq_info info;
	struct rte_mbuf *m;
	struct port p;

	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		unsigned int used = 0, have, freed;

		PORT_OPEN(&p, .tx = tx, .tx_desc = cases[i].ring, .tx_free_thresh = cases[i].thresh);
		CHECK_EQ(rte_eth_tx_queue_info_get(p.id, 0, &info), 0);
		CHECK_EQ(info.nb_desc, cases[i].ring);
		CHECK_EQ(info.conf.tx_free_thresh, cases[i].thresh);
		for (unsigned int j = 0; j < 3u * cases[i].ring; j++) {
			m = mbuf_frame(p.pool, 60, j);
			CHECK(m != NULL);
			have = rte_mempool_avail_count(p.pool);
			CHECK_EQ(port_tx(&p, &m, 1), 1);
			freed = rte_mempool_avail_count(p.pool) - have;
			if ((unsigned int)cases[i].ring - used >= cases[i].thresh) {
				CHECK_EQ(freed, 0);
			} else {
				CHECK(freed > 0 && freed % cases[i].batch == 0, "%u", freed);
				CHECK(cases[i].ring - used + freed >= cases[i].thresh);
				CHECK(cases[i].ring - used + freed < cases[i].thresh + cases[i].batch);
			}
			used += 1 - freed;
			port_run(&p);
		}
		CHECK_OK(port_close(&p));
	}
	return 0;
}

TEST(tx_free_thresh)
{
	return each_tx_variant(tx_free_thresh);
}

/* What the device still owns is not freed, however much room is wanted. */
static int
tx_no_early_free(const struct port_variant *tx)
{
	unsigned int have;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 64);
	CHECK_OK(make_frames(&p, 64, 60, 0));
	CHECK_EQ(port_tx(&p, pkts, 64), 64);
	have = rte_mempool_avail_count(p.pool);
	for (unsigned int done = 0; done < 64; done++) {
		struct rte_mbuf *m = mbuf_frame(p.pool, 100, done);
		uint16_t n;

		CHECK(m != NULL);
		n = port_tx(&p, &m, 1);
		CHECK(rte_mempool_avail_count(p.pool) <= have - 1 + done, "%u freed, %u done",
		      rte_mempool_avail_count(p.pool) - have + 1, done);
		if (n == 0)
			rte_pktmbuf_free(m);
		else
			have--;
		port_step(&p, 1);
	}
	return port_close(&p);
}

TEST(tx_no_early_free)
{
	return each_tx_variant(tx_no_early_free);
}

static int
setup_tx(struct port *p, uint16_t nb_desc, uint16_t thresh)
{
	const struct rte_eth_txconf conf = { .tx_free_thresh = thresh };

	return rte_eth_tx_queue_setup(p->id, 0, nb_desc, SOCKET_ID_ANY, &conf);
}

TEST(tx_ring_limits)
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
	struct bcm4908_txq *txq;
	struct port p;
	int ret;

	PORT_OPEN(&p, .unset = true);
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		log_catch();
		ret = bcm4908_txq_create(p.dev, p.id, cases[i].nb_desc, cases[i].thresh, false, 0,
					 &txq);
		log_caught();
		CHECK(ret == cases[i].ret, "%u, %u: %d", cases[i].nb_desc, cases[i].thresh, ret);
		if (ret == 0)
			bcm4908_txq_destroy(p.dev, txq);
	}
	for (unsigned int i = 0; i < RTE_DIM(cases); i++) {
		log_catch();
		ret = setup_tx(&p, cases[i].nb_desc, cases[i].thresh);
		log_caught();
		CHECK(ret == cases[i].ret, "%u, %u: %d", cases[i].nb_desc, cases[i].thresh, ret);
	}
	return port_close(&p);
}

/* Descriptors as the application asks for them. */
static int
tx_queue_state(const struct port_variant *tx)
{
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	CHECK_OK(transmit(&p, 1, 30));
	port_line_busy(&p, true);
	CHECK_OK(make_frames(&p, 10, 60, 0));
	CHECK_EQ(port_tx(&p, pkts, 10), 10);
	CHECK_EQ(bcm4908_txq_count(port_txq(&p)), 10);
	/* from the next to be filled: free ones, then those of the frames under way */
	for (unsigned int i = 0; i < 32; i++)
		CHECK(rte_eth_tx_descriptor_status(p.id, 0, i) ==
		      (i < 22 ? RTE_ETH_TX_DESC_DONE : RTE_ETH_TX_DESC_FULL), "%u: %d", i,
		      rte_eth_tx_descriptor_status(p.id, 0, i));
	CHECK_EQ(rte_eth_tx_descriptor_status(p.id, 0, 32), -EINVAL);
	port_line_busy(&p, false);
	for (unsigned int i = 10; i > 0; i--) {
		CHECK_EQ(bcm4908_txq_count(port_txq(&p)), i);
		CHECK_EQ(port_step(&p, 1), 1);
	}
	CHECK_EQ(bcm4908_txq_count(port_txq(&p)), 0);
	for (unsigned int i = 0; i < 32; i++)
		CHECK_EQ(rte_eth_tx_descriptor_status(p.id, 0, i), RTE_ETH_TX_DESC_DONE);
	return port_close(&p);
}

TEST(tx_queue_state)
{
	return each_tx_variant(tx_queue_state);
}

/* Frames of every kind that wait when the port stops: counted, freed, and not sent later. */
static int
tx_stop(const struct port_variant *tx)
{
	static const uint16_t chains[][4] = { { 100, 100, 100 }, { 10, 10 }, { 20 }, { 1000 } };
	struct rte_eth_stats stats;
	struct rte_mbuf *m, *held = NULL;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 64);
	for (unsigned int round = 1; round <= 3; round++) {
		CHECK_OK(transmit(&p, 1, 10 * round));
		port_line_busy(&p, true);
		for (unsigned int i = 0; i < 12; i++) {
			m = mbuf_chain(p.pool, chains[i % RTE_DIM(chains)], i);
			CHECK(m != NULL);
			if (i == 2 && !is_fast_free(tx)) {
				rte_mbuf_refcnt_update(m, 1); /* short and shared: a copy goes */
				held = m;
			}
			CHECK_EQ(port_tx(&p, &m, 1), 1);
		}
		log_catch();
		CHECK_EQ(rte_eth_dev_stop(p.id), 0);
		log_caught();
		rte_pktmbuf_free(held);
		held = NULL;
		CHECK_EQ(rte_mempool_avail_count(p.pool), p.pool->size);
		CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
		CHECK_EQ(stats.oerrors, 12 * round);
		port_line_busy(&p, false);
		CHECK_EQ(rte_eth_dev_start(p.id), 0);
		port_line_clear(&p);
		port_run(&p);
		CHECK_EQ(port_sent(&p), 0);
	}
	CHECK_OK(transmit(&p, 7, 100));
	return port_close(&p);
}

TEST(tx_stop)
{
	return each_tx_variant(tx_stop);
}

/* A port that stops sends what it can before. */
static int
tx_stop_drains(const struct port_variant *tx)
{
	struct rte_eth_stats stats;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 512, .pool_size = 2048);
	CHECK_OK(make_frames(&p, 500, 60, 0));
	CHECK_EQ(port_tx(&p, pkts, 500), 500);
	CHECK_EQ(rte_eth_dev_stop(p.id), 0);
	CHECK_EQ(port_sent(&p), 500);
	for (unsigned int i = 0; i < 500; i++)
		CHECK_OK(port_check_sent(&p, i, 60 + i, i));
	CHECK_EQ(rte_eth_stats_get(p.id, &stats), 0);
	CHECK_EQ(stats.opackets, 500);
	CHECK_EQ(stats.oerrors, 0);
	return port_close(&p);
}

TEST(tx_stop_drains)
{
	return each_tx_variant(tx_stop_drains);
}

/* One look at the device after each instruction of a burst. */
struct tx_watch {
	struct port *p;
	uint16_t n;
	uint16_t sent;
	unsigned int kicks;
};

static void
watch_send(void *arg)
{
	struct tx_watch *watch = arg;

	watch->sent = port_tx(watch->p, pkts, watch->n);
}

static void
watch_kicks(void *ctx)
{
	struct tx_watch *watch = ctx;

	if (port_take_kick(watch->p, BCM4908_CHAN_TX))
		watch->kicks++;
}

/* An engine that never rests: it takes what it may take at once. */
static void
watch_engine(void *ctx)
{
	struct tx_watch *watch = ctx;

	__atomic_store_n(watch->p->dev->doorbell[BCM4908_CHAN_TX], 1, __ATOMIC_RELEASE);
	port_step(watch->p, 1);
}

/* Plain frames, a chain, a short one, one in shared memory, a chain that is short, and plain again. */
static const uint16_t mixed[][4] = {
	{ 60 }, { 61 }, { 62 }, { 63 }, { 64 }, { 30, 31, 32 }, { 20 }, { 40 }, { 5, 6, 7 }, { 90 },
};

static int
make_mixed(struct port *p, struct rte_mbuf **held)
{
	for (unsigned int i = 0; i < RTE_DIM(mixed); i++) {
		pkts[i] = mbuf_chain(p->pool, mixed[i], i);
		CHECK(pkts[i] != NULL);
	}
	*held = NULL;
	if (!is_fast_free(p->cfg.tx)) {
		*held = pkts[7];
		rte_mbuf_refcnt_update(pkts[7], 1);
	}
	return 0;
}

static int
check_mixed(struct port *p)
{
	uint8_t want[256];

	CHECK_EQ(port_sent(p), RTE_DIM(mixed));
	for (unsigned int i = 0; i < RTE_DIM(mixed); i++) {
		uint32_t len = mixed[i][0] + mixed[i][1] + mixed[i][2];

		frame_fill(want, len, i);
		CHECK_OK(check_padded(p, i, want, len));
	}
	return 0;
}

/*
 * The device sees a descriptor whole or not at all, and a chain's first
 * descriptor last, at every instruction of the burst.
 */
static int
tx_device_between(const struct port_variant *tx)
{
	struct tx_watch watch = { .n = RTE_DIM(mixed) };
	struct rte_mbuf *held;
	struct port p;

	if (tx->args != NULL)
		return 0; /* without coherence, the device moves at each cache operation */
	PORT_OPEN(&p, .tx = tx, .tx_desc = 64);
	watch.p = &p;
	CHECK_OK(transmit(&p, 1, 57)); /* the chain lies over the ring's end */
	for (unsigned int i = 0; i < 2; i++) {
		CHECK_OK(make_mixed(&p, &held));
		port_line_clear(&p);
		trap_each(watch_send, &watch, watch_engine, &watch);
		CHECK_EQ(watch.sent, RTE_DIM(mixed));
		port_run(&p);
		CHECK_OK(check_mixed(&p));
		rte_pktmbuf_free(held);
	}
	return port_close(&p);
}

TEST(tx_device_between)
{
	return trap_works() ? each_tx_variant(tx_device_between) : 0;
}

static int
tx_one_doorbell(const struct port_variant *tx)
{
	struct tx_watch watch = { .n = RTE_DIM(mixed) };
	struct rte_mbuf *held;
	struct port p;

	PORT_OPEN(&p, .tx = tx, .tx_desc = 32);
	watch.p = &p;
	CHECK_OK(transmit(&p, 1, 25));
	CHECK_OK(make_mixed(&p, &held));
	port_line_clear(&p);
	trap_each(watch_send, &watch, watch_kicks, &watch);
	CHECK_EQ(watch.sent, RTE_DIM(mixed));
	CHECK_EQ(watch.kicks, 1);
	/* the kick that was counted */
	bcm4908_write(p.dev, BCM4908_CHAN_CFG(BCM4908_CHAN_TX), 1);
	port_run(&p);
	CHECK_OK(check_mixed(&p));
	rte_pktmbuf_free(held);
	watch.n = 0;
	watch.kicks = 0;
	trap_each(watch_send, &watch, watch_kicks, &watch);
	CHECK_EQ(watch.kicks, 0);
	return port_close(&p);
}

TEST(tx_one_doorbell)
{
	return trap_works() ? each_tx_variant(tx_one_doorbell) : 0;
}

/* One for all of a burst, also where software does something to its frames. */
TEST(tx_one_doorbell_soft)
{
	struct tx_watch watch = { .n = 100 };
	struct port p;

	if (!trap_works())
		return 0;
	PORT_OPEN(&p, .tx_desc = 128,
		  .conf.txmode.offloads = RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
	watch.p = &p;
	CHECK_OK(make_frames(&p, watch.n, 60, 0));
	for (unsigned int i = 0; i < watch.n; i++)
		pkts[i]->ol_flags |= RTE_MBUF_F_TX_VLAN;
	trap_each(watch_send, &watch, watch_kicks, &watch);
	CHECK_EQ(watch.sent, watch.n);
	CHECK_EQ(watch.kicks, 1);
	return port_close(&p);
}

/* An engine that has nothing to do does not stall, and one that does nothing does. */
TEST(tx_watch)
{
	unsigned int first;
	struct port p;

	PORT_OPEN(&p, .tx_desc = 64);
	for (unsigned int i = 0; i < 20; i++)
		CHECK_EQ(bcm4908_txq_watch(port_txq(&p)), 0);
	CHECK_OK(make_frames(&p, 50, 60, 0));
	CHECK_EQ(port_tx(&p, pkts, 50), 50);
	port_run(&p);
	for (unsigned int i = 0; i < 20; i++)
		CHECK_EQ(bcm4908_txq_watch(port_txq(&p)), 0);
	port_line_busy(&p, true);
	CHECK_OK(make_frames(&p, 50, 60, 0));
	CHECK_EQ(port_tx(&p, pkts, 50), 50);
	port_run(&p);
	first = bcm4908_txq_watch(port_txq(&p));
	CHECK(first <= 1, "%u", first);
	for (unsigned int i = 1; i < 20; i++)
		CHECK_EQ(bcm4908_txq_watch(port_txq(&p)), first + i);
	/* one frame is progress enough */
	port_line_busy(&p, false);
	port_step(&p, 1);
	port_line_busy(&p, true);
	CHECK_EQ(bcm4908_txq_watch(port_txq(&p)), first);
	CHECK_EQ(bcm4908_txq_watch(port_txq(&p)), first + 1);
	port_line_busy(&p, false);
	return port_close(&p);
}
