/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What is to come of the words that a device writes back into a receive ring,
 * whatever they are: told by a reference of the tests' own.
 */

#ifndef BCM4908_TEST_RX_REF_H
#define BCM4908_TEST_RX_REF_H

#include <stdbool.h>
#include <stdint.h>

#define RX_REF_FRAMES_MAX 512

struct rx_ref {
	bool scattered;
	uint32_t cap, max;	/* bytes of a buffer, of a frame */

	bool open, bad;		/* inside of a frame, of a bad one */
	uint32_t len, segs;	/* of the open frame */
	uint64_t seq, shorts, longs;
	uint32_t frame_len[RX_REF_FRAMES_MAX];
	uint32_t frame_segs[RX_REF_FRAMES_MAX];
	unsigned int nb;	/* frames that are to be delivered */
};

/** The driver sees the next descriptor with this word, which gives it back. */
void rx_ref_word(struct rx_ref *ref, uint32_t ctl);

#endif /* BCM4908_TEST_RX_REF_H */
