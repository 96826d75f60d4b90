/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * A path is a port whose bursts are measured: of the driver, of another
 * driver, or of one of this program's own loops, which stand in ethdev's
 * table of fast-path functions as a driver does.
 */

#ifndef PERF_PATH_H
#define PERF_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "perf.h"

#define PERF_BURSTS_LEN	160

struct perf_path;

struct perf_path_ops {
	/* Make the port; 0, or negative errno: why was said. */
	int (*create)(struct perf_path *path, const struct perf_env *env);
	/* Start it with new rings for a case; 0, or negative errno: why was said. */
	int (*start)(struct perf_path *path, const struct perf_case *c,
		     const struct perf_env *env);
	void (*stop)(struct perf_path *path);
	void (*destroy)(struct perf_path *path);
	/* The device side: n frames arrive, n sent ones are done. */
	perf_device_fn fill;
	perf_device_fn drain;
};

/* Of the driver and the loops: whose figures the others' are divided by. */
enum perf_floor {
	PERF_FLOOR_NONE,
	PERF_FLOOR_SCALAR,
	PERF_FLOOR_SCALAR_SAFE,
	PERF_FLOOR_AVX2,
	PERF_FLOORS,
};

struct perf_path {
	const char *name;
	const char *what;	/* a line about it */
	const struct perf_path_ops *ops;
	const void *variant;	/* the ops' */
	enum perf_floor floor;
	uint32_t size_max;	/* longest frame, FCS included */
	uint32_t room;		/* of a buffer: longer frames take several */
	bool never_empty;
	bool unstamped;		/* its frames hold nothing of the writer's */

	/* while the program runs */
	bool selected;
	uint16_t port;
	void *priv;		/* the ops' */

	/* in a case */
	uint32_t len;		/* of a frame, without FCS */
	struct rte_mempool *mp;	/* of the frames to send */
	struct perf_ring rx;
	struct perf_ring tx;
	char bursts[PERF_BURSTS_LEN]; /* which functions are in use */
};

/* A set of paths that are measured together. */
struct perf_paths {
	struct perf_path *paths;
	unsigned int n;
};

/** The driver, the floors and other drivers. */
const struct perf_paths *perf_paths_drivers(void);

/** Ways to drive one and the same ring. */
const struct perf_paths *perf_paths_strategies(void);

/** Fill in the fields of a path whose port is a device of EAL's. */
extern const struct perf_path_ops perf_driver_ops;
extern const struct perf_path_ops perf_null_ops;
extern const struct perf_path_ops perf_ring_ops;

/* Variants of perf_driver_ops. */
struct perf_driver_variant {
	bool safe_free;		/* without fast free */
	bool scalar;		/* vectors are not allowed */
	bool large;		/* buffers that hold any frame */
	bool scatter;		/* frames over several buffers */
};

/** Paths whose bursts are functions of this program; the variant is a struct perf_loop. */
extern const struct perf_path_ops perf_loop_ops;

/** Bytes of a frame in an mbuf. */
static inline uint32_t
perf_frame_len(const struct perf_case *c)
{
	return c->size - PERF_LEN_FCS;
}

/** Descriptors that a frame takes. */
static inline uint32_t
perf_path_segs(const struct perf_path *path, const struct perf_case *c)
{
	return (c->size + path->room - 1) / path->room;
}

/** Make n frames to send; false: the pool is empty. */
bool perf_path_build(const struct perf_path *path, struct rte_mbuf **pkts, uint32_t n);

#endif /* PERF_PATH_H */
