/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <rte_cpuflags.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_memzone.h>
#include <rte_vect.h>

#include "bcm4908_logs.h"
#include "bcm4908_rxtx.h"
#include "bcm4908_rxtx_inline.h"
#include "bcm4908_rxtx_scatter.h"
#include "bcm4908_rxtx_vec.h"

void (*bcm4908_cache_hook)(uintptr_t addr, size_t len, bool invalidate);
void (*bcm4908_cache_sync_hook)(void);

#ifdef RTE_ARCH_ARM64
size_t bcm4908_cache_line = 64;

RTE_INIT(bcm4908_cache_init)
{
	uint64_t ctr;

	asm("mrs %0, ctr_el0" : "=r" (ctr));
	bcm4908_cache_line = (size_t)4 << ((ctr >> 16) & 0xf);
}
#endif

#ifdef RTE_ARCH_X86_64
static bool
has_avx2(void)
{
	return rte_vect_get_max_simd_bitwidth() >= RTE_VECT_SIMD_256 &&
		rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX2) > 0;
}
#endif

/*
 * Receive bursts
 */

uint32_t
bcm4908_rx_get_some(struct bcm4908_rxq *rxq, uint32_t idx, uint32_t n)
{
	const uint32_t want = n;

	do {
		n /= 2;
	} while (n > 0 && rte_mempool_get_bulk(rxq->mp, (void **)&rxq->sw_ring[idx], n) < 0);
	bcm4908_count(&rxq->stats.no_mbuf, want - n);
	return n;
}

void
bcm4908_rx_drop(struct bcm4908_rxq *rxq, uint32_t ctl, uint64_t seq)
{
	const uint32_t whole = BCM4908_DESC_SOP | BCM4908_DESC_EOP;
	const uint32_t idx = rxq->next;

	/* A scattered burst ran before and left the start of a frame: it ends here, counted once. */
	if (rxq->seg_first != NULL) {
		bcm4908_count(&rxq->stats.seq_errors, 1);
		rte_pktmbuf_free(rxq->seg_first);
		rxq->seg_first = NULL;
		rxq->bad_next = idx;
		rxq->bad_seq = seq;
	}
	if ((ctl & whole) != whole) {
		if (!bcm4908_rx_bad_goes_on(rxq, idx, ctl, seq))
			bcm4908_count(&rxq->stats.seq_errors, 1);
	} else if (bcm4908_desc_len(ctl) < BCM4908_RX_LEN_MIN) {
		bcm4908_count(&rxq->stats.short_errors, 1);
	} else {
		bcm4908_count(&rxq->stats.long_errors, 1);
	}
	bcm4908_rx_bad_mark(rxq, idx, ctl, seq);
	bcm4908_rx_mark_taken(rxq, &rxq->sw_ring[idx], 1);
	rte_mbuf_raw_free(rxq->sw_ring[idx]);
	bcm4908_rx_advance(rxq, 1);
}

static __rte_always_inline uint32_t
rx_scan(struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint32_t n, uint32_t *ctl,
	uint64_t *bytes, const uint32_t features)
{
	const uint32_t whole = BCM4908_DESC_SOP | BCM4908_DESC_EOP;
	struct bcm4908_desc *ring = &rxq->ring[rxq->next];
	struct rte_mbuf **sw = &rxq->sw_ring[rxq->next];
	const uint64_t init = rxq->mbuf_init;
	const uint32_t span = rte_atomic_load_explicit(&rxq->max_len, rte_memory_order_relaxed) -
		BCM4908_RX_LEN_MIN;
	uint32_t left = n;

	/* An uncached ring is not read ahead of what is known to be there. */
	while ((features & BCM4908_RX_F_NONCOHERENT) == 0 && left >= 4) {
		struct rte_mbuf *m0 = sw[0], *m1 = sw[1], *m2 = sw[2], *m3 = sw[3];
		const uint32_t c0 = bcm4908_desc_peek(&ring[0]);
		const uint32_t c1 = bcm4908_desc_peek(&ring[1]);
		const uint32_t c2 = bcm4908_desc_peek(&ring[2]);
		const uint32_t c3 = bcm4908_desc_peek(&ring[3]);

		/* four times bcm4908_rx_is_good(), with the tests that can be joined joined */
		if (unlikely(((c0 | c1 | c2 | c3) & BCM4908_DESC_OWN) != 0 ||
			     (c0 & c1 & c2 & c3 & whole) != whole))
			break;
		if (unlikely(bcm4908_desc_len(c0) - BCM4908_RX_LEN_MIN > span ||
			     bcm4908_desc_len(c1) - BCM4908_RX_LEN_MIN > span ||
			     bcm4908_desc_len(c2) - BCM4908_RX_LEN_MIN > span ||
			     bcm4908_desc_len(c3) - BCM4908_RX_LEN_MIN > span))
			break;
		rte_atomic_thread_fence(rte_memory_order_acquire);
		pkts[0] = m0;
		pkts[1] = m1;
		pkts[2] = m2;
		pkts[3] = m3;
		bcm4908_rx_take(rxq, m0, c0, init, bytes, features);
		bcm4908_rx_take(rxq, m1, c1, init, bytes, features);
		bcm4908_rx_take(rxq, m2, c2, init, bytes, features);
		bcm4908_rx_take(rxq, m3, c3, init, bytes, features);
		ring += 4;
		sw += 4;
		pkts += 4;
		left -= 4;
	}
	return n - left + bcm4908_rx_scan_rest(rxq, pkts, n - left, left, ctl, bytes, features);
}

static __rte_noinline uint16_t
rx_burst_scalar_busy(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_rx_burst(queue, pkts, nb_pkts, 0, rx_scan, bcm4908_rx_post);
}

static uint16_t
rx_burst_scalar(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_rx_is_idle(queue) ? 0 : rx_burst_scalar_busy(queue, pkts, nb_pkts);
}

