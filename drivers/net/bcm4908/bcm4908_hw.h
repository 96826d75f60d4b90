/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Procedures on the controller's registers. They know the seam below and
 * nothing above: no ethdev, no mbufs. All of them belong to one control
 * thread of the primary process.
 */

#ifndef BCM4908_HW_H
#define BCM4908_HW_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

#include "bcm4908_dev.h"

/* What the MAC is to do once it runs. */
struct bcm4908_hw_config {
	struct rte_ether_addr mac;	/* unicast filter, source of PAUSE frames */
	uint32_t frame_len;		/* longest frame to receive, with tags and FCS, bytes */
	bool promisc;			/* no unicast filter */
	bool loopback;			/* what is sent comes back, inside the MAC */
	bool rx_pause;			/* a received PAUSE frame holds our transmission */
	bool tx_pause;			/* PAUSE frames may be sent */
	bool control_fwd;		/* PAUSE and other MAC control frames go to memory */
};

/**
 * See that the block answers, and silence whatever ran it before [4.2, steps 0
 * and 1]: a boot loader or another driver may have left channels running.
 *
 * @return
 *   0, -ENODEV when the block does not answer (it may be powered off), -EIO
 *   when a channel cannot be stopped.
 */
int bcm4908_hw_probe(struct bcm4908_dev *dev);

/**
 * Reset and configure the MAC, empty its FIFOs, clear the MIB [4.2, steps 2
 * and 3]. Leaves TX_EN and RX_EN off.
 */
void bcm4908_hw_mac_init(struct bcm4908_dev *dev, const struct bcm4908_hw_config *cfg);

/**
 * Reset a stopped channel and give it a ring to begin at index 0 of [4.2, step 4].
 *
 * @param ring_bus
 *   Bus address of the ring, a multiple of BCM4908_RING_ALIGN.
 */
void bcm4908_hw_chan_init(struct bcm4908_dev *dev, unsigned int chan, uint32_t ring_bus);

/** Let the DMA engine run; channels start by their own ENABLE [4.2, step 5]. */
void bcm4908_hw_dma_enable(struct bcm4908_dev *dev);

/** Start a channel, or make it look at its ring again [3.5]. */
void bcm4908_hw_chan_enable(struct bcm4908_dev *dev, unsigned int chan);

/**
 * Stop a channel after the packet that it is at; if it does not, after the
 * burst, and if that does not help either, by reset [4.4].
 *
 * @return
 *   0, or -EIO when ENABLE stays set: its memory must not be freed.
 */
int bcm4908_hw_chan_stop(struct bcm4908_dev *dev, unsigned int chan);

/**
 * Stop reception while transmission goes on: receiver off, channel halted, FIFO
 * emptied [4.4]. The receiver's bit is the caller's to set again, by
 * bcm4908_hw_mac_enable().
 *
 * @return
 *   0, or -EIO when the channel cannot be stopped.
 */
int bcm4908_hw_rx_stop(struct bcm4908_dev *dev);

/** Stop transmission while reception goes on: drain, channel halted, transmitter off [4.4]. */
int bcm4908_hw_tx_stop(struct bcm4908_dev *dev);

/** Wait for the transmit channel to run out of descriptors, at most 10 ms [4.4]. */
void bcm4908_hw_tx_drain(struct bcm4908_dev *dev);

/**
 * Is the block powered, and does it still have what bcm4908_hw_mac_enable() set?
 * In any process.
 */
bool bcm4908_hw_alive(const struct bcm4908_dev *dev, bool rx, bool tx);

/** Switch the MAC's receiver and transmitter. */
void bcm4908_hw_mac_enable(struct bcm4908_dev *dev, bool rx, bool tx);

/**
 * Stop everything, in the order of [4.4]: receiver, transmit drain, both
 * channels, engine, transmitter, FIFOs. A block without power is at rest.
 *
 * @return
 *   0, or -EIO when a channel cannot be stopped.
 */
int bcm4908_hw_stop(struct bcm4908_dev *dev);

/** Longest frame to receive, tags and FCS counted, in bytes; may be changed while running [4.5]. */
void bcm4908_hw_set_frame_len(struct bcm4908_dev *dev, uint32_t frame_len);

/** Station address for the unicast filter [4.6]. */
void bcm4908_hw_set_mac_addr(struct bcm4908_dev *dev, const struct rte_ether_addr *mac);

/** Switch the unicast filter off (true) or on. */
void bcm4908_hw_set_promisc(struct bcm4908_dev *dev, bool on);

/** Obey received PAUSE frames? Pass MAC control frames to memory? Also while running [4.9]. */
void bcm4908_hw_set_pause(struct bcm4908_dev *dev, bool obey, bool control_fwd);

/**
 * Let the receive channel interrupt: from now on, what happened before is
 * forgotten. The caller then looks at the ring, since what came between its last
 * look and now may not interrupt [5]. In the thread that receives, too.
 */
void bcm4908_hw_rx_irq_enable(struct bcm4908_dev *dev);

/** Mask the receive channel's interrupts; in the thread that receives, too. */
void bcm4908_hw_rx_irq_disable(struct bcm4908_dev *dev);

#endif /* BCM4908_HW_H */
