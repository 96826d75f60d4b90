/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The receive bursts and the stages in software around them: any word in any
 * descriptor at any time, any bytes in the buffers, a pool that runs out. What
 * a burst delivers and counts is what the tests' reference says of the words
 * that it went past; whatever came, all mbufs are there in the end.
 */

#include <string.h>

#include <rte_ethdev.h>
#include <rte_vect.h>

#include "bcm4908_rxtx_inline.h"
#include "bcm4908_rxtx_soft.h"
#include "fuzz.h"
#include "rx_ref.h"

#define NB_DESC		32
#define NB_MBUFS	96
#define OPS_MAX		256
#define SHORT_ROOM	(RTE_PKTMBUF_HEADROOM + 320)

/* Three pools: buffers of common size, of the least, and external ones. */
#define PORTS 3
static struct port ports[PORTS];

struct rx_run {
	struct port *p;
	struct bcm4908_rxq *rxq;
	bcm4908_burst_t burst;
	uint32_t soft;
	struct rx_ref ref;
	uint32_t at;			/* descriptor that the device writes back next */
	struct rte_mbuf *held[NB_MBUFS];
	unsigned int nb_held;
	struct rte_mbuf *starve[NB_MBUFS];
	unsigned int nb_starve;
	uint64_t frames;		/* that the reference told of */
};

int
fuzz_prepare(void)
{
	static const struct port_variant pinned = {
		"Scalar, loaded addresses", .pinned = true,
	};
	static const struct port_config cfgs[PORTS] = {
		{ .rx_desc = NB_DESC, .tx_desc = PORT_NO_QUEUE, .pool_size = NB_MBUFS },
		{ .rx_desc = NB_DESC, .tx_desc = PORT_NO_QUEUE, .pool_size = NB_MBUFS,
		  .data_room = SHORT_ROOM, .mtu = 68 },
		{ .rx_desc = NB_DESC, .tx_desc = PORT_NO_QUEUE, .pool_size = NB_MBUFS,
		  .rx = &pinned },
	};

	for (unsigned int i = 0; i < PORTS; i++) {
		CHECK_OK(port_open(&ports[i], &cfgs[i]));
		/* its window stays; the queue is the target's */
		CHECK_EQ(rte_eth_dev_stop(ports[i].id), 0);
		fuzz_cache_pool(ports[i].pool);
	}
	fuzz_cache_watch(NULL, 0);
	return 0;
}

static uint32_t
max_len_of(uint8_t value)
{
	static const uint32_t lens[] = { 68 + 26, 128, 300, 1500 + 26, 1800, 2048, 4000, 9000 + 26 };

	return lens[value % RTE_DIM(lens)];
}

static void
set_filter(struct fuzz_input *in, struct bcm4908_rxq *rxq)
{
	static struct bcm4908_filter filter;
	const uint8_t some = fuzz_u8(in);

	for (unsigned int i = 0; i < BCM4908_MAX_MAC_ADDRS; i++)
		filter.uc[i] = BCM4908_ADDR_NONE;
	filter.uc[some % BCM4908_MAX_MAC_ADDRS] = some;
	filter.mc_used = some >> 7;
	filter.mc[filter.mc_used].count = some % (BCM4908_MAX_MC_ADDRS + 1);
	filter.mc[filter.mc_used].addrs[0] = some | 1;
	filter.ptype_mask = (some & 2) != 0 ? UINT32_MAX : RTE_PTYPE_L2_MASK;
	memset((void *)(uintptr_t)filter.vlans, some, sizeof(filter.vlans));
	rxq->filter = &filter;
}