static uint16_t
rx_burst_recycle(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_rx_is_idle(queue) ? 0 : bcm4908_rx_burst(queue, pkts, nb_pkts,
		BCM4908_RX_F_RECYCLE, rx_scan, bcm4908_rx_post);
}

#define RX_BURST(suffix, features) \
static uint16_t \
rx_burst_##suffix(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts) \
{ \
	return bcm4908_rx_burst(queue, pkts, nb_pkts, features, rx_scan, bcm4908_rx_post); \
}

RX_BURST(load, BCM4908_RX_F_LOAD_ADDR)
RX_BURST(noncoherent, BCM4908_RX_F_NONCOHERENT)
RX_BURST(noncoherent_load, BCM4908_RX_F_NONCOHERENT | BCM4908_RX_F_LOAD_ADDR)

const struct bcm4908_burst *
bcm4908_rx_burst_get(uint32_t features)
{
	static const struct bcm4908_burst bursts[] = {
		[0] = { rx_burst_scalar, "Scalar" },
		[BCM4908_RX_F_RECYCLE] = { rx_burst_recycle, "Scalar, recycling" },
		[BCM4908_RX_F_LOAD_ADDR] = { rx_burst_load, "Scalar, loaded addresses" },
		[BCM4908_RX_F_NONCOHERENT] = { rx_burst_noncoherent, "Scalar, non-coherent" },
		[BCM4908_RX_F_NONCOHERENT | BCM4908_RX_F_LOAD_ADDR] = {
			rx_burst_noncoherent_load, "Scalar, non-coherent, loaded addresses" },
		[BCM4908_RX_F_SCATTER] = { bcm4908_rx_burst_scatter, "Scattered" },
		[BCM4908_RX_F_SCATTER | BCM4908_RX_F_LOAD_ADDR] = {
			bcm4908_rx_burst_scatter_load, "Scattered, loaded addresses" },
		[BCM4908_RX_F_SCATTER | BCM4908_RX_F_NONCOHERENT] = {
			bcm4908_rx_burst_scatter_noncoherent, "Scattered, non-coherent" },
		[BCM4908_RX_F_SCATTER | BCM4908_RX_F_NONCOHERENT | BCM4908_RX_F_LOAD_ADDR] = {
			bcm4908_rx_burst_scatter_noncoherent_load,
			"Scattered, non-coherent, loaded addresses" },
	};

#ifdef RTE_ARCH_X86_64
	static const struct bcm4908_burst avx2[] = {
		[0] = { bcm4908_rx_burst_avx2, "Vector AVX2" },
		[BCM4908_RX_F_RECYCLE] = { bcm4908_rx_burst_avx2_recycle, "Vector AVX2, recycling" },
	};
#endif

	/* Only the plain path leaves room for recycling; the others just do not profit. */
	if (features != BCM4908_RX_F_RECYCLE)
		features &= ~BCM4908_RX_F_RECYCLE;
#ifdef RTE_ARCH_X86_64
	if ((features & ~BCM4908_RX_F_RECYCLE) == 0 && has_avx2())
		return &avx2[features];
#endif
	return &bursts[features];
}

/*
 * Transmit bursts
 */

void
bcm4908_tx_free(struct rte_mbuf **sw, uint32_t n)
{
	struct rte_mempool *mp = NULL;
	uint32_t first = 0, end = 0;

	/* Compact in place the run of mbufs that go back to the same pool. */
	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = sw[i];

		/* A frame that was copied left no mbuf behind. */
		m = likely(m != NULL) ? rte_pktmbuf_prefree_seg(m) : NULL;
		if (unlikely(m == NULL))
			continue;
		if (unlikely(m->pool != mp)) {
			if (end > first)
				rte_mempool_put_bulk(mp, (void **)&sw[first], end - first);
			mp = m->pool;
			first = end;
		}
		sw[end++] = m;
	}
	if (end > first)
		rte_mempool_put_bulk(mp, (void **)&sw[first], end - first);
}

/* Add up a frame's length; NULL, or the counter that tells why it cannot be sent. */
static bcm4908_counter_t *
tx_check(struct bcm4908_txq *txq, const struct rte_mbuf *m, uint32_t *len)
{
	uint32_t segs = m->nb_segs;

	*len = 0;
	/* Descriptors come free by whole batches: the last part of one may never do. */
	if (segs == 0 || segs > txq->nb_desc - txq->batch + 1u)
		return &txq->stats.seg_drops;
	for (; segs > 0; segs--, m = m->next) {
		if (m == NULL || m->data_len == 0 || m->data_len > BCM4908_DESC_LEN_MAX)
			return &txq->stats.seg_drops;
		if (bcm4908_tx_bus(m, txq->mbuf_addr_off, txq->bus_base) > BCM4908_TX_BUS_MAX)
			return &txq->stats.window_drops;
		*len += m->data_len;
	}
	/* More segments than nb_segs says would never be freed. */
	if (m != NULL || *len > BCM4908_FRAME_LEN_MAX - BCM4908_FCS_LEN)
		return &txq->stats.seg_drops;
	return NULL;
}

/* May bytes be written behind a frame's data? Only into memory that is this mbuf's alone. */
static bool
tx_may_pad(struct rte_mbuf *m, uint32_t pad)
{
	return m->nb_segs == 1 && RTE_MBUF_DIRECT(m) && rte_mbuf_refcnt_read(m) == 1 &&
		rte_pktmbuf_tailroom(m) >= pad;
}

