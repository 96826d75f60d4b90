/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include "bcm4908_regs.h"
#include "rx_ref.h"

#define SOP	BCM4908_DESC_SOP
#define EOP	BCM4908_DESC_EOP
#define WHOLE	(SOP | EOP)

#define LEN_MIN		60u			/* a shorter LENGTH is no frame [3.3] */
#define FCS		4u

static void
ref_deliver(struct rx_ref *ref, uint32_t len, uint32_t segs)
{
	ref->frame_len[ref->nb] = len - FCS;
	/* a last segment that held nothing but FCS is gone */
	ref->frame_segs[ref->nb++] = segs;
}

static void
ref_plain(struct rx_ref *ref, uint32_t ctl, uint32_t len)
{
	if ((ctl & WHOLE) == WHOLE) {
		ref->bad = false;
		if (len < LEN_MIN)
			ref->shorts++;
		else if (len > ref->max || len > ref->cap)
			ref->longs++;
		else
			ref_deliver(ref, len, 1);
		return;
	}
	if ((ctl & SOP) != 0 || !ref->bad)
		ref->seq++;
	ref->bad = (ctl & EOP) == 0;
}

static void
ref_scattered(struct rx_ref *ref, uint32_t ctl, uint32_t len)
{
	if ((ctl & SOP) != 0) {
		if (ref->open)
			ref->seq++;
		ref->open = true;
		ref->len = 0;
		ref->segs = 0;
	} else if (!ref->open) {
		if (!ref->bad)
			ref->seq++;
		ref->bad = (ctl & EOP) == 0;
		return;
	}
	ref->len += len;
	ref->segs++;
	ref->bad = false;
	if (len > ref->cap || ref->len > ref->max) {
		ref->longs++;
	} else if ((ctl & EOP) != 0 && ref->len < LEN_MIN) {
		ref->shorts++;
	} else if (len == 0) {
		ref->seq++;
	} else if ((ctl & EOP) == 0) {
		return;
	} else {
		ref_deliver(ref, ref->len, ref->segs);
		ref->open = false;
		return;
	}
	ref->open = false;
	ref->bad = (ctl & EOP) == 0;
}

void
rx_ref_word(struct rx_ref *ref, uint32_t ctl)
{
	const uint32_t len = (ctl >> 16) & 0xfff;

	if (ref->scattered)
		ref_scattered(ref, ctl, len);
	else
		ref_plain(ref, ctl, len);
}
