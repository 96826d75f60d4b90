/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Bursts of the plain path, four descriptors at a time. Compiled for AVX2, chosen at run time. */

#include <immintrin.h>

#include "bcm4908_rxtx_inline.h"
#include "bcm4908_rxtx_vec.h"

/* What the loads and stores of whole vectors take for granted. */
static_assert(offsetof(struct rte_mbuf, buf_addr) == 0, "buf_addr begins the mbuf");
static_assert(offsetof(struct rte_mbuf, rearm_data) == 16, "rearm_data follows the addresses");
static_assert(offsetof(struct rte_mbuf, ol_flags) == 24, "ol_flags follows rearm_data");
static_assert(offsetof(struct rte_mbuf, packet_type) == 32, "packet_type follows ol_flags");
static_assert(offsetof(struct rte_mbuf, data_len) == 40, "data_len follows pkt_len");

#define REARM(m) ((__m256i *)&(m)->rearm_data)

static __rte_always_inline uint64_t
sum_lanes(__m256i v)
{
	const __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(v),
					  _mm256_extracti128_si256(v, 1));

	return _mm_cvtsi128_si64(sum) + _mm_extract_epi64(sum, 1);
}

static __rte_always_inline uint32_t
rx_scan_avx2(struct bcm4908_rxq *rxq, struct rte_mbuf **pkts, uint32_t n, uint32_t *ctl,
	     uint64_t *bytes, const uint32_t features)
{
	const struct bcm4908_desc *ring = &rxq->ring[rxq->next];
	struct rte_mbuf **sw = &rxq->sw_ring[rxq->next];
	const uint32_t max_len = rte_atomic_load_explicit(&rxq->max_len, rte_memory_order_relaxed);
	const __m256i own = _mm256_set1_epi64x(BCM4908_DESC_OWN);
	const __m256i whole = _mm256_set1_epi64x(BCM4908_DESC_SOP | BCM4908_DESC_EOP);
	const __m256i len_mask = _mm256_set1_epi64x(BCM4908_DESC_LEN_MAX);
	const __m256i len_min = _mm256_set1_epi64x(BCM4908_RX_LEN_MIN);
	const __m256i span = _mm256_set1_epi64x(max_len - BCM4908_RX_LEN_MIN);
	const __m256i fcs = _mm256_set1_epi64x(BCM4908_FCS_LEN);
	/* rearm word, and ol_flags = 0 */
	const __m256i init = _mm256_set_epi64x(0, 0, 0, rxq->mbuf_init);
	__m256i total = _mm256_setzero_si256();
	uint32_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		const __m256i desc = _mm256_loadu_si256((const __m256i *)&ring[i]);
		__m256i len, over, bad, pkt_len, lo, hi;

		if (unlikely(!_mm256_testz_si256(desc, own)))
			break;
		len = _mm256_and_si256(_mm256_srli_epi64(desc, BCM4908_DESC_LEN_SHIFT), len_mask);
		/* unsigned: len - min > max - min also when len < min */
		over = _mm256_sub_epi32(len, len_min);
		over = _mm256_xor_si256(_mm256_max_epu32(over, span), span);
		bad = _mm256_or_si256(_mm256_andnot_si256(desc, whole), over);
		if (unlikely(!_mm256_testz_si256(bad, bad)))
			break;
		len = _mm256_sub_epi64(len, fcs);
		total = _mm256_add_epi64(total, len);
		/* per mbuf: packet_type = 0 and pkt_len, data_len and zeros */
		pkt_len = _mm256_slli_epi64(len, 32);
		lo = _mm256_unpacklo_epi64(pkt_len, len);
		hi = _mm256_unpackhi_epi64(pkt_len, len);
		_mm256_storeu_si256((__m256i *)&pkts[i],
				    _mm256_loadu_si256((const __m256i *)&sw[i]));
		_mm256_storeu_si256(REARM(sw[i]), _mm256_inserti128_si256(init,
				    _mm256_castsi256_si128(lo), 1));
		_mm256_storeu_si256(REARM(sw[i + 1]), _mm256_inserti128_si256(init,
				    _mm256_castsi256_si128(hi), 1));
		_mm256_storeu_si256(REARM(sw[i + 2]), _mm256_blend_epi32(init, lo, 0xf0));
		_mm256_storeu_si256(REARM(sw[i + 3]), _mm256_blend_epi32(init, hi, 0xf0));
	}
	*bytes += sum_lanes(total);
	return i + bcm4908_rx_scan_rest(rxq, &pkts[i], i, n - i, ctl, bytes, features);
}

static __rte_always_inline void
rx_post_avx2(struct bcm4908_rxq *rxq, uint32_t idx, uint32_t n, const uint32_t features)
{
	struct bcm4908_desc *ring = &rxq->ring[idx];
	struct rte_mbuf **sw = &rxq->sw_ring[idx];
	const __m256i delta = _mm256_set1_epi64x(rxq->bus_delta);
	const __m256i ctl = _mm256_set1_epi64x(rxq->ctl);
	/* The ring's last descriptor is in no group of four but the run's last. */
	const __m256i wrap = _mm256_set_epi64x(rxq->ctl | BCM4908_DESC_WRAP, rxq->ctl, rxq->ctl,
					       rxq->ctl);
	const uint32_t ring_end = rxq->nb_desc - idx;
	uint32_t i;

	rte_atomic_thread_fence(rte_memory_order_release);
	for (i = 0; i + 4 <= n; i += 4) {
		__m256i bus = _mm256_add_epi64(_mm256_loadu_si256((const __m256i *)&sw[i]), delta);

		bus = _mm256_slli_epi64(bus, 32);
		_mm256_storeu_si256((__m256i *)&ring[i],
				    _mm256_or_si256(bus, i + 4 == ring_end ? wrap : ctl));
	}
	if (i < n)
		bcm4908_rx_post(rxq, idx + i, n - i, features);
}

