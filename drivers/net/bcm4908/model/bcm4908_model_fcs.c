/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The frame check sequence: CRC-32 of IEEE 802.3. In this file a polynomial's
 * bits are reversed, as they are sent: bit 0 of a word is its highest power.
 */

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_CRC32) && !defined(__ARM_BIG_ENDIAN)
#include <arm_acle.h>
#endif

#include "bcm4908_model_priv.h"

#define FCS_POLY 0xedb88320u
#define FCS_SLICES 8u

/* fcs_table[n][b]: the remainder of byte b with n zero bytes after it */
static uint32_t fcs_table[FCS_SLICES][256];

/* The remainder of crc * x. */
static uint32_t
fcs_times_x(uint32_t crc)
{
	return (crc >> 1) ^ ((crc & 1) != 0 ? FCS_POLY : 0);
}

static inline uint32_t
fcs_byte(uint32_t crc, uint8_t byte)
{
	return (crc >> 8) ^ fcs_table[0][(crc ^ byte) & 0xff];
}

/* Go on with the remainder crc over len bytes, by table. */
static uint32_t
fcs_slices(uint32_t crc, const uint8_t *data, uint32_t len)
{
	uint32_t lo, hi;

	for (; len >= FCS_SLICES; len -= FCS_SLICES, data += FCS_SLICES) {
		memcpy(&lo, data, sizeof(lo));
		memcpy(&hi, data + sizeof(lo), sizeof(hi));
		lo = bcm4908_model_le32(lo) ^ crc;
		hi = bcm4908_model_le32(hi);
		crc = fcs_table[7][lo & 0xff] ^ fcs_table[6][(lo >> 8) & 0xff] ^
		      fcs_table[5][(lo >> 16) & 0xff] ^ fcs_table[4][lo >> 24] ^
		      fcs_table[3][hi & 0xff] ^ fcs_table[2][(hi >> 8) & 0xff] ^
		      fcs_table[1][(hi >> 16) & 0xff] ^ fcs_table[0][hi >> 24];
	}
	for (; len > 0; len--, data++)
		crc = fcs_byte(crc, *data);
	return crc;
}

#if defined(__x86_64__)

/*
 * With a carry-less multiplier 16 bytes are carried over a distance of d bits
 * by two products: each half times the remainder of x^(its distance). The
 * product of two reversed words comes out one power too low, hence the - 1.
 */
static uint64_t fcs_fold_16[2];	/* over 128 bits: for the first and the second half */
static uint64_t fcs_fold_64[2];	/* over 512 bits */
static bool fcs_has_clmul;

static void
fcs_fold_init(uint64_t fold[2], unsigned int distance)
{
	uint32_t power = 1u << 31; /* x^0 */
	unsigned int n;

	for (n = 0; n < distance + 63; n++) {
		if (n == distance - 1)
			fold[1] = (uint64_t)power << 32;
		power = fcs_times_x(power);
	}
	fold[0] = (uint64_t)power << 32;
}

__attribute__((target("pclmul,sse4.1"))) static inline __m128i
fcs_fold(__m128i block, __m128i by, __m128i next)
{
	return _mm_xor_si128(next, _mm_xor_si128(_mm_clmulepi64_si128(block, by, 0x00),
						 _mm_clmulepi64_si128(block, by, 0x11)));
}

__attribute__((target("pclmul,sse4.1"))) static inline __m128i
fcs_load(const void *p)
{
	return _mm_loadu_si128(p);
}

/* Go on with the remainder crc over at least 16 bytes. */
__attribute__((target("pclmul,sse4.1"))) static uint32_t
fcs_clmul(uint32_t crc, const uint8_t *data, uint32_t len)
{
	/* 16 bytes from n on move a block's first n bytes to its end */
	static const uint8_t to_end[32] = {
		0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	const __m128i by_16 = fcs_load(fcs_fold_16), by_64 = fcs_load(fcs_fold_64);
	uint32_t odd = len % 16, tail = 0;
	uint8_t last[16];
	__m128i a, b, c, d;

	a = _mm_xor_si128(fcs_load(data), _mm_cvtsi32_si128((int)crc));
	if (odd >= sizeof(crc)) {
		/* zeros in front change nothing, so begin with a short block */
		a = _mm_shuffle_epi8(a, fcs_load(&to_end[odd]));
		data += odd;
		len -= odd;
	} else {
		tail = odd;
		data += 16;
		len -= 16 + odd;
	}
	if (len >= 112) {
		b = fcs_load(data);
		c = fcs_load(data + 16);
		d = fcs_load(data + 32);
		for (data += 48, len -= 48; len >= 64; data += 64, len -= 64) {
			a = fcs_fold(a, by_64, fcs_load(data));
			b = fcs_fold(b, by_64, fcs_load(data + 16));
			c = fcs_fold(c, by_64, fcs_load(data + 32));
			d = fcs_fold(d, by_64, fcs_load(data + 48));
		}
		a = fcs_fold(fcs_fold(fcs_fold(a, by_16, b), by_16, c), by_16, d);
	}
	for (; len > 0; data += 16, len -= 16)
		a = fcs_fold(a, by_16, fcs_load(data));

	/* 16 bytes with the remainder of all before them */
	_mm_storeu_si128((__m128i *)last, a);
	return fcs_slices(fcs_slices(0, last, sizeof(last)), data, tail);
}

#elif defined(__ARM_FEATURE_CRC32) && !defined(__ARM_BIG_ENDIAN)

static uint32_t
fcs_arm(uint32_t crc, const uint8_t *data, uint32_t len)
{
	uint64_t word;

	for (; len >= sizeof(word); len -= sizeof(word), data += sizeof(word)) {
		memcpy(&word, data, sizeof(word));
		crc = __crc32d(crc, word);
	}
	return fcs_slices(crc, data, len);
}

#endif

__attribute__((constructor)) static void
fcs_init(void)
{
	unsigned int b, n;
	uint32_t crc;

	for (b = 0; b < 256; b++) {
		crc = b;
		for (n = 0; n < 8; n++)
			crc = fcs_times_x(crc);
		fcs_table[0][b] = crc;
	}
	for (n = 1; n < FCS_SLICES; n++)
		for (b = 0; b < 256; b++)
			fcs_table[n][b] = fcs_byte(fcs_table[n - 1][b], 0);
#if defined(__x86_64__)
	fcs_fold_init(fcs_fold_16, 128);
	fcs_fold_init(fcs_fold_64, 512);
	__builtin_cpu_init();
	fcs_has_clmul = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
#endif
}

uint32_t
bcm4908_model_fcs(const uint8_t *data, uint32_t len)
{
#if defined(__x86_64__)
	if (fcs_has_clmul && len >= 16)
		return ~fcs_clmul(0xffffffff, data, len);
#elif defined(__ARM_FEATURE_CRC32) && !defined(__ARM_BIG_ENDIAN)
	return ~fcs_arm(0xffffffff, data, len);
#endif
	return ~fcs_slices(0xffffffff, data, len);
}
