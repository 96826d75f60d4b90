/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What the burst functions are made of. "features" is a constant at every call
 * from a burst, so that each burst function keeps only the code it needs.
 */

#ifndef BCM4908_RXTX_INLINE_H
#define BCM4908_RXTX_INLINE_H

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "bcm4908_cache.h"
#include "bcm4908_rxtx.h"

typedef uint64_t bcm4908_word_t __rte_may_alias;

#define BCM4908_TX_CTL (BCM4908_DESC_OWN | BCM4908_DESC_SOP | BCM4908_DESC_EOP | \
			BCM4908_DESC_APPEND_CRC)

/*
 * A transmit buffer must start at least the longest segment below the window's
 * end, or its last byte might not have a bus address.
 */
#define BCM4908_TX_BUS_MAX (UINT32_MAX - (uint64_t)BCM4908_DESC_LEN_MAX)

static __rte_always_inline void
bcm4908_count(bcm4908_counter_t *counter, uint64_t n)
{
	/* One writer: no read-modify-write is needed, only a store that does not tear. */
	rte_atomic_store_explicit(counter,
		rte_atomic_load_explicit(counter, rte_memory_order_relaxed) + n,
		rte_memory_order_relaxed);
}

static __rte_always_inline uint32_t
bcm4908_desc_ctl(struct bcm4908_desc *desc)
{
	return rte_le_to_cpu_32(rte_atomic_load_explicit(&desc->ctl, rte_memory_order_acquire));
}

/*
 * The orders of accesses that one barrier orders for a whole batch, behind
 * them or before them. The thread sanitizer does not know barriers: in its
 * builds each access orders by itself.
 */
#ifdef __SANITIZE_THREAD__
#define BCM4908_BEFORE_ACQUIRE	rte_memory_order_acquire
#define BCM4908_AFTER_RELEASE	rte_memory_order_release
#else
#define BCM4908_BEFORE_ACQUIRE	rte_memory_order_relaxed
#define BCM4908_AFTER_RELEASE	rte_memory_order_relaxed
#endif

/* Control words of a group of descriptors, to be followed by an acquire barrier. */
static __rte_always_inline uint32_t
bcm4908_desc_peek(struct bcm4908_desc *desc)
{
	return rte_le_to_cpu_32(rte_atomic_load_explicit(&desc->ctl, BCM4908_BEFORE_ACQUIRE));
}

static __rte_always_inline uint32_t
bcm4908_desc_len(uint32_t ctl)
{
	return (ctl >> BCM4908_DESC_LEN_SHIFT) & BCM4908_DESC_LEN_MAX;
}

/*
 * Address and control in one store, behind a release barrier: whoever sees OWN
 * sees the address.
 */
static __rte_always_inline void
bcm4908_desc_store(struct bcm4908_desc *desc, uint32_t addr, uint32_t ctl)
{
	rte_atomic_store_explicit(&desc->word, rte_cpu_to_le_64((uint64_t)addr << 32 | ctl),
				  BCM4908_AFTER_RELEASE);
}

/* The address that the device is to use for an mbuf's buffer. */
static __rte_always_inline uint64_t
bcm4908_mbuf_addr(const struct rte_mbuf *m, uint16_t mbuf_addr_off)
{
	return *(const bcm4908_word_t *)RTE_PTR_ADD(m, mbuf_addr_off);
}

static __rte_always_inline void
bcm4908_ring_doorbell(RTE_ATOMIC(uint32_t) *doorbell, const bool coherent)
{
	if (!coherent)
		rte_io_wmb();
	rte_atomic_store_explicit(doorbell, 1, rte_memory_order_release);
}

/*
 * Receive
 */

/*
 * What the device owns is nobody else's to touch: an AddressSanitizer build
 * says so to the sanitizer, and so catches a buffer that is used too early or
 * given away too soon. Other builds do nothing here.
 */
