/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The seam: where the controller is. Silicon behind UIO and the model inside
 * this process each fill one struct bcm4908_dev; everything above (hw, rxtx,
 * ethdev) is the same code for both.
 *
 * A struct bcm4908_dev belongs to one process. What a burst or a query needs
 * of the back-end (registers, doorbells, rings) lies in shared memory that is
 * mapped at the same address in every process; a secondary process builds its
 * own struct bcm4908_dev over it with the back-end's attach function.
 */

#ifndef BCM4908_DEV_H
#define BCM4908_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_stdatomic.h>

#include "bcm4908_regs.h"

struct bcm4908_dev;

/* Memory that both the CPU and the device address. */
struct bcm4908_dma {
	void *va;	/* CPU address, 64-byte aligned */
	uint32_t bus;	/* what the device calls it, 64-byte aligned */
	size_t len;	/* bytes */
};

/* How a device moves: see the stepping= device argument. */
enum bcm4908_stepping {
	BCM4908_STEPPING_NONE,		/* silicon: by itself */
	BCM4908_STEPPING_THREAD,	/* a control thread of the primary process */
	BCM4908_STEPPING_BURST,		/* inside each burst call */
	BCM4908_STEPPING_MANUAL,	/* only by bcm4908_model_step() */
};

/* Device arguments, parsed and range-checked by the ethdev layer. */
struct bcm4908_devargs {
	char wire[64];		/* "loop", "cable:NAME" or the name of an ethdev port */
	uint32_t rate;		/* Mbit/s, 0: unpaced */
	enum bcm4908_stepping stepping;
	int cpu;		/* of the model thread, -1: as EAL's control threads */
	bool coherent;
	char fault[128];	/* fault specification, empty: none */
};

struct bcm4908_dev_ops {
	/* Read one register [2]; in any process, never from a burst. */
	uint32_t (*read)(const struct bcm4908_dev *dev, uint32_t reg);
	/*
	 * Write one register; primary process only, from one control thread. The
	 * receiving thread may write the interrupt registers of its channel.
	 */
	void (*write)(struct bcm4908_dev *dev, uint32_t reg, uint32_t val);
	/* Let at least us microseconds pass for the device. */
	void (*delay)(struct bcm4908_dev *dev, unsigned int us);
	/*
	 * Memory for one channel's ring, zeroed; the same memory may be handed
	 * out again after ring_free. 0, -ENOMEM, or -EBUSY when taken.
	 */
	int (*ring_alloc)(struct bcm4908_dev *dev, unsigned int chan, size_t len,
			  struct bcm4908_dma *ring);
	void (*ring_free)(struct bcm4908_dev *dev, unsigned int chan);
	/*
	 * Make buffers in [lo, hi) reachable: bus address = address -
	 * dev->bus_base. The channels are stopped. 0, or -ERANGE when 32 bits
	 * cannot span the range.
	 */
	int (*set_window)(struct bcm4908_dev *dev, uint64_t lo, uint64_t hi);
	/* Connect or disconnect the line side. */
	int (*start)(struct bcm4908_dev *dev);
	void (*stop)(struct bcm4908_dev *dev);
	/* Is the line side's link up? In any process. */
	bool (*link)(const struct bcm4908_dev *dev);
	/*
	 * Frames that the line lost after the MAC had sent or before it could
	 * receive them; in any process. NULL where nobody can know.
	 */
	uint64_t (*line_drops)(const struct bcm4908_dev *dev);
	/*
	 * Move a stepped device by at most budget frames each way; returns the
	 * frames moved. NULL when the device moves by itself.
	 */
	unsigned int (*step)(struct bcm4908_dev *dev, unsigned int budget);
	/*
	 * An eventfd(2), non-blocking, that the receive channel's interrupts are
	 * added to, and that the driver may add to itself; it lasts until close.
	 * -ENOTSUP when the device cannot interrupt.
	 */
	int (*rx_irq_fd)(struct bcm4908_dev *dev);
	/* Let go of everything that this process holds. */
	void (*close)(struct bcm4908_dev *dev);
};

struct bcm4908_dev {
	const struct bcm4908_dev_ops *ops;
	void *priv;		/* the back-end's, of this process */
	void *shared;		/* the back-end's, in shared memory; what attach takes */
	/*
	 * One 32-bit store of 1 starts the channel: the CFG register on
	 * silicon, a mailbox word that the model takes by atomic exchange.
	 */
	RTE_ATOMIC(uint32_t) *doorbell[BCM4908_CHANS];
	uint64_t bus_base;	/* bus = address - bus_base, after set_window */
	/*
	 * Offset in struct rte_mbuf of the address that the device is to use:
	 * buf_iova for real DMA, buf_addr for the model.
	 */
	uint16_t mbuf_addr_off;
	bool coherent;		/* no cache care needed */
	enum bcm4908_stepping stepping;
};

static inline uint32_t
bcm4908_read(const struct bcm4908_dev *dev, uint32_t reg)
{
	return dev->ops->read(dev, reg);
}

static inline void
bcm4908_write(struct bcm4908_dev *dev, uint32_t reg, uint32_t val)
{
	dev->ops->write(dev, reg, val);
}

/* Read-modify-write; the caller is the only control thread. */
static inline void
bcm4908_modify(struct bcm4908_dev *dev, uint32_t reg, uint32_t clear, uint32_t set)
{
	bcm4908_write(dev, reg, (bcm4908_read(dev, reg) & ~clear) | set);
}

/**
 * Make a model of the controller in this, the primary, process.
 *
 * @param dev
 *   Filled in on success.
 * @param name
 *   Name of the ethdev, unique in the process; names memory and log lines.
 * @param args
 *   Device arguments; args->wire may name a port that does not exist yet.
 * @param socket
 *   NUMA node for its memory.
 * @return
 *   0, -ENOMEM, -EINVAL (an argument is malformed; the reason was logged).
 */
int bcm4908_dev_model_create(struct bcm4908_dev *dev, const char *name,
			     const struct bcm4908_devargs *args, int socket);

/**
 * Attach a secondary process to the model that the primary made.
 *
 * @param dev
 *   Filled in; only read, link and close work in it.
 * @param shared
 *   The primary's dev->shared.
 * @return
 *   0 or -ENOMEM.
 */
int bcm4908_dev_model_attach(struct bcm4908_dev *dev, void *shared);

#endif /* BCM4908_DEV_H */
