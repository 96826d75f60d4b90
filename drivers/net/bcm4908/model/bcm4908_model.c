/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Register file and interrupts of the device model [2, 5]. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bcm4908_model_priv.h"

struct reg_info {
	uint32_t bits;	/* that exist; 0: no such register */
	/* Side effects, val has existing bits only; NULL: plain storage. */
	void (*write)(struct bcm4908_model *model, uint32_t reg, uint32_t val);
};

static void
write_ignored(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	(void)val;
	bcm4908_model_report(model, "write to read-only register %#x", reg);
}

static void
write_1_to_clear(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, bcm4908_model_get(model, reg) & ~val);
}

static void
write_mib_ctrl(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	unsigned int row;

	bcm4908_model_set(model, reg, val);
	model->mib_held = (val & BCM4908_MIB_CTRL_CLR) != 0;
	if (!model->mib_held)
		return;
	for (row = 0; row < BCM4908_MIB_COUNT; row++)
		bcm4908_model_set(model, BCM4908_MIB_BASE + 4 * row, 0);
	bcm4908_model_set(model, BCM4908_OVERFLOW_COUNTER, 0);
}

static void
update_oversize(struct bcm4908_model *model)
{
	uint32_t max = bcm4908_model_get(model, BCM4908_MIB_MAX_PKT_SIZE);

	model->oversize = max != 0 ? max : model->frame_max;
}

static void
write_mib_max(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	update_oversize(model);
}

static void
write_frame_len(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	model->frame_max = val;
	update_oversize(model);
}

/* GMAC_STATUS is what the outside tells the MAC; MODE shows it. */
static void
write_gmac_status(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	uint32_t mode = BCM4908_MODE_RX_PAUSE | BCM4908_MODE_TX_PAUSE |
			(val & BCM4908_GMAC_STATUS_SPEED);

	if ((val & BCM4908_GMAC_STATUS_HD) != 0)
		mode |= BCM4908_MODE_HALF;
	if ((val & BCM4908_GMAC_STATUS_LINK_UP) != 0)
		mode |= BCM4908_MODE_LINK;
	bcm4908_model_set(model, reg, val);
	bcm4908_model_set(model, BCM4908_UMAC_MODE, mode);
}

static void
write_flush(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	model->flush = val;
	if ((val & BCM4908_FLUSH_RX_FIFO) != 0)
		bcm4908_model_fifo_flush(model);
}

static void
write_tx_flush(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	model->umac_tx_flush = val != 0;
}

static void
write_cmd(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	model->cmd = val;
	if ((val & BCM4908_CMD_SW_RESET) != 0)
		bcm4908_model_mac_reset(model);
}

/* Big-endian packing [4.6]. */
static void
write_mac(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	if (reg == BCM4908_UMAC_MAC0) {
		model->mac[0] = (uint8_t)(val >> 24);
		model->mac[1] = (uint8_t)(val >> 16);
		model->mac[2] = (uint8_t)(val >> 8);
		model->mac[3] = (uint8_t)val;
	} else {
		model->mac[4] = (uint8_t)(val >> 8);
		model->mac[5] = (uint8_t)val;
	}
}

static void
write_tx_ipg(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	model->tx_min = (val >> 8) & 0x7f;
}

static void
write_dma_ctrl(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(model, reg, val);
	model->dma_ctrl = val;
}

static void
write_flowc_alloc(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	uint32_t n = val & ~BCM4908_FLOWC_ALLOC_FORCE;

	if ((val & BCM4908_FLOWC_ALLOC_FORCE) == 0)
		n += bcm4908_model_get(model, reg);
	bcm4908_model_set(model, reg, n & ~BCM4908_FLOWC_ALLOC_FORCE);
}

static void
write_chan_reset(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	unsigned int id;

	bcm4908_model_set(model, reg, val);
	for (id = 0; id < BCM4908_CHANS; id++)
		bcm4908_model_chan_reset(model, &model->chan[id],
					 (val & BCM4908_REG_BIT(id)) != 0);
}

static struct bcm4908_model_chan *
reg_chan(struct bcm4908_model *model, uint32_t reg)
{
	return &model->chan[(reg >> 4) & 1];
}

static void
write_chan_cfg(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	bcm4908_model_chan_write_cfg(model, reg_chan(model, reg), val);
}

static void
write_max_burst(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	if ((val & BCM4908_CHAN_DESCSIZE_SEL) != 0)
		bcm4908_model_report(model, "16-byte descriptors are not supported");
	bcm4908_model_set(model, reg, val);
}

