/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What programs that step the model by hand, and fault it, need beyond the
 * seam. The driver does not include it.
 */

#ifndef BCM4908_DEV_MODEL_H
#define BCM4908_DEV_MODEL_H

#include <stdint.h>

#include "bcm4908_dev.h"

struct bcm4908_model;
struct bcm4908_wire_shared;

/** The model of a device that was made, not attached, in this process. */
struct bcm4908_model *bcm4908_dev_model_of(struct bcm4908_dev *dev);

/** Counters and link of a device's wire; in any process. */
const struct bcm4908_wire_shared *bcm4908_dev_model_wire(const struct bcm4908_dev *dev);

/**
 * What a device with manual stepping, and so in strict mode, was seen to do
 * that no correct driver does; each was logged.
 */
unsigned int bcm4908_dev_model_reports(const struct bcm4908_dev *dev);

#endif /* BCM4908_DEV_MODEL_H */
