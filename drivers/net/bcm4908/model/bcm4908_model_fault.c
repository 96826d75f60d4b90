/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <stdlib.h>

#include "bcm4908_model_fault.h"
#include "bcm4908_model_priv.h"

/* Where a boot loader had its rings and its buffer: bus addresses that no driver gives out. */
#define BOOT_BUS	0x00a00000u
#define BOOT_DESCS	8u
#define BOOT_BUF	2048u

struct boot_memory {
	uint32_t ring[BCM4908_CHANS][2 * BOOT_DESCS];
	uint8_t buf[BOOT_BUF];
};

struct fault_state {
	bool set;
	uint32_t events;
	uint32_t hits;
	struct bcm4908_model_fault fault;
};

struct bcm4908_model_faults {
	struct fault_state kind[BCM4908_FAULT_KINDS];
	struct {
		bool hung;
		bool asked;	/* the frame to come was an event already */
		uint32_t delay;	/* steps to wait */
	} chan[BCM4908_CHANS];
	bool off;		/* no power */
	struct boot_memory boot;
};

static const struct {
	const char *name;
	uint32_t value, value_max;
} kinds[BCM4908_FAULT_KINDS] = {
	[BCM4908_FAULT_TX_HANG] = { "tx-hang", 0, 0 },
	[BCM4908_FAULT_RX_HANG] = { "rx-hang", 0, 0 },
	[BCM4908_FAULT_TX_DELAY] = { "tx-delay", 1, UINT32_MAX },
	[BCM4908_FAULT_TX_STOP] = { "tx-stop", 0, 0 },
	[BCM4908_FAULT_RX_STOP] = { "rx-stop", 0, 0 },
	[BCM4908_FAULT_TX_OWN] = { "tx-own", 0, 0 },
	[BCM4908_FAULT_RX_OWN] = { "rx-own", 0, 0 },
	[BCM4908_FAULT_TX_KICK] = { "tx-kick", 0, 0 },
	[BCM4908_FAULT_RX_KICK] = { "rx-kick", 0, 0 },
	[BCM4908_FAULT_TX_BUS] = { "tx-bus", 0, 0 },
	[BCM4908_FAULT_RX_BUS] = { "rx-bus", 0, 0 },
	[BCM4908_FAULT_TX_RING] = { "tx-ring", 0, 0 },
	[BCM4908_FAULT_RX_RING] = { "rx-ring", 0, 0 },
	[BCM4908_FAULT_RX_LEN] = { "rx-len", 0, BCM4908_DESC_LEN_MAX },
	[BCM4908_FAULT_RX_NO_SOP] = { "rx-no-sop", 0, 0 },
	[BCM4908_FAULT_RX_NO_EOP] = { "rx-no-eop", 0, 0 },
	[BCM4908_FAULT_RX_NO_MARK] = { "rx-no-mark", 0, 0 },
	[BCM4908_FAULT_RX_STATUS] = { "rx-status", 0xfff, 0xfff },
	[BCM4908_FAULT_RX_OVFL] = { "rx-ovfl", 0, 0 },
	[BCM4908_FAULT_NO_HALT] = { "no-halt", 0, 0 },
	[BCM4908_FAULT_NO_RESET] = { "no-reset", 0, 0 },
	[BCM4908_FAULT_IRQ_SPURIOUS] = { "irq-spurious", 0, 0 },
	[BCM4908_FAULT_IRQ_LOST] = { "irq-lost", 0, 0 },
	[BCM4908_FAULT_OFF_ONES] = { "off-ones", 0, 0 },
	[BCM4908_FAULT_OFF_ZEROS] = { "off-zeros", 0, 0 },
	[BCM4908_FAULT_GARBAGE] = { "garbage", 1, UINT32_MAX },
	[BCM4908_FAULT_BOOT] = { "boot", 0, 0 },
};

/* --- text --- */

void
bcm4908_model_fault_names(char *text, size_t size)
{
	unsigned int kind;
	size_t at = 0, len;

	for (kind = 0; kind < BCM4908_FAULT_KINDS; kind++) {
		len = strlen(kinds[kind].name);
		if (at + len + 2 > size)
			break;
		if (at > 0)
			text[at++] = ' ';
		memcpy(text + at, kinds[kind].name, len);
		at += len;
	}
	text[at] = '\0';
}

/* Take the word that ends with one of ":+" or the text; returns its length. */
static size_t
word_len(const char *text)
{
	return strcspn(text, ":+");
}