static __rte_always_inline void
bcm4908_rx_mark_owned(const struct bcm4908_rxq *rxq, struct rte_mbuf **mbufs, uint32_t n)
{
#ifdef __SANITIZE_ADDRESS__
	const size_t len = (size_t)rxq->data_off + rxq->capacity;

	for (uint32_t i = 0; i < n; i++) {
		const volatile char *foreign = __asan_region_is_poisoned(mbufs[i]->buf_addr, len);

		/* given away must be what the driver has: this makes the sanitizer report it */
		if (foreign != NULL)
			(void)*foreign;
		ASAN_POISON_MEMORY_REGION(mbufs[i]->buf_addr, len);
	}
#else
	RTE_SET_USED(rxq);
	RTE_SET_USED(mbufs);
	RTE_SET_USED(n);
#endif
}

static __rte_always_inline void
bcm4908_rx_mark_taken(const struct bcm4908_rxq *rxq, struct rte_mbuf **mbufs, uint32_t n)
{
#ifdef __SANITIZE_ADDRESS__
	for (uint32_t i = 0; i < n; i++)
		ASAN_UNPOISON_MEMORY_REGION(mbufs[i]->buf_addr,
					    (size_t)rxq->data_off + rxq->capacity);
#else
	RTE_SET_USED(rxq);
	RTE_SET_USED(mbufs);
	RTE_SET_USED(n);
#endif
}

static __rte_always_inline uint32_t
bcm4908_rx_bus(const struct bcm4908_rxq *rxq, const struct rte_mbuf *m, uint64_t bus_delta,
	       const uint32_t features)
{
	if ((features & BCM4908_RX_F_LOAD_ADDR) != 0)
		return bcm4908_mbuf_addr(m, rxq->mbuf_addr_off) + rxq->data_off - rxq->bus_base;
	return (uintptr_t)m + bus_delta;
}

/* Give the mbufs of n descriptors, which do not wrap, to the device. */
static __rte_always_inline void
bcm4908_rx_post(struct bcm4908_rxq *rxq, uint32_t idx, uint32_t n, const uint32_t features)
{
	struct bcm4908_desc *ring = &rxq->ring[idx];
	struct rte_mbuf **sw = &rxq->sw_ring[idx];
	const uint64_t delta = rxq->bus_delta;
	const uint32_t ctl = rxq->ctl;
	const uint32_t last_ctl = ctl | (idx + n == rxq->nb_desc ? BCM4908_DESC_WRAP : 0);
	uint32_t i;

	if ((features & BCM4908_RX_F_NONCOHERENT) != 0) {
		for (i = 0; i < n; i++) {
			bcm4908_cache_clean_inval((uintptr_t)sw[i]->buf_addr + rxq->data_off,
						  rxq->capacity);
			ring[i].addr = rte_cpu_to_le_32(bcm4908_rx_bus(rxq, sw[i], delta, features));
		}
		bcm4908_cache_sync();
		for (i = 0; i < n; i++)
			rte_atomic_store_explicit(&ring[i].ctl,
				rte_cpu_to_le_32(i + 1 == n ? last_ctl : ctl),
				rte_memory_order_relaxed);
		return;
	}
	/* All that the buffers' last owners did comes before any OWN. */
	rte_atomic_thread_fence(rte_memory_order_release);
	for (; n > 4; n -= 4, ring += 4, sw += 4) {
		bcm4908_desc_store(&ring[0], bcm4908_rx_bus(rxq, sw[0], delta, features), ctl);
		bcm4908_desc_store(&ring[1], bcm4908_rx_bus(rxq, sw[1], delta, features), ctl);
		bcm4908_desc_store(&ring[2], bcm4908_rx_bus(rxq, sw[2], delta, features), ctl);
		bcm4908_desc_store(&ring[3], bcm4908_rx_bus(rxq, sw[3], delta, features), ctl);
	}
	for (i = 0; i + 1 < n; i++)
		bcm4908_desc_store(&ring[i], bcm4908_rx_bus(rxq, sw[i], delta, features), ctl);
	bcm4908_desc_store(&ring[i], bcm4908_rx_bus(rxq, sw[i], delta, features), last_ctl);
}

/* Give the mbufs of n descriptors, which do not wrap, to the device. */
typedef void (*bcm4908_rx_post_t)(struct bcm4908_rxq *rxq, uint32_t idx, uint32_t n,
				  const uint32_t features);

