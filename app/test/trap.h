/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Look at a function after each of its instructions: what memory shows then is
 * what a device may see at any time.
 */

#ifndef BCM4908_TEST_TRAP_H
#define BCM4908_TEST_TRAP_H

#include <stdbool.h>

/** Can this CPU do it? */
bool trap_works(void);

/**
 * Call fn(arg), and hook(ctx) after each of its instructions. The hook runs as
 * a signal handler: it must not allocate or print, nor take a lock that fn may
 * hold.
 */
void trap_each(void (*fn)(void *arg), void *arg, void (*hook)(void *ctx), void *ctx);

/** Is a function being looked at? Tests' own checks are to stay out of it. */
bool trap_is_on(void);

#endif /* BCM4908_TEST_TRAP_H */