static bool
word_is(const char *text, const char *word)
{
	return word_len(text) == strlen(word) && strncmp(text, word, strlen(word)) == 0;
}

/* A number of digits or 0x...; moves on behind it. */
static bool
parse_number(const char **text, uint32_t *number)
{
	unsigned long long val;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	val = strtoull(*text, &end, 0);
	if (errno != 0 || end != *text + word_len(*text) || val > UINT32_MAX)
		return false;
	*number = (uint32_t)val;
	*text = end;
	return true;
}

/* The options behind a kind's name. */
static const char *
parse_options(const char **text, enum bcm4908_model_fault_kind kind,
	      struct bcm4908_model_fault *fault)
{
	uint32_t *number;

	while (**text == ':') {
		(*text)++;
		if (word_is(*text, "value") && kinds[kind].value_max != 0)
			number = &fault->value;
		else if (word_is(*text, "after"))
			number = &fault->after;
		else if (word_is(*text, "every"))
			number = &fault->every;
		else if (word_is(*text, "count"))
			number = &fault->count;
		else
			return "a kind is followed by :after:N, :every:N, :count:N or, where it has one, :value:N";
		*text += word_len(*text);
		if (**text != ':')
			return "an option lacks its number";
		(*text)++;
		if (!parse_number(text, number))
			return "a number is malformed";
	}
	if (fault->value > kinds[kind].value_max)
		return "a value is too large";
	return NULL;
}

static const char *
parse_kind(const char **text, enum bcm4908_model_fault_kind *kind)
{
	unsigned int i;

	for (i = 0; i < BCM4908_FAULT_KINDS; i++) {
		if (word_is(*text, kinds[i].name)) {
			*kind = (enum bcm4908_model_fault_kind)i;
			*text += word_len(*text);
			return NULL;
		}
	}
	return "no such kind";
}

const char *
bcm4908_model_fault_parse(const char *text, struct bcm4908_model_fault_list *list)
{
	const char *wrong = NULL;
	unsigned int i;

	memset(list, 0, sizeof(*list));
	do {
		enum bcm4908_model_fault_kind kind;
		struct bcm4908_model_fault fault = { 0 };

		wrong = parse_kind(&text, &kind);
		if (wrong != NULL)
			return wrong;
		fault.value = kinds[kind].value;
		wrong = parse_options(&text, kind, &fault);
		if (wrong != NULL)
			return wrong;
		for (i = 0; i < list->nb; i++)
			if (list->item[i].kind == kind)
				return "a kind stands there twice";
		list->item[list->nb].kind = kind;
		list->item[list->nb++].fault = fault;
	} while (*text++ == '+');
	return NULL;
}

/* --- when --- */

/* An event of a kind: is it hit? */
static bool
fault_hit(struct bcm4908_model_faults *faults, enum bcm4908_model_fault_kind kind)
{
	struct fault_state *state = &faults->kind[kind];
	const struct bcm4908_model_fault *fault = &state->fault;

	if (!state->set || (fault->count != 0 && state->hits >= fault->count) ||
	    state->events++ < fault->after)
		return false;
	if (fault->every > 1 && (state->events - fault->after - 1) % fault->every != 0)
		return false;
	state->hits++;
	return true;
}

/* The kind of a pair for this channel. */
static inline enum bcm4908_model_fault_kind
by_chan(const struct bcm4908_model_chan *ch, enum bcm4908_model_fault_kind tx,
	enum bcm4908_model_fault_kind rx)
{
	return ch->id == BCM4908_CHAN_TX ? tx : rx;
}

/* --- what the engine asks --- */

bool
bcm4908_model_fault_holds(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	struct bcm4908_model_faults *faults = model->fault;

	if (faults->chan[ch->id].hung || faults->chan[ch->id].delay > 0)
		return true;
	if (ch->in_frame || faults->chan[ch->id].asked)
		return false;
	faults->chan[ch->id].asked = true;
	if (fault_hit(faults, by_chan(ch, BCM4908_FAULT_TX_STOP, BCM4908_FAULT_RX_STOP))) {
		ch->enabled = false;
		ch->armed = false;
		return true;
	}
	if (ch->id == BCM4908_CHAN_TX && fault_hit(faults, BCM4908_FAULT_TX_DELAY))
		faults->chan[ch->id].delay = faults->kind[BCM4908_FAULT_TX_DELAY].fault.value;
	faults->chan[ch->id].hung =
		fault_hit(faults, by_chan(ch, BCM4908_FAULT_TX_HANG, BCM4908_FAULT_RX_HANG));
	return faults->chan[ch->id].hung || faults->chan[ch->id].delay > 0;
}

