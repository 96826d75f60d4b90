/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_common.h>
#include <rte_memory.h>
#include <rte_spinlock.h>
#include <rte_stdatomic.h>

#include "bcm4908_model_cache.h"
#include "bcm4908_model_log.h"

#define LINE		64u
#define LINE_WORDS	(LINE / sizeof(uint64_t))
#define GIB		(UINT64_C(1) << 30)

/* Addresses that are covered: a window of 4 GiB and 6 GiB on each side of the first one. */
#define SPAN		(16 * GIB)
#define SPAN_BELOW	(6 * GIB)

/* The span is reserved as a whole, but takes memory by chunks, as they are used. */
#define CHUNK		(UINT64_C(1) << 21)
#define CHUNKS		(SPAN / CHUNK)
#define CHUNK_LINES	(CHUNK / LINE)

#define RECENT		1024u	/* lines that accidents happen to */
#define PENDING		64u	/* operations that a thread may have begun and not completed */
#define SEED		UINT64_C(0x4908490849084908)

typedef RTE_ATOMIC(uint64_t) word_t;

static struct {
	rte_spinlock_t lock;
	unsigned int users;
	uint64_t lo;		/* first address that is covered */
	uint8_t *dram;		/* the memory behind the cache, NULL: none yet */
	uint8_t *synced;	/* the CPU's copy when it was last together with dram */
	/* A bit per line of a chunk: synced holds; else the line is dirty. NULL: no memory yet. */
	uint8_t *known[CHUNKS];
	uint64_t random;
	unsigned int nb_recent;
	uint64_t recent[RECENT];
	unsigned int life;	/* grows when the last user leaves */
} cache = { .lock = RTE_SPINLOCK_INITIALIZER, .random = SEED };

struct operation {
	uintptr_t addr;
	size_t len;
	bool invalidate;
};

/* What this thread has begun, in that order, in one life of the cache. */
static __thread struct {
	unsigned int life;
	unsigned int nb;
	struct operation op[PENDING];
} pending;

/*
 * The CPU's copy may be in use by another thread at the same time, so it is
 * touched by words; and it may be poisoned, since this is no access by anybody.
 * (EAL's __rte_no_asan stands for nothing where EAL itself is not sanitized.)
 */
#define NO_ASAN __attribute__((no_sanitize("address")))

static NO_ASAN uint64_t
word_load(const uint8_t *line, unsigned int i)
{
	return rte_atomic_load_explicit((const word_t *)(const void *)line + i,
					rte_memory_order_relaxed);
}

static void
word_store(uint8_t *line, unsigned int i, uint64_t val)
{
	rte_atomic_store_explicit((word_t *)(void *)line + i, val, rte_memory_order_relaxed);
}

/* Replace a word of the CPU's copy unless the CPU has changed it. */
static NO_ASAN bool
word_replace(uint8_t *line, unsigned int i, uint64_t old, uint64_t val)
{
	return rte_atomic_compare_exchange_strong_explicit((word_t *)(void *)line + i, &old, val,
			rte_memory_order_relaxed, rte_memory_order_relaxed);
}

static uint8_t *
line_cpu(uint64_t line)
{
	return (uint8_t *)(uintptr_t)(cache.lo + line * LINE);
}

static bool
line_known(uint64_t line)
{
	return (cache.known[line / CHUNK_LINES][line % CHUNK_LINES / 8] & 1u << line % 8) != 0;
}

static bool
line_dirty(uint64_t line)
{
	const uint8_t *synced = cache.synced + line * LINE, *cpu = line_cpu(line);

	if (!line_known(line))
		return true;
	for (unsigned int i = 0; i < LINE_WORDS; i++)
		if (word_load(cpu, i) != word_load(synced, i))
			return true;
	return false;
}

