/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* rte_stdatomic.h came with 23.11; before it the compiler's builtins serve. */

#ifndef BCM4908_COMPAT_RTE_STDATOMIC_H
#define BCM4908_COMPAT_RTE_STDATOMIC_H

#if __has_include_next(<rte_stdatomic.h>)
#include_next <rte_stdatomic.h>
#else

#include <stdbool.h>

#define RTE_ATOMIC(type) type

typedef int rte_memory_order;

#define rte_memory_order_relaxed __ATOMIC_RELAXED
#define rte_memory_order_acquire __ATOMIC_ACQUIRE
#define rte_memory_order_release __ATOMIC_RELEASE
#define rte_memory_order_acq_rel __ATOMIC_ACQ_REL
#define rte_memory_order_seq_cst __ATOMIC_SEQ_CST

#define rte_atomic_load_explicit(ptr, order) __atomic_load_n(ptr, order)
#define rte_atomic_store_explicit(ptr, val, order) __atomic_store_n(ptr, val, order)
#define rte_atomic_exchange_explicit(ptr, val, order) __atomic_exchange_n(ptr, val, order)
#define rte_atomic_fetch_add_explicit(ptr, val, order) __atomic_fetch_add(ptr, val, order)
#define rte_atomic_fetch_sub_explicit(ptr, val, order) __atomic_fetch_sub(ptr, val, order)
#define rte_atomic_fetch_and_explicit(ptr, val, order) __atomic_fetch_and(ptr, val, order)
#define rte_atomic_fetch_or_explicit(ptr, val, order) __atomic_fetch_or(ptr, val, order)
#define rte_atomic_fetch_xor_explicit(ptr, val, order) __atomic_fetch_xor(ptr, val, order)
#define rte_atomic_compare_exchange_strong_explicit(ptr, expected, val, success, failure) \
	__atomic_compare_exchange_n(ptr, expected, val, false, success, failure)
#define rte_atomic_compare_exchange_weak_explicit(ptr, expected, val, success, failure) \
	__atomic_compare_exchange_n(ptr, expected, val, true, success, failure)

#endif

#endif /* BCM4908_COMPAT_RTE_STDATOMIC_H */