static void
write_chan_state(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	struct bcm4908_model_chan *ch = reg_chan(model, reg);

	if (ch->enabled)
		bcm4908_model_report(model, "write to state RAM %#x of a running channel", reg);
	bcm4908_model_set(model, reg, val);
	if (reg == BCM4908_CHAN_BASE_DESC(ch->id))
		ch->base = val;
	else if (reg == BCM4908_CHAN_STATE_DATA(ch->id))
		ch->index = val & BCM4908_STATE_DATA_INDEX;
	bcm4908_model_chan_forget(model, ch);
}

#define ALL_BITS 0xffffffffu
#define REG(reg) [(reg) / sizeof(uint32_t)]
#define CHAN_REGS(ch) \
	REG(BCM4908_CHAN_CFG(ch)) = { 0x7, write_chan_cfg }, \
	REG(BCM4908_CHAN_INT_STAT(ch)) = { BCM4908_CHAN_INT_ALL, write_1_to_clear }, \
	REG(BCM4908_CHAN_INT_MASK(ch)) = { BCM4908_CHAN_INT_ALL, NULL }, \
	REG(BCM4908_CHAN_MAX_BURST(ch)) = { ALL_BITS, write_max_burst }, \
	REG(BCM4908_CHAN_BASE_DESC(ch)) = { ALL_BITS, write_chan_state }, \
	REG(BCM4908_CHAN_STATE_DATA(ch)) = { 0xcfff1fff, write_chan_state }, \
	REG(BCM4908_CHAN_DESC_STATUS(ch)) = { ALL_BITS, write_chan_state }, \
	REG(BCM4908_CHAN_DESC_BUFPTR(ch)) = { ALL_BITS, write_chan_state }
#define FLOWC_REGS(n) \
	REG(BCM4908_DMA_FLOWC_THRESH_LO(n)) = { ALL_BITS, NULL }, \
	REG(BCM4908_DMA_FLOWC_THRESH_HI(n)) = { ALL_BITS, NULL }, \
	REG(BCM4908_DMA_FLOWC_ALLOC(n)) = { ALL_BITS, write_flowc_alloc }

/* Every register except the MIB; what is not published is plain storage [10]. */
static const struct reg_info reg_table[BCM4908_REGS_SIZE / sizeof(uint32_t)] = {
	REG(BCM4908_INTF_CONTROL) = { ALL_BITS, NULL },
	REG(BCM4908_MIB_CTRL) = { BCM4908_MIB_CTRL_CLR, write_mib_ctrl },
	REG(BCM4908_RX_ERR_MASK) = { ALL_BITS, NULL },
	REG(BCM4908_MIB_MAX_PKT_SIZE) = { 0x3fff, write_mib_max },
	REG(BCM4908_DIAG_OUT) = { ALL_BITS, write_ignored },
	REG(BCM4908_ENABLE_DROP_PKT) = { ALL_BITS, NULL },
	REG(BCM4908_IRQ_ENABLE) = { BCM4908_IRQ_OVFL, NULL },
	REG(BCM4908_GMAC_STATUS) = { BCM4908_GMAC_STATUS_MASK, write_gmac_status },
	REG(BCM4908_IRQ_STATUS) = { BCM4908_IRQ_OVFL, write_1_to_clear },
	REG(BCM4908_OVERFLOW_COUNTER) = { ALL_BITS, write_ignored },
	REG(BCM4908_FLUSH) = { BCM4908_FLUSH_BOTH, write_flush },
	REG(BCM4908_RSV_SELECT) = { 0xfff, NULL },
	REG(BCM4908_BP_FORCE) = { 0x1, NULL },
	REG(BCM4908_RX_OK_TO_SEND) = { 0xf, NULL },
	REG(BCM4908_TX_CRC_CTRL) = { ALL_BITS, NULL },

	REG(BCM4908_UMAC_VERSION) = { ALL_BITS, write_ignored },
	REG(BCM4908_UMAC_HD_BKP_CTRL) = { 0x7f, NULL },
	REG(BCM4908_UMAC_CMD) = { ~BCM4908_CMD_RESERVED, write_cmd },
	REG(BCM4908_UMAC_MAC0) = { ALL_BITS, write_mac },
	REG(BCM4908_UMAC_MAC1) = { 0xffff, write_mac },
	REG(BCM4908_UMAC_MAX_FRAME_LEN) = { BCM4908_MAX_FRAME_LEN_MASK, write_frame_len },
	REG(BCM4908_UMAC_PAUSE_QUANTA) = { 0xffff, NULL },
	REG(BCM4908_UMAC_SFD_OFFSET) = { ALL_BITS, NULL },
	REG(BCM4908_UMAC_MODE) = { ALL_BITS, write_ignored },
	REG(BCM4908_UMAC_FRM_TAG0) = { 0x1ffff, NULL },
	REG(BCM4908_UMAC_FRM_TAG1) = { 0x1ffff, NULL },
	REG(BCM4908_UMAC_TX_IPG_LEN) = { 0x7f7f, write_tx_ipg },
	REG(BCM4908_UMAC_RX_IPG_INV) = { 0x1, NULL },
	REG(BCM4908_UMAC_MACSEC_TX_CRC) = { ALL_BITS, NULL },
	REG(BCM4908_UMAC_MACSEC_CTRL) = { ALL_BITS, NULL },
	REG(BCM4908_UMAC_PAUSE_CTRL) = { 0x3ffff, NULL },
	REG(BCM4908_UMAC_TX_FLUSH) = { 0x1, write_tx_flush },
	REG(BCM4908_UMAC_RX_FIFO_STATUS) = { ALL_BITS, write_ignored },
	REG(BCM4908_UMAC_TX_FIFO_STATUS) = { ALL_BITS, write_ignored },

	REG(BCM4908_DMA_CTRL) = { ALL_BITS, write_dma_ctrl },
	FLOWC_REGS(0),
	FLOWC_REGS(1),
	FLOWC_REGS(2),
	FLOWC_REGS(3),
	REG(BCM4908_DMA_CHAN_RESET) = { 0x3, write_chan_reset },
	REG(BCM4908_DMA_CHAN_DEBUG) = { ALL_BITS, NULL },
	REG(BCM4908_DMA_INT_STATUS) = { ALL_BITS, write_ignored },
	REG(BCM4908_DMA_INT_MASK) = { ALL_BITS, NULL },
	CHAN_REGS(BCM4908_CHAN_RX),
	CHAN_REGS(BCM4908_CHAN_TX),
};

