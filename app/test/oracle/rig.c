/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* The bench: registers, line and frames. */

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define BAD_SHOWN 5u	/* differences that are printed */

/*
 * Frames. Consecutive lengths go through their range in steps, so that 10 000
 * frames have each length several times; the bytes are those of a generator
 * that starts anew for each frame.
 */

#define LEN_STEP 1031u	/* a prime */

static uint32_t
random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

uint32_t
oracle_frame(const struct oracle_flow *flow, uint32_t index, uint8_t *buf)
{
	static const uint8_t head[4][14] = {
		{ 0x02, 0x11, 0x22, 0x33, 0x44, 0x55, 0x02, 0xaa, 0, 0, 0, 1, 0x08, 0x00 },
		{ 0x00, 0x10, 0x18, 0x00, 0x00, 0x01, 0x02, 0xaa, 0, 0, 0, 2, 0x81, 0x00 },
		{ 0x33, 0x33, 0x00, 0x00, 0x00, 0x01, 0x02, 0xaa, 0, 0, 0, 3, 0x86, 0xdd },
		{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0xaa, 0, 0, 0, 4, 0x08, 0x06 },
	};
	uint32_t len = ORACLE_LEN_MIN +
		index * LEN_STEP % (flow->max_len - ORACLE_LEN_MIN + 1);
	uint32_t state = (flow->seed ^ (index + 1) * 0x9e3779b9u) | 1u, i;

	memcpy(buf, head[(index ^ flow->seed) % 4], sizeof(head[0]));
	for (i = sizeof(head[0]); i < len; i++)
		buf[i] = (uint8_t)random_next(&state);
	return len;
}

static uint64_t
digest(uint64_t sum, const uint8_t *data, uint32_t len)
{
	sum = (sum ^ len) * UINT64_C(0x100000001b3);
	while (len-- > 0)
		sum = (sum ^ *data++) * UINT64_C(0x100000001b3);
	return sum;
}

void
oracle_flow_take(struct oracle_flow *flow, const uint8_t *data, uint32_t len)
{
	uint8_t want[ORACLE_LEN_MAX];
	uint32_t want_len = oracle_frame(flow, flow->next, want);

	if ((len != want_len || memcmp(data, want, len) != 0) && flow->bad++ < BAD_SHOWN)
		printf("frame %" PRIu32 " of flow %" PRIu32 ": %" PRIu32 " bytes instead of %"
		       PRIu32 "%s\n", flow->next, flow->seed, len, want_len,
		       len == want_len ? ", other content" : "");
	flow->next++;
	flow->bytes += len;
	flow->digest = digest(flow->digest, data, len);
}

/* Registers */

void
oracle_note(struct oracle_rig *rig, bool write, uint32_t reg, uint32_t val)
{
	struct oracle_access *access;

	*(write ? &rig->writes : &rig->reads) += 1;
	if (reg >= BCM4908_REGS_SIZE || reg % sizeof(uint32_t) != 0)
		rig->outside++;
	if (rig->log_len == ORACLE_LOG_MAX)
		return;
	access = &rig->log[rig->log_len++];
	access->write = write;
	access->reg = (uint16_t)reg;
	access->val = val;
}

uint32_t
oracle_peek(const struct oracle_rig *rig, uint32_t reg)
{
	return bcm4908_model_read(&rig->shared, reg);
}

uint32_t
oracle_read(struct oracle_rig *rig, uint32_t reg)
{
	uint32_t val = oracle_peek(rig, reg);

	oracle_note(rig, false, reg, val);
	return val;
}

void
oracle_write(struct oracle_rig *rig, uint32_t reg, uint32_t val)
{
	oracle_note(rig, true, reg, val);
	if (rig->model != NULL)
		bcm4908_model_write(rig->model, reg, val);
	else if (reg < BCM4908_REGS_SIZE)
		rig->shared.reg[reg / sizeof(uint32_t)] = val;
}

void
oracle_count_begin(struct oracle_rig *rig)
{
	rig->reads = 0;
	rig->writes = 0;
	rig->log_len = 0;
}

/* The model's outside */

static void *
rig_map(void *ctx, enum bcm4908_model_space space, uint32_t bus, uint32_t len, bool write)
{
	struct oracle_rig *rig = ctx;

	return rig->driver->map(rig, space, bus, len, write);
}

