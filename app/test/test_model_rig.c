/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <stdlib.h>
#include <string.h>

#include "test_model.h"

static struct rig *rig_left; /* open until its test closes it */

/* Descriptors are little-endian. */
static uint32_t
le32(uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(word);
#else
	return word;
#endif
}

static void *
rig_map(void *ctx, enum bcm4908_model_space space, uint32_t bus, uint32_t len, bool write)
{
	struct rig *rig = ctx;
	uint32_t chan, i, off;

	if (space != BCM4908_SPACE_BUFFER) {
		chan = space == BCM4908_SPACE_RX_RING ? BCM4908_CHAN_RX : BCM4908_CHAN_TX;
		off = bus - RIG_RING_BUS(chan);
		if (off > rig->ring_len[chan] * 8 || len > rig->ring_len[chan] * 8 - off)
			return NULL;
		return (uint8_t *)rig->ring[chan] + off;
	}
	/* the device writes receive buffers only and reads transmit buffers only */
	chan = write ? BCM4908_CHAN_RX : BCM4908_CHAN_TX;
	off = bus - RIG_BUF_BUS(chan, 0);
	i = off / RIG_BUF_STRIDE;
	off %= RIG_BUF_STRIDE;
	if (i >= RIG_BUFS || off > rig->buf_len[chan][i] || len > rig->buf_len[chan][i] - off)
		return NULL;
	return rig->buf[chan][i] + off;
}

static bool
rig_line_tx(void *ctx, const struct bcm4908_model_frame *frame)
{
	struct rig *rig = ctx;
	struct rig_sent *sent;

	if (rig->line_busy || rig->nb_sent == RIG_SENT)
		return false;
	sent = &rig->sent[rig->nb_sent++];
	sent->data = malloc(frame->len);
	memcpy(sent->data, frame->data, frame->len);
	sent->len = frame->len;
	sent->bad_fcs = frame->bad_fcs;
	if (rig->on_tx != NULL)
		rig->on_tx(rig);
	return true;
}

static void
rig_irq(void *ctx, enum bcm4908_model_irq line, bool level)
{
	struct rig *rig = ctx;

	rig->irq[line] = level;
	rig->irq_changes[line]++;
}

static uint64_t
rig_now(void *ctx)
{
	struct rig *rig = ctx;

	return rig->now;
}

static void
rig_report(void *ctx, const char *what)
{
	struct rig *rig = ctx;

	rig->reports++;
	snprintf(rig->report, sizeof(rig->report), "%s", what);
}

static void
rig_free(struct rig *rig)
{
	unsigned int chan, i;

	bcm4908_model_destroy(rig->model);
	for (chan = 0; chan < BCM4908_CHANS; chan++) {
		free(rig->ring[chan]);
		for (i = 0; i < RIG_BUFS; i++)
			free(rig->buf[chan][i]);
	}
	for (i = 0; i < rig->nb_sent; i++)
		free(rig->sent[i].data);
	free(rig->shared);
	free(rig);
}

static struct rig *
rig_make(bool clock)
{
	struct bcm4908_model_env env = {
		.map = rig_map,
		.line_tx = rig_line_tx,
		.irq = rig_irq,
		.now = clock ? rig_now : NULL,
		.report = rig_report,
	};
	struct rig *rig;

	if (rig_left != NULL)
		rig_free(rig_left);
	rig = calloc(1, sizeof(*rig));
	rig_left = rig;
	env.ctx = rig;
	rig->shared = aligned_alloc(64, sizeof(*rig->shared));
	memset(rig->shared, 0, sizeof(*rig->shared));
	rig->model = bcm4908_model_create(rig->shared, &env);
	rig_ring_size(rig, BCM4908_CHAN_RX, RIG_RING);
	rig_ring_size(rig, BCM4908_CHAN_TX, RIG_RING);
	rig_write(rig, BCM4908_DMA_CTRL, 1);
	rig_write(rig, BCM4908_UMAC_CMD, 0x010000db);
	return rig;
}

struct rig *
rig_open(void)
{
	return rig_make(false);
}

struct rig *
rig_open_clock(void)
{
	return rig_make(true);
}

int
rig_close(struct rig *rig, unsigned int reports)
{
	bool ok = rig->reports == reports;

	if (!ok)
		printf("%u reports of strict mode, want %u; the last: %s\n", rig->reports, reports,
		       rig->report);
	rig_free(rig);
	rig_left = NULL;
	return ok ? 0 : -1;
}

uint32_t
rig_read(const struct rig *rig, uint32_t reg)
{
	return bcm4908_model_read(rig->shared, reg);
}

void
rig_write(struct rig *rig, uint32_t reg, uint32_t val)
{
	bcm4908_model_write(rig->model, reg, val);
}

void
rig_set_bits(struct rig *rig, uint32_t reg, uint32_t clear, uint32_t set)
{
	rig_write(rig, reg, (rig_read(rig, reg) & ~clear) | set);
}

