/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Traffic over memory that is not coherent, with an application that leaves
 * every buffer dirty, and a device that moves at each cache operation of the
 * driver. What a missing operation, or one too late, does to a frame shows.
 */

#include <string.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "bcm4908_cache.h"
#include "model/bcm4908_model_cache.h"
#include "port.h"

#define BURST_MAX 32
#define ROUNDS 300
#define FRAMES_MAX (ROUNDS * BURST_MAX)

static struct rte_mbuf *pkts[BURST_MAX];

/* The port that moves at the driver's cache operations, and what they did before. */
static struct {
	struct port *p;
	void (*op)(uintptr_t addr, size_t len, bool invalidate);
	void (*sync)(void);
	uint32_t random;
} restless;

static uint32_t
random_below(uint32_t n)
{
	restless.random = restless.random * 1664525u + 1013904223u;
	return (uint64_t)restless.random * n >> 32;
}

/* Few frames at a time: the engine is to be at work when more is published. */
static void
restless_op(uintptr_t addr, size_t len, bool invalidate)
{
	if (random_below(16) == 0)
		port_step(restless.p, 1);
	restless.op(addr, len, invalidate);
}

/* What is published too early is taken now. */
static void
restless_sync(void)
{
	if (random_below(2) == 0)
		port_step(restless.p, 64);
	restless.sync();
}

static void
restless_begin(struct port *p)
{
	restless.p = p;
	restless.random = 1;
	bcm4908_model_cache_seed(1);
	restless.op = bcm4908_cache_hook;
	restless.sync = bcm4908_cache_sync_hook;
	bcm4908_cache_hook = restless_op;
	bcm4908_cache_sync_hook = restless_sync;
}

static void
restless_end(void)
{
	bcm4908_cache_hook = restless.op;
	bcm4908_cache_sync_hook = restless.sync;
}

/* Frames of the test by their numbers: of one segment, or with buffers of 256 bytes of some. */
static uint32_t
frame_len(uint32_t nr, bool scattered)
{
	return 60 + nr * 97 % (scattered ? 800 : 150);
}

/* The application writes all of its buffers before it frees them. */
static void
dirty_and_free(struct rte_mbuf *m, uint32_t nr)
{
	for (struct rte_mbuf *seg = m; seg != NULL; seg = seg->next)
		memset(seg->buf_addr, nr, seg->buf_len);
	rte_pktmbuf_free(m);
}

static int
receive_all(struct port *p, bool scattered)
{
	uint32_t sent = 0, got = 0;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		uint16_t n = random_below(30);

		while (n-- > 0 && port_push_frame(p, frame_len(sent, scattered), sent))
			sent++;
		if (random_below(2) == 0)
			port_step(p, random_below(16));
		n = port_rx(p, pkts, 1 + random_below(BURST_MAX));
		for (unsigned int i = 0; i < n; i++, got++) {
			CHECK_OK(mbuf_check_bytes(pkts[i], frame_len(got, scattered), got));
			dirty_and_free(pkts[i], got);
		}
	}
	CHECK(got > 5 * ROUNDS, "%u frames", got);
	return 0;
}

static int
coherence_rx(const struct port_variant *rx)
{
	const bool scattered = (rx->offloads & RTE_ETH_RX_OFFLOAD_SCATTER) != 0;
	struct port p;
	int ret;

	if (rx->args == NULL)
		return 0;
	PORT_OPEN(&p, .rx = rx, .rx_desc = 32, .rx_free_thresh = 8, .pool_size = 256,
		  .data_room = RTE_PKTMBUF_HEADROOM + 256, .mtu = scattered ? 1500 : 200);
	restless_begin(&p);
	ret = receive_all(&p, scattered);
	restless_end();
	CHECK_EQ(ret, 0);
	return port_close(&p);
}

TEST(coherence_rx)
{
	return each_rx_variant(coherence_rx);
}

/* Alternately: a plain frame, a short one to be padded in place or in a copy, and a chain. */
static struct rte_mbuf *
make_frame(struct port *p, uint32_t nr, uint32_t *len)
{
	const uint16_t lens[] = { 40 + nr % 50, 1 + nr % 70, 100, 0 };
	struct rte_mbuf *m;

	if (nr % 4 == 3) {
		*len = lens[0] + lens[1] + lens[2];
		return mbuf_chain(p->pool, lens, nr);
	}
	*len = nr % 4 == 0 ? 60 + nr % 150 : 14 + nr % 46;
	m = rte_pktmbuf_alloc(p->pool);
	if (m == NULL)
		return NULL;
	if (nr % 4 == 2)
		m->data_off = m->buf_len - *len; /* no room behind it */
	frame_fill((uint8_t *)rte_pktmbuf_append(m, *len), *len, nr);
	return m;
}

