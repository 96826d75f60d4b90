/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* What the wire= argument chooses from; each allocates a wire and sets its ops and cfg. */

#ifndef BCM4908_WIRE_KINDS_H
#define BCM4908_WIRE_KINDS_H

#include "bcm4908_wire.h"

#define BCM4908_WIRE_LOOP	"loop"
#define BCM4908_WIRE_CABLE	"cable:"

int bcm4908_wire_cable_create(struct bcm4908_wire **wire, const struct bcm4908_wire_config *cfg);
int bcm4908_wire_port_create(struct bcm4908_wire **wire, const struct bcm4908_wire_config *cfg);

#endif /* BCM4908_WIRE_KINDS_H */