/* Copy a short frame to a slot; returns the mbuf to free with the descriptor. */
static struct rte_mbuf *
tx_bounce(uint8_t *slot, struct rte_mbuf *m, uint32_t len, const uint32_t features)
{
	uint32_t at = 0;

	/* By the segments that were checked: pkt_len may say anything. */
	for (const struct rte_mbuf *seg = m; seg != NULL; seg = seg->next) {
		memcpy(slot + at, rte_pktmbuf_mtod(seg, const void *), seg->data_len);
		at += seg->data_len;
	}
	memset(slot + len, 0, BCM4908_TX_LEN_MIN - len);
	if ((features & BCM4908_TX_F_FAST_FREE) == 0) {
		rte_pktmbuf_free(m);
		return NULL;
	}
	/* Fast free wants an mbuf in each slot; it promises that this one is not shared. */
	rte_pktmbuf_free(m->next);
	m->next = NULL;
	m->nb_segs = 1;
	return m;
}

/* Give a descriptor, whose address is in place, to the device. */
static void
tx_own(struct bcm4908_txq *txq, uint32_t idx, uint32_t len, uint32_t flags)
{
	uint32_t ctl = len << BCM4908_DESC_LEN_SHIFT | flags;

	if (idx + 1 == txq->nb_desc)
		ctl |= BCM4908_DESC_WRAP;
	rte_atomic_store_explicit(&txq->ring[idx].ctl, rte_cpu_to_le_32(ctl),
				  rte_memory_order_release);
}

/* Post a frame below the minimum, padded with zeros; false: it cannot be reached. */
static bool
tx_short(struct bcm4908_txq *txq, uint32_t idx, struct rte_mbuf *m, uint32_t len,
	 const uint32_t features)
{
	const uint32_t pad = BCM4908_TX_LEN_MIN - len;
	uintptr_t va;
	uint64_t bus;

	if (tx_may_pad(m, pad)) {
		va = rte_pktmbuf_mtod(m, uintptr_t);
		bus = bcm4908_tx_bus(m, txq->mbuf_addr_off, txq->bus_base);
		memset((void *)(va + len), 0, pad);
	} else {
		va = (uintptr_t)txq->bounce + idx * BCM4908_BOUNCE_SLOT;
		bus = txq->bounce_addr + idx * BCM4908_BOUNCE_SLOT - txq->bus_base;
		if (bus > BCM4908_TX_BUS_MAX)
			return false;
		m = tx_bounce((uint8_t *)va, m, len, features);
	}
	if ((features & BCM4908_TX_F_NONCOHERENT) != 0) {
		bcm4908_cache_clean(va, BCM4908_TX_LEN_MIN);
		bcm4908_cache_sync();
	}
	txq->sw_ring[idx] = m;
	txq->ring[idx].addr = rte_cpu_to_le_32((uint32_t)bus);
	rte_io_wmb();
	tx_own(txq, idx, BCM4908_TX_LEN_MIN, BCM4908_TX_CTL);
	return true;
}

/* Post a frame of any number of segments: the first one's OWN comes last [3.5]. */
static void
tx_chain(struct bcm4908_txq *txq, uint32_t first, struct rte_mbuf *m, const uint32_t features)
{
	const uint32_t segs = m->nb_segs, first_len = m->data_len;
	uint32_t idx = first;

	for (uint32_t i = 0; i < segs; i++) {
		const uint32_t len = m->data_len;
		struct rte_mbuf *next = m->next;

		if ((features & BCM4908_TX_F_NONCOHERENT) != 0) {
			bcm4908_cache_clean(rte_pktmbuf_mtod(m, uintptr_t), len);
			bcm4908_cache_sync();
		}
		txq->sw_ring[idx] = m;
		txq->ring[idx].addr = rte_cpu_to_le_32((uint32_t)bcm4908_tx_bus(m, txq->mbuf_addr_off, txq->bus_base));
		rte_io_wmb();
		if (i > 0)
			tx_own(txq, idx, len, BCM4908_DESC_OWN | BCM4908_DESC_APPEND_CRC |
			       (i == segs - 1 ? BCM4908_DESC_EOP : 0));
		if ((features & BCM4908_TX_F_FAST_FREE) != 0) {
			/* as mbufs lie in a pool: the free will not look at them */
			m->next = NULL;
			m->nb_segs = 1;
		}
		idx = idx + 1 == txq->nb_desc ? 0 : idx + 1;
		m = next;
	}
	rte_io_wmb();
	tx_own(txq, first, first_len, BCM4908_TX_CTL & ~(segs > 1 ? BCM4908_DESC_EOP : 0));
}

int
bcm4908_tx_special(struct bcm4908_txq *txq, struct rte_mbuf *m, uint32_t features)
{
	const uint32_t idx = rte_atomic_load_explicit(&txq->next, rte_memory_order_relaxed);
	uint32_t len, segs = m->nb_segs;
	bcm4908_counter_t *drop = tx_check(txq, m, &len);

	if (drop == NULL && len < BCM4908_TX_LEN_MIN) {
		if (!tx_short(txq, idx, m, len, features))
			drop = &txq->stats.window_drops;
		len = BCM4908_TX_LEN_MIN;
		segs = 1;
	} else if (drop == NULL) {
		if (segs > txq->nb_free)
			bcm4908_tx_make_room(txq, segs, features);
		if (segs > txq->nb_free)
			return -ENOSPC;
		tx_chain(txq, idx, m, features);
	}
	if (drop != NULL) {
		bcm4908_count(drop, 1);
		rte_pktmbuf_free(m);
		return 0;
	}
	bcm4908_count(&txq->stats.packets, 1);
	bcm4908_count(&txq->stats.bytes, len);
	return segs;
}