static int
check_frame(const struct port *p, unsigned int i, uint32_t len, uint32_t nr)
{
	uint8_t want[512] = { 0 };
	const uint8_t *data;
	uint32_t got;

	frame_fill(want, len, nr);
	data = port_sent_data(p, i, &got);
	CHECK_EQ(got, RTE_MAX(len, 60u));
	CHECK(memcmp(data, want, got) == 0, "frame %u of %u bytes has other bytes", nr, len);
	return 0;
}

static int
transmit_all(struct port *p)
{
	static uint32_t lens[FRAMES_MAX];
	uint32_t sent = 0, checked = 0;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		const uint16_t n = 1 + random_below(BURST_MAX);
		const bool plain = random_below(2) == 0;
		uint16_t done;

		for (unsigned int i = 0; i < n; i++) {
			const uint32_t nr = sent + i;

			/* whole bursts of plain frames, and mixed ones */
			lens[nr] = 60 + nr % 150;
			pkts[i] = plain ? mbuf_frame(p->pool, lens[nr], nr) :
				make_frame(p, nr, &lens[nr]);
			CHECK(pkts[i] != NULL);
		}
		done = port_tx(p, pkts, n);
		rte_pktmbuf_free_bulk(&pkts[done], n - done);
		sent += done;
		if (random_below(2) == 0)
			port_step(p, random_below(16));
		for (; checked < port_sent(p); checked++)
			CHECK_OK(check_frame(p, checked, lens[checked], checked));
	}
	CHECK(checked > 5 * ROUNDS, "%u frames", checked);
	return 0;
}

static int
coherence_tx(const struct port_variant *tx)
{
	struct port p;
	int ret;

	if (tx->args == NULL)
		return 0;
	PORT_OPEN(&p, .tx = tx, .pool_size = 512);
	restless_begin(&p);
	ret = transmit_all(&p);
	restless_end();
	CHECK_EQ(ret, 0);
	return port_close(&p);
}

TEST(coherence_tx)
{
	return each_tx_variant(coherence_tx);
}

/* What arrived is changed and sent on in the same buffer. */
static int
forward_all(struct port *p)
{
	uint32_t sent = 0, got = 0, checked = 0;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		uint16_t n = random_below(30), done;

		while (n-- > 0 && port_push_frame(p, frame_len(sent, false), sent))
			sent++;
		if (random_below(2) == 0)
			port_step(p, random_below(16));
		n = port_rx(p, pkts, BURST_MAX);
		for (unsigned int i = 0; i < n; i++, got++) {
			const uint32_t len = frame_len(got, false);

			CHECK_OK(mbuf_check(p, pkts[i], len, got));
			frame_fill(rte_pktmbuf_mtod(pkts[i], uint8_t *), len, got + 1000000);
		}
		done = port_tx(p, pkts, n);
		CHECK_EQ(done, n);
		for (; checked < port_sent(p); checked++)
			CHECK_OK(port_check_sent(p, checked, frame_len(checked, false),
						 checked + 1000000));
	}
	CHECK(checked > 5 * ROUNDS, "%u frames", checked);
	return 0;
}

TEST(coherence_forward)
{
	struct port p;
	int ret;

	CHECK_OK(port_open(&p, &(const struct port_config){
		.args = "coherent=0", .rx_desc = 32, .tx_desc = 512, .rx_free_thresh = 8,
		.pool_size = 1024,
	}));
	restless_begin(&p);
	ret = forward_all(&p);
	restless_end();
	CHECK_EQ(ret, 0);
	return port_close(&p);
}

/* The model of the cache itself. */
#define LINES 4
#define LINE 64

struct lines {
	uint8_t *cpu;
	uint8_t *dram;
};