static void
line_write_back(uint64_t line)
{
	uint8_t *cpu = line_cpu(line);

	for (unsigned int i = 0; i < LINE_WORDS; i++) {
		const uint64_t val = word_load(cpu, i);

		word_store(cache.dram + line * LINE, i, val);
		word_store(cache.synced + line * LINE, i, val);
	}
	cache.known[line / CHUNK_LINES][line % CHUNK_LINES / 8] |= 1u << line % 8;
}

static void
line_read_again(uint64_t line)
{
	const uint8_t *dram = cache.dram + line * LINE;
	uint8_t *synced = cache.synced + line * LINE;

	for (unsigned int i = 0; i < LINE_WORDS; i++) {
		const uint64_t val = word_load(dram, i), old = word_load(synced, i);

		if (val != old && word_replace(line_cpu(line), i, old, val))
			word_store(synced, i, val);
	}
}

static bool
in_span(uint64_t lo, uint64_t hi)
{
	return cache.dram != NULL && lo >= cache.lo && hi <= cache.lo + SPAN && lo <= hi;
}

static bool
chunk_make(uint64_t chunk)
{
	if (cache.known[chunk] != NULL)
		return true;
	if (mprotect(cache.dram + chunk * CHUNK, CHUNK, PROT_READ | PROT_WRITE) != 0 ||
	    mprotect(cache.synced + chunk * CHUNK, CHUNK, PROT_READ | PROT_WRITE) != 0)
		return false;
	cache.known[chunk] = calloc(1, CHUNK_LINES / 8);
	return cache.known[chunk] != NULL;
}

/* See that there is memory behind [addr, addr + len). */
static bool
span_back(uintptr_t addr, size_t len)
{
	if (len == 0 || !in_span(addr, (uint64_t)addr + len))
		return false;
	for (uint64_t chunk = (addr - cache.lo) / CHUNK;
	     chunk <= (addr + len - 1 - cache.lo) / CHUNK; chunk++)
		if (!chunk_make(chunk))
			return false;
	return true;
}

/* xorshift; with the lock held. */
static uint32_t
random_next(uint32_t n)
{
	cache.random ^= cache.random << 13;
	cache.random ^= cache.random >> 7;
	cache.random ^= cache.random << 17;
	return (cache.random >> 32) % n;
}

static void
remember(uintptr_t addr, size_t len)
{
	const uint64_t first = (addr - cache.lo) / LINE, last = (addr + len - 1 - cache.lo) / LINE;

	cache.recent[cache.nb_recent++ % RECENT] = first + random_next(last - first + 1);
}

static void *
span_reserve(void)
{
	void *addr = mmap(NULL, SPAN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			  -1, 0);

	return addr != MAP_FAILED ? addr : NULL;
}

static void
span_free(void)
{
	if (cache.dram != NULL)
		munmap(cache.dram, SPAN);
	if (cache.synced != NULL)
		munmap(cache.synced, SPAN);
	cache.dram = NULL;
	cache.synced = NULL;
	for (unsigned int i = 0; i < CHUNKS; i++) {
		free(cache.known[i]);
		cache.known[i] = NULL;
	}
	cache.nb_recent = 0;
	cache.life++;
}

static int
span_make(uint64_t lo)
{
	cache.lo = RTE_ALIGN_FLOOR(lo - RTE_MIN(lo, SPAN_BELOW), CHUNK);
	cache.dram = span_reserve();
	cache.synced = span_reserve();
	if (cache.dram != NULL && cache.synced != NULL)
		return 0;
	MODEL_LOG(ERR, "coherent=0: no address space for a memory behind the cache: %s",
		  strerror(errno));
	span_free();
	return -ENOMEM;
}

void
bcm4908_model_cache_get(void)
{
	rte_spinlock_lock(&cache.lock);
	cache.users++;
	rte_spinlock_unlock(&cache.lock);
}

unsigned int
bcm4908_model_cache_put(void)
{
	unsigned int users;

	rte_spinlock_lock(&cache.lock);
	users = --cache.users;
	if (users == 0)
		span_free();
	rte_spinlock_unlock(&cache.lock);
	return users;
}

