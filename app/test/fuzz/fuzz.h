/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * What the fuzz targets share. A target plays the device on a queue's memory
 * and the application on its bursts, as the bytes of an input say; a finding
 * ends the program, which keeps the input.
 */

#ifndef BCM4908_FUZZ_H
#define BCM4908_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "port.h"

/* An input is bad for the driver when cond does not hold. */
#define FUZZ_CHECK(cond, ...) do { \
	if (!(cond)) { \
		fprintf(stderr, "%s:%d: %s:", __FILE__, __LINE__, #cond); \
		fprintf(stderr, " " __VA_ARGS__); \
		fprintf(stderr, "\n"); \
		abort(); \
	} \
} while (0)

/* The rest of an input; beyond its end it is zeros. */
struct fuzz_input {
	const uint8_t *data;
	size_t len;
};

uint8_t fuzz_u8(struct fuzz_input *in);
uint16_t fuzz_u16(struct fuzz_input *in);
uint32_t fuzz_u32(struct fuzz_input *in);

/** Fill memory that the sanitizer may hold to be the device's, with bytes of the input. */
void fuzz_dma(struct fuzz_input *in, uint8_t *to, uint32_t len);

/** Do the bytes of a packet lie in memory that is its own? Ends the program when not. */
void fuzz_check_mbuf(const struct rte_mbuf *m);

/** Add to the buffers that the driver may care the cache of: memory, or all of a pool's. */
void fuzz_cache_buffer(const void *buf, size_t len);
void fuzz_cache_pool(struct rte_mempool *mp);

/** The driver may care the cache of such buffers and of this memory, of no other. */
void fuzz_cache_watch(const void *also, size_t len);

/* The fuzzer's names. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Prepare a target; called once. 0, or -1 when that is not possible. */
int fuzz_prepare(void);

#endif /* BCM4908_FUZZ_H */