static __rte_always_inline uint32_t
tx_fill(struct bcm4908_txq *txq, struct rte_mbuf **pkts, uint32_t idx, uint32_t n,
	uint64_t *bytes, const uint32_t features)
{
	struct bcm4908_desc *ring = &txq->ring[idx];
	struct rte_mbuf **sw = &txq->sw_ring[idx];
	const struct bcm4908_desc *end = &txq->ring[txq->nb_desc];
	const uint64_t base = txq->bus_base;
	const uint16_t off = txq->mbuf_addr_off;
	uint32_t left = n, i;

	if ((features & BCM4908_TX_F_NONCOHERENT) != 0) {
		for (i = 0; i < n; i++) {
			struct rte_mbuf *m = pkts[i];
			const uint64_t bus = bcm4908_tx_bus(m, off, base);

			if (unlikely(!bcm4908_tx_is_plain(m, bus)))
				break;
			bcm4908_cache_clean(rte_pktmbuf_mtod(m, uintptr_t), m->data_len);
			sw[i] = m;
			*bytes += m->data_len;
			ring[i].addr = rte_cpu_to_le_32((uint32_t)bus);
		}
		bcm4908_cache_sync();
		for (uint32_t j = 0; j < i; j++)
			rte_atomic_store_explicit(&ring[j].ctl,
				rte_cpu_to_le_32(bcm4908_tx_ctl(sw[j]->data_len) |
					(&ring[j + 1] == end ? BCM4908_DESC_WRAP : 0)),
				rte_memory_order_relaxed);
		return i;
	}
	/* The frames' bytes come before any OWN. */
	rte_atomic_thread_fence(rte_memory_order_release);
	for (; left >= 4; left -= 4) {
		struct rte_mbuf *m0 = pkts[0], *m1 = pkts[1], *m2 = pkts[2], *m3 = pkts[3];
		const uint32_t l0 = m0->data_len, l1 = m1->data_len;
		const uint32_t l2 = m2->data_len, l3 = m3->data_len;
		const uint64_t b0 = bcm4908_tx_bus(m0, off, base);
		const uint64_t b1 = bcm4908_tx_bus(m1, off, base);
		const uint64_t b2 = bcm4908_tx_bus(m2, off, base);
		const uint64_t b3 = bcm4908_tx_bus(m3, off, base);

		if (unlikely(!bcm4908_tx_is_plain(m0, b0) || !bcm4908_tx_is_plain(m1, b1) ||
			     !bcm4908_tx_is_plain(m2, b2) || !bcm4908_tx_is_plain(m3, b3)))
			break;
		sw[0] = m0;
		sw[1] = m1;
		sw[2] = m2;
		sw[3] = m3;
		*bytes += l0 + l1 + l2 + l3;
		bcm4908_desc_store(&ring[0], b0, bcm4908_tx_ctl(l0));
		bcm4908_desc_store(&ring[1], b1, bcm4908_tx_ctl(l1));
		bcm4908_desc_store(&ring[2], b2, bcm4908_tx_ctl(l2));
		/* the ring's end, where this run may end, is in no other place of a group */
		bcm4908_desc_store(&ring[3], b3, bcm4908_tx_ctl(l3) |
				   (ring + 4 == end ? BCM4908_DESC_WRAP : 0));
		ring += 4;
		sw += 4;
		pkts += 4;
	}
	return n - left + bcm4908_tx_fill_rest(txq, pkts, idx + n - left, left, bytes);
}

#define TX_BURST(suffix, features) \
static uint16_t \
tx_burst_##suffix(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts) \
{ \
	return bcm4908_tx_burst(queue, pkts, nb_pkts, features, tx_fill); \
}

TX_BURST(scalar, 0)
TX_BURST(fast_free, BCM4908_TX_F_FAST_FREE)
TX_BURST(noncoherent, BCM4908_TX_F_NONCOHERENT)
TX_BURST(noncoherent_fast_free, BCM4908_TX_F_NONCOHERENT | BCM4908_TX_F_FAST_FREE)

const struct bcm4908_burst *
bcm4908_tx_burst_get(uint32_t features)
{
	static const struct bcm4908_burst bursts[BCM4908_TX_F_IOVA] = {
		[0] = { tx_burst_scalar, "Scalar" },
		[BCM4908_TX_F_FAST_FREE] = { tx_burst_fast_free, "Scalar, fast free" },
		[BCM4908_TX_F_NONCOHERENT] = { tx_burst_noncoherent, "Scalar, non-coherent" },
		[BCM4908_TX_F_NONCOHERENT | BCM4908_TX_F_FAST_FREE] = {
			tx_burst_noncoherent_fast_free, "Scalar, non-coherent, fast free" },
	};

#ifdef RTE_ARCH_X86_64
	static const struct bcm4908_burst avx2[] = {
		[0] = { bcm4908_tx_burst_avx2, "Vector AVX2" },
		[BCM4908_TX_F_FAST_FREE] = {
			bcm4908_tx_burst_avx2_fast_free, "Vector AVX2, fast free" },
	};

	if (features < RTE_DIM(avx2) && has_avx2())
		return &avx2[features];
#endif
	/* an iova changes nothing where the address is read by its offset */
	return &bursts[features & (BCM4908_TX_F_ALL & ~BCM4908_TX_F_IOVA)];
}

/*
 * Queue life cycle
 */

/* What is to be known of a pool's buffers before the device may fill them. */
struct rx_pool_scan {
	struct bcm4908_rxq *rxq;
	bool pinned;		/* its buffers are external */
	bool aligned;
	uint16_t buf_len;	/* of the smallest */
};

/*
 * Where an mbuf's own buffer is, and its length, by what nobody changes: the mbuf
 * may be in use elsewhere, even as a clone that shows another one's buffer.
 */
static uint64_t
rx_buf_find(const struct rx_pool_scan *scan, struct rte_mempool *mp, struct rte_mbuf *m,
	    uint16_t *len)
{
	char *buf;

	if (scan->pinned) {
		*len = m->buf_len;
		return bcm4908_mbuf_addr(m, scan->rxq->mbuf_addr_off);
	}
	*len = rte_pktmbuf_data_room_size(mp);
	buf = rte_mbuf_buf_addr(m, mp);
	if (scan->rxq->mbuf_addr_off == offsetof(struct rte_mbuf, buf_addr))
		return (uintptr_t)buf;
	return rte_mempool_virt2iova(m) + (buf - (char *)m);
}

