/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#ifndef PERF_REPORT_H
#define PERF_REPORT_H

#include <stdio.h>

#include "measure.h"

/** Write all results in the format that was asked for. */
void perf_report(FILE *f, const struct perf_paths *set, const struct perf_env *env,
		 const struct perf_result *results, unsigned int n);

/** Write what perf_count() returned. */
void perf_report_count(FILE *f, const struct perf_path *path, const struct perf_case *c,
		       int64_t frames);

#endif /* PERF_REPORT_H */
