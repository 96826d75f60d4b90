/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The device arguments, faults among them: any string. A device is made and
 * removed again, or refused; neither leaves anything behind.
 */

#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "fuzz.h"

#define NAME	"net_bcm4908_fuzz"
#define ARGS_MAX 512

static size_t
heap_used(void)
{
	struct rte_malloc_socket_stats stats;
	size_t used = 0;

	for (unsigned int socket = 0; socket < RTE_MAX_NUMA_NODES; socket++)
		if (rte_malloc_get_socket_stats(socket, &stats) == 0)
			used += stats.heap_allocsz_bytes;
	return used;
}

int
fuzz_prepare(void)
{
	/* the first device leaves what is made once */
	return rte_vdev_init(NAME, "stepping=manual") != 0 || rte_vdev_uninit(NAME) != 0 ? -1 : 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* behind what the input says, or alone: a thread would make most of the time pass */
	static const char manual[] = ",stepping=manual";
	const size_t used = heap_used();
	char args[ARGS_MAX + sizeof(manual)];
	bool threads;

	if (size == 0 || size > ARGS_MAX)
		return -1;
	threads = data[0] == 'T';
	memcpy(args, data + 1, size - 1);
	args[size - 1] = '\0';
	if (!threads)
		strcat(args, manual);
	if (rte_vdev_init(NAME, args) == 0) {
		FUZZ_CHECK(rte_eth_dev_count_avail() == 1);
		FUZZ_CHECK(rte_vdev_uninit(NAME) == 0);
	}
	FUZZ_CHECK(rte_eth_dev_count_avail() == 0);
	FUZZ_CHECK(heap_used() == used, "%zu bytes are left", heap_used() - used);
	return 0;
}
