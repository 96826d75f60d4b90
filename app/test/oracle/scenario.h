/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* What tests do with a driver on the bench, whichever it is. */

#ifndef ORACLE_SCENARIO_H
#define ORACLE_SCENARIO_H

#include "oracle.h"

/* MIB counters of the hardware reference that must track [6, 10] */
#define SCENARIO_RX_MTU_ERRS	0x228
#define SCENARIO_RX_PKTS	0x26c
#define SCENARIO_RX_OCTETS	0x270
#define SCENARIO_RX_GOOD	0x278
#define SCENARIO_TX_PKTS	0x2e8
#define SCENARIO_TX_OCTETS	0x2ec
#define SCENARIO_TX_GOOD	0x2f4

/** A bench with a driver that was probed and opened; NULL: it failed. */
struct oracle_rig *scenario_begin(const struct oracle_driver *driver);

/**
 * Stop and remove the driver and free the bench.
 *
 * @return
 *   0 when nothing went wrong meanwhile: no frame was lost or damaged, no DMA
 *   outside of a mapping, nothing that strict mode reports but "allowed".
 */
int scenario_end(struct oracle_rig *rig, const char *allowed);

/**
 * Send count frames each way, mixed, through a line that now and then refuses,
 * with polls that come late; until all of them have arrived. Checks the MIB.
 */
int scenario_traffic(struct oracle_rig *rig, uint32_t count);

/** Step and serve until all frames have arrived that are under way. */
int scenario_drain(struct oracle_rig *rig);

/** The line sends a frame that belongs to no flow and must not arrive. */
void scenario_stray(struct oracle_rig *rig, uint32_t len);

#endif /* ORACLE_SCENARIO_H */