/* The pool cannot give n mbufs at once: take what it has, and count the rest. */
uint32_t bcm4908_rx_get_some(struct bcm4908_rxq *rxq, uint32_t idx, uint32_t n);

/* Give the mbufs of the n descriptors at refill, which do not wrap, to the device. */
static __rte_always_inline void
bcm4908_rx_give(struct bcm4908_rxq *rxq, uint32_t n, const uint32_t features,
		const bcm4908_rx_post_t post)
{
	const uint32_t idx = rxq->refill;

	bcm4908_rx_mark_owned(rxq, &rxq->sw_ring[idx], n);
	post(rxq, idx, n, features);
	rxq->nb_hold -= n;
	rxq->refill = idx + n == rxq->nb_desc ? 0 : idx + n;
}

/*
 * Once enough descriptors wait, give them buffers: one bulk request and one
 * barrier a batch, one doorbell. A pool that is empty is asked again by the
 * next burst; the packets received until then are the caller's all the same.
 */
static __rte_always_inline void
bcm4908_rx_refill(struct bcm4908_rxq *rxq, const uint32_t features, const bcm4908_rx_post_t post)
{
	const uint32_t hold = rxq->nb_hold;

	if (hold < rxq->free_thresh)
		return;
	do {
		uint32_t idx = rxq->refill;
		uint32_t n = RTE_MIN((uint32_t)rxq->nb_hold, (uint32_t)rxq->nb_desc - idx);

		if (unlikely(rte_mempool_get_bulk(rxq->mp, (void **)&rxq->sw_ring[idx], n) < 0)) {
			n = bcm4908_rx_get_some(rxq, idx, n);
			if (n == 0)
				break;
		}
		bcm4908_rx_give(rxq, n, features, post);
	} while (unlikely(rxq->nb_hold >= rxq->free_thresh));
	/* What was given before the pool ran out may be all that the engine has. */
	if (likely(rxq->nb_hold < hold))
		bcm4908_ring_doorbell(rxq->doorbell, (features & BCM4908_RX_F_NONCOHERENT) == 0);
}

/* Make a received buffer's mbuf a one-segment packet of len bytes. */
static __rte_always_inline void
bcm4908_rx_mbuf_init(const struct bcm4908_rxq *rxq, struct rte_mbuf *m, uint64_t mbuf_init,
		     uint32_t len, const uint32_t features)
{
	*(bcm4908_word_t *)&m->rearm_data = mbuf_init;
	m->ol_flags = (features & BCM4908_RX_F_LOAD_ADDR) != 0 ? rxq->ol_flags : 0;
	/* packet_type and pkt_len, data_len and the unused fields behind it: a store each */
	*(bcm4908_word_t *)&m->packet_type = (uint64_t)len << 32;
	*(bcm4908_word_t *)&m->data_len = len;
}

/*
 * The descriptor at idx belongs to a bad frame. One that spans several
 * descriptors is to be counted once: the first tells whether this one goes on
 * with the frame that the last call was about, the second remembers where the
 * next part would be. seq is the number of good frames so far: after another
 * good frame nothing goes on.
 */
static inline bool
bcm4908_rx_bad_goes_on(const struct bcm4908_rxq *rxq, uint32_t idx, uint32_t ctl, uint64_t seq)
{
	return (ctl & BCM4908_DESC_SOP) == 0 && rxq->bad_next == idx && rxq->bad_seq == seq;
}

static inline void
bcm4908_rx_bad_mark(struct bcm4908_rxq *rxq, uint32_t idx, uint32_t ctl, uint64_t seq)
{
	if ((ctl & BCM4908_DESC_EOP) != 0)
		rxq->bad_next = UINT16_MAX;
	else
		rxq->bad_next = idx + 1 == rxq->nb_desc ? 0 : idx + 1;
	rxq->bad_seq = seq;
}

static __rte_always_inline void
bcm4908_rx_advance(struct bcm4908_rxq *rxq, uint32_t n)
{
	uint32_t next = rxq->next + n;

	rxq->next = next == rxq->nb_desc ? 0 : next;
	rxq->nb_hold += n;
}