static void
rx_pool_scan_one(struct rte_mempool *mp, void *arg, void *obj, unsigned int idx)
{
	struct rx_pool_scan *scan = arg;
	struct bcm4908_rxq *rxq = scan->rxq;
	uint16_t len;
	const uint64_t addr = rx_buf_find(scan, mp, obj, &len);

	if (idx == 0) {
		rxq->lo = addr;
		rxq->bus_delta = addr - (uintptr_t)obj;
		rxq->data_off = RTE_ALIGN_CEIL(addr + RTE_PKTMBUF_HEADROOM,
					       BCM4908_BUF_ALIGN) - addr;
		scan->buf_len = len;
	}
	rxq->lo = RTE_MIN(rxq->lo, addr);
	rxq->hi = RTE_MAX(rxq->hi, addr + len);
	rxq->linear &= addr - (uintptr_t)obj == rxq->bus_delta;
	scan->aligned &= (addr + rxq->data_off) % BCM4908_BUF_ALIGN == 0;
	scan->buf_len = RTE_MIN(scan->buf_len, len);
}

/* See whether the device can fill a pool's buffers, and how they are addressed. */
static int
rxq_take_pool(struct bcm4908_rxq *rxq, struct rte_mempool *mp)
{
	struct rx_pool_scan scan = {
		.rxq = rxq,
		.pinned = (rte_pktmbuf_priv_flags(mp) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) != 0,
		.aligned = true,
	};
	uint32_t room;

	rxq->mp = mp;
	rxq->linear = !scan.pinned;
	rxq->ol_flags = scan.pinned ? RTE_MBUF_F_EXTERNAL : 0;
	if (rte_mempool_obj_iter(mp, rx_pool_scan_one, &scan) == 0) {
		PMD_LOG(ERR, "port %u: pool %s has no buffer to receive into", rxq->port_id,
			mp->name);
		return -EINVAL;
	}
	if (!scan.aligned) {
		PMD_LOG(ERR, "port %u: the buffers of pool %s start at different offsets from "
			"%u-byte boundaries; use a private area of a multiple of %u bytes",
			rxq->port_id, mp->name, BCM4908_BUF_ALIGN, BCM4908_BUF_ALIGN);
		return -EINVAL;
	}
	room = scan.buf_len > rxq->data_off ? scan.buf_len - rxq->data_off : 0;
	rxq->capacity = RTE_ALIGN_FLOOR(RTE_MIN(room, BCM4908_BUF_MAX), BCM4908_BUF_ALIGN);
	if (rxq->capacity < BCM4908_MIN_RX_BUFSIZE) {
		PMD_LOG(ERR, "port %u: pool %s gives buffers of %u bytes, at least %u are needed",
			rxq->port_id, mp->name, rxq->capacity, BCM4908_MIN_RX_BUFSIZE);
		return -EINVAL;
	}
	rxq->ctl = BCM4908_DESC_OWN | (uint32_t)rxq->capacity << BCM4908_DESC_LEN_SHIFT;
	return 0;
}

static int
check_nb_desc(uint16_t port_id, const char *dir, uint16_t nb_desc)
{
	if (nb_desc >= BCM4908_MIN_DESC && nb_desc <= BCM4908_MAX_DESC &&
	    nb_desc % BCM4908_DESC_MULTIPLE == 0)
		return 0;
	PMD_LOG(ERR, "port %u: %u %s descriptors; %u to %u are allowed, in multiples of %u",
		port_id, nb_desc, dir, BCM4908_MIN_DESC, BCM4908_MAX_DESC, BCM4908_DESC_MULTIPLE);
	return -EINVAL;
}

/* The threshold that was asked for, or the default as far as the ring allows; 0: not possible. */
static uint16_t
free_thresh_get(uint16_t port_id, const char *dir, uint16_t nb_desc, uint16_t asked)
{
	if (asked == 0)
		return RTE_MIN(BCM4908_DEFAULT_FREE_THRESH, nb_desc / 4);
	if (asked <= nb_desc / 2)
		return asked;
	PMD_LOG(ERR, "port %u: %s free threshold %u; at most half of the %u descriptors is allowed",
		port_id, dir, asked, nb_desc);
	return 0;
}

/* No descriptor has a buffer, and none is to get one. */
static void
rxq_set_idle(struct bcm4908_rxq *rxq)
{
	rxq->nb_hold = rxq->nb_desc;
	rxq->free_thresh = UINT16_MAX;
}

int
bcm4908_rxq_create(struct bcm4908_dev *dev, uint16_t port_id, uint16_t nb_desc,
		   uint16_t free_thresh, struct rte_mempool *mp, unsigned int socket,
		   struct bcm4908_rxq **out)
{
	struct bcm4908_rxq *rxq;
	int ret = check_nb_desc(port_id, "Rx", nb_desc);

	if (ret != 0)
		return ret;
	free_thresh = free_thresh_get(port_id, "Rx", nb_desc, free_thresh);
	if (free_thresh == 0)
		return -EINVAL;
	rxq = rte_zmalloc_socket("bcm4908_rxq", sizeof(*rxq), RTE_CACHE_LINE_SIZE, socket);
	if (rxq == NULL)
		return -ENOMEM;
	rxq->port_id = port_id;
	rxq->nb_desc = nb_desc;
	rxq->conf_thresh = free_thresh;
	rxq_set_idle(rxq);
	rxq->mbuf_addr_off = dev->mbuf_addr_off;
	ret = rxq_take_pool(rxq, mp);
	if (ret != 0)
		goto free_rxq;
	ret = -ENOMEM;
	rxq->sw_ring = rte_zmalloc_socket("bcm4908_rx_sw", sizeof(*rxq->sw_ring) * nb_desc,
					  RTE_CACHE_LINE_SIZE, socket);
	if (rxq->sw_ring == NULL)
		goto free_rxq;
	ret = dev->ops->ring_alloc(dev, BCM4908_CHAN_RX, sizeof(*rxq->ring) * nb_desc, &rxq->dma);
	if (ret != 0)
		goto free_sw;
	rxq->ring = rxq->dma.va;
	rxq->doorbell = dev->doorbell[BCM4908_CHAN_RX];
	*out = rxq;
	return 0;

free_sw:
	rte_free(rxq->sw_ring);
free_rxq:
	rte_free(rxq);
	return ret;
}

