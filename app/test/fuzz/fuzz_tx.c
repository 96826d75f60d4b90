/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The transmit bursts and the stages in software before them: chains of any
 * lengths and kinds of segments, fields that contradict each other, flags that
 * the frame does not fit, descriptors that complete in any order. What is
 * posted lies in the frame that was given, every frame is counted once, and all
 * mbufs are there in the end.
 */

#include <string.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_vect.h>

#include "bcm4908_rxtx_inline.h"
#include "bcm4908_rxtx_soft.h"
#include "fuzz.h"

#define NB_MBUFS	384
#define NB_PKTS		64
#define SEGS_MAX	40
#define OPS_MAX		128
#define EXT_LEN		16384u

/* A short ring, and a longer one. */
#define PORTS 2
static struct port ports[PORTS];

/* External buffers within the window and outside of it. */
static uint8_t *ext_near;
static uint8_t ext_far[EXT_LEN];
static struct rte_mbuf_ext_shared_info shinfo[NB_MBUFS];

struct tx_run {
	struct port *p;
	struct bcm4908_txq *txq;
	bcm4908_burst_t burst;
	bool fast_free;
	uint32_t soft;
	struct rte_mbuf *pkts[NB_PKTS];		/* made, not taken */
	unsigned int nb_pkts;
	unsigned int nb_ext;
};

int
fuzz_prepare(void)
{
	static const struct port_config cfgs[PORTS] = {
		{ .rx_desc = PORT_NO_QUEUE, .tx_desc = 32, .pool_size = NB_MBUFS },
		{ .rx_desc = PORT_NO_QUEUE, .tx_desc = 64, .pool_size = NB_MBUFS },
	};

	ext_near = rte_malloc(NULL, EXT_LEN, 64);
	CHECK(ext_near != NULL);
	fuzz_cache_buffer(ext_near, EXT_LEN);
	for (unsigned int i = 0; i < PORTS; i++) {
		CHECK_OK(port_open(&ports[i], &cfgs[i]));
		/* its window stays; the queue is the target's */
		CHECK_EQ(rte_eth_dev_stop(ports[i].id), 0);
		fuzz_cache_pool(ports[i].pool);
	}
	return 0;
}

static void
run_begin(struct tx_run *run, struct fuzz_input *in)
{
	const uint8_t which = fuzz_u8(in);
	const uint32_t features = (which >> 1) & BCM4908_TX_F_ALL;

	memset(run, 0, sizeof(*run));
	run->p = &ports[which % PORTS];
	run->txq = port_txq(run->p);
	run->fast_free = (features & BCM4908_TX_F_FAST_FREE) != 0;
	FUZZ_CHECK(rte_vect_set_max_simd_bitwidth((which & 0x10) != 0 ? RTE_VECT_SIMD_DISABLED :
						  RTE_VECT_SIMD_256) == 0);
	run->burst = bcm4908_tx_burst_get(features)->fn;
	run->soft = which >> 6;
	run->txq->soft = run->soft;
	run->txq->fast_free = run->fast_free;
	bcm4908_soft_set(run->p->id, NULL, run->burst);
	run->txq->free_thresh = 1 + fuzz_u8(in) % (run->txq->nb_desc / 2);
	memset(&run->txq->stats, 0, sizeof(run->txq->stats));
	fuzz_cache_watch(run->txq->bounce, (size_t)run->txq->nb_desc * BCM4908_BOUNCE_SLOT);
	bcm4908_txq_start(run->p->dev, run->txq);
}

static void
ext_free(void *addr __rte_unused, void *opaque __rte_unused)
{
}

static void
attach(struct tx_run *run, struct rte_mbuf *m, uint8_t *buf)
{
	struct rte_mbuf_ext_shared_info *info = &shinfo[run->nb_ext++ % NB_MBUFS];

	info->free_cb = ext_free;
	rte_mbuf_ext_refcnt_set(info, 1);
	rte_pktmbuf_attach_extbuf(m, buf, rte_malloc_virt2iova(ext_near), EXT_LEN, info);
}

/* Make an mbuf of the pool refer to other memory, when the burst may meet such. */
static struct rte_mbuf *
segment_of_kind(struct tx_run *run, struct rte_mbuf *m, uint8_t kind)
{
	struct rte_mbuf *clone;

	if (run->fast_free)
		return m;
	switch (kind & 7) {
	case 1:
		attach(run, m, ext_near);
		break;
	case 2:
		attach(run, m, ext_far);
		break;
	case 3: /* the original goes with its clone */
		clone = rte_pktmbuf_alloc(run->p->pool);
		if (clone == NULL)
			break;
		rte_pktmbuf_attach(clone, m);
		rte_pktmbuf_free(m);
		return clone;
	}
	return m;
}