/* Drop what the next descriptor holds, counting why; its buffer goes back to the pool. */
void bcm4908_rx_drop(struct bcm4908_rxq *rxq, uint32_t ctl, uint64_t seq);

static __rte_always_inline bool
bcm4908_rx_is_good(uint32_t ctl, uint32_t max_len)
{
	const uint32_t whole = BCM4908_DESC_SOP | BCM4908_DESC_EOP;

	return ((ctl & whole) == whole) &
		(bcm4908_desc_len(ctl) - BCM4908_RX_LEN_MIN <= max_len - BCM4908_RX_LEN_MIN);
}

static __rte_always_inline void
bcm4908_rx_take(const struct bcm4908_rxq *rxq, struct rte_mbuf *m, uint32_t ctl,
		uint64_t mbuf_init, uint64_t *bytes, const uint32_t features)
{
	const uint32_t len = bcm4908_desc_len(ctl) - BCM4908_FCS_LEN;

	if ((features & BCM4908_RX_F_NONCOHERENT) != 0)
		bcm4908_cache_clean_inval((uintptr_t)m->buf_addr + rxq->data_off, len);
	bcm4908_rx_mbuf_init(rxq, m, mbuf_init, len, features);
	*bytes += len;
}

/*
 * Take good frames one by one from n descriptors, the first of them that many
 * behind the next, which do not wrap, until one is not the driver's or not
 * good; *ctl is then its control word. Returns how many were taken.
 */
static __rte_always_inline uint32_t
bcm4908_rx_scan_rest(struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint32_t first, uint32_t n,
		     uint32_t *ctl, uint64_t *bytes, const uint32_t features)
{
	struct bcm4908_desc *ring = &rxq->ring[rxq->next + first];
	struct rte_mbuf **sw = &rxq->sw_ring[rxq->next + first];
	const uint64_t mbuf_init = rxq->mbuf_init;
	const uint32_t max_len = rte_atomic_load_explicit(&rxq->max_len, rte_memory_order_relaxed);
	uint32_t i;

	for (i = 0; i < n; i++) {
		*ctl = bcm4908_desc_ctl(&ring[i]);
		if ((*ctl & BCM4908_DESC_OWN) != 0 || unlikely(!bcm4908_rx_is_good(*ctl, max_len)))
			break;
		pkts[i] = sw[i];
		bcm4908_rx_take(rxq, sw[i], *ctl, mbuf_init, bytes, features);
	}
	return i;
}

/* Take good frames from n descriptors, which do not wrap; see bcm4908_rx_scan_rest(). */
typedef uint32_t (*bcm4908_rx_scan_t)(struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint32_t n,
				      uint32_t *ctl, uint64_t *bytes, const uint32_t features);

/*
 * Is there nothing to receive and no buffer to give? Many polls find that: they
 * are to leave before a burst's registers are saved.
 */
static __rte_always_inline bool
bcm4908_rx_is_idle(struct bcm4908_rxq *rxq)
{
	return (bcm4908_desc_ctl(&rxq->ring[rxq->next]) & BCM4908_DESC_OWN) != 0 &&
		likely(rxq->nb_hold < rxq->free_thresh);
}

static __rte_always_inline uint16_t
bcm4908_rx_burst(struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts,
		 const uint32_t features, const bcm4908_rx_scan_t scan,
		 const bcm4908_rx_post_t post)
{
	uint32_t left;
	uint64_t bytes = 0;
	uint16_t nb_rx = 0;

	/* Recycling had its chance between two polls; what it left is due now. */
	if ((features & BCM4908_RX_F_RECYCLE) != 0)
		bcm4908_rx_refill(rxq, features, post);
	/* Descriptors without a buffer still show the OWN = 0 of their last frame. */
	left = RTE_MIN(nb_pkts, rxq->nb_desc - rxq->nb_hold);
	while (left > 0) {
		uint32_t ctl = 0;
		uint32_t run = RTE_MIN(left, (uint32_t)rxq->nb_desc - rxq->next);
		uint32_t n = scan(rxq, &pkts[nb_rx], run, &ctl, &bytes, features);

		bcm4908_rx_mark_taken(rxq, &pkts[nb_rx], n);
		nb_rx += n;
		left -= n;
		bcm4908_rx_advance(rxq, n);
		if (n == run)
			continue;
		if (likely((ctl & BCM4908_DESC_OWN) != 0))
			break;
		bcm4908_rx_drop(rxq, ctl, nb_rx + rte_atomic_load_explicit(&rxq->stats.packets,
								   rte_memory_order_relaxed));
		left--;
	}
	if (nb_rx > 0) {
		if ((features & BCM4908_RX_F_NONCOHERENT) != 0)
			bcm4908_cache_sync();
		bcm4908_count(&rxq->stats.packets, nb_rx);
		bcm4908_count(&rxq->stats.bytes, bytes);
	}
	if ((features & BCM4908_RX_F_RECYCLE) == 0)
		bcm4908_rx_refill(rxq, features, post);
	return nb_rx;
}

