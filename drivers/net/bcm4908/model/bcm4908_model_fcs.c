/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <string.h>

#include "bcm4908_model_priv.h"

#define FCS_POLY 0xedb88320u /* of CRC-32, bits reversed */
#define FCS_SLICES 8

/* fcs_table[n][b]: the effect of byte b with n zero bytes after it */
static uint32_t fcs_table[FCS_SLICES][256];

__attribute__((constructor)) static void
fcs_table_init(void)
{
	unsigned int b, n;
	uint32_t crc;

	for (b = 0; b < 256; b++) {
		crc = b;
		for (n = 0; n < 8; n++)
			crc = (crc >> 1) ^ ((crc & 1) != 0 ? FCS_POLY : 0);
		fcs_table[0][b] = crc;
	}
	for (n = 1; n < FCS_SLICES; n++)
		for (b = 0; b < 256; b++) {
			crc = fcs_table[n - 1][b];
			fcs_table[n][b] = (crc >> 8) ^ fcs_table[0][crc & 0xff];
		}
}

uint32_t
bcm4908_model_fcs(const uint8_t *data, uint32_t len)
{
	uint32_t crc = 0xffffffff, lo, hi;

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
		crc = (crc >> 8) ^ fcs_table[0][(crc ^ *data) & 0xff];
	return ~crc;
}