static struct rte_mbuf *
make_segment(struct tx_run *run, struct fuzz_input *in)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(run->p->pool);
	const uint8_t kind = fuzz_u8(in);
	uint16_t off;

	if (m == NULL)
		return NULL;
	m = segment_of_kind(run, m, kind);
	off = (kind & 8) != 0 ? fuzz_u16(in) : RTE_PKTMBUF_HEADROOM;
	m->data_off = RTE_MIN(off, m->buf_len);
	m->data_len = RTE_MIN((kind & 16) != 0 ? fuzz_u16(in) : fuzz_u8(in),
			      m->buf_len - m->data_off);
	if ((kind & 32) != 0 && m->data_len > 0)
		fuzz_dma(in, rte_pktmbuf_mtod(m, uint8_t *), RTE_MIN(m->data_len, 64u));
	return m;
}

/* Fields that say something else than the segments do, and what is asked of the software. */
static void
set_fields(struct rte_mbuf *m, struct fuzz_input *in, uint8_t what)
{
	if ((what & 1) != 0)
		m->nb_segs = fuzz_u8(in);
	/* the mbuf library's own rule, by which frames of one segment go without a look at next */
	if (m->nb_segs == 1 && m->next != NULL)
		m->nb_segs = 0;
	if ((what & 2) != 0)
		m->pkt_len = fuzz_u16(in);
	if ((what & 4) == 0)
		return;
	m->ol_flags |= (uint64_t)fuzz_u32(in) << 32 & (RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_IP_CKSUM |
		RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_VLAN);
	m->l2_len = fuzz_u8(in);
	m->l3_len = fuzz_u8(in);
	m->vlan_tci = fuzz_u16(in);
}

static void
make_packet(struct tx_run *run, struct fuzz_input *in, uint8_t what)
{
	const unsigned int segs = (what & 8) == 0 ? 1 : 1 + fuzz_u8(in) % SEGS_MAX;
	struct rte_mbuf *first = NULL, *last = NULL;

	if (run->nb_pkts == NB_PKTS)
		return;
	for (unsigned int i = 0; i < segs; i++) {
		struct rte_mbuf *m = make_segment(run, in);

		if (m == NULL)
			break;
		if (first == NULL) {
			first = m;
			first->pkt_len = 0;
		} else {
			last->next = m;
			first->nb_segs++;
		}
		first->pkt_len += m->data_len;
		last = m;
	}
	if (first == NULL)
		return;
	set_fields(first, in, what);
	run->pkts[run->nb_pkts++] = first;
}

/* Plain frames, as many as n. */
static void
make_plain(struct tx_run *run, struct fuzz_input *in, unsigned int n)
{
	const uint16_t len = 60 + fuzz_u8(in);

	for (; n > 0 && run->nb_pkts < NB_PKTS; n--) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(run->p->pool);

		if (m == NULL)
			return;
		rte_pktmbuf_append(m, len);
		run->pkts[run->nb_pkts++] = m;
	}
}

static void
check_address(const struct tx_run *run, uint32_t idx, uint32_t len)
{
	const struct bcm4908_txq *txq = run->txq;
	const uintptr_t va = txq->ring[idx].addr + txq->bus_base;
	const struct rte_mbuf *m = txq->sw_ring[idx];
	uintptr_t data;

	if (va == (uintptr_t)txq->bounce + idx * BCM4908_BOUNCE_SLOT) {
		FUZZ_CHECK(len == BCM4908_TX_LEN_MIN);
		return;
	}
	FUZZ_CHECK(m != NULL);
	data = rte_pktmbuf_mtod(m, uintptr_t);
	FUZZ_CHECK(va == data, "%#zx, not %#zx", va, data);
	if (len != m->data_len)
		FUZZ_CHECK(len == BCM4908_TX_LEN_MIN && m->data_len < len, "%u, not %u", len,
			   m->data_len);
	FUZZ_CHECK(data + len <= (uintptr_t)m->buf_addr + m->buf_len);
	FUZZ_CHECK(txq->ring[idx].addr <= UINT32_MAX - len);
}