/*
 * Transmit
 */

/* Free the mbufs of completed descriptors of any kind, in bulk by pool. */
void bcm4908_tx_free(struct rte_mbuf **sw, uint32_t n);

/* The batch at clean is no longer the ring's. */
static __rte_always_inline void
bcm4908_tx_cleaned(struct bcm4908_txq *txq, uint32_t clean)
{
	clean += txq->batch;
	rte_atomic_store_explicit(&txq->clean, clean == txq->nb_desc ? 0 : clean,
				  rte_memory_order_relaxed);
	txq->nb_free += txq->batch;
}

/* Free the oldest batch if the device is done with it. It completes in order: the last tells. */
static __rte_always_inline bool
bcm4908_tx_reclaim(struct bcm4908_txq *txq, const uint32_t features)
{
	const uint32_t batch = txq->batch;
	const uint32_t clean = rte_atomic_load_explicit(&txq->clean, rte_memory_order_relaxed);
	struct rte_mbuf **sw = &txq->sw_ring[clean];

	if ((bcm4908_desc_ctl(&txq->ring[clean + batch - 1]) & BCM4908_DESC_OWN) != 0)
		return false;
	if ((features & BCM4908_TX_F_FAST_FREE) != 0)
		rte_mempool_put_bulk(txq->fast_mp, (void **)sw, batch);
	else
		bcm4908_tx_free(sw, batch);
	bcm4908_tx_cleaned(txq, clean);
	return true;
}

/* Reclaim until need descriptors are free, or nothing more is complete. */
static __rte_always_inline void
bcm4908_tx_make_room(struct bcm4908_txq *txq, uint32_t need, const uint32_t features)
{
	while (txq->nb_free < need && txq->nb_free + txq->batch <= txq->nb_desc)
		if (!bcm4908_tx_reclaim(txq, features))
			break;
}

/* Where the device finds the first byte of an mbuf's data; beyond 32 bits: nowhere. */
static __rte_always_inline uint64_t
bcm4908_tx_bus(const struct rte_mbuf *m, uint16_t mbuf_addr_off, uint64_t bus_base)
{
	return bcm4908_mbuf_addr(m, mbuf_addr_off) + m->data_off - bus_base;
}

/* One whole segment of a length that needs no padding, within the window. */
static __rte_always_inline bool
bcm4908_tx_is_plain(const struct rte_mbuf *m, uint64_t bus)
{
	return (bus <= BCM4908_TX_BUS_MAX) & (m->nb_segs == 1) &
		(m->data_len - BCM4908_TX_LEN_MIN <= BCM4908_DESC_LEN_MAX - BCM4908_TX_LEN_MIN);
}

/*
 * Send one mbuf that is not plain at txq->next: several segments, a short
 * frame, or one that cannot be sent.
 *
 * Returns the number of descriptors used; 0 when the frame was dropped and
 * counted; -ENOSPC when the ring lacks the room.
 */
int bcm4908_tx_special(struct bcm4908_txq *txq, struct rte_mbuf *m, uint32_t features);