uint32_t
bcm4908_model_fault_write_back(struct bcm4908_model *model, struct bcm4908_model_chan *ch,
			       uint32_t ctl)
{
	struct bcm4908_model_faults *faults = model->fault;

	if ((ctl & BCM4908_DESC_EOP) != 0)
		faults->chan[ch->id].asked = false;
	if (fault_hit(faults, by_chan(ch, BCM4908_FAULT_TX_OWN, BCM4908_FAULT_RX_OWN)))
		return ch->ctl;
	if (ch->id == BCM4908_CHAN_TX)
		return ctl;
	if (fault_hit(faults, BCM4908_FAULT_RX_LEN)) {
		ctl &= ~(BCM4908_DESC_LEN_MAX << BCM4908_DESC_LEN_SHIFT);
		ctl |= faults->kind[BCM4908_FAULT_RX_LEN].fault.value << BCM4908_DESC_LEN_SHIFT;
	}
	if (fault_hit(faults, BCM4908_FAULT_RX_NO_SOP))
		ctl &= ~BCM4908_DESC_SOP;
	if (fault_hit(faults, BCM4908_FAULT_RX_NO_EOP))
		ctl &= ~BCM4908_DESC_EOP;
	if (fault_hit(faults, BCM4908_FAULT_RX_NO_MARK))
		ctl &= ~(BCM4908_DESC_SOP | BCM4908_DESC_EOP);
	if (fault_hit(faults, BCM4908_FAULT_RX_STATUS))
		ctl |= faults->kind[BCM4908_FAULT_RX_STATUS].fault.value;
	return ctl;
}

bool
bcm4908_model_fault_kick(struct bcm4908_model *model, const struct bcm4908_model_chan *ch)
{
	return fault_hit(model->fault, by_chan(ch, BCM4908_FAULT_TX_KICK, BCM4908_FAULT_RX_KICK));
}

bool
bcm4908_model_fault_bus(struct bcm4908_model *model, const struct bcm4908_model_chan *ch)
{
	return fault_hit(model->fault, by_chan(ch, BCM4908_FAULT_TX_BUS, BCM4908_FAULT_RX_BUS));
}

bool
bcm4908_model_fault_ring(struct bcm4908_model *model, const struct bcm4908_model_chan *ch)
{
	return fault_hit(model->fault, by_chan(ch, BCM4908_FAULT_TX_RING, BCM4908_FAULT_RX_RING));
}

bool
bcm4908_model_fault_halt(struct bcm4908_model *model)
{
	return fault_hit(model->fault, BCM4908_FAULT_NO_HALT);
}

bool
bcm4908_model_fault_reset(struct bcm4908_model *model, const struct bcm4908_model_chan *ch)
{
	struct bcm4908_model_faults *faults = model->fault;

	if (ch->enabled && fault_hit(faults, BCM4908_FAULT_NO_RESET))
		return true;
	faults->chan[ch->id].hung = false;
	faults->chan[ch->id].asked = false;
	faults->chan[ch->id].delay = 0;
	return false;
}

bool
bcm4908_model_fault_overflow(struct bcm4908_model *model)
{
	return fault_hit(model->fault, BCM4908_FAULT_RX_OVFL);
}

void
bcm4908_model_fault_events(struct bcm4908_model *model, struct bcm4908_model_chan *ch)
{
	if (fault_hit(model->fault, BCM4908_FAULT_IRQ_SPURIOUS))
		ch->events |= BCM4908_CHAN_INT_ALL;
	if (fault_hit(model->fault, BCM4908_FAULT_IRQ_LOST))
		ch->events = 0;
}

/* --- a boot loader's rings --- */

/* They never run dry. */
static void
boot_fill(struct boot_memory *boot, unsigned int id)
{
	const uint32_t len = id == BCM4908_CHAN_RX ? BOOT_BUF : BCM4908_TX_LEN_MIN;
	uint32_t ctl = BCM4908_DESC_OWN | len << BCM4908_DESC_LEN_SHIFT, i;

	if (id == BCM4908_CHAN_TX)
		ctl |= BCM4908_DESC_SOP | BCM4908_DESC_EOP | BCM4908_DESC_APPEND_CRC;
	for (i = 0; i < BOOT_DESCS; i++) {
		if (i + 1 == BOOT_DESCS)
			ctl |= BCM4908_DESC_WRAP;
		boot->ring[id][2 * i] = bcm4908_model_le32(ctl);
		boot->ring[id][2 * i + 1] =
			bcm4908_model_le32(BOOT_BUS + offsetof(struct boot_memory, buf));
	}
}