/* Are n descriptors from idx whole frames, which the device may send [3.5]? */
static void
check_posted(const struct tx_run *run, uint32_t idx, uint32_t n, uint64_t frames)
{
	const struct bcm4908_txq *txq = run->txq;
	uint32_t frame_len = 0;
	bool open = false;

	for (; n > 0; n--, idx = (idx + 1) % txq->nb_desc) {
		const uint32_t ctl = txq->ring[idx].ctl, len = bcm4908_desc_len(ctl);

		FUZZ_CHECK((ctl & BCM4908_DESC_OWN) != 0);
		FUZZ_CHECK((ctl & BCM4908_DESC_APPEND_CRC) != 0);
		FUZZ_CHECK(((ctl & BCM4908_DESC_SOP) != 0) == !open);
		FUZZ_CHECK(((ctl & BCM4908_DESC_WRAP) != 0) == (idx + 1 == txq->nb_desc));
		FUZZ_CHECK(len > 0);
		check_address(run, idx, len);
		frame_len = open ? frame_len + len : len;
		open = (ctl & BCM4908_DESC_EOP) == 0;
		if (open)
			continue;
		FUZZ_CHECK(frame_len >= BCM4908_TX_LEN_MIN &&
			   frame_len <= BCM4908_FRAME_LEN_MAX - BCM4908_FCS_LEN, "%u", frame_len);
		frames--;
	}
	FUZZ_CHECK(!open);
	FUZZ_CHECK(frames == 0, "%jd frames too many were counted", (intmax_t)frames);
}

static uint64_t
drops(const struct tx_run *run)
{
	const struct bcm4908_tx_counters *stats = &run->txq->stats;

	return stats->window_drops + stats->seg_drops + stats->offload_drops;
}

static void
send_some(struct tx_run *run, uint16_t n)
{
	struct bcm4908_txq *txq = run->txq;
	const uint64_t packets = txq->stats.packets, dropped = drops(run);
	const uint32_t from = txq->next;
	uint32_t posted;
	uint64_t sent;
	uint16_t nb;

	n = RTE_MIN(n, run->nb_pkts);
	nb = run->soft != 0 ? bcm4908_tx_burst_soft(txq, run->pkts, n) :
		run->burst(txq, run->pkts, n);
	FUZZ_CHECK(nb <= n);
	sent = txq->stats.packets - packets;
	FUZZ_CHECK(sent + drops(run) - dropped == nb, "%ju sent and %ju dropped of %u",
		   (uintmax_t)sent, (uintmax_t)(drops(run) - dropped), nb);
	posted = (txq->next + txq->nb_desc - from) % txq->nb_desc;
	if (posted == 0 && sent > 0)
		posted = txq->nb_desc;
	FUZZ_CHECK(txq->nb_free + posted <= txq->nb_desc);
	check_posted(run, from, posted, sent);
	run->nb_pkts -= nb;
	memmove(run->pkts, run->pkts + nb, run->nb_pkts * sizeof(run->pkts[0]));
}

/* The device finishes its oldest descriptors, as many as n. */
static void
device_sends(struct tx_run *run, unsigned int n)
{
	struct bcm4908_txq *txq = run->txq;
	const uint32_t used = txq->nb_desc - txq->nb_free;

	for (uint32_t i = 0; i < used && n > 0; i++) {
		struct bcm4908_desc *desc = &txq->ring[(txq->clean + i) % txq->nb_desc];

		if ((desc->ctl & BCM4908_DESC_OWN) == 0)
			continue;
		desc->ctl &= ~BCM4908_DESC_OWN;
		n--;
	}
}

/* It writes any word, wherever it likes. */
static void
device_lies(struct tx_run *run, struct fuzz_input *in)
{
	run->txq->ring[fuzz_u8(in) % run->txq->nb_desc].ctl = fuzz_u32(in);
}

static void
look(struct tx_run *run, uint8_t offset)
{
	const int status = bcm4908_txq_desc_status(run->txq, offset);

	FUZZ_CHECK((status == -EINVAL) == (offset >= run->txq->nb_desc));
	FUZZ_CHECK(bcm4908_txq_count(run->txq) <= run->txq->nb_desc);
	bcm4908_txq_watch(run->txq);
}

static void
run_op(struct tx_run *run, struct fuzz_input *in)
{
	const uint8_t op = fuzz_u8(in), arg = op >> 3;

	switch (op & 7) {
	case 0:
	case 1:
		make_packet(run, in, arg);
		break;
	case 2:
		make_plain(run, in, arg + 1);
		break;
	case 3:
	case 4:
		send_some(run, 2 * (arg + 1));
		break;
	case 5:
		device_sends(run, 2 * (arg + 1));
		break;
	case 6:
		device_lies(run, in);
		break;
	case 7:
		look(run, fuzz_u8(in));
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	static struct tx_run run;

	run_begin(&run, &in);
	for (unsigned int i = 0; i < OPS_MAX && in.len > 0; i++)
		run_op(&run, &in);
	bcm4908_txq_stop(run.txq);
	while (run.nb_pkts > 0)
		rte_pktmbuf_free(run.pkts[--run.nb_pkts]);
	FUZZ_CHECK(rte_mempool_avail_count(run.p->pool) == run.p->pool->size, "%u of %u mbufs",
		   rte_mempool_avail_count(run.p->pool), run.p->pool->size);
	return 0;
}