static bool
rig_line_tx(void *ctx, const struct bcm4908_model_frame *frame)
{
	struct oracle_rig *rig = ctx;

	if (rig->line_busy > 0) {
		rig->line_busy--;
		rig->line_refused++;
		return false;
	}
	if (frame->bad_fcs) {
		printf("the line got a frame with a wrong FCS\n");
		rig->out.bad++;
	}
	if (rig->out_hook == NULL || !rig->out_hook(rig, frame->data, frame->len))
		oracle_flow_take(&rig->out, frame->data, frame->len);
	return true;
}

static void
rig_irq(void *ctx, enum bcm4908_model_irq line, bool level)
{
	struct oracle_rig *rig = ctx;

	if (level && !rig->irq[line])
		rig->irqs++;
	rig->irq[line] = level;
}

/* Strict mode: the same thing about another descriptor is counted with the first. */
static void
rig_report(void *ctx, const char *what)
{
	static const char key[] = "descriptor ";
	struct oracle_rig *rig = ctx;
	char text[sizeof(rig->report[0].what)];
	unsigned int i;
	char *nr, *end;

	snprintf(text, sizeof(text), "%s", what);
	nr = strstr(text, key);
	if (nr != NULL) {
		nr += sizeof(key) - 1;
		for (end = nr; isdigit((unsigned char)*end); end++)
			;
		memmove(nr, end, strlen(end) + 1);
	}
	rig->reports++;
	for (i = 0; i < ORACLE_REPORTS; i++) {
		if (rig->report[i].count == 0)
			memcpy(rig->report[i].what, text, sizeof(text));
		if (strcmp(rig->report[i].what, text) == 0) {
			rig->report[i].count++;
			return;
		}
	}
}

/* CRC-32 of IEEE 802.3 by its definition, bit by bit. */
static uint32_t
crc32(const uint8_t *data, uint32_t len)
{
	uint32_t crc = 0xffffffff, bit;

	while (len-- > 0) {
		crc ^= *data++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
	}
	return ~crc;
}

void
oracle_deliver(struct oracle_rig *rig, const uint8_t *data, uint32_t len)
{
	const uint8_t *fcs = data + len;

	if (rig->in_hook != NULL && rig->in_hook(rig, data, len))
		return;
	oracle_flow_take(&rig->in, data, len);
	if (crc32(data, len) != ((uint32_t)fcs[0] | (uint32_t)fcs[1] << 8 |
				 (uint32_t)fcs[2] << 16 | (uint32_t)fcs[3] << 24) &&
	    rig->in.bad++ < BAD_SHOWN)
		printf("a wrong FCS follows frame %" PRIu32 "\n", rig->in.next - 1);
}

unsigned int
oracle_step(struct oracle_rig *rig, unsigned int budget)
{
	return rig->model == NULL ? 0 : bcm4908_model_step(rig->model, budget);
}

void
oracle_force(struct oracle_rig *rig)
{
	uint8_t data[ORACLE_LEN_MAX];
	struct bcm4908_model_frame frame = {
		.data = data,
		.len = oracle_frame(&rig->in, rig->injected, data),
	};

	bcm4908_model_line_rx(rig->model, &frame);
	rig->injected++;
}

bool
oracle_inject(struct oracle_rig *rig)
{
	uint8_t data[ORACLE_LEN_MAX];

	if (!bcm4908_model_rx_ready(rig->model, oracle_frame(&rig->in, rig->injected, data)))
		return false;
	oracle_force(rig);
	return true;
}

struct oracle_rig *
oracle_rig_create(const struct oracle_driver *driver, bool passive)
{
	struct oracle_rig *rig = calloc(1, sizeof(*rig));
	struct bcm4908_model_env env = {
		.ctx = rig,
		.map = rig_map,
		.line_tx = rig_line_tx,
		.irq = rig_irq,
		.report = rig_report,
	};

	if (rig == NULL)
		return NULL;
	rig->driver = driver;
	rig->in = (struct oracle_flow) { .seed = 4908, .max_len = ORACLE_LEN_MAX };
	rig->out = (struct oracle_flow) { .seed = 8094, .max_len = ORACLE_LEN_MAX };
	if (passive)
		return rig;
	rig->model = bcm4908_model_create(&rig->shared, &env);
	if (rig->model == NULL) {
		free(rig);
		return NULL;
	}
	return rig;
}

void
oracle_rig_destroy(struct oracle_rig *rig)
{
	unsigned int i;

	for (i = 0; i < ORACLE_REPORTS && rig->report[i].count > 0; i++)
		printf("%s: strict mode: %s (%u times)\n", rig->driver->name,
		       rig->report[i].what, rig->report[i].count);
	if (rig->model != NULL)
		bcm4908_model_destroy(rig->model);
	free(rig);
}