void
bcm4908_model_copy_any(uint8_t *dst, const uint8_t *src, uint32_t len)
{
	memcpy(dst, src, len);
}

void
bcm4908_model_report(struct bcm4908_model *model, const char *fmt, ...)
{
	char what[128];
	va_list ap;

	if (model->env.report == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	model->env.report(model->env.ctx, what);
}

static void
irq_set(struct bcm4908_model *model, enum bcm4908_model_irq line, bool level)
{
	if (model->line[line] == level)
		return;
	model->line[line] = level;
	if (model->env.irq != NULL)
		model->env.irq(model->env.ctx, line, level);
}

/* The lines are levels: status and mask of their registers [5]. */
void
bcm4908_model_irq_update(struct bcm4908_model *model)
{
	static const enum bcm4908_model_irq line[BCM4908_CHANS] = {
		[BCM4908_CHAN_RX] = BCM4908_IRQ_LINE_RX,
		[BCM4908_CHAN_TX] = BCM4908_IRQ_LINE_TX,
	};
	uint32_t stat, global = 0;
	unsigned int id;

	for (id = 0; id < BCM4908_CHANS; id++) {
		stat = bcm4908_model_get(model, BCM4908_CHAN_INT_STAT(id));
		if (stat != 0)
			global |= BCM4908_REG_BIT(id);
		irq_set(model, line[id],
			(stat & bcm4908_model_get(model, BCM4908_CHAN_INT_MASK(id))) != 0);
	}
	if (global != bcm4908_model_get(model, BCM4908_DMA_INT_STATUS))
		bcm4908_model_set(model, BCM4908_DMA_INT_STATUS, global);
	irq_set(model, BCM4908_IRQ_LINE_MAC,
		(bcm4908_model_get(model, BCM4908_IRQ_STATUS) &
		 bcm4908_model_get(model, BCM4908_IRQ_ENABLE)) != 0);
}

static void
reset_values(struct bcm4908_model *model)
{
	write_cmd(model, BCM4908_UMAC_CMD, BCM4908_CMD_RESET);
	write_frame_len(model, BCM4908_UMAC_MAX_FRAME_LEN, BCM4908_MAX_FRAME_LEN_RESET);
	bcm4908_model_set(model, BCM4908_UMAC_MODE, BCM4908_MODE_SPEED_1000 |
			  BCM4908_MODE_RX_PAUSE | BCM4908_MODE_TX_PAUSE);
}

static void
set_all(struct bcm4908_model *model, uint32_t val)
{
	uint32_t reg;

	for (reg = 0; reg < BCM4908_REGS_SIZE; reg += sizeof(uint32_t))
		bcm4908_model_set(model, reg, val);
}

struct bcm4908_model *
bcm4908_model_create(struct bcm4908_model_shared *shared, const struct bcm4908_model_env *env)
{
	struct bcm4908_model *model = calloc(1, sizeof(*model));
	unsigned int id;

	if (model == NULL)
		return NULL;
	model->shared = shared;
	model->env = *env;
	model->fifo.size = BCM4908_RX_FIFO_SIZE;
	for (id = 0; id < BCM4908_CHANS; id++) {
		model->chan[id].id = id;
		model->chan[id].ring = id == BCM4908_CHAN_RX ? BCM4908_SPACE_RX_RING :
				       BCM4908_SPACE_TX_RING;
		if (env->report != NULL && bcm4908_model_watch_create(&model->chan[id]) != 0) {
			bcm4908_model_destroy(model);
			return NULL;
		}
	}
	reset_values(model);
	return model;
}

void
bcm4908_model_reset(struct bcm4908_model *model)
{
	struct bcm4908_model_chan *ch;
	unsigned int id;

	bcm4908_model_fifo_flush(model);
	for (id = 0; id < BCM4908_CHANS; id++) {
		ch = &model->chan[id];
		bcm4908_model_chan_reset(model, ch, true);
		ch->held = false;
		ch->base = 0;
		ch->index = 0;
		ch->events = 0;
		ch->moved = false;
	}
	set_all(model, 0);
	model->tx_min = 0;
	model->flush = 0;
	model->dma_ctrl = 0;
	model->umac_tx_flush = false;
	model->mib_held = false;
	memset(model->mac, 0, sizeof(model->mac));
	model->paused = false;
	model->flow_off = false;
	model->flow_due = false;
	reset_values(model);
	bcm4908_model_irq_update(model);
}

void
bcm4908_model_off(struct bcm4908_model *model, uint32_t val)
{
	unsigned int line;

	model->cmd = 0;
	set_all(model, val);
	for (line = 0; line < BCM4908_IRQ_LINES; line++)
		irq_set(model, line, false);
}

void
bcm4908_model_garble(struct bcm4908_model *model, uint32_t seed)
{
	uint32_t reg, x = seed != 0 ? seed : 1;

	for (reg = 0; reg < BCM4908_REGS_SIZE; reg += sizeof(uint32_t)) {
		const struct reg_info *info = &reg_table[reg / sizeof(uint32_t)];

		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		if (info->write != NULL && info->write != write_ignored &&
		    info->write != write_1_to_clear)
			bcm4908_model_write(model, reg, x & info->bits);
		else if (info->bits != 0)
			bcm4908_model_set(model, reg, x & info->bits);
		else if (reg >= BCM4908_MIB_BASE && reg < BCM4908_MIB_BASE + 4 * BCM4908_MIB_COUNT)
			bcm4908_model_set(model, reg, x);
	}
	bcm4908_model_irq_update(model);
}

void
bcm4908_model_destroy(struct bcm4908_model *model)
{
	unsigned int id;

	for (id = 0; id < BCM4908_CHANS; id++)
		free(model->chan[id].watch);
	free(model->fault);
	free(model);
}

void
bcm4908_model_set_knobs(struct bcm4908_model *model, const struct bcm4908_model_knobs *knobs)
{
	model->knobs = *knobs;
	model->fifo.size = knobs->fifo_size != 0 ? knobs->fifo_size : BCM4908_RX_FIFO_SIZE;
	if (model->fifo.size > BCM4908_RX_FIFO_SIZE)
		model->fifo.size = BCM4908_RX_FIFO_SIZE;
}

uint32_t
bcm4908_model_read(const struct bcm4908_model_shared *shared, uint32_t reg)
{
	if (reg >= BCM4908_REGS_SIZE || reg % sizeof(uint32_t) != 0)
		return 0;
	return __atomic_load_n(&shared->reg[reg / sizeof(uint32_t)], __ATOMIC_ACQUIRE);
}

void
bcm4908_model_write(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	const struct reg_info *info;

	if (reg >= BCM4908_REGS_SIZE || reg % sizeof(uint32_t) != 0) {
		bcm4908_model_report(model, "write outside of the registers at %#x", reg);
		return;
	}
	if (reg >= BCM4908_MIB_BASE && reg < BCM4908_MIB_BASE + 4 * BCM4908_MIB_COUNT) {
		write_ignored(model, reg, val);
		return;
	}
	if (model->fault != NULL && bcm4908_model_fault_off(model))
		return;
	info = &reg_table[reg / sizeof(uint32_t)];
	if (info->bits == 0) {
		bcm4908_model_report(model, "write to unimplemented register %#x", reg);
		return;
	}
	if ((val & ~info->bits) != 0)
		bcm4908_model_report(model, "write to reserved bits %#x of register %#x",
				     val & ~info->bits, reg);
	val &= info->bits;
	if (info->write != NULL)
		info->write(model, reg, val);
	else
		bcm4908_model_set(model, reg, val);
	bcm4908_model_irq_update(model);
}

unsigned int
bcm4908_model_step(struct bcm4908_model *model, unsigned int budget)
{
	unsigned int frames;

	if (model->fault != NULL && !bcm4908_model_fault_step(model))
		return 0;
	frames = bcm4908_model_mac_step(model, budget);
	frames += bcm4908_model_dma_step(model, budget);
	bcm4908_model_irq_update(model);
	return frames;
}
