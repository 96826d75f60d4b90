/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>

#include "bcm4908_hw.h"
#include "bcm4908_logs.h"

#define RESET_US	20	/* SW_RESET is held at least this long [4.1, step 2] */
#define FRAME_US	100	/* more than the longest frame's time on the line at 1 Gbit/s */
#define HALT_STEP_US	20
#define HALT_STEPS	100	/* 2 ms in all [4.4] */
#define DRAIN_STEPS	500	/* 10 ms in all [4.4] */
/* A packet, and no descriptors: then somebody must look whether there are buffers again. */
#define RX_IRQS		(BCM4908_CHAN_INT_DONE | BCM4908_CHAN_INT_NO_DESC)
#define CONTROL_FWD	(BCM4908_CMD_PAUSE_FWD | BCM4908_CMD_CNTL_FRM_EN)
#define TX_GAP		12u	/* between frames, the family's default [2.2] */
#define TX_MIN_LEN	14u	/* the MAC's padding is not needed: the smallest legal value [2.2] */

/* Poll until a channel's ENABLE reads 0. */
static bool
hw_chan_idle(struct bcm4908_dev *dev, unsigned int chan, unsigned int steps)
{
	while ((bcm4908_read(dev, BCM4908_CHAN_CFG(chan)) & BCM4908_CHAN_CFG_ENABLE) != 0) {
		if (steps-- == 0)
			return false;
		dev->ops->delay(dev, HALT_STEP_US);
	}
	return true;
}

static void
hw_chan_reset(struct bcm4908_dev *dev, unsigned int chan)
{
	bcm4908_write(dev, BCM4908_DMA_CHAN_RESET, 1u << chan);
	bcm4908_write(dev, BCM4908_DMA_CHAN_RESET, 0);
}

int
bcm4908_hw_chan_stop(struct bcm4908_dev *dev, unsigned int chan)
{
	static const uint32_t halts[] = {
		BCM4908_CHAN_CFG_PKT_HALT, BCM4908_CHAN_CFG_BURST_HALT,
	};
	bool idle = hw_chan_idle(dev, chan, 0);

	for (unsigned int i = 0; i < RTE_DIM(halts) && !idle; i++) {
		bcm4908_write(dev, BCM4908_CHAN_CFG(chan), halts[i]);
		idle = hw_chan_idle(dev, chan, HALT_STEPS / RTE_DIM(halts));
	}
	if (!idle) {
		PMD_LOG(WARNING, "channel %u does not halt, resetting it", chan);
		hw_chan_reset(dev, chan);
		idle = hw_chan_idle(dev, chan, HALT_STEPS);
	}
	bcm4908_write(dev, BCM4908_CHAN_CFG(chan), 0);
	if (!idle) {
		PMD_LOG(ERR, "channel %u cannot be stopped", chan);
		return -EIO;
	}
	return 0;
}

/* A powered-off or absent block reads all ones or zeros, and keeps nothing. */
static bool
hw_answers(struct bcm4908_dev *dev)
{
	const uint32_t len = bcm4908_read(dev, BCM4908_UMAC_MAX_FRAME_LEN);

	if ((len & ~BCM4908_MAX_FRAME_LEN_MASK) != 0)
		return false;
	bcm4908_write(dev, BCM4908_UMAC_MAX_FRAME_LEN, len ^ 1);
	if (bcm4908_read(dev, BCM4908_UMAC_MAX_FRAME_LEN) != (len ^ 1))
		return false;
	bcm4908_write(dev, BCM4908_UMAC_MAX_FRAME_LEN, len);
	return true;
}

/*
 * As hw_answers(), without a write: a block without power reads all ones or all
 * zeros, and CMD is never either. Reserved bits prove nothing: what they read as
 * on silicon is not known, and who is taken for dead loses its memory.
 */
static bool
hw_cmd_is_sane(uint32_t cmd)
{
	return cmd != 0 && cmd != UINT32_MAX;
}

bool
bcm4908_hw_alive(const struct bcm4908_dev *dev, bool rx, bool tx)
{
	const uint32_t cmd = bcm4908_read(dev, BCM4908_UMAC_CMD);

	return hw_cmd_is_sane(cmd) && ((cmd & BCM4908_CMD_RX_EN) != 0) == rx &&
		((cmd & BCM4908_CMD_TX_EN) != 0) == tx;
}

int
bcm4908_hw_probe(struct bcm4908_dev *dev)
{
	int ret = 0;

	if (!hw_answers(dev)) {
		PMD_LOG(ERR, "the controller does not answer; is its power domain on?");
		return -ENODEV;
	}
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		bcm4908_write(dev, BCM4908_CHAN_INT_MASK(chan), 0);
	bcm4908_write(dev, BCM4908_IRQ_ENABLE, 0);
	bcm4908_hw_mac_enable(dev, false, false);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		if (bcm4908_hw_chan_stop(dev, chan) != 0)
			ret = -EIO;
	bcm4908_modify(dev, BCM4908_DMA_CTRL, BCM4908_DMA_CTRL_MASTER_EN, 0);
	return ret;
}

