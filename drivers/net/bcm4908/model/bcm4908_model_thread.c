/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_stdatomic.h>
#include <rte_thread.h>

#include "bcm4908_model_log.h"
#include "bcm4908_model_thread.h"

#define SERVE_FRAMES	64	/* one client's share of a round, each way */

/*
 * A round that moved nothing yields, so that a burst loop on the same CPU gets
 * its turn at once; after this many in a row the thread also sleeps, so that
 * idle ports do not keep a CPU busy. A sleep costs the first frame after the
 * silence about 0.1 ms.
 */
#define IDLE_ROUNDS	2000
#define IDLE_SLEEP_US	50

static struct {
	pthread_mutex_t lock;	/* of adding and removing */
	rte_thread_t id;
	unsigned int nb;	/* clients; the thread lives while there are any */
	RTE_ATOMIC(uint32_t) used;		/* slots that may hold one */
	RTE_ATOMIC(struct bcm4908_model_client *) client[RTE_MAX_ETHPORTS];
	RTE_ATOMIC(uint64_t) rounds;		/* finished by the thread */
	RTE_ATOMIC(uint32_t) quit;
} server = { .lock = PTHREAD_MUTEX_INITIALIZER };

static unsigned int
thread_round(void)
{
	const uint32_t used = rte_atomic_load_explicit(&server.used, rte_memory_order_acquire);
	unsigned int moved = 0;

	for (uint32_t i = 0; i < used; i++) {
		struct bcm4908_model_client *client =
			rte_atomic_load_explicit(&server.client[i], rte_memory_order_acquire);

		if (client != NULL)
			moved += client->serve(client->ctx, SERVE_FRAMES);
	}
	rte_atomic_fetch_add_explicit(&server.rounds, 1, rte_memory_order_release);
	return moved;
}

static uint32_t
thread_main(void *arg __rte_unused)
{
	unsigned int idle = 0;

	while (rte_atomic_load_explicit(&server.quit, rte_memory_order_acquire) == 0) {
		if (thread_round() != 0) {
			idle = 0;
		} else if (idle < IDLE_ROUNDS) {
			idle++;
			sched_yield();
		} else {
			usleep(IDLE_SLEEP_US);
		}
	}
	return 0;
}

/*
 * Wait until the thread holds no client that was taken off before this call.
 * It may have begun its present round with it, and the load of the next one
 * may have passed the count of this one: the round after that is safe.
 */
static void
thread_wait_rounds(void)
{
	const uint64_t until =
		rte_atomic_load_explicit(&server.rounds, rte_memory_order_acquire) + 2;

	while (rte_atomic_load_explicit(&server.rounds, rte_memory_order_acquire) < until)
		usleep(IDLE_SLEEP_US);
}

static int
thread_start(void)
{
	int ret;

	rte_atomic_store_explicit(&server.quit, 0, rte_memory_order_relaxed);
	ret = rte_thread_create_internal_control(&server.id, "bcm4908", thread_main, NULL);
	if (ret == 0)
		return 0;
	/* Releases differ in the sign. */
	MODEL_LOG(ERR, "cannot start the model thread: %s", strerror(abs(ret)));
	return -abs(ret);
}

static void
thread_end(void)
{
	rte_atomic_store_explicit(&server.quit, 1, rte_memory_order_release);
	rte_thread_join(server.id, NULL);
}

static int
thread_pin(int cpu)
{
	rte_cpuset_t set;

	if (cpu < 0)
		return 0;
	CPU_ZERO(&set);
	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &set);
	if (rte_thread_set_affinity_by_id(server.id, &set) != 0) {
		MODEL_LOG(ERR, "cpu=%d: the model thread cannot run on that CPU", cpu);
		return -EINVAL;
	}
	return 0;
}

/* Slot of a client, or the first free one for NULL; RTE_MAX_ETHPORTS: none. */
static unsigned int
slot_of(const struct bcm4908_model_client *client)
{
	unsigned int i = 0;

	while (i < RTE_MAX_ETHPORTS &&
	       rte_atomic_load_explicit(&server.client[i], rte_memory_order_relaxed) != client)
		i++;
	return i;
}

int
bcm4908_model_thread_add(struct bcm4908_model_client *client, int cpu)
{
	unsigned int slot;
	int ret = 0;

	pthread_mutex_lock(&server.lock);
	slot = slot_of(NULL);
	if (slot == RTE_MAX_ETHPORTS)
		ret = -ENOSPC;
	else if (server.nb == 0)
		ret = thread_start();
	if (ret == 0) {
		ret = thread_pin(cpu);
		if (ret != 0 && server.nb == 0)
			thread_end();
	}
	if (ret == 0) {
		server.nb++;
		rte_atomic_store_explicit(&server.client[slot], client, rte_memory_order_release);
		if (slot >= rte_atomic_load_explicit(&server.used, rte_memory_order_relaxed))
			rte_atomic_store_explicit(&server.used, slot + 1,
						  rte_memory_order_release);
	}
	pthread_mutex_unlock(&server.lock);
	return ret;
}

void
bcm4908_model_thread_remove(struct bcm4908_model_client *client)
{
	unsigned int slot;

	pthread_mutex_lock(&server.lock);
	slot = slot_of(client);
	if (slot != RTE_MAX_ETHPORTS) {
		rte_atomic_store_explicit(&server.client[slot], NULL, rte_memory_order_release);
		if (--server.nb == 0)
			thread_end();
		else
			thread_wait_rounds();
	}
	pthread_mutex_unlock(&server.lock);
}
