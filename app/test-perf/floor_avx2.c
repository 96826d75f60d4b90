/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The floor, four descriptors at a time. Compiled for AVX2. */

#include <immintrin.h>

#include "loop.h"

#define REARM(m) (*(const loop_word_t *)&(m)->rearm_data)

static __rte_always_inline uint64_t
add_up(__m256i v)
{
	const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(v),
					   _mm256_extracti128_si256(v, 1));

	return _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1);
}

/* A group's control words; only the last one can be the ring's. */
static __rte_always_inline __m256i
ctl_of(uint64_t ctl, bool wrap)
{
	return _mm256_set_epi64x(wrap ? ctl | BCM4908_DESC_WRAP : ctl, ctl, ctl, ctl);
}

static __rte_always_inline uint32_t
rx_run(struct loop_rxq *q, struct rte_mbuf **pkts, uint32_t n, uint64_t *bytes)
{
	const uint64_t *ring = (const uint64_t *)(uintptr_t)&q->ring[q->next];
	struct rte_mbuf **sw = &q->sw[q->next];
	const __m256i own = _mm256_set1_epi64x(BCM4908_DESC_OWN);
	const __m256i whole = _mm256_set1_epi64x(LOOP_WHOLE);
	const __m256i len_bits = _mm256_set1_epi64x(BCM4908_DESC_LEN_MAX);
	const __m256i min = _mm256_set1_epi64x(BCM4908_RX_LEN_MIN);
	const __m256i range = _mm256_set1_epi64x(q->max_len - BCM4908_RX_LEN_MIN);
	const __m256i fcs = _mm256_set1_epi64x(BCM4908_FCS_LEN);
	/* stored at rearm_data: the word itself, ol_flags = 0, and two words of lengths */
	const __m128i head = _mm_set_epi64x(0, q->rearm);
	__m256i sum = _mm256_setzero_si256();
	struct rte_mbuf **out = pkts;
	uint32_t left = n;

	for (; left >= 4; left -= 4, ring += 4, sw += 4, out += 4) {
		const __m256i word = _mm256_loadu_si256((const __m256i *)ring);
		__m256i len = _mm256_and_si256(_mm256_srli_epi64(word, BCM4908_DESC_LEN_SHIFT),
					       len_bits);
		const __m256i off = _mm256_sub_epi32(len, min);
		/* a length outside of the range is above it, as an unsigned difference */
		const __m256i bad = _mm256_or_si256(_mm256_andnot_si256(word, whole),
			_mm256_xor_si256(_mm256_max_epu32(off, range), range));
		__m256i even, odd;

		if (unlikely(!_mm256_testz_si256(word, own)))
			break;
		if (unlikely(!_mm256_testz_si256(bad, bad)))
			break;
		len = _mm256_sub_epi64(len, fcs);
		sum = _mm256_add_epi64(sum, len);
		even = _mm256_unpacklo_epi64(_mm256_slli_epi64(len, 32), len);
		odd = _mm256_unpackhi_epi64(_mm256_slli_epi64(len, 32), len);
		_mm256_storeu_si256((__m256i *)out, _mm256_loadu_si256((const __m256i *)sw));
		_mm256_storeu_si256((__m256i *)&sw[0]->rearm_data,
				    _mm256_set_m128i(_mm256_castsi256_si128(even), head));
		_mm256_storeu_si256((__m256i *)&sw[1]->rearm_data,
				    _mm256_set_m128i(_mm256_castsi256_si128(odd), head));
		_mm256_storeu_si256((__m256i *)&sw[2]->rearm_data,
				    _mm256_blend_epi32(_mm256_castsi128_si256(head), even, 0xf0));
		_mm256_storeu_si256((__m256i *)&sw[3]->rearm_data,
				    _mm256_blend_epi32(_mm256_castsi128_si256(head), odd, 0xf0));
	}
	*bytes += add_up(sum);
	return loop_rx_rest(q, pkts, n - left, n, bytes);
}