void
bcm4908_rxq_release(struct bcm4908_dev *dev, struct bcm4908_rxq *rxq)
{
	if (rxq == NULL)
		return;
	dev->ops->ring_free(dev, BCM4908_CHAN_RX);
	rte_free(rxq->sw_ring);
}

void
bcm4908_rxq_destroy(struct bcm4908_dev *dev, struct bcm4908_rxq *rxq)
{
	bcm4908_rxq_release(dev, rxq);
	rte_free(rxq);
}

/* The fields that each received mbuf is set to with one store. */
static uint64_t
rx_mbuf_init_word(const struct bcm4908_rxq *rxq)
{
	struct rte_mbuf m = { .nb_segs = 1, .data_off = rxq->data_off, .port = rxq->port_id };

	rte_mbuf_refcnt_set(&m, 1);
	return *(bcm4908_word_t *)&m.rearm_data;
}

int
bcm4908_rxq_start(struct bcm4908_dev *dev, struct bcm4908_rxq *rxq, uint32_t max_len)
{
	if (rte_mempool_get_bulk(rxq->mp, (void **)rxq->sw_ring, rxq->nb_desc) < 0) {
		PMD_LOG(ERR, "port %u: pool %s cannot give the %u buffers of the Rx ring",
			rxq->port_id, rxq->mp->name, rxq->nb_desc);
		return -ENOMEM;
	}
	if (rxq->linear)
		rxq->bus_delta = bcm4908_mbuf_addr(rxq->sw_ring[0], rxq->mbuf_addr_off) -
			(uintptr_t)rxq->sw_ring[0] + rxq->data_off - dev->bus_base;
	rxq->bus_base = dev->bus_base;
	rxq->mbuf_init = rx_mbuf_init_word(rxq);
	rxq->next = 0;
	rxq->refill = 0;
	rxq->nb_hold = 0;
	rxq->free_thresh = rxq->conf_thresh;
	rxq->bad_next = UINT16_MAX;
	bcm4908_rxq_set_max_len(rxq, max_len);
	bcm4908_rx_mark_owned(rxq, rxq->sw_ring, rxq->nb_desc);
	bcm4908_rx_post(rxq, 0, rxq->nb_desc, (dev->coherent ? 0 : BCM4908_RX_F_NONCOHERENT) |
			(rxq->linear ? 0 : BCM4908_RX_F_LOAD_ADDR));
	return 0;
}

void
bcm4908_rxq_stop(struct bcm4908_rxq *rxq)
{
	const uint32_t left = rxq->nb_desc - rxq->nb_hold;
	uint64_t dropped = rxq->seg_first != NULL ? 1 : 0;

	for (uint32_t i = 0; i < left; i++) {
		const uint32_t idx = (rxq->next + i) % rxq->nb_desc;
		const uint32_t ctl = bcm4908_desc_ctl(&rxq->ring[idx]);

		if ((ctl & (BCM4908_DESC_OWN | BCM4908_DESC_SOP)) == BCM4908_DESC_SOP)
			dropped++;
		bcm4908_rx_mark_taken(rxq, &rxq->sw_ring[idx], 1);
		rte_mbuf_raw_free(rxq->sw_ring[idx]);
		rxq->sw_ring[idx] = NULL;
	}
	rte_pktmbuf_free(rxq->seg_first);
	rxq->seg_first = NULL;
	bcm4908_count(&rxq->stats.stop_drops, dropped);
	rxq_set_idle(rxq);
	memset(rxq->ring, 0, sizeof(*rxq->ring) * rxq->nb_desc);
}

void
bcm4908_rxq_set_max_len(struct bcm4908_rxq *rxq, uint32_t max_len)
{
	/*
	 * A burst for frames in one buffer may still run when longer ones are
	 * allowed: whatever a descriptor says, it must not believe more than a
	 * buffer holds.
	 */
	rte_atomic_store_explicit(&rxq->max_len, RTE_MIN(max_len, (uint32_t)rxq->capacity),
				  rte_memory_order_relaxed);
	rte_atomic_store_explicit(&rxq->max_frame, max_len, rte_memory_order_relaxed);
}

uint32_t
bcm4908_rxq_count(struct bcm4908_rxq *rxq)
{
	uint32_t done = 0, end = rxq->nb_desc - rxq->nb_hold;

	/* The device completes in order: find the first that it still owns. */
	while (done < end) {
		const uint32_t mid = (done + end) / 2;
		const uint32_t idx = (rxq->next + mid) % rxq->nb_desc;

		if ((bcm4908_desc_ctl(&rxq->ring[idx]) & BCM4908_DESC_OWN) != 0)
			end = mid;
		else
			done = mid + 1;
	}
	return done;
}

int
bcm4908_rxq_desc_status(struct bcm4908_rxq *rxq, uint16_t offset)
{
	if (offset >= rxq->nb_desc)
		return -EINVAL;
	if (offset >= rxq->nb_desc - rxq->nb_hold)
		return RTE_ETH_RX_DESC_UNAVAIL;
	if ((bcm4908_desc_ctl(&rxq->ring[(rxq->next + offset) % rxq->nb_desc]) &
	     BCM4908_DESC_OWN) != 0)
		return RTE_ETH_RX_DESC_AVAIL;
	return RTE_ETH_RX_DESC_DONE;
}

