/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include <rte_common.h>

#include "trap.h"

#ifdef RTE_ARCH_X86_64

static void (*trap_hook)(void *ctx);	/* NULL: nothing is looked at */
static void *trap_ctx;

static void
trap_handler(int sig __rte_unused)
{
	trap_hook(trap_ctx);
}

/* The trap flag of the CPU; what lies below the stack pointer is the compiler's. */
#define TRAP_FLAG(change) \
	asm volatile("lea -128(%%rsp), %%rsp\n\t" \
		     "pushfq\n\t" \
		     change "\n\t" \
		     "popfq\n\t" \
		     "lea 128(%%rsp), %%rsp" : : : "memory", "cc")

bool
trap_works(void)
{
	return true;
}

void
trap_each(void (*fn)(void *arg), void *arg, void (*hook)(void *ctx), void *ctx)
{
	struct sigaction action = { .sa_handler = trap_handler }, old;

	trap_hook = hook;
	trap_ctx = ctx;
	sigaction(SIGTRAP, &action, &old);
	TRAP_FLAG("orq $0x100, (%%rsp)");
	fn(arg);
	TRAP_FLAG("andq $~0x100, (%%rsp)");
	sigaction(SIGTRAP, &old, NULL);
	trap_hook = NULL;
}

bool
trap_is_on(void)
{
	return trap_hook != NULL;
}

#else

bool
trap_works(void)
{
	printf("skipped: this CPU cannot be stepped by instructions\n");
	return false;
}

void
trap_each(void (*fn)(void *arg), void *arg, void (*hook)(void *ctx) __rte_unused,
	  void *ctx __rte_unused)
{
	fn(arg);
}

bool
trap_is_on(void)
{
	return false;
}

#endif