int
bcm4908_model_cache_reach(uint64_t lo, uint64_t hi)
{
	int ret = 0;

	rte_spinlock_lock(&cache.lock);
	if (cache.dram == NULL)
		ret = span_make(lo);
	if (ret == 0 && !in_span(lo, hi)) {
		MODEL_LOG(ERR, "coherent=0: buffers at %#jx are too far from others at %#jx",
			  (uintmax_t)lo, (uintmax_t)(cache.lo + SPAN_BELOW));
		ret = -ERANGE;
	}
	rte_spinlock_unlock(&cache.lock);
	return ret;
}

void *
bcm4908_model_cache_map(uintptr_t addr, uint32_t len)
{
	void *dram = NULL;

	rte_spinlock_lock(&cache.lock);
	if (rte_mem_virt2memseg((const void *)addr, NULL) != NULL && span_back(addr, len))
		dram = cache.dram + (addr - cache.lo);
	rte_spinlock_unlock(&cache.lock);
	return dram;
}

/* With the lock held. */
static void
operation_do(const struct operation *op)
{
	uint64_t last;

	/* Its memory may have gone meanwhile. */
	if (!span_back(op->addr, op->len) ||
	    rte_mem_virt2memseg((const void *)op->addr, NULL) == NULL)
		return;
	last = (op->addr + op->len - 1 - cache.lo) / LINE;
	remember(op->addr, op->len);
	for (uint64_t line = (op->addr - cache.lo) / LINE; line <= last; line++) {
		if (line_dirty(line))
			line_write_back(line);
		if (op->invalidate)
			line_read_again(line);
	}
}

/* With the lock held: what was begun in an earlier life of the cache is void. */
static void
pending_check(void)
{
	if (pending.life != cache.life)
		pending.nb = 0;
	pending.life = cache.life;
}

static void
pending_complete(unsigned int i)
{
	operation_do(&pending.op[i]);
	pending.nb--;
	memmove(&pending.op[i], &pending.op[i + 1], (pending.nb - i) * sizeof(pending.op[0]));
}

void
bcm4908_model_cache_begin(uintptr_t addr, size_t len, bool invalidate)
{
	rte_spinlock_lock(&cache.lock);
	pending_check();
	if (pending.nb == PENDING || (pending.nb > 0 && random_next(4) == 0))
		pending_complete(random_next(pending.nb));
	pending.op[pending.nb++] = (struct operation){
		.addr = addr, .len = len, .invalidate = invalidate,
	};
	rte_spinlock_unlock(&cache.lock);
}

void
bcm4908_model_cache_sync(void)
{
	rte_spinlock_lock(&cache.lock);
	pending_check();
	while (pending.nb > 0)
		pending_complete(pending.nb - 1);
	rte_spinlock_unlock(&cache.lock);
}

void
bcm4908_model_cache_churn(unsigned int n)
{
	rte_spinlock_lock(&cache.lock);
	while (n-- > 0) {
		const uint32_t i = random_next(RECENT);
		const uint64_t line = cache.recent[i];

		/* Its memory may have gone meanwhile. */
		if (i >= cache.nb_recent || rte_mem_virt2memseg(line_cpu(line), NULL) == NULL)
			continue;
		if (line_dirty(line))
			line_write_back(line);
		else
			line_read_again(line);
	}
	rte_spinlock_unlock(&cache.lock);
}

uint32_t
bcm4908_model_cache_random(uint32_t n)
{
	uint32_t val;

	rte_spinlock_lock(&cache.lock);
	val = random_next(n);
	rte_spinlock_unlock(&cache.lock);
	return val;
}

void
bcm4908_model_cache_seed(uint64_t seed)
{
	rte_spinlock_lock(&cache.lock);
	/* Zero would stay zero. */
	cache.random = seed ^ SEED;
	if (cache.random == 0)
		cache.random = SEED;
	rte_spinlock_unlock(&cache.lock);
}