/* The explicit value of CMD: no bit is left to what a reset or a loader chose [2.2, note]. */
static uint32_t
hw_cmd(const struct bcm4908_hw_config *cfg)
{
	uint32_t cmd = BCM4908_CMD_SPEED_1000 | BCM4908_CMD_CRC_FWD | BCM4908_CMD_NO_LEN_CHK;

	if (cfg->promisc)
		cmd |= BCM4908_CMD_PROMISC;
	if (cfg->loopback)
		cmd |= BCM4908_CMD_LCL_LOOP;
	if (!cfg->rx_pause)
		cmd |= BCM4908_CMD_RX_PAUSE_IGNORE;
	if (!cfg->tx_pause)
		cmd |= BCM4908_CMD_TX_PAUSE_IGNORE;
	if (cfg->control_fwd)
		cmd |= CONTROL_FWD;
	return cmd;
}

/* Set and clear a bit of the "write 1, then 0" kind. */
static void
hw_pulse(struct bcm4908_dev *dev, uint32_t reg, uint32_t bits)
{
	bcm4908_modify(dev, reg, 0, bits);
	bcm4908_modify(dev, reg, bits, 0);
}

void
bcm4908_hw_mac_init(struct bcm4908_dev *dev, const struct bcm4908_hw_config *cfg)
{
	const uint32_t cmd = hw_cmd(cfg);

	bcm4908_hw_set_frame_len(dev, cfg->frame_len);
	bcm4908_modify(dev, BCM4908_UMAC_CMD, 0, BCM4908_CMD_SW_RESET);
	dev->ops->delay(dev, RESET_US);
	/* Speed and loopback change under reset [4.7]. */
	bcm4908_write(dev, BCM4908_UMAC_CMD, cmd | BCM4908_CMD_SW_RESET);
	bcm4908_write(dev, BCM4908_UMAC_CMD, cmd);
	hw_pulse(dev, BCM4908_FLUSH, BCM4908_FLUSH_BOTH);
	hw_pulse(dev, BCM4908_MIB_CTRL, BCM4908_MIB_CTRL_CLR);
	/* A loader may have left these so that frames change or vanish. */
	bcm4908_write(dev, BCM4908_UMAC_TX_FLUSH, 0);
	bcm4908_write(dev, BCM4908_UMAC_TX_IPG_LEN, TX_MIN_LEN << 8 | TX_GAP);
	bcm4908_hw_set_mac_addr(dev, &cfg->mac);
	bcm4908_modify(dev, BCM4908_GMAC_STATUS, BCM4908_GMAC_STATUS_MASK,
		       BCM4908_GMAC_STATUS_SPEED_1000 | BCM4908_GMAC_STATUS_AUTO_CFG |
		       BCM4908_GMAC_STATUS_LINK_UP);
	/* The engine stays off until the rings are in place. */
	bcm4908_modify(dev, BCM4908_DMA_CTRL,
		       BCM4908_DMA_CTRL_MASTER_EN | BCM4908_DMA_CTRL_FLOWC_CH1, 0);
}

void
bcm4908_hw_chan_init(struct bcm4908_dev *dev, unsigned int chan, uint32_t ring_bus)
{
	bcm4908_write(dev, BCM4908_CHAN_CFG(chan), 0);
	hw_chan_reset(dev, chan);
	/* The reset is not known to clear the state RAM [2.5]. */
	bcm4908_write(dev, BCM4908_CHAN_BASE_DESC(chan), 0);
	bcm4908_write(dev, BCM4908_CHAN_STATE_DATA(chan), 0);
	bcm4908_write(dev, BCM4908_CHAN_DESC_STATUS(chan), 0);
	bcm4908_write(dev, BCM4908_CHAN_DESC_BUFPTR(chan), 0);
	bcm4908_write(dev, BCM4908_CHAN_BASE_DESC(chan), ring_bus);
	bcm4908_write(dev, BCM4908_CHAN_MAX_BURST(chan), BCM4908_CHAN_MAX_BURST_8);
	bcm4908_write(dev, BCM4908_CHAN_INT_MASK(chan), 0);
	bcm4908_write(dev, BCM4908_CHAN_INT_STAT(chan), BCM4908_CHAN_INT_ALL);
}

void
bcm4908_hw_dma_enable(struct bcm4908_dev *dev)
{
	bcm4908_modify(dev, BCM4908_DMA_CTRL, BCM4908_DMA_CTRL_FLOWC_CH1,
		       BCM4908_DMA_CTRL_MASTER_EN);
}

void
bcm4908_hw_chan_enable(struct bcm4908_dev *dev, unsigned int chan)
{
	bcm4908_write(dev, BCM4908_CHAN_CFG(chan), BCM4908_CHAN_CFG_ENABLE);
}

