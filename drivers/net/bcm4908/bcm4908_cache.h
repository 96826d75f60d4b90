/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Cache care of payload memory for a device that does not snoop [9]. On arm64
 * these are the by-address operations that user space may execute; the model's
 * non-coherent mode puts a hook in their place. A coherent platform calls none
 * of them: the burst functions take "coherent" as a constant.
 */

#ifndef BCM4908_CACHE_H
#define BCM4908_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_atomic.h>
#include <rte_branch_prediction.h>
#include <rte_common.h>

/* Set while this process runs a non-coherent model; NULL on silicon. */
extern void (*bcm4908_cache_hook)(uintptr_t addr, size_t len, bool invalidate);
extern void (*bcm4908_cache_sync_hook)(void);

#ifdef RTE_ARCH_ARM64
/* Bytes of the smallest data cache line, from CTR_EL0 [9.1]. */
extern size_t bcm4908_cache_line;

static __rte_always_inline void
bcm4908_cache_lines(uintptr_t addr, size_t len, const bool invalidate)
{
	const uintptr_t end = addr + len;

	for (addr &= ~(uintptr_t)(bcm4908_cache_line - 1); addr < end; addr += bcm4908_cache_line) {
		if (invalidate)
			asm volatile("dc civac, %0" : : "r" (addr) : "memory");
		else
			asm volatile("dc cvac, %0" : : "r" (addr) : "memory");
	}
}
#else
static __rte_always_inline void
bcm4908_cache_lines(uintptr_t addr __rte_unused, size_t len __rte_unused,
		    const bool invalidate __rte_unused)
{
}
#endif

/* Write the lines of [addr, addr + len) back to memory: before the device reads [9.3]. */
static __rte_always_inline void
bcm4908_cache_clean(uintptr_t addr, size_t len)
{
	if (unlikely(bcm4908_cache_hook != NULL))
		bcm4908_cache_hook(addr, len, false);
	else
		bcm4908_cache_lines(addr, len, false);
}

/*
 * Write them back and drop them: before the device writes, so that no dirty
 * line is evicted over its data, and after it wrote, so that no stale line is
 * read [9.4].
 */
static __rte_always_inline void
bcm4908_cache_clean_inval(uintptr_t addr, size_t len)
{
	if (unlikely(bcm4908_cache_hook != NULL))
		bcm4908_cache_hook(addr, len, true);
	else
		bcm4908_cache_lines(addr, len, true);
}

/* Cache operations are complete only after a DSB; a DMB is not enough [9.2]. */
static __rte_always_inline void
bcm4908_cache_sync(void)
{
	if (unlikely(bcm4908_cache_sync_hook != NULL))
		bcm4908_cache_sync_hook();
#ifdef RTE_ARCH_ARM64
	asm volatile("dsb osh" : : : "memory");
#else
	rte_io_wmb();
#endif
}

#endif /* BCM4908_CACHE_H */