void *
bcm4908_model_fault_map(struct bcm4908_model *model, uint32_t bus, uint32_t len)
{
	struct bcm4908_model_faults *faults = model->fault;
	const uint32_t at = bus - BOOT_BUS;

	if (!faults->kind[BCM4908_FAULT_BOOT].set || at >= sizeof(faults->boot) ||
	    at + len > sizeof(faults->boot))
		return NULL;
	faults->kind[BCM4908_FAULT_BOOT].hits++;
	if (at < sizeof(faults->boot.ring))
		boot_fill(&faults->boot, at / sizeof(faults->boot.ring[0]));
	return (uint8_t *)&faults->boot + at;
}

static void
boot_run(struct bcm4908_model *model)
{
	unsigned int id;

	for (id = 0; id < BCM4908_CHANS; id++) {
		bcm4908_model_write(model, BCM4908_CHAN_BASE_DESC(id), BOOT_BUS +
				    id * sizeof(model->fault->boot.ring[0]));
		bcm4908_model_write(model, BCM4908_CHAN_INT_MASK(id), BCM4908_CHAN_INT_ALL);
		bcm4908_model_write(model, BCM4908_CHAN_CFG(id), BCM4908_CHAN_CFG_ENABLE);
	}
	bcm4908_model_write(model, BCM4908_IRQ_ENABLE, BCM4908_IRQ_OVFL);
	bcm4908_model_write(model, BCM4908_DMA_CTRL, BCM4908_DMA_CTRL_MASTER_EN);
	bcm4908_model_write(model, BCM4908_UMAC_CMD, BCM4908_CMD_RESET | BCM4908_CMD_RX_EN |
			    BCM4908_CMD_TX_EN);
}

/* --- power --- */

static void
power_set(struct bcm4908_model *model)
{
	const bool ones = fault_hit(model->fault, BCM4908_FAULT_OFF_ONES);
	const bool zeros = fault_hit(model->fault, BCM4908_FAULT_OFF_ZEROS);

	if (model->fault->off == (ones || zeros))
		return;
	model->fault->off = ones || zeros;
	bcm4908_model_reset(model);
	if (model->fault->off)
		bcm4908_model_off(model, ones ? UINT32_MAX : 0);
}

bool
bcm4908_model_fault_off(const struct bcm4908_model *model)
{
	return model->fault->off;
}

bool
bcm4908_model_fault_step(struct bcm4908_model *model)
{
	unsigned int id;

	power_set(model);
	for (id = 0; id < BCM4908_CHANS; id++)
		if (model->fault->chan[id].delay > 0)
			model->fault->chan[id].delay--;
	return !model->fault->off;
}

/* --- setting --- */

/* What is found before the first step. */
static void
fault_begin(struct bcm4908_model *model, enum bcm4908_model_fault_kind kind, uint32_t value)
{
	void (*report)(void *ctx, const char *what) = model->env.report;

	/* these writes are no driver's */
	model->env.report = NULL;
	if (kind == BCM4908_FAULT_GARBAGE) {
		bcm4908_model_garble(model, value);
		model->fault->kind[kind].hits++;
	} else if (kind == BCM4908_FAULT_BOOT) {
		boot_run(model);
	} else if (kind == BCM4908_FAULT_OFF_ONES || kind == BCM4908_FAULT_OFF_ZEROS) {
		power_set(model);
	}
	model->env.report = report;
}

int
bcm4908_model_fault_set(struct bcm4908_model *model, enum bcm4908_model_fault_kind kind,
			const struct bcm4908_model_fault *fault)
{
	if (model->fault == NULL)
		model->fault = calloc(1, sizeof(*model->fault));
	if (model->fault == NULL)
		return -1;
	model->fault->kind[kind] = (struct fault_state){ .set = true, .fault = *fault };
	fault_begin(model, kind, fault->value);
	return 0;
}

void
bcm4908_model_fault_clear(struct bcm4908_model *model, enum bcm4908_model_fault_kind kind)
{
	if (model->fault == NULL)
		return;
	model->fault->kind[kind].set = false;
	if (kind == BCM4908_FAULT_OFF_ONES || kind == BCM4908_FAULT_OFF_ZEROS)
		power_set(model);
}

uint32_t
bcm4908_model_fault_hits(const struct bcm4908_model *model, enum bcm4908_model_fault_kind kind)
{
	return model->fault == NULL ? 0 : model->fault->kind[kind].hits;
}
