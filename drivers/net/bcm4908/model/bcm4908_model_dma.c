/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The iuDMA engine [2.4, 2.5, 3]. */

#include "bcm4908_model_priv.h"

/*
 * Descriptors that one channel may use in a step, whatever they say: enough
 * for chains of four, the rest of a longer one follows in the next step.
 */
#define DESC_BUDGET(frames) (4 * (frames) + 64)

#define HALTS (BCM4908_CHAN_CFG_PKT_HALT | BCM4908_CHAN_CFG_BURST_HALT)
#define DESC_LINE 8u /* descriptors in a cache line */

/* Take the mailbox; the plain load keeps the cache line shared while it is empty. */
static inline bool
doorbell_take(struct bcm4908_model *model, unsigned int id)
{
	uint32_t *word = &model->shared->doorbell[id].word;

	if (__atomic_load_n(word, __ATOMIC_RELAXED) == 0)
		return false;
	return __atomic_exchange_n(word, 0, __ATOMIC_ACQUIRE) != 0;
}

/* Was the channel kicked? */
static inline bool
kick_take(struct bcm4908_model *model, const struct bcm4908_model_chan *ch)
{
	return doorbell_take(model, ch->id) &&
	       (model->fault == NULL || !bcm4908_model_fault_kick(model, ch));
}

/*
 * CFG goes out with release, after the last access to memory: ENABLE = 0 lets
 * software free it.
 */
static void
chan_set_cfg(struct bcm4908_model *model, const struct bcm4908_model_chan *ch, uint32_t halts)
{
	uint32_t *cfg = &model->shared->reg[BCM4908_CHAN_CFG(ch->id) / sizeof(uint32_t)];
	uint32_t val = halts | (ch->enabled ? BCM4908_CHAN_CFG_ENABLE : 0);

	if (__atomic_load_n(cfg, __ATOMIC_RELAXED) != val)
		__atomic_store_n(cfg, val, __ATOMIC_RELEASE);
}

/*
 * Show the readers where a channel is after a step, CFG last: who sees
 * ENABLE = 0 sees NO_DESC too.
 */
static void
chan_publish(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	if (ch->moved) {
		bcm4908_model_set(model, BCM4908_CHAN_STATE_DATA(ch->id), ch->index);
		bcm4908_model_set(model, BCM4908_CHAN_DESC_STATUS(ch->id), ch->ctl);
		bcm4908_model_set(model, BCM4908_CHAN_DESC_BUFPTR(ch->id), ch->addr);
		ch->moved = false;
	}
	if (model->fault != NULL)
		bcm4908_model_fault_events(model, ch);
	if (model->knobs.no_masked_latch)
		ch->events &= bcm4908_model_get(model, BCM4908_CHAN_INT_MASK(ch->id));
	if (ch->events != 0)
		bcm4908_model_set(model, BCM4908_CHAN_INT_STAT(ch->id),
				  bcm4908_model_get(model, BCM4908_CHAN_INT_STAT(ch->id)) |
				  ch->events);
	ch->events = 0;
	chan_set_cfg(model, ch, bcm4908_model_get(model, BCM4908_CHAN_CFG(ch->id)) & HALTS);
}

static void
chan_stop(struct bcm4908_model_chan *ch)
{
	ch->enabled = false;
	ch->halting = false;
	ch->armed = false;
}

/* Strict mode: what is wrong with starting this channel? */
static void
chan_check_ring(struct bcm4908_model *model, const struct bcm4908_model_chan *ch)
{
	if (ch->base % BCM4908_RING_ALIGN != 0)
		bcm4908_model_report(model, "channel %u: ring %#x is not aligned", ch->id,
				     ch->base);
	if (model->env.map(model->env.ctx, ch->ring, ch->base, BCM4908_DESC_SIZE, true) == NULL)
		bcm4908_model_report(model, "channel %u: ring %#x is not mapped", ch->id,
				     ch->base);
}

/* What writing ENABLE = 1 does; harmless on a running channel [3.5]. */
static void
chan_start(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	if (ch->held)
		return;
	if (!ch->enabled && model->env.report != NULL)
		chan_check_ring(model, ch);
	ch->enabled = true;
	ch->halting = false;
	chan_set_cfg(model, ch, 0);
}

void
bcm4908_model_chan_write_cfg(struct bcm4908_model *model, struct bcm4908_model_chan *ch,
			     uint32_t val)
{
	/* an earlier kick must not take effect after this write */
	doorbell_take(model, ch->id);
	if (val == BCM4908_CHAN_CFG_ENABLE) {
		chan_start(model, ch);
		return;
	}
	if (model->fault != NULL && ch->enabled && bcm4908_model_fault_halt(model))
		return;
	if (ch->enabled && ch->in_frame && (val & HALTS) == BCM4908_CHAN_CFG_PKT_HALT)
		ch->halting = true;
	else
		chan_stop(ch);
	bcm4908_model_watch_forget(ch);
	chan_set_cfg(model, ch, val & HALTS);
}

