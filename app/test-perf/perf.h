/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* What is measured, and how the user asked for it. */

#ifndef PERF_H
#define PERF_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mempool.h>

#define PERF_BURST_MAX		512u
#define PERF_BLOCK		256u /* frames that are timed together, if the ring allows */
#define PERF_LIST_MAX		16u
#define PERF_REPS_MIN		20u /* fewer make no record */
#define PERF_LEN_FCS		4u

enum perf_mode {
	PERF_RX,
	PERF_TX,
	PERF_FWD,
	PERF_FWD_TOUCH,
	PERF_EMPTY,
	PERF_MODES,
};

extern const char * const perf_mode_names[PERF_MODES];

/* A configuration in which all paths are measured. */
struct perf_case {
	enum perf_mode mode;
	bool cross;		/* the device side runs on another core */
	uint16_t ring;		/* descriptors, each way */
	uint16_t burst;
	uint16_t size;		/* bytes of a frame, FCS included */
};

enum perf_format {
	PERF_TEXT,
	PERF_DTS,
	PERF_BMF,
	PERF_GHA,
	PERF_FORMATS,
};

extern const char * const perf_format_names[PERF_FORMATS];

struct perf_list {
	unsigned int n;
	uint16_t v[PERF_LIST_MAX];
};

struct perf_options {
	bool modes[PERF_MODES];
	struct perf_list rings;
	struct perf_list bursts;
	struct perf_list sizes;
	char *paths;		/* names, comma-separated; NULL: all */
	bool warm;
	bool cross;
	bool model;		/* the driver's device side is the model */
	bool strategies;
	bool count;		/* run modes[] once for an instruction counter */
	bool list;
	unsigned int reps;
	unsigned int iters;	/* blocks in a repetition */
	uint16_t rx_free_thresh;
	uint16_t tx_free_thresh;
	enum perf_format format;
	const char *output;	/* file, or NULL */
	double expected_mpps;	/* 0: what the fastest floor reaches */
	double tolerance;
};

/**
 * Read the program's own options.
 *
 * @param argv
 *   argv[0] names the program; the options follow.
 * @return
 *   1: go on; 0: the user asked for help, which was printed; -1: an option is
 *   wrong, and it was said which.
 */
int perf_options_parse(int argc, char **argv, struct perf_options *opt);

/* What all paths use. */
struct perf_env {
	const struct perf_options *opt;
	struct rte_mempool *mp;		/* 2 KiB buffers */
	struct rte_mempool *large_mp;	/* buffers for any frame that a descriptor can hold */
	unsigned int device_lcore;	/* of the device side in cross-core cases */
	double timer;			/* cycles of an empty measurement */
};

#endif /* PERF_H */
