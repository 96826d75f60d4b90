/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#ifndef BCM4908_MODEL_LOG_H
#define BCM4908_MODEL_LOG_H

#include <rte_log.h>

extern int bcm4908_model_logtype;
#define RTE_LOGTYPE_BCM4908_MODEL bcm4908_model_logtype

/* One line of the model's log; the newline is appended. */
#define MODEL_LOG(level, ...) \
	RTE_LOG_LINE_PREFIX(level, BCM4908_MODEL, "%s(): ", __func__, __VA_ARGS__)

#endif /* BCM4908_MODEL_LOG_H */