static int
txq_bounce_alloc(struct bcm4908_dev *dev, struct bcm4908_txq *txq, unsigned int socket)
{
	char name[RTE_MEMZONE_NAMESIZE];

	snprintf(name, sizeof(name), "bcm4908_bounce_%u", txq->port_id);
	txq->bounce_mz = rte_memzone_reserve_aligned(name,
		(size_t)txq->nb_desc * BCM4908_BOUNCE_SLOT, socket, RTE_MEMZONE_IOVA_CONTIG,
		BCM4908_BOUNCE_SLOT);
	if (txq->bounce_mz == NULL)
		return -ENOMEM;
	txq->bounce = txq->bounce_mz->addr;
	txq->bounce_addr = dev->mbuf_addr_off == offsetof(struct rte_mbuf, buf_addr) ?
		(uintptr_t)txq->bounce_mz->addr : txq->bounce_mz->iova;
	return 0;
}

/* No descriptor is free, and none is to become it. */
static void
txq_set_idle(struct bcm4908_txq *txq)
{
	txq->nb_free = 0;
	txq->batch = UINT16_MAX;
}

static bool
txq_is_idle(const struct bcm4908_txq *txq)
{
	return txq->batch == UINT16_MAX;
}

int
bcm4908_txq_create(struct bcm4908_dev *dev, uint16_t port_id, uint16_t nb_desc,
		   uint16_t free_thresh, bool fast_free, unsigned int socket,
		   struct bcm4908_txq **out)
{
	struct bcm4908_txq *txq;
	int ret = check_nb_desc(port_id, "Tx", nb_desc);

	if (ret != 0)
		return ret;
	free_thresh = free_thresh_get(port_id, "Tx", nb_desc, free_thresh);
	if (free_thresh == 0)
		return -EINVAL;
	txq = rte_zmalloc_socket("bcm4908_txq", sizeof(*txq), RTE_CACHE_LINE_SIZE, socket);
	if (txq == NULL)
		return -ENOMEM;
	txq->port_id = port_id;
	txq->nb_desc = nb_desc;
	txq->free_thresh = free_thresh;
	txq->fast_free = fast_free;
	txq->mbuf_addr_off = dev->mbuf_addr_off;
	/* the largest of 32, 16 and 8 that leaves several batches to a ring */
	txq->conf_batch = 32;
	while (nb_desc % txq->conf_batch != 0 || txq->conf_batch > nb_desc / 4)
		txq->conf_batch /= 2;
	txq_set_idle(txq);
	ret = -ENOMEM;
	txq->sw_ring = rte_zmalloc_socket("bcm4908_tx_sw", sizeof(*txq->sw_ring) * nb_desc,
					  RTE_CACHE_LINE_SIZE, socket);
	if (txq->sw_ring == NULL)
		goto free_txq;
	ret = txq_bounce_alloc(dev, txq, socket);
	if (ret != 0)
		goto free_sw;
	ret = dev->ops->ring_alloc(dev, BCM4908_CHAN_TX, sizeof(*txq->ring) * nb_desc, &txq->dma);
	if (ret != 0)
		goto free_bounce;
	txq->ring = txq->dma.va;
	txq->doorbell = dev->doorbell[BCM4908_CHAN_TX];
	*out = txq;
	return 0;

free_bounce:
	rte_memzone_free(txq->bounce_mz);
free_sw:
	rte_free(txq->sw_ring);
free_txq:
	rte_free(txq);
	return ret;
}

void
bcm4908_txq_release(struct bcm4908_dev *dev, struct bcm4908_txq *txq)
{
	if (txq == NULL)
		return;
	dev->ops->ring_free(dev, BCM4908_CHAN_TX);
	rte_memzone_free(txq->bounce_mz);
	rte_free(txq->sw_ring);
}

void
bcm4908_txq_destroy(struct bcm4908_dev *dev, struct bcm4908_txq *txq)
{
	bcm4908_txq_release(dev, txq);
	rte_free(txq);
}

void
bcm4908_txq_start(struct bcm4908_dev *dev, struct bcm4908_txq *txq)
{
	txq->bus_base = dev->bus_base;
	txq->fast_mp = NULL;
	txq->nb_free = txq->nb_desc;
	txq->batch = txq->conf_batch;
	rte_atomic_store_explicit(&txq->next, 0, rte_memory_order_relaxed);
	rte_atomic_store_explicit(&txq->clean, 0, rte_memory_order_relaxed);
	txq->watch_head = 0;
	txq->watch_ticks = 0;
}

void
bcm4908_txq_stop(struct bcm4908_txq *txq)
{
	const uint32_t clean = rte_atomic_load_explicit(&txq->clean, rte_memory_order_relaxed);
	const uint32_t used = txq_is_idle(txq) ? 0 : txq->nb_desc - txq->nb_free;
	uint64_t dropped = 0;

	for (uint32_t i = 0; i < used; i++) {
		const uint32_t idx = (clean + i) % txq->nb_desc;
		const uint32_t ctl = bcm4908_desc_ctl(&txq->ring[idx]);

		if ((ctl & BCM4908_DESC_OWN) != 0 && (ctl & BCM4908_DESC_EOP) != 0)
			dropped++;
		if (txq->sw_ring[idx] != NULL) /* a frame that was copied left none */
			rte_pktmbuf_free_seg(txq->sw_ring[idx]);
		txq->sw_ring[idx] = NULL;
	}
	bcm4908_count(&txq->stats.stop_drops, dropped);
	txq_set_idle(txq);
	memset(txq->ring, 0, sizeof(*txq->ring) * txq->nb_desc);
}