static int
lines_get(struct lines *l)
{
	bcm4908_model_cache_get();
	bcm4908_model_cache_seed(1);
	l->cpu = rte_malloc(NULL, LINES * LINE, LINE);
	CHECK(l->cpu != NULL);
	CHECK_EQ(bcm4908_model_cache_reach((uintptr_t)l->cpu,
					   (uintptr_t)l->cpu + LINES * LINE), 0);
	l->dram = bcm4908_model_cache_map((uintptr_t)l->cpu, LINES * LINE);
	CHECK(l->dram != NULL);
	memset(l->cpu, 0, LINES * LINE);
	bcm4908_model_cache_begin((uintptr_t)l->cpu, LINES * LINE, true);
	bcm4908_model_cache_sync();
	return 0;
}

static void
lines_put(struct lines *l)
{
	bcm4908_model_cache_put();
	rte_free(l->cpu);
}

/* Nothing is certain before the sync, and all of it after. */
TEST(coherence_sync)
{
	unsigned int early = 0;
	struct lines l;

	CHECK_OK(lines_get(&l));
	for (unsigned int i = 1; i < 200; i++) {
		memset(l.cpu, i, LINE);
		l.dram[LINE] = i;
		bcm4908_model_cache_begin((uintptr_t)l.cpu, LINE, false);
		CHECK_EQ(l.dram[0], i - 1);
		bcm4908_model_cache_begin((uintptr_t)l.cpu + LINE, LINE, true);
		CHECK_EQ(l.cpu[LINE], i - 1);
		early += l.dram[0] == i;
		bcm4908_model_cache_sync();
		CHECK_EQ(l.dram[0], i);
		CHECK_EQ(l.dram[LINE - 1], i);
		CHECK_EQ(l.cpu[LINE], i);
	}
	CHECK(early > 20 && early < 180, "%u of 199 were complete before", early);
	lines_put(&l);
	return 0;
}

/* Begun in any number, none is forgotten. */
TEST(coherence_many_operations)
{
	struct lines l;

	CHECK_OK(lines_get(&l));
	for (unsigned int i = 1; i < 1000; i++) {
		l.cpu[i % (LINES * LINE)] = i;
		bcm4908_model_cache_begin((uintptr_t)l.cpu + i % (LINES * LINE), 1, false);
	}
	bcm4908_model_cache_sync();
	CHECK(memcmp(l.cpu, l.dram, LINES * LINE) == 0);
	lines_put(&l);
	return 0;
}

/* Dirty lines are written back and clean ones read again without being asked. */
TEST(coherence_accidents)
{
	struct lines l;

	CHECK_OK(lines_get(&l));
	bcm4908_model_cache_begin((uintptr_t)l.cpu, LINE, false);
	bcm4908_model_cache_begin((uintptr_t)l.cpu + LINE, LINE, false);
	bcm4908_model_cache_sync();
	l.cpu[0] = 1;
	l.dram[LINE] = 2;
	CHECK_EQ(l.dram[0], 0);
	CHECK_EQ(l.cpu[LINE], 0);
	bcm4908_model_cache_churn(100000);
	CHECK_EQ(l.dram[0], 1);
	CHECK_EQ(l.cpu[LINE], 2);
	/* a line that the CPU has written is not read again: both cannot be kept */
	l.cpu[LINE] = 3;
	l.dram[LINE] = 4;
	bcm4908_model_cache_churn(100000);
	CHECK_EQ(l.cpu[LINE], 3);
	CHECK_EQ(l.dram[LINE], 3);
	lines_put(&l);
	return 0;
}

/* What was begun for a memory that is gone does not reach the next one. */
TEST(coherence_new_life)
{
	struct lines l;

	CHECK_OK(lines_get(&l));
	bcm4908_model_cache_begin((uintptr_t)l.cpu, LINE, false);
	/* the same lines, behind which there is another memory from now on */
	bcm4908_model_cache_put();
	bcm4908_model_cache_get();
	CHECK_EQ(bcm4908_model_cache_reach((uintptr_t)l.cpu,
					   (uintptr_t)l.cpu + LINES * LINE), 0);
	l.dram = bcm4908_model_cache_map((uintptr_t)l.cpu, LINES * LINE);
	CHECK(l.dram != NULL);
	CHECK_EQ(l.dram[0], 0);
	l.cpu[0] = 1;
	bcm4908_model_cache_begin((uintptr_t)l.cpu + LINE, LINE, false);
	bcm4908_model_cache_sync();
	CHECK_EQ(l.dram[0], 0);
	lines_put(&l);
	return 0;
}
