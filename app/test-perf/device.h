/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The device side, outside the timed region: a writer that does to a ring in
 * memory what the controller does, with as little else as possible. It serves
 * the driver and the floors alike, so that their figures compare.
 */

#ifndef PERF_DEVICE_H
#define PERF_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "bcm4908_rxtx.h"

/* A ring as the writer sees it. */
struct perf_ring {
	struct bcm4908_desc *desc;
	uint64_t base;		/* CPU address = bus address + base */
	uint32_t size;
	uint32_t next;
};

/**
 * Receive n frames of len bytes (without FCS), each over as many buffers as it
 * needs; all bytes are written, and a number that counts up stands in the
 * first eight.
 *
 * @return
 *   false: a descriptor had no buffer.
 */
bool perf_ring_fill(struct perf_ring *ring, uint32_t n, uint32_t len);

/**
 * Finish n frames that wait to be sent.
 *
 * @return
 *   false: fewer waited.
 */
bool perf_ring_drain(struct perf_ring *ring, uint32_t n);

/** The number that the next received frame will hold. */
uint64_t perf_ring_stamp(void);

struct perf_path;

typedef bool (*perf_device_fn)(struct perf_path *path, uint32_t n);

/**
 * Let another core serve perf_device_call().
 *
 * @return
 *   0 or negative errno.
 */
int perf_device_launch(unsigned int lcore);

/** End what perf_device_launch() began. */
void perf_device_end(unsigned int lcore);

/** Call a device function: on the core that was launched, or at once. */
bool perf_device_call(perf_device_fn fn, struct perf_path *path, uint32_t n, bool cross);

#endif /* PERF_DEVICE_H */