static __rte_always_inline void
bcm4908_tx_advance(struct bcm4908_txq *txq, uint32_t next, uint32_t n)
{
	next += n;
	if (next >= txq->nb_desc)
		next -= txq->nb_desc;
	rte_atomic_store_explicit(&txq->next, next, rte_memory_order_relaxed);
	txq->nb_free -= n;
}

/* The control word of a plain frame of len bytes, without WRAP. */
static __rte_always_inline uint32_t
bcm4908_tx_ctl(uint32_t len)
{
	return len << BCM4908_DESC_LEN_SHIFT | BCM4908_TX_CTL;
}

/* Post plain frames one by one; see bcm4908_tx_fill_t. */
static __rte_always_inline uint32_t
bcm4908_tx_fill_rest(struct bcm4908_txq *txq, struct rte_mbuf **pkts, uint32_t idx, uint32_t n,
		     uint64_t *bytes)
{
	struct bcm4908_desc *ring = &txq->ring[idx];
	struct rte_mbuf **sw = &txq->sw_ring[idx];
	const uint64_t base = txq->bus_base;
	const uint16_t off = txq->mbuf_addr_off;
	uint32_t i;

	for (i = 0; i < n; i++) {
		struct rte_mbuf *m = pkts[i];
		const uint64_t bus = bcm4908_tx_bus(m, off, base);
		const uint32_t len = m->data_len;

		if (unlikely(!bcm4908_tx_is_plain(m, bus)))
			break;
		sw[i] = m;
		*bytes += len;
		bcm4908_desc_store(&ring[i], bus, bcm4908_tx_ctl(len) |
				   (idx + i + 1 == txq->nb_desc ? BCM4908_DESC_WRAP : 0));
	}
	return i;
}

/*
 * Post plain frames to n free descriptors from idx, which do not wrap, until
 * one is not plain. Returns how many.
 */
typedef uint32_t (*bcm4908_tx_fill_t)(struct bcm4908_txq *txq, struct rte_mbuf **pkts,
				      uint32_t idx, uint32_t n, uint64_t *bytes,
				      const uint32_t features);

static __rte_always_inline uint16_t
bcm4908_tx_burst(struct bcm4908_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts,
		 const uint32_t features, const bcm4908_tx_fill_t fill)
{
	const uint32_t need = RTE_MAX(nb_pkts, txq->free_thresh);
	uint64_t bytes = 0;
	uint32_t nb_plain = 0, used = 0;
	uint16_t nb_tx = 0;

	if ((features & BCM4908_TX_F_FAST_FREE) != 0 && unlikely(txq->fast_mp == NULL) &&
	    nb_pkts > 0)
		txq->fast_mp = pkts[0]->pool;
	if (txq->nb_free < need)
		bcm4908_tx_make_room(txq, need, features);
	while (nb_tx < nb_pkts) {
		const uint32_t next = rte_atomic_load_explicit(&txq->next,
							       rte_memory_order_relaxed);
		uint32_t run, n;
		int ret;

		/* Chains take more room than was made for one descriptor a frame. */
		if (unlikely(txq->nb_free == 0)) {
			bcm4908_tx_make_room(txq, nb_pkts - nb_tx, features);
			if (txq->nb_free == 0)
				break;
		}
		run = RTE_MIN((uint32_t)nb_pkts - nb_tx, (uint32_t)txq->nb_free);
		run = RTE_MIN(run, txq->nb_desc - next);
		n = fill(txq, &pkts[nb_tx], next, run, &bytes, features);
		bcm4908_tx_advance(txq, next, n);
		nb_tx += n;
		nb_plain += n;
		used += n;
		if (likely(n == run))
			continue;
		ret = bcm4908_tx_special(txq, pkts[nb_tx], features);
		if (ret < 0)
			break;
		bcm4908_tx_advance(txq, next + n, ret);
		nb_tx++;
		used += ret;
	}
	if (likely(used > 0)) {
		bcm4908_count(&txq->stats.packets, nb_plain);
		bcm4908_count(&txq->stats.bytes, bytes);
		bcm4908_ring_doorbell(txq->doorbell, (features & BCM4908_TX_F_NONCOHERENT) == 0);
	}
	return nb_tx;
}

#endif /* BCM4908_RXTX_INLINE_H */