static void
run_begin(struct rx_run *run, struct fuzz_input *in)
{
	const uint8_t which = fuzz_u8(in);
	const bool pinned = which % PORTS == 2;
	uint32_t features = (which >> 2) & BCM4908_RX_F_ALL;
	struct port *p = &ports[which % PORTS];

	memset(run, 0, offsetof(struct rx_run, ref));
	run->ref = (struct rx_ref){ .scattered = (features & BCM4908_RX_F_SCATTER) != 0 };
	run->at = 0;
	run->nb_held = 0;
	run->nb_starve = 0;
	run->frames = 0;
	run->p = p;
	run->rxq = port_rxq(p);
	/* addresses that are no constant from the mbuf must be loaded, others may */
	if (pinned)
		features |= BCM4908_RX_F_LOAD_ADDR;
	FUZZ_CHECK(rte_vect_set_max_simd_bitwidth((which & 0x40) != 0 ? RTE_VECT_SIMD_DISABLED :
						  RTE_VECT_SIMD_256) == 0);
	run->burst = bcm4908_rx_burst_get(features)->fn;
	run->soft = fuzz_u8(in) & 0x3f;
	set_filter(in, run->rxq);
	run->rxq->soft = run->soft;
	bcm4908_soft_set(p->id, run->burst, NULL);

	run->ref.max = max_len_of(fuzz_u8(in));
	run->rxq->free_thresh = 1 + fuzz_u8(in) % (NB_DESC / 2);
	memset(&run->rxq->stats, 0, sizeof(run->rxq->stats));
	FUZZ_CHECK(bcm4908_rxq_start(p->dev, run->rxq, run->ref.max) == 0);
	run->ref.cap = run->rxq->capacity;
}

static uint8_t *
buffer_of(struct rx_run *run, uint32_t idx)
{
	return (uint8_t *)run->rxq->sw_ring[idx]->buf_addr + run->rxq->data_off;
}

/* Is there a buffer in the descriptor, be it the device's or not yet polled? */
static bool
has_buffer(const struct rx_run *run, uint32_t idx)
{
	const struct bcm4908_rxq *rxq = run->rxq;

	return (idx + NB_DESC - rxq->next) % NB_DESC < (uint32_t)NB_DESC - rxq->nb_hold;
}

/* A frame's worth of descriptor: bytes in the buffer, a word in the ring. */
static void
device_writes(struct rx_run *run, struct fuzz_input *in, uint32_t idx, uint32_t ctl)
{
	const uint32_t len = fuzz_u8(in);

	if (has_buffer(run, idx))
		fuzz_dma(in, buffer_of(run, idx), RTE_MIN(len, (uint32_t)run->rxq->capacity));
	__atomic_store_n(&run->rxq->ring[idx].ctl, ctl, __ATOMIC_RELEASE);
}

static void
check_frames(struct rx_run *run, struct rte_mbuf **pkts, uint16_t nb)
{
	const struct bcm4908_rxq *rxq = run->rxq;

	for (uint16_t i = 0; i < nb; i++) {
		fuzz_check_mbuf(pkts[i]);
		for (const struct rte_mbuf *m = pkts[i]; m != NULL; m = m->next)
			FUZZ_CHECK(m->pool == rxq->mp && m->port == run->p->id);
		if (run->soft != 0)
			continue;
		FUZZ_CHECK(pkts[i]->pkt_len == run->ref.frame_len[i], "%u, not %u bytes",
			   pkts[i]->pkt_len, run->ref.frame_len[i]);
		FUZZ_CHECK(pkts[i]->nb_segs <= run->ref.frame_segs[i]);
		FUZZ_CHECK(pkts[i]->data_off == rxq->data_off);
	}
}

static void
check_counters(const struct rx_run *run)
{
	const struct bcm4908_rx_counters *stats = &run->rxq->stats;

	FUZZ_CHECK(stats->packets == run->frames, "%ju, not %ju frames", (uintmax_t)stats->packets,
		   (uintmax_t)run->frames);
	FUZZ_CHECK(stats->seq_errors == run->ref.seq, "%ju, not %ju", (uintmax_t)stats->seq_errors,
		   (uintmax_t)run->ref.seq);
	FUZZ_CHECK(stats->short_errors == run->ref.shorts);
	FUZZ_CHECK(stats->long_errors == run->ref.longs);
}

/*
 * Poll, and tell the reference what the burst went past: what lay between the
 * driver's place before and after, all of it the driver's.
 */
