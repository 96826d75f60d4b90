/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#ifndef BCM4908_LOGS_H
#define BCM4908_LOGS_H

#include <rte_log.h>

extern int bcm4908_logtype;
#define RTE_LOGTYPE_BCM4908 bcm4908_logtype

/* One line of the driver's log; the newline is appended. */
#define PMD_LOG(level, ...) \
	RTE_LOG_LINE_PREFIX(level, BCM4908, "%s(): ", __func__, __VA_ARGS__)

#endif /* BCM4908_LOGS_H */