void
rig_kick(struct rig *rig, unsigned int chan)
{
	__atomic_store_n(&rig->shared->doorbell[chan].word, 1, __ATOMIC_RELEASE);
}

void
rig_run(struct rig *rig)
{
	unsigned int n;

	for (n = 0; n < 1000; n++)
		if (bcm4908_model_step(rig->model, 32) == 0)
			break;
}

void
rig_ring_size(struct rig *rig, unsigned int chan, uint32_t len)
{
	free(rig->ring[chan]);
	rig->ring[chan] = aligned_alloc(64, RTE_ALIGN_CEIL(len * 8, 64));
	memset(rig->ring[chan], 0, len * 8);
	rig->ring_len[chan] = len;
	rig_write(rig, BCM4908_CHAN_BASE_DESC(chan), RIG_RING_BUS(chan));
}

void
rig_desc_set(struct rig *rig, unsigned int chan, uint32_t i, uint32_t ctl, uint32_t addr)
{
	uint32_t *desc = &rig->ring[chan][2 * i];

	__atomic_store_n(&desc[1], le32(addr), __ATOMIC_RELAXED);
	__atomic_store_n(&desc[0], le32(ctl), __ATOMIC_RELEASE);
}

uint32_t
rig_desc(const struct rig *rig, unsigned int chan, uint32_t i)
{
	return le32(__atomic_load_n(&rig->ring[chan][2 * i], __ATOMIC_ACQUIRE));
}

uint32_t
rig_wrap(const struct rig *rig, unsigned int chan, uint32_t i)
{
	return i + 1 == rig->ring_len[chan] ? 0x1000 : 0;
}

uint8_t *
rig_buf(struct rig *rig, unsigned int chan, uint32_t i, uint32_t len)
{
	i %= RIG_BUFS;
	free(rig->buf[chan][i]);
	rig->buf[chan][i] = malloc(len);
	memset(rig->buf[chan][i], 0xa5, len);
	rig->buf_len[chan][i] = len;
	return rig->buf[chan][i];
}

void
rig_rx_post(struct rig *rig, uint32_t i, uint32_t cap)
{
	rig_buf(rig, BCM4908_CHAN_RX, i, cap);
	rig_desc_set(rig, BCM4908_CHAN_RX, i,
		     cap << 16 | 0x8000 | rig_wrap(rig, BCM4908_CHAN_RX, i),
		     RIG_BUF_BUS(BCM4908_CHAN_RX, i % RIG_BUFS));
}

void
rig_rx_fill(struct rig *rig, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		rig_rx_post(rig, i, 1536);
	rig_kick(rig, BCM4908_CHAN_RX);
}

void
rig_tx_post(struct rig *rig, uint32_t i, const uint8_t *data, uint32_t len, uint32_t bits)
{
	memcpy(rig_buf(rig, BCM4908_CHAN_TX, i, len), data, len);
	rig_desc_set(rig, BCM4908_CHAN_TX, i,
		     len << 16 | 0x8000 | bits | rig_wrap(rig, BCM4908_CHAN_TX, i),
		     RIG_BUF_BUS(BCM4908_CHAN_TX, i % RIG_BUFS));
}

const uint8_t *
rig_frame(uint64_t da, uint16_t type, uint32_t len, unsigned int seed)
{
	static uint8_t frame[RIG_FRAME_MAX];
	uint32_t i;

	for (i = 0; i < 6; i++) {
		frame[i] = (uint8_t)(da >> (40 - 8 * i));
		frame[6 + i] = (uint8_t)(0x10 + i);
	}
	frame[6] = 0x02;
	frame[12] = (uint8_t)(type >> 8);
	frame[13] = (uint8_t)type;
	for (i = 14; i < len; i++)
		frame[i] = (uint8_t)(i * 7 + (i >> 8) + seed * 31);
	return frame;
}

void
rig_arrive(struct rig *rig, const uint8_t *data, uint32_t len)
{
	struct bcm4908_model_frame frame = { .data = data, .len = len };

	bcm4908_model_line_rx(rig->model, &frame);
}

void
rig_arrive_bad(struct rig *rig, const uint8_t *data, uint32_t len)
{
	struct bcm4908_model_frame frame = { .data = data, .len = len, .bad_fcs = true };

	bcm4908_model_line_rx(rig->model, &frame);
}

uint32_t
rig_fcs(const uint8_t *data, uint32_t len)
{
	uint32_t crc = 0xffffffff, i, bit;

	for (i = 0; i < len; i++) {
		crc ^= data[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc % 2 != 0 ? 0xedb88320 : 0);
	}
	return ~crc;
}

bool
rig_same(const uint8_t *buf, const uint8_t *frame, uint32_t len, bool fcs)
{
	uint32_t want = rig_fcs(frame, len), i;

	if (memcmp(buf, frame, len) != 0)
		return false;
	for (i = 0; fcs && i < 4; i++)
		if (buf[len + i] != (uint8_t)(want >> (8 * i)))
			return false;
	return true;
}