void
bcm4908_hw_mac_enable(struct bcm4908_dev *dev, bool rx, bool tx)
{
	bcm4908_modify(dev, BCM4908_UMAC_CMD, BCM4908_CMD_RX_EN | BCM4908_CMD_TX_EN,
		       (rx ? BCM4908_CMD_RX_EN : 0) | (tx ? BCM4908_CMD_TX_EN : 0));
}

void
bcm4908_hw_tx_drain(struct bcm4908_dev *dev)
{
	/* Once more ENABLE, lest a lost kick leaves a frame behind [3.5]. */
	bcm4908_hw_chan_enable(dev, BCM4908_CHAN_TX);
	if (!hw_chan_idle(dev, BCM4908_CHAN_TX, DRAIN_STEPS))
		PMD_LOG(NOTICE, "the line takes no frames, dropping what is not sent");
}

int
bcm4908_hw_rx_stop(struct bcm4908_dev *dev)
{
	int ret;

	bcm4908_modify(dev, BCM4908_UMAC_CMD, BCM4908_CMD_RX_EN, 0);
	dev->ops->delay(dev, FRAME_US);
	ret = bcm4908_hw_chan_stop(dev, BCM4908_CHAN_RX);
	hw_pulse(dev, BCM4908_FLUSH, BCM4908_FLUSH_RX_FIFO);
	return ret;
}

int
bcm4908_hw_tx_stop(struct bcm4908_dev *dev)
{
	int ret;

	bcm4908_hw_tx_drain(dev);
	ret = bcm4908_hw_chan_stop(dev, BCM4908_CHAN_TX);
	/* what the channel handed over last is still to leave the MAC */
	dev->ops->delay(dev, FRAME_US);
	bcm4908_modify(dev, BCM4908_UMAC_CMD, BCM4908_CMD_TX_EN, 0);
	hw_pulse(dev, BCM4908_FLUSH, BCM4908_FLUSH_TX_FIFO);
	return ret;
}

int
bcm4908_hw_stop(struct bcm4908_dev *dev)
{
	int ret = 0;

	if (!hw_cmd_is_sane(bcm4908_read(dev, BCM4908_UMAC_CMD))) {
		PMD_LOG(WARNING, "the controller does not answer, it is taken to be powered off");
		return 0;
	}
	bcm4908_modify(dev, BCM4908_UMAC_CMD, BCM4908_CMD_RX_EN, 0);
	dev->ops->delay(dev, FRAME_US);
	if (bcm4908_read(dev, BCM4908_CHAN_BASE_DESC(BCM4908_CHAN_TX)) != 0) /* it has a ring */
		bcm4908_hw_tx_drain(dev);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		if (bcm4908_hw_chan_stop(dev, chan) != 0)
			ret = -EIO;
	bcm4908_modify(dev, BCM4908_DMA_CTRL, BCM4908_DMA_CTRL_MASTER_EN, 0);
	bcm4908_hw_mac_enable(dev, false, false);
	hw_pulse(dev, BCM4908_FLUSH, BCM4908_FLUSH_BOTH);
	return ret;
}

void
bcm4908_hw_set_frame_len(struct bcm4908_dev *dev, uint32_t frame_len)
{
	bcm4908_write(dev, BCM4908_UMAC_MAX_FRAME_LEN, frame_len);
	/* The MIB has a threshold of its own for "oversize" [11.4]. */
	bcm4908_write(dev, BCM4908_MIB_MAX_PKT_SIZE, frame_len);
}

void
bcm4908_hw_set_mac_addr(struct bcm4908_dev *dev, const struct rte_ether_addr *mac)
{
	const uint8_t *b = mac->addr_bytes;

	bcm4908_write(dev, BCM4908_UMAC_MAC0,
		      (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]);
	bcm4908_write(dev, BCM4908_UMAC_MAC1, (uint32_t)b[4] << 8 | b[5]);
}

void
bcm4908_hw_set_promisc(struct bcm4908_dev *dev, bool on)
{
	bcm4908_modify(dev, BCM4908_UMAC_CMD, on ? 0 : BCM4908_CMD_PROMISC,
		       on ? BCM4908_CMD_PROMISC : 0);
}

void
bcm4908_hw_set_pause(struct bcm4908_dev *dev, bool obey, bool control_fwd)
{
	bcm4908_modify(dev, BCM4908_UMAC_CMD, BCM4908_CMD_RX_PAUSE_IGNORE | CONTROL_FWD,
		       (obey ? 0 : BCM4908_CMD_RX_PAUSE_IGNORE) | (control_fwd ? CONTROL_FWD : 0));
}

void
bcm4908_hw_rx_irq_enable(struct bcm4908_dev *dev)
{
	bcm4908_write(dev, BCM4908_CHAN_INT_STAT(BCM4908_CHAN_RX), RX_IRQS);
	bcm4908_write(dev, BCM4908_CHAN_INT_MASK(BCM4908_CHAN_RX), RX_IRQS);
}

void
bcm4908_hw_rx_irq_disable(struct bcm4908_dev *dev)
{
	bcm4908_write(dev, BCM4908_CHAN_INT_MASK(BCM4908_CHAN_RX), 0);
}