/* The engine lets go of the frame that it is in. */
void
bcm4908_model_chan_forget(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	if (ch->id == BCM4908_CHAN_RX && ch->in_frame)
		bcm4908_model_fifo_pop(model);
	ch->in_frame = false;
	ch->drop = false;
	ch->done = 0;
	ch->armed = false;
	bcm4908_model_watch_forget(ch);
}

/* A bit of CHANNEL_RESET; the state RAM stays [2.5]. */
void
bcm4908_model_chan_reset(struct bcm4908_model *model, struct bcm4908_model_chan *ch, bool held)
{
	if (held && model->fault != NULL && bcm4908_model_fault_reset(model, ch))
		return;
	ch->held = held;
	if (!held)
		return;
	doorbell_take(model, ch->id);
	chan_stop(ch);
	bcm4908_model_chan_forget(model, ch);
	chan_set_cfg(model, ch, bcm4908_model_get(model, BCM4908_CHAN_CFG(ch->id)) & HALTS);
}

static void
chan_error(struct bcm4908_model *model, struct bcm4908_model_chan *ch, const char *what)
{
	ch->events |= BCM4908_CHAN_INT_RX_ERROR;
	bcm4908_model_report(model, "channel %u, descriptor %u: %s", ch->id, ch->index, what);
}

/* The buffer of the descriptor fetched last; NULL: bus error. */
static inline void *
buf_map(struct bcm4908_model *model, const struct bcm4908_model_chan *ch, uint32_t len, bool write)
{
	void *own;

	if (model->fault != NULL) {
		if (bcm4908_model_fault_bus(model, ch))
			return NULL;
		own = bcm4908_model_fault_map(model, ch->addr, len);
		if (own != NULL)
			return own;
	}
	return model->env.map(model->env.ctx, BCM4908_SPACE_BUFFER, ch->addr, len, write);
}

static inline uint32_t
desc_read(const uint32_t *word, int order)
{
	return bcm4908_model_le32(__atomic_load_n(word, order));
}

/* Buffers of the descriptors to come: their bytes lie in the cache of the CPU that wrote them. */
static void
tx_prefetch(struct bcm4908_model *model, const uint32_t *desc, uint32_t n)
{
	uint32_t ctl, addr, len;
	const void *buf;

	for (; n > 0; n--, desc += 2) {
		ctl = desc_read(&desc[0], __ATOMIC_ACQUIRE);
		if ((ctl & BCM4908_DESC_OWN) == 0)
			break;
		addr = desc_read(&desc[1], __ATOMIC_RELAXED);
		len = (ctl >> BCM4908_DESC_LEN_SHIFT) & BCM4908_DESC_LEN_MAX;
		buf = len == 0 ? NULL :
		      model->env.map(model->env.ctx, BCM4908_SPACE_BUFFER, addr, len, false);
		if (buf != NULL)
			__builtin_prefetch(buf);
	}
}

/* The descriptor at the ring offset, of a cache line that is looked up at once; NULL: bus error. */
static inline uint32_t *
desc_at(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	uint32_t n = DESC_LINE - ch->index % DESC_LINE, bus;

	if (ch->index - ch->line_index < ch->line_len)
		return ch->line + 2 * (ch->index - ch->line_index);
	bus = (ch->base & ~(BCM4908_DESC_SIZE - 1)) + ch->index * BCM4908_DESC_SIZE;
	ch->line = model->fault == NULL ? NULL :
		   bcm4908_model_fault_map(model, bus, n * BCM4908_DESC_SIZE);
	if (ch->line == NULL)
		ch->line = model->env.map(model->env.ctx, ch->ring, bus, n * BCM4908_DESC_SIZE,
					  true);
	if (ch->line == NULL) {
		n = 1;
		ch->line = model->env.map(model->env.ctx, ch->ring, bus, BCM4908_DESC_SIZE, true);
	}
	ch->line_index = ch->index;
	ch->line_len = ch->line != NULL ? n : 0;
	if (ch->line != NULL && ch->id == BCM4908_CHAN_TX)
		tx_prefetch(model, ch->line, n);
	return ch->line;
}

