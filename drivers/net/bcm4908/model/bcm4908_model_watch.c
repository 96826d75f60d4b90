/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Strict mode's eye on descriptors: those that the hardware owns must stay as
 * they are until it gives them back [3.2], and their reserved bits are 0 [3.1].
 */

#include <stdlib.h>

#include "bcm4908_model_priv.h"

struct bcm4908_model_watch {
	/* as last seen; control 0: not owned (OWN is part of it) */
	struct {
		uint32_t ctl;
		uint32_t addr;
	} desc[BCM4908_RING_MAX];
};

/* Bits that software leaves 0 in a descriptor that it gives away [3.1, 10, 11.6]. */
static const uint32_t watch_zero[BCM4908_CHANS] = {
	[BCM4908_CHAN_RX] = 0xf0006fff,
	[BCM4908_CHAN_TX] = 0xf0000eff,
};

int
bcm4908_model_watch_create(struct bcm4908_model_chan *ch)
{
	ch->watch = calloc(1, sizeof(*ch->watch));
	return ch->watch == NULL ? -1 : 0;
}

void
bcm4908_model_watch_forget(struct bcm4908_model_chan *ch)
{
	if (ch->watch != NULL)
		memset(ch->watch, 0, sizeof(*ch->watch));
}

/* Compare one descriptor with what it was and remember it. */
static void
watch_see(struct bcm4908_model *model, struct bcm4908_model_chan *ch, uint32_t index,
	  uint32_t ctl, uint32_t addr)
{
	uint32_t old = ch->watch->desc[index].ctl;

	if ((ctl & BCM4908_DESC_OWN) == 0) {
		if (old != 0)
			bcm4908_model_report(model, "channel %u, descriptor %u: taken back",
					     ch->id, index);
		ctl = 0;
	} else if (old == 0) {
		if ((ctl & watch_zero[ch->id]) != 0)
			bcm4908_model_report(model, "channel %u, descriptor %u: reserved bits %#x",
					     ch->id, index, ctl & watch_zero[ch->id]);
	} else if (ctl != old || addr != ch->watch->desc[index].addr) {
		bcm4908_model_report(model, "channel %u, descriptor %u: rewritten while owned",
				     ch->id, index);
	}
	ch->watch->desc[index].ctl = ctl;
	ch->watch->desc[index].addr = addr;
}

/* Read a descriptor of the ring; false when it is not mapped. */
static bool
watch_fetch(const struct bcm4908_model *model, const struct bcm4908_model_chan *ch,
	    uint32_t index, uint32_t *ctl, uint32_t *addr)
{
	const uint32_t bus = (ch->base & ~(BCM4908_DESC_SIZE - 1)) + index * BCM4908_DESC_SIZE;
	const uint32_t *desc = model->env.map(model->env.ctx, ch->ring, bus, BCM4908_DESC_SIZE,
					      true);

	if (desc == NULL)
		return false;
	*ctl = bcm4908_model_le32(__atomic_load_n(&desc[0], __ATOMIC_ACQUIRE));
	*addr = bcm4908_model_le32(__atomic_load_n(&desc[1], __ATOMIC_RELAXED));
	return true;
}

static uint32_t
watch_next(uint32_t index, uint32_t ctl)
{
	return (ctl & BCM4908_DESC_WRAP) != 0 ? 0 : (index + 1) & BCM4908_STATE_DATA_INDEX;
}

/* Look at the owned descriptors ahead of the engine. */
void
bcm4908_model_watch_scan(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	uint32_t index = ch->index, n, ctl, addr;

	if (ch->watch == NULL || !ch->enabled)
		return;
	for (n = 0; n < BCM4908_RING_MAX; n++) {
		if (!watch_fetch(model, ch, index, &ctl, &addr))
			return;
		watch_see(model, ch, index, ctl, addr);
		if ((ctl & BCM4908_DESC_OWN) == 0)
			return;
		index = watch_next(index, ctl);
		if (index == ch->index)
			return;
	}
}

/* The engine gives the descriptor at its ring offset back. */
void
bcm4908_model_watch_done(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	watch_see(model, ch, ch->index, ch->ctl, ch->addr);
	ch->watch->desc[ch->index].ctl = 0;
}

#define FREE_AHEAD 256u	/* descriptors that are looked at when memory is freed */

/* Is a kick on its way to a channel that does not run yet? */
static bool
chan_is_given(const struct bcm4908_model *model, const struct bcm4908_model_chan *ch)
{
	return ch->enabled ||
		__atomic_load_n(&model->shared->doorbell[ch->id].word, __ATOMIC_ACQUIRE) != 0;
}

/* Report the first descriptor whose buffer has a byte in the range. */
static void
watch_free(struct bcm4908_model *model, const struct bcm4908_model_chan *ch, uint64_t bus,
	   uint32_t len)
{
	uint32_t index = ch->index, n, ctl, addr, size;

	for (n = 0; n < FREE_AHEAD; n++) {
		if (!watch_fetch(model, ch, index, &ctl, &addr) || (ctl & BCM4908_DESC_OWN) == 0)
			return;
		size = (ctl >> BCM4908_DESC_LEN_SHIFT) & BCM4908_DESC_LEN_MAX;
		if (addr < bus + len && bus < (uint64_t)addr + size) {
			bcm4908_model_report(model, "channel %u, descriptor %u: freed while owned",
					     ch->id, index);
			return;
		}
		index = watch_next(index, ctl);
		if (index == ch->index)
			return;
	}
}

void
bcm4908_model_check_free(struct bcm4908_model *model, uint64_t bus, uint32_t len)
{
	unsigned int id;

	if (model->env.report == NULL || bus > UINT32_MAX)
		return;
	for (id = 0; id < BCM4908_CHANS; id++)
		if (chan_is_given(model, &model->chan[id]))
			watch_free(model, &model->chan[id], bus, len);
}
