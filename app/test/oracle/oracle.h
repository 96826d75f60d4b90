/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * A bench for drivers: the device model's core with a line that is played by
 * hand, a record of the register accesses, and two drivers that can be put on
 * it, the mainline Linux driver and our own.
 */

#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bcm4908_regs.h"
#include "model/bcm4908_model.h"

#define ORACLE_LEN_MIN 60u	/* of a frame without FCS */
#define ORACLE_LEN_MAX 1514u
#define ORACLE_RING 200u	/* descriptors of each ring, as in the Linux driver */
#define ORACLE_RX_IRQ 86
#define ORACLE_TX_IRQ 87

/* A sequence of frames that anybody can make again from its seed. */
struct oracle_flow {
	uint32_t seed;
	uint32_t max_len;	/* lengths are ORACLE_LEN_MIN to this */
	uint32_t next;		/* index of the frame that is to arrive next */
	uint32_t bad;		/* that arrived and were not as they should */
	uint64_t bytes;
	uint64_t digest;	/* over lengths and bytes of all that arrived */
};

/** Make frame index of a flow in buf, which has room for ORACLE_LEN_MAX bytes; its length. */
uint32_t oracle_frame(const struct oracle_flow *flow, uint32_t index, uint8_t *buf);

/** Compare a frame that arrived with the one that is due. */
void oracle_flow_take(struct oracle_flow *flow, const uint8_t *data, uint32_t len);

struct oracle_access {
	bool write;
	uint16_t reg;
	uint32_t val;
};

#define ORACLE_LOG_MAX 1024u
#define ORACLE_REPORTS 16u

struct oracle_driver;

struct oracle_rig {
	const struct oracle_driver *driver;
	struct bcm4908_model_shared shared;
	struct bcm4908_model *model;	/* NULL: a register file that only stores */

	/* accesses since the last reset of these */
	uint64_t reads;
	uint64_t writes;
	unsigned int outside;		/* accesses outside of the page, or not of 32 bits */
	struct oracle_access log[ORACLE_LOG_MAX];
	unsigned int log_len;

	struct oracle_flow in;		/* from the line to the driver */
	uint32_t injected;		/* frames that the line has sent */
	struct oracle_flow out;		/* from the driver to the line */
	uint32_t sent;			/* frames that the driver has taken */
	unsigned int line_busy;		/* how often the line will refuse a frame */
	unsigned int line_refused;

	/* what arrives when it is not the next frame of a flow */
	bool (*in_hook)(struct oracle_rig *rig, const uint8_t *data, uint32_t len);
	bool (*out_hook)(struct oracle_rig *rig, const uint8_t *data, uint32_t len);

	bool irq[BCM4908_IRQ_LINES];
	unsigned int irqs;		/* times that a line rose */
	bool restless;			/* the device moves at every access of the driver */

	struct {
		char what[128];
		unsigned int count;
	} report[ORACLE_REPORTS];
	unsigned int reports;
};

/* What can be done to a driver. All but send() return 0 when it went well. */
struct oracle_driver {
	const char *name;
	int (*probe)(struct oracle_rig *rig);
	int (*open)(struct oracle_rig *rig);
	/* Hand over n frames of rig->out from rig->sent on; how many were taken. */
	unsigned int (*send)(struct oracle_rig *rig, unsigned int n);
	/* Let it do all that there is to do now: interrupts and polls. */
	int (*serve)(struct oracle_rig *rig);
	int (*set_mtu)(struct oracle_rig *rig, unsigned int mtu);
	int (*stop)(struct oracle_rig *rig);
	/* -1 as well when memory is missing. */
	int (*remove)(struct oracle_rig *rig);
	/* See struct bcm4908_model_env. */
	void *(*map)(struct oracle_rig *rig, enum bcm4908_model_space space, uint32_t bus,
		     uint32_t len, bool write);
};

extern const struct oracle_driver oracle_linux;
extern const struct oracle_driver oracle_own;

/** A bench with a driver on it; passive: without the model. NULL: no memory. */
struct oracle_rig *oracle_rig_create(const struct oracle_driver *driver, bool passive);

/** Free a bench; prints what strict mode reported. */
void oracle_rig_destroy(struct oracle_rig *rig);

/* For drivers */
uint32_t oracle_read(struct oracle_rig *rig, uint32_t reg);
void oracle_write(struct oracle_rig *rig, uint32_t reg, uint32_t val);
/* Count and log an access that went another way. */
void oracle_note(struct oracle_rig *rig, bool write, uint32_t reg, uint32_t val);
/* A received frame; its FCS follows in memory. */
void oracle_deliver(struct oracle_rig *rig, const uint8_t *data, uint32_t len);

/* For tests */
unsigned int oracle_step(struct oracle_rig *rig, unsigned int budget);
/* The line sends the next frame of rig->in; false: it would be lost. */
bool oracle_inject(struct oracle_rig *rig);
/* The line sends it even if it is lost. */
void oracle_force(struct oracle_rig *rig);
/* A register's value, as nobody's access. */
uint32_t oracle_peek(const struct oracle_rig *rig, uint32_t reg);
/* Forget counted accesses. */
void oracle_count_begin(struct oracle_rig *rig);

/* What the Linux shim counts. */
struct oracle_kernel_stats {
	unsigned int maps;		/* live DMA mappings */
	unsigned int coherent;		/* live coherent allocations */
	unsigned int skbs;		/* live */
	unsigned int dma_faults;	/* accesses of the device without a mapping for them */
	unsigned int bad_unmaps;	/* of what is not mapped so */
	unsigned int freed_mapped;	/* buffers freed while the device could reach them */
	unsigned int null_skbs;		/* uses of a buffer that is not there */
	unsigned int warnings;
	unsigned int irqs;		/* requested */
	unsigned long rx_packets;
	unsigned long rx_bytes;
	unsigned long rx_dropped;
	unsigned long tx_packets;
	unsigned long tx_bytes;
};

void oracle_kernel_stats(struct oracle_kernel_stats *stats);
/* Let the next n allocations of receive buffers fail. */
void oracle_kernel_fail_allocs(unsigned int n);
/* Words of a descriptor of the Linux driver's ring, as the device would see them. */
bool oracle_kernel_desc(bool tx, unsigned int index, uint32_t *ctl, uint32_t *addr);

/* Errors of the own driver's queues: frames dropped as too long. */
uint64_t oracle_own_long_errors(void);

#endif /* ORACLE_H */