static __rte_always_inline void
rx_post(struct loop_rxq *q, uint32_t n)
{
	uint64_t *ring = (uint64_t *)(uintptr_t)&q->ring[q->next];
	struct rte_mbuf **sw = &q->sw[q->next];
	const uint64_t *end = (const uint64_t *)(uintptr_t)&q->ring[q->size];
	const __m256i delta = _mm256_set1_epi64x(q->delta);
	const __m256i ctl = ctl_of(LOOP_RX_CTL, false), last = ctl_of(LOOP_RX_CTL, true);

	rte_io_wmb();
	for (; n >= 4; n -= 4, ring += 4, sw += 4) {
		const __m256i bus = _mm256_add_epi64(
			_mm256_loadu_si256((const __m256i *)sw), delta);

		_mm256_storeu_si256((__m256i *)ring, _mm256_or_si256(
			_mm256_slli_epi64(bus, 32), ring + 4 == end ? last : ctl));
	}
	for (; n > 0; n--, ring++, sw++)
		*ring = loop_rx_word((uintptr_t)sw[0] + q->delta, ring + 1 == end);
}

uint16_t
perf_floor_rx_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_rx_burst(queue, pkts, nb_pkts, rx_run, rx_post);
}

static __rte_always_inline uint32_t
tx_run(struct loop_txq *q, struct rte_mbuf **pkts, uint32_t n, uint64_t *bytes)
{
	uint64_t *ring = (uint64_t *)(uintptr_t)&q->ring[q->next];
	struct rte_mbuf **sw = &q->sw[q->next];
	const uint64_t *end = (const uint64_t *)(uintptr_t)&q->ring[q->size];
	const __m256i ctl = ctl_of(LOOP_TX_CTL, false), last = ctl_of(LOOP_TX_CTL, true);
	const __m256i base = _mm256_set1_epi64x(q->base);
	const __m256i off_bits = _mm256_set1_epi64x(UINT16_MAX);
	const __m256i min = _mm256_set1_epi64x(BCM4908_TX_LEN_MIN);
	const __m256i max = _mm256_set1_epi64x(BCM4908_DESC_LEN_MAX);
	const __m256i high = _mm256_set1_epi64x(~(int64_t)UINT32_MAX);
	const __m256i one_seg = _mm256_set1_epi64x(INT64_C(1) << 32);
	const __m256i segs_bits = _mm256_set1_epi64x((int64_t)UINT16_MAX << 32);
	__m256i sum = _mm256_setzero_si256();
	struct rte_mbuf **in = pkts;
	uint32_t left = n;

	rte_io_wmb();
	for (; left >= 4; left -= 4, ring += 4, sw += 4, in += 4) {
		const struct rte_mbuf *m0 = in[0], *m1 = in[1], *m2 = in[2], *m3 = in[3];
		const __m256i addr = _mm256_set_epi64x((uintptr_t)m3->buf_addr,
			(uintptr_t)m2->buf_addr, (uintptr_t)m1->buf_addr,
			(uintptr_t)m0->buf_addr);
		const __m256i rearm = _mm256_set_epi64x(REARM(m3), REARM(m2), REARM(m1), REARM(m0));
		const __m256i len = _mm256_set_epi64x(m3->data_len, m2->data_len, m1->data_len,
						      m0->data_len);
		const __m256i bus = _mm256_sub_epi64(
			_mm256_add_epi64(addr, _mm256_and_si256(rearm, off_bits)), base);
		/* what must be 0: high halves of what must fit, and the segments beyond one */
		const __m256i wide = _mm256_or_si256(
			_mm256_or_si256(bus, _mm256_add_epi64(bus, max)),
			_mm256_or_si256(_mm256_sub_epi64(len, min), _mm256_sub_epi64(max, len)));
		const __m256i bad = _mm256_or_si256(_mm256_and_si256(wide, high),
			_mm256_and_si256(_mm256_xor_si256(rearm, one_seg), segs_bits));

		if (unlikely(!_mm256_testz_si256(bad, bad)))
			break;
		sum = _mm256_add_epi64(sum, len);
		_mm256_storeu_si256((__m256i *)sw, _mm256_loadu_si256((const __m256i *)in));
		_mm256_storeu_si256((__m256i *)ring, _mm256_or_si256(
			_mm256_or_si256(_mm256_slli_epi64(bus, 32),
					_mm256_slli_epi64(len, BCM4908_DESC_LEN_SHIFT)),
			ring + 4 == end ? last : ctl));
	}
	*bytes += add_up(sum);
	return loop_tx_rest(q, pkts, n - left, n, bytes);
}

uint16_t
perf_floor_tx_avx2(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_tx_burst(queue, pkts, nb_pkts, tx_run, loop_free_bulk);
}