/* Fetch the descriptor at the ring offset; NULL: none, the channel has stopped. */
static uint32_t *
desc_fetch(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	uint32_t *desc = desc_at(model, ch);

	if (model->fault != NULL && bcm4908_model_fault_ring(model, ch))
		desc = NULL;
	ch->moved = true;
	if (desc == NULL) {
		chan_error(model, ch, "bus error on the ring");
		chan_stop(ch);
		return NULL;
	}
	ch->ctl = desc_read(&desc[0], __ATOMIC_ACQUIRE);
	if ((ch->ctl & BCM4908_DESC_OWN) == 0 && kick_take(model, ch)) {
		/* a kick since the step began: look once more before stopping */
		chan_start(model, ch);
		ch->ctl = desc_read(&desc[0], __ATOMIC_ACQUIRE);
	}
	ch->addr = desc_read(&desc[1], __ATOMIC_RELAXED);
	if ((ch->ctl & BCM4908_DESC_OWN) == 0) {
		ch->events |= BCM4908_CHAN_INT_NO_DESC;
		chan_stop(ch);
		return NULL;
	}
	return desc;
}

/* Give the descriptor back and go on to the next. */
static inline void
desc_complete(struct bcm4908_model *model, struct bcm4908_model_chan *ch, uint32_t *desc,
	      uint32_t ctl)
{
	uint32_t out;

	if (ch->watch != NULL)
		bcm4908_model_watch_done(model, ch);
	out = model->fault == NULL ? ctl : bcm4908_model_fault_write_back(model, ch, ctl);
	__atomic_store_n(&desc[0], bcm4908_model_le32(out), __ATOMIC_RELEASE);
	ch->events |= BCM4908_CHAN_INT_BUFF_DONE;
	if ((ctl & BCM4908_DESC_EOP) != 0) {
		ch->events |= BCM4908_CHAN_INT_DONE;
		if (ch->halting) {
			chan_stop(ch);
			bcm4908_model_watch_forget(ch);
		}
	}
	ch->armed = false;
	ch->index = (ctl & BCM4908_DESC_WRAP) != 0 ? 0 :
		    (ch->index + 1) & BCM4908_STATE_DATA_INDEX;
}

static inline uint32_t
desc_len(const struct bcm4908_model_chan *ch)
{
	return (ch->ctl >> BCM4908_DESC_LEN_SHIFT) & BCM4908_DESC_LEN_MAX;
}

/* --- transmit --- */

/* Send one descriptor; false: the MAC cannot take the frame now. */
static bool
tx_desc(struct bcm4908_model *model, struct bcm4908_model_chan *ch, uint32_t *desc)
{
	bool sop = (ch->ctl & BCM4908_DESC_SOP) != 0, eop = (ch->ctl & BCM4908_DESC_EOP) != 0;
	bool append_crc = (ch->ctl & BCM4908_DESC_APPEND_CRC) != 0;
	uint32_t len = desc_len(ch), done;
	const uint8_t *buf = NULL;
	bool drop;

	if (sop && ch->in_frame) {
		chan_error(model, ch, "start of packet inside a packet");
		bcm4908_model_chan_forget(model, ch);
	}
	drop = ch->drop;
	done = ch->done;
	if (!sop && !ch->in_frame) {
		chan_error(model, ch, "no start of packet");
		drop = true;
	}
	if (len == 0) {
		chan_error(model, ch, "empty buffer");
		drop = true;
	} else {
		buf = buf_map(model, ch, len, false);
		if (buf == NULL) {
			chan_error(model, ch, "bus error on the buffer");
			drop = true;
		}
	}
	if (!drop && !(sop && eop)) {
		if (done + len > sizeof(model->tx_buf)) {
			chan_error(model, ch, "packet too long");
			drop = true;
		} else {
			bcm4908_model_copy(&model->tx_buf[done], buf, len);
			done += len;
			buf = model->tx_buf;
			len = done;
		}
	}
	if (eop && !drop && !bcm4908_model_mac_tx(model, buf, len, append_crc))
		return false;
	ch->in_frame = !eop;
	ch->drop = drop && !eop;
	ch->done = eop ? 0 : done;
	desc_complete(model, ch, desc, ch->ctl & ~BCM4908_DESC_OWN);
	return true;
}

static unsigned int
tx_run(struct bcm4908_model *model, unsigned int budget)
{
	struct bcm4908_model_chan *ch = &model->chan[BCM4908_CHAN_TX];
	unsigned int descs = DESC_BUDGET(budget), frames = 0, used = 0;
	uint32_t *desc;

	while (ch->enabled && frames < budget && used < descs) {
		desc = desc_fetch(model, ch);
		if (desc == NULL || !bcm4908_model_mac_tx_ready(model) ||
		    (model->fault != NULL && bcm4908_model_fault_holds(model, ch)) ||
		    !tx_desc(model, ch, desc))
			break;
		used++;
		if (!ch->in_frame)
			frames++;
	}
	return frames != 0 || used == 0 ? frames : 1;
}

/* --- receive --- */