static void
poll_ring(struct rx_run *run, uint16_t n)
{
	struct bcm4908_rxq *rxq = run->rxq;
	const uint64_t drops = rxq->stats.filter_drops;
	const uint32_t from = rxq->next, full = NB_DESC - rxq->nb_hold;
	struct rte_mbuf *pkts[NB_DESC];
	uint32_t words[NB_DESC], ready, past;
	uint16_t nb;

	for (uint32_t i = 0; i < NB_DESC; i++)
		words[i] = rxq->ring[i].ctl;
	for (ready = 0; ready < full; ready++)
		if ((words[(from + ready) % NB_DESC] & BCM4908_DESC_OWN) != 0)
			break;
	n = RTE_MIN(n, NB_MBUFS - run->nb_held);
	nb = run->soft != 0 ? bcm4908_rx_burst_soft(rxq, pkts, n) : run->burst(rxq, pkts, n);
	FUZZ_CHECK(nb <= n);
	past = (rxq->next + NB_DESC - from) % NB_DESC;
	/* all the way around */
	if (past == 0 && ready == NB_DESC && n > 0)
		past = NB_DESC;
	FUZZ_CHECK(past <= ready, "%u descriptors polled, %u are ready", past, ready);

	run->ref.nb = 0;
	for (uint32_t i = 0; i < past; i++)
		rx_ref_word(&run->ref, words[(from + i) % NB_DESC]);
	run->frames += run->ref.nb;
	FUZZ_CHECK(run->ref.nb == nb + rxq->stats.filter_drops - drops,
		   "%u frames, not %u", nb, run->ref.nb);
	/* it may stop early only when it has what it was asked for */
	FUZZ_CHECK(past == ready || past >= n, "%u of %u", past, ready);
	check_frames(run, pkts, nb);
	check_counters(run);
	memcpy(&run->held[run->nb_held], pkts, nb * sizeof(pkts[0]));
	run->nb_held += nb;
}

static void
starve(struct rx_run *run, uint8_t n)
{
	while (n-- > 0 && run->nb_starve < NB_MBUFS) {
		struct rte_mbuf *m = rte_mbuf_raw_alloc(run->rxq->mp);

		if (m == NULL)
			break;
		run->starve[run->nb_starve++] = m;
	}
}

static void
feed(struct rx_run *run, unsigned int n)
{
	while (n-- > 0 && run->nb_starve > 0)
		rte_mbuf_raw_free(run->starve[--run->nb_starve]);
}

static void
release(struct rx_run *run, unsigned int n)
{
	while (n-- > 0 && run->nb_held > 0)
		rte_pktmbuf_free(run->held[--run->nb_held]);
}

/* Good frames, as many as n. */
static void
device_receives(struct rx_run *run, struct fuzz_input *in, uint8_t n)
{
	const uint32_t whole = BCM4908_DESC_SOP | BCM4908_DESC_EOP;

	for (; n > 0 && (run->rxq->ring[run->at].ctl & BCM4908_DESC_OWN) != 0; n--) {
		device_writes(run, in, run->at, (60 + fuzz_u8(in)) << BCM4908_DESC_LEN_SHIFT | whole);
		run->at = (run->at + 1) % NB_DESC;
	}
}

static void
look(struct rx_run *run, uint8_t offset)
{
	const int status = bcm4908_rxq_desc_status(run->rxq, offset);

	FUZZ_CHECK(bcm4908_rxq_count(run->rxq) <= NB_DESC);
	FUZZ_CHECK((status == -EINVAL) == (offset >= NB_DESC));
}

static void
run_op(struct rx_run *run, struct fuzz_input *in)
{
	const uint8_t op = fuzz_u8(in), arg = op >> 3;

	switch (op & 7) {
	case 0: /* the next descriptor comes back with any word but OWN */
		device_writes(run, in, run->at, fuzz_u32(in) & ~BCM4908_DESC_OWN);
		run->at = (run->at + 1) % NB_DESC;
		break;
	case 1: /* any descriptor, any word */
		device_writes(run, in, arg, fuzz_u32(in));
		break;
	case 2:
		device_receives(run, in, arg + 1);
		break;
	case 3:
	case 4:
		poll_ring(run, arg + 1);
		break;
	case 5:
		release(run, arg + 1);
		break;
	case 6:
		if ((arg & 1) != 0)
			starve(run, arg * 3);
		else
			feed(run, arg * 3);
		break;
	case 7:
		if ((arg & 1) != 0) {
			look(run, fuzz_u8(in));
			break;
		}
		run->ref.max = max_len_of(arg >> 1);
		bcm4908_rxq_set_max_len(run->rxq, run->ref.max);
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	static struct rx_run run;

	run_begin(&run, &in);
	for (unsigned int i = 0; i < OPS_MAX && in.len > 0; i++)
		run_op(&run, &in);
	release(&run, NB_MBUFS);
	feed(&run, NB_MBUFS);
	bcm4908_rxq_stop(run.rxq);
	FUZZ_CHECK(rte_mempool_avail_count(run.rxq->mp) == run.rxq->mp->size, "%u of %u mbufs",
		   rte_mempool_avail_count(run.rxq->mp), run.rxq->mp->size);
	return 0;
}
