/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What programs that step the model by hand, and fault it, need beyond the
 * seam. The driver does not include it.
 */

#ifndef BCM4908_DEV_MODEL_H
#define BCM4908_DEV_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "bcm4908_dev.h"

struct bcm4908_model;
struct bcm4908_wire_shared;

/** The model of a device that was made, not attached, in this process. */
struct bcm4908_model *bcm4908_dev_model_of(struct bcm4908_dev *dev);

/** Counters and link of a device's wire; in any process. */
const struct bcm4908_wire_shared *bcm4908_dev_model_wire(const struct bcm4908_dev *dev);

/**
 * Strict mode looks for what no correct driver does, and logs it. A device with
 * manual stepping is always in it, the others if they are made after this call.
 */
void bcm4908_dev_model_set_strict(bool on);

/** How often a device was seen to be misused. */
unsigned int bcm4908_dev_model_reports(const struct bcm4908_dev *dev);

/** How often any device of this process was, those that are gone included. */
unsigned int bcm4908_dev_model_all_reports(void);

/**
 * Memory of a buffer is about to be freed: strict mode reports it if the device
 * owns a part of it. Nothing is said when the device is busy in another thread.
 */
void bcm4908_dev_model_check_free(struct bcm4908_dev *dev, const void *addr, uint32_t len);

#endif /* BCM4908_DEV_MODEL_H */