/* Write bytes [from, from + len) of a frame with its FCS to memory. */
static void
rx_copy(uint8_t *buf, const struct bcm4908_fifo_entry *entry, uint32_t from, uint32_t len)
{
	const uint8_t *data = (const uint8_t *)(entry + 1);
	uint32_t n = 0, fcs;

	if (from < entry->data_len) {
		n = entry->data_len - from;
		if (n > len)
			n = len;
		bcm4908_model_copy(buf, data + from, n);
	}
	if (n == len)
		return;
	fcs = bcm4908_model_fcs(data, entry->data_len);
	for (; n < len; n++)
		buf[n] = (uint8_t)(fcs >> (8 * (from + n - entry->data_len)));
}

/* The erratum of [3.3]: the write goes on to the next 64-byte boundary. */
static void
rx_overrun(struct bcm4908_model *model, uint32_t addr, uint32_t len)
{
	uint32_t end = (len + BCM4908_BUF_ALIGN - 1) & ~(BCM4908_BUF_ALIGN - 1);
	uint8_t *buf = model->env.map(model->env.ctx, BCM4908_SPACE_BUFFER, addr, end, true);

	if (buf != NULL)
		memset(buf + len, 0xee, end - len);
}

/* Fill one buffer from the oldest frame of the FIFO. */
static void
rx_desc(struct bcm4908_model *model, struct bcm4908_model_chan *ch, uint32_t *desc,
	const struct bcm4908_fifo_entry *entry)
{
	uint32_t len = desc_len(ch), left = entry->mem_len - ch->done;
	uint32_t ctl = ch->ctl & BCM4908_DESC_WRAP, status = entry->status;
	bool eop = left <= len;
	uint8_t *buf;

	if (eop)
		len = left;
	if (!ch->in_frame)
		ctl |= BCM4908_DESC_SOP;
	if (len == 0) {
		chan_error(model, ch, "empty buffer");
	} else {
		buf = buf_map(model, ch, len, true);
		if (buf != NULL) {
			rx_copy(buf, entry, ch->done, len);
			if (model->knobs.overrun)
				rx_overrun(model, ch->addr, len);
		} else {
			/* the frame ends here */
			chan_error(model, ch, "bus error on the buffer");
			status |= BCM4908_DESC_RX_ERROR;
			len = 0;
			eop = true;
		}
	}
	ctl |= len << BCM4908_DESC_LEN_SHIFT;
	if (eop)
		ctl |= BCM4908_DESC_EOP | (model->knobs.no_rx_status ? 0 : status);
	ch->in_frame = !eop;
	ch->done = eop ? 0 : ch->done + len;
	if (eop)
		bcm4908_model_fifo_pop(model);
	desc_complete(model, ch, desc, ctl);
}

/* Flow control counts the buffers that software gave by writing ALLOC [3.5]. */
static void
flow_use_credit(struct bcm4908_model *model)
{
	uint32_t credit = bcm4908_model_get(model, BCM4908_DMA_FLOWC_ALLOC(0));

	if (credit > 0)
		bcm4908_model_set(model, BCM4908_DMA_FLOWC_ALLOC(0), credit - 1);
}

static unsigned int
rx_run(struct bcm4908_model *model, unsigned int budget)
{
	struct bcm4908_model_chan *ch = &model->chan[BCM4908_CHAN_RX];
	unsigned int descs = DESC_BUDGET(budget), frames = 0, used = 0;
	const struct bcm4908_fifo_entry *entry;
	uint32_t *desc;

	while (ch->enabled && frames < budget && used < descs) {
		entry = (model->cmd & BCM4908_CMD_RMT_LOOP) != 0 ? NULL :
			bcm4908_model_fifo_peek(model);
		if (entry == NULL && ch->armed)
			break;
		/* fetched ahead of the frame: starvation shows at once [3.5] */
		desc = desc_fetch(model, ch);
		if (desc == NULL)
			break;
		ch->armed = true;
		if (entry == NULL ||
		    (model->fault != NULL && bcm4908_model_fault_holds(model, ch)))
			break;
		rx_desc(model, ch, desc, entry);
		if ((model->dma_ctrl & BCM4908_DMA_CTRL_FLOWC_CH1) != 0)
			flow_use_credit(model);
		used++;
		if (!ch->in_frame)
			frames++;
	}
	return frames != 0 || used == 0 ? frames : 1;
}

unsigned int
bcm4908_model_dma_step(struct bcm4908_model *model, unsigned int budget)
{
	unsigned int frames = 0, id;

	for (id = 0; id < BCM4908_CHANS; id++) {
		model->chan[id].line_len = 0; /* what was mapped is for one step */
		if (kick_take(model, &model->chan[id]))
			chan_start(model, &model->chan[id]);
		bcm4908_model_watch_scan(model, &model->chan[id]);
	}
	if ((model->dma_ctrl & BCM4908_DMA_CTRL_MASTER_EN) != 0) {
		frames += tx_run(model, budget);
		frames += rx_run(model, budget);
	}
	for (id = 0; id < BCM4908_CHANS; id++)
		chan_publish(model, &model->chan[id]);
	return frames;
}