/* First of n descriptors from idx that the device has not finished; n when it has all. */
static uint32_t
txq_unfinished(struct bcm4908_txq *txq, uint32_t idx, uint32_t n)
{
	uint32_t lo = 0, hi = n;

	while (lo < hi) {
		const uint32_t mid = (lo + hi) / 2;

		if ((bcm4908_desc_ctl(&txq->ring[(idx + mid) % txq->nb_desc]) &
		     BCM4908_DESC_OWN) != 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

uint32_t
bcm4908_txq_count(struct bcm4908_txq *txq)
{
	const uint32_t clean = rte_atomic_load_explicit(&txq->clean, rte_memory_order_relaxed);
	const uint32_t used = txq_is_idle(txq) ? 0 : txq->nb_desc - txq->nb_free;

	return used - txq_unfinished(txq, clean, used);
}

/*
 * The finished frame that begins at idx, with at most left descriptors to come
 * to the end of: its length in descriptors, 0 when it is not finished.
 */
static uint32_t
txq_done_frame(struct bcm4908_txq *txq, uint32_t idx, uint32_t left)
{
	for (uint32_t n = 0; n < left; n++) {
		const uint32_t ctl = bcm4908_desc_ctl(&txq->ring[(idx + n) % txq->nb_desc]);

		if ((ctl & BCM4908_DESC_OWN) != 0)
			return 0;
		if ((ctl & BCM4908_DESC_EOP) != 0)
			return n + 1;
	}
	return 0;
}

/* Free the mbufs of n descriptors; true when there was one. */
static bool
txq_free_frame(struct bcm4908_txq *txq, uint32_t idx, uint32_t n)
{
	bool freed = false;

	for (; n > 0; n--, idx++) {
		struct rte_mbuf **sw = &txq->sw_ring[idx % txq->nb_desc];

		/* a frame that was copied left none, nor did an earlier call */
		if (*sw == NULL)
			continue;
		rte_pktmbuf_free_seg(*sw);
		*sw = NULL;
		freed = true;
	}
	return freed;
}

/* Frames that end in the oldest batch, which the device is done with; 0: it is not. */
static uint32_t
txq_batch_frames(struct bcm4908_txq *txq, uint32_t clean)
{
	uint32_t frames = 0;

	for (uint32_t i = 0; i < txq->batch; i++) {
		const uint32_t ctl = bcm4908_desc_ctl(&txq->ring[clean + i]);

		if ((ctl & BCM4908_DESC_OWN) != 0)
			return 0;
		if ((ctl & BCM4908_DESC_EOP) != 0)
			frames++;
	}
	return frames;
}

/* Whole batches: the bulk free of a batch wants an mbuf in each of its slots. */
static uint32_t
txq_fast_cleanup(struct bcm4908_txq *txq, uint32_t limit)
{
	uint32_t count = 0;

	while (txq->nb_free + txq->batch <= txq->nb_desc) {
		const uint32_t clean = rte_atomic_load_explicit(&txq->clean,
								rte_memory_order_relaxed);
		const uint32_t frames = txq_batch_frames(txq, clean);

		if (frames > limit - count || !bcm4908_tx_reclaim(txq, BCM4908_TX_F_FAST_FREE))
			break;
		count += frames;
	}
	return count;
}

uint32_t
bcm4908_txq_done_cleanup(struct bcm4908_txq *txq, uint32_t free_cnt)
{
	const uint32_t limit = free_cnt == 0 ? UINT32_MAX : free_cnt;
	uint32_t count = 0, idx, left, n;

	if (txq_is_idle(txq))
		return 0;
	if (txq->fast_free)
		return txq_fast_cleanup(txq, limit);
	idx = rte_atomic_load_explicit(&txq->clean, rte_memory_order_relaxed);
	for (left = txq->nb_desc - txq->nb_free; left > 0 && count < limit; left -= n) {
		n = txq_done_frame(txq, idx, left);
		if (n == 0)
			break;
		if (txq_free_frame(txq, idx, n))
			count++;
		idx = (idx + n) % txq->nb_desc;
	}
	return count;
}

int
bcm4908_txq_desc_status(struct bcm4908_txq *txq, uint16_t offset)
{
	const uint32_t next = rte_atomic_load_explicit(&txq->next, rte_memory_order_relaxed);

	if (offset >= txq->nb_desc)
		return -EINVAL;
	if (txq_is_idle(txq))
		return RTE_ETH_TX_DESC_UNAVAIL;
	/* A free descriptor, and one that the device has finished, can be filled. */
	if ((bcm4908_desc_ctl(&txq->ring[(next + offset) % txq->nb_desc]) &
	     BCM4908_DESC_OWN) != 0)
		return RTE_ETH_TX_DESC_FULL;
	return RTE_ETH_TX_DESC_DONE;
}

unsigned int
bcm4908_txq_watch(struct bcm4908_txq *txq)
{
	const uint32_t next = rte_atomic_load_explicit(&txq->next, rte_memory_order_relaxed);
	const uint32_t clean = rte_atomic_load_explicit(&txq->clean, rte_memory_order_relaxed);
	/* with next == clean the ring is empty or full: its first descriptor tells */
	const uint32_t used = next == clean ? txq->nb_desc :
		(next + txq->nb_desc - clean) % txq->nb_desc;
	uint32_t done = txq_unfinished(txq, clean, used), head;

	/* Should one be missing among the finished: the batch waits for its last. */
	if (done >= txq->batch && (bcm4908_desc_ctl(&txq->ring[clean + txq->batch - 1]) &
				   BCM4908_DESC_OWN) != 0)
		done = txq->batch - 1;
	head = (clean + done) % txq->nb_desc;
	if (done == used || head != txq->watch_head)
		txq->watch_ticks = 0;
	else
		txq->watch_ticks++;
	/* what is posted next is seen for the first time, wherever it lies */
	txq->watch_head = done == used ? UINT16_MAX : head;
	return txq->watch_ticks;
}
