/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Control threads of libraries and drivers got a function of their own in 23.11. */

#ifndef BCM4908_COMPAT_RTE_THREAD_H
#define BCM4908_COMPAT_RTE_THREAD_H

#include_next <rte_thread.h>

#include <rte_version.h>

#if RTE_VERSION < RTE_VERSION_NUM(23, 11, 0, 0)

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define RTE_THREAD_INTERNAL_PREFIX "dpdk-"
#define RTE_THREAD_INTERNAL_NAME_SIZE 11

/* As in rte_lcore.h, which includes this file first. */
int rte_ctrl_thread_create(pthread_t *thread, const char *name, const pthread_attr_t *attr,
			   void *(*start_routine)(void *), void *arg);

struct compat_thread_start {
	rte_thread_func func;
	void *arg;
};

/* The older interface's threads return a pointer. */
static inline void *
compat_thread_main(void *arg)
{
	struct compat_thread_start start = *(struct compat_thread_start *)arg;

	free(arg);
	return (void *)(uintptr_t)start.func(start.arg);
}

static inline int
rte_thread_create_internal_control(rte_thread_t *id, const char *name,
				   rte_thread_func func, void *arg)
{
	struct compat_thread_start *start = malloc(sizeof(*start));
	char full[16];
	pthread_t thread;
	int ret;

	if (start == NULL)
		return -ENOMEM;
	*start = (struct compat_thread_start){ .func = func, .arg = arg };

	snprintf(full, sizeof(full), RTE_THREAD_INTERNAL_PREFIX "%.10s", name);
	ret = rte_ctrl_thread_create(&thread, full, NULL, compat_thread_main, start);
	if (ret != 0) {
		free(start);
		return ret < 0 ? ret : -ret;
	}
	id->opaque_id = (uintptr_t)thread;
	return 0;
}

#endif

#endif /* BCM4908_COMPAT_RTE_THREAD_H */
