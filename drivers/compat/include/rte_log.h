/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* RTE_LOG_LINE and RTE_LOG_LINE_PREFIX came with 24.03. */

#ifndef BCM4908_COMPAT_RTE_LOG_H
#define BCM4908_COMPAT_RTE_LOG_H

#include_next <rte_log.h>

#ifndef RTE_LOG_LINE
#define RTE_LOG_LINE(level, type, fmt, ...) \
	RTE_LOG(level, type, fmt "\n", ## __VA_ARGS__)
#endif

#ifndef RTE_LOG_LINE_PREFIX
/* Stands between several arguments of one prefix. */
#define RTE_LOG_COMMA ,
#define RTE_LOG_LINE_PREFIX(level, type, prefix, args, fmt, ...) \
	RTE_LOG(level, type, prefix fmt "\n", args, ## __VA_ARGS__)
#endif

#endif /* BCM4908_COMPAT_RTE_LOG_H */
