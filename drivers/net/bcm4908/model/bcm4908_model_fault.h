/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Faults that the device model shows on request: what hardware in trouble does
 * to its driver. A model without faults pays one test of a pointer.
 */

#ifndef BCM4908_MODEL_FAULT_H
#define BCM4908_MODEL_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "bcm4908_model.h"

/* What happens, and in brackets which events are counted. */
enum bcm4908_model_fault_kind {
	BCM4908_FAULT_TX_HANG,		/* the engine freezes until its reset [frames] */
	BCM4908_FAULT_RX_HANG,
	BCM4908_FAULT_TX_DELAY,		/* the engine waits value steps [frames] */
	BCM4908_FAULT_TX_STOP,		/* ENABLE drops before the frame [frames] */
	BCM4908_FAULT_RX_STOP,
	BCM4908_FAULT_TX_OWN,		/* OWN is not given back [descriptors] */
	BCM4908_FAULT_RX_OWN,
	BCM4908_FAULT_TX_KICK,		/* a doorbell is not noticed [doorbells] */
	BCM4908_FAULT_RX_KICK,
	BCM4908_FAULT_TX_BUS,		/* bus error on the buffer [buffers] */
	BCM4908_FAULT_RX_BUS,
	BCM4908_FAULT_TX_RING,		/* bus error on the ring [fetches] */
	BCM4908_FAULT_RX_RING,
	BCM4908_FAULT_RX_LEN,		/* LENGTH is written back as value [descriptors] */
	BCM4908_FAULT_RX_NO_SOP,	/* marks are missing [descriptors] */
	BCM4908_FAULT_RX_NO_EOP,
	BCM4908_FAULT_RX_NO_MARK,
	BCM4908_FAULT_RX_STATUS,	/* the status bits of value are set [descriptors] */
	BCM4908_FAULT_RX_OVFL,		/* the FIFO overflows [frames that arrive] */
	BCM4908_FAULT_NO_HALT,		/* a running channel ignores the halt [halts] */
	BCM4908_FAULT_NO_RESET,		/* and its reset [resets] */
	BCM4908_FAULT_IRQ_SPURIOUS,	/* status bits without a cause [steps] */
	BCM4908_FAULT_IRQ_LOST,		/* causes without status bits [steps] */
	BCM4908_FAULT_OFF_ONES,		/* no power, reads give ones [steps] */
	BCM4908_FAULT_OFF_ZEROS,	/* no power, reads give zeros [steps] */
	BCM4908_FAULT_GARBAGE,		/* registers hold noise from seed value [at once] */
	BCM4908_FAULT_BOOT,		/* a boot loader's rings are running [its DMA] */
	BCM4908_FAULT_KINDS
};

/* Which events are hit, and how. */
struct bcm4908_model_fault {
	uint32_t value;
	uint32_t after;		/* so many events pass first */
	uint32_t every;		/* then the first and each so-manieth is hit; 0: all */
	uint32_t count;		/* until so many were hit; 0: for ever */
};

/** Faults of a device, parsed from text. */
struct bcm4908_model_fault_list {
	unsigned int nb;
	struct {
		enum bcm4908_model_fault_kind kind;
		struct bcm4908_model_fault fault;
	} item[BCM4908_FAULT_KINDS];
};

/**
 * Read faults from a text of the form
 * KIND[:value:N][:after:N][:every:N][:count:N][+KIND...].
 *
 * @return
 *   NULL, or what is wrong with the text.
 */
const char *bcm4908_model_fault_parse(const char *text, struct bcm4908_model_fault_list *list);

/** Names of all kinds, separated by a space. */
void bcm4908_model_fault_names(char *text, size_t size);

/**
 * Show a fault from now on; one of the same kind is replaced, and its counts
 * begin anew. Serialised with write and step.
 *
 * @return
 *   0, or -1 when memory is short.
 */
int bcm4908_model_fault_set(struct bcm4908_model *model, enum bcm4908_model_fault_kind kind,
			    const struct bcm4908_model_fault *fault);

/** Show a fault no more; what it did stays done. */
void bcm4908_model_fault_clear(struct bcm4908_model *model, enum bcm4908_model_fault_kind kind);

/** How often a fault was shown since it was set. */
uint32_t bcm4908_model_fault_hits(const struct bcm4908_model *model,
				  enum bcm4908_model_fault_kind kind);

#endif /* BCM4908_MODEL_FAULT_H */