static __rte_always_inline uint32_t
tx_fill_avx2(struct bcm4908_txq *txq, struct rte_mbuf **pkts, uint32_t idx, uint32_t n,
	     uint64_t *bytes, const uint32_t features __rte_unused)
{
	struct bcm4908_desc *ring = &txq->ring[idx];
	struct rte_mbuf **sw = &txq->sw_ring[idx];
	const __m256i ctl = _mm256_set1_epi64x(BCM4908_TX_CTL);
	const __m256i wrap = _mm256_set_epi64x(BCM4908_TX_CTL | BCM4908_DESC_WRAP, BCM4908_TX_CTL,
					       BCM4908_TX_CTL, BCM4908_TX_CTL);
	const __m256i base = _mm256_set1_epi64x(txq->bus_base);
	const __m256i low16 = _mm256_set1_epi64x(UINT16_MAX);
	const __m256i len_min = _mm256_set1_epi64x(BCM4908_TX_LEN_MIN);
	const __m256i len_max = _mm256_set1_epi64x(BCM4908_DESC_LEN_MAX);
	const __m256i high32 = _mm256_set1_epi64x((int64_t)0xffffffff00000000);
	const __m256i one_seg = _mm256_set1_epi64x((int64_t)1 << 32);
	const __m256i segs_mask = _mm256_set1_epi64x((int64_t)UINT16_MAX << 32);
	const uint32_t ring_end = txq->nb_desc - idx;
	__m256i total = _mm256_setzero_si256();
	uint32_t i;

	rte_atomic_thread_fence(rte_memory_order_release);
	for (i = 0; i + 4 <= n; i += 4) {
		const struct rte_mbuf *m0 = pkts[i], *m1 = pkts[i + 1];
		const struct rte_mbuf *m2 = pkts[i + 2], *m3 = pkts[i + 3];
		/* buf_addr and rearm word of two mbufs side by side, then of four */
		const __m256i m01 = _mm256_unpacklo_epi64(
			_mm256_loadu_si256((const __m256i *)m0),
			_mm256_loadu_si256((const __m256i *)m1));
		const __m256i m23 = _mm256_unpacklo_epi64(
			_mm256_loadu_si256((const __m256i *)m2),
			_mm256_loadu_si256((const __m256i *)m3));
		const __m256i addr = _mm256_permute2x128_si256(m01, m23, 0x20);
		const __m256i rearm = _mm256_permute2x128_si256(m01, m23, 0x31);
		const __m256i len = _mm256_set_epi64x(m3->data_len, m2->data_len, m1->data_len,
						      m0->data_len);
		const __m256i bus = _mm256_sub_epi64(
			_mm256_add_epi64(addr, _mm256_and_si256(rearm, low16)), base);
		__m256i bad, word;

		/* beyond the window, its end included; too short; too long: high halves not 0 */
		bad = _mm256_or_si256(bus, _mm256_add_epi64(bus, len_max));
		bad = _mm256_or_si256(bad, _mm256_sub_epi64(len, len_min));
		bad = _mm256_or_si256(bad, _mm256_sub_epi64(len_max, len));
		bad = _mm256_or_si256(_mm256_and_si256(bad, high32),
			_mm256_and_si256(_mm256_xor_si256(rearm, one_seg), segs_mask));
		if (unlikely(!_mm256_testz_si256(bad, bad)))
			break;
		total = _mm256_add_epi64(total, len);
		_mm256_storeu_si256((__m256i *)&sw[i],
				    _mm256_loadu_si256((const __m256i *)&pkts[i]));
		word = _mm256_or_si256(_mm256_slli_epi64(bus, 32),
				       _mm256_slli_epi64(len, BCM4908_DESC_LEN_SHIFT));
		_mm256_storeu_si256((__m256i *)&ring[i],
				    _mm256_or_si256(word, i + 4 == ring_end ? wrap : ctl));
	}
	*bytes += sum_lanes(total);
	return i + bcm4908_tx_fill_rest(txq, &pkts[i], idx + i, n - i, bytes);
}

static __rte_noinline uint16_t
rx_burst_avx2_busy(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_rx_burst(queue, pkts, nb_pkts, 0, rx_scan_avx2, rx_post_avx2);
}

uint16_t
bcm4908_rx_burst_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_rx_is_idle(queue) ? 0 : rx_burst_avx2_busy(queue, pkts, nb_pkts);
}

uint16_t
bcm4908_rx_burst_avx2_recycle(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_rx_is_idle(queue) ? 0 : bcm4908_rx_burst(queue, pkts, nb_pkts,
		BCM4908_RX_F_RECYCLE, rx_scan_avx2, rx_post_avx2);
}

uint16_t
bcm4908_tx_burst_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_tx_burst(queue, pkts, nb_pkts, 0, tx_fill_avx2);
}

uint16_t
bcm4908_tx_burst_avx2_fast_free(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return bcm4908_tx_burst(queue, pkts, nb_pkts, BCM4908_TX_F_FAST_FREE, tx_fill_avx2);
}
