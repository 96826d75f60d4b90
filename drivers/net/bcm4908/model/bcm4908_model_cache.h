/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * A CPU cache that does not snoop, for all devices of a process: what the CPU
 * sees as memory is its cache, and the device reads and writes a memory of its
 * own behind it. Only the driver's cache operations, and the accidents that a
 * real cache is free to have, bring the two together, 64 bytes at a time.
 *
 * An operation is complete only after the sync of the thread that began it
 * [9.2]: until then it has happened or not, each by itself, in any order.
 *
 * A line is dirty when the CPU's copy differs from what it was when the two
 * were last together. A dirty line may be written back at any time, and a
 * clean one be read again. An operation that drops a line is followed by
 * reading it again at once: the worst that speculation may do.
 */

#ifndef BCM4908_MODEL_CACHE_H
#define BCM4908_MODEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One user more: a device that is not coherent. */
void bcm4908_model_cache_get(void);

/** One less; the last one forgets the memory behind the cache. Returns those that are left. */
unsigned int bcm4908_model_cache_put(void);

/**
 * Make [lo, hi) memory that a device can see.
 *
 * @return
 *   0, -ENOMEM, or -ERANGE when it is too far from what others use.
 */
int bcm4908_model_cache_reach(uint64_t lo, uint64_t hi);

/** Where the device finds the len bytes that the CPU has at addr. */
void *bcm4908_model_cache_map(uintptr_t addr, uint32_t len);

/** Begin to write the lines of [addr, addr + len) back, and to drop them if asked to. */
void bcm4908_model_cache_begin(uintptr_t addr, size_t len, bool invalidate);

/** Complete what this thread has begun. */
void bcm4908_model_cache_sync(void);

/** Let up to n of the lines that were cleaned lately be written back or read again. */
void bcm4908_model_cache_churn(unsigned int n);

/** A number below n, from the sequence that decides about accidents. */
uint32_t bcm4908_model_cache_random(uint32_t n);

/** Begin that sequence anew, so that a failure repeats. */
void bcm4908_model_cache_seed(uint64_t seed);

#endif /* BCM4908_MODEL_CACHE_H */
