/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Measuring. Frames are timed in blocks of several bursts, so that neither the
 * timer nor the fences around it weigh; before and after each block the device
 * side moves, untimed. A repetition is a number of blocks, and its figure the
 * mean of the fastest 95 % of them, which leaves out interrupts. All paths take
 * turns, a repetition each, so that a machine that changes its speed changes
 * it for all.
 */

#ifndef PERF_MEASURE_H
#define PERF_MEASURE_H

#include "path.h"
#include "perf.h"

/* Figures of a path in a case: TSC cycles per frame, or per call when it is polled empty. */
struct perf_result {
	struct perf_case c;
	const struct perf_path *path;
	char bursts[PERF_BURSTS_LEN];
	double min;
	double median;
	double max;
	/* to each floor: median over the repetitions of their ratio in the same one; 0: no floor */
	double ratio[PERF_FLOORS];
	double ratio_min[PERF_FLOORS];
	double ratio_max[PERF_FLOORS];
};

/** TSC cycles that an empty measurement takes. */
double perf_timer_overhead(void);

/** Frames that a path times together; 0: the burst is too long for the ring. */
uint32_t perf_block_frames(const struct perf_path *path, const struct perf_case *c);

/** Can a path be measured in a case? */
bool perf_path_applies(const struct perf_path *path, const struct perf_case *c);

/**
 * Measure all selected paths of a set.
 *
 * @param results
 *   Room for one per path.
 * @return
 *   The number of results, or negative errno: why was said.
 */
int perf_measure(const struct perf_paths *set, const struct perf_case *c,
		 const struct perf_env *env, struct perf_result *results);

/**
 * Run one path's blocks for an instruction counter, after a warm-up.
 *
 * @return
 *   Frames that passed inside perf_counted(), or negative errno.
 */
int64_t perf_count(struct perf_path *path, const struct perf_case *c,
		   const struct perf_env *env);

/**
 * Pass n frames in bursts: all that is timed, and what an instruction counter
 * is to look at. It is never inlined and never renamed.
 *
 * @param pkts
 *   Received frames are put here, or frames to send taken from here.
 * @return
 *   Frames that passed, or empty polls.
 */
uint32_t perf_counted(enum perf_mode mode, uint16_t port, struct rte_mbuf **pkts,
		      uint16_t burst, uint32_t n);

#endif /* PERF_MEASURE_H */
