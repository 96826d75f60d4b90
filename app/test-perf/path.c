/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <rte_common.h>
#include <rte_mbuf.h>

#include "loop.h"
#include "path.h"

#define LARGE_ROOM	BCM4908_BUF_MAX
#define FRAME_MAX	1518u

static const struct perf_loop floor_scalar = {
	.rx = perf_floor_rx, .tx = perf_floor_tx, .name = "four at a time / fast free",
};
static const struct perf_loop floor_scalar_safe = {
	.rx = perf_floor_rx, .tx = perf_floor_tx_safe, .name = "four at a time / by pool",
};
#ifdef RTE_ARCH_X86_64
static const struct perf_loop floor_avx2 = {
	.rx = perf_floor_rx_avx2, .tx = perf_floor_tx_avx2, .name = "AVX2 / AVX2, fast free",
};
#endif
static const struct perf_loop copying = {
	.rx = perf_strategy_rx_copy, .tx = perf_strategy_tx_copy, .name = "copy / copy",
	.rx_copies = true, .tx_copies = true,
};
static const struct perf_loop single = {
	.rx = perf_strategy_rx_single, .tx = perf_strategy_tx_single,
	.name = "a buffer at a time / a buffer at a time",
};
static const struct perf_loop free_each = {
	.rx = perf_floor_rx, .tx = perf_strategy_tx_free_each,
	.name = "four at a time / each freed by itself",
};

static const struct perf_driver_variant driver = { 0 };
static const struct perf_driver_variant driver_safe = { .safe_free = true };
static const struct perf_driver_variant driver_scalar = { .scalar = true };
static const struct perf_driver_variant driver_scalar_safe = { .scalar = true, .safe_free = true };
static const struct perf_driver_variant driver_large = { .large = true };
static const struct perf_driver_variant driver_chained = { .scatter = true };

/* A loop's path; they all have buffers of one size. */
#define LOOP(name_, loop_, floor_, what_) { \
	.name = name_, .what = what_, .ops = &perf_loop_ops, .variant = loop_, .floor = floor_, \
	.size_max = FRAME_MAX, .room = LOOP_CAPACITY, \
}

/* A path of the driver with 2 KiB buffers. */
#define DRIVER(name_, variant_, what_) { \
	.name = name_, .what = what_, .ops = &perf_driver_ops, .variant = variant_, \
	.size_max = FRAME_MAX, .room = LOOP_CAPACITY, \
}

static struct perf_path drivers[] = {
	LOOP("floor-scalar", &floor_scalar, PERF_FLOOR_SCALAR,
	     "the least that a driver must do, in scalar code"),
	LOOP("floor-scalar-safe", &floor_scalar_safe, PERF_FLOOR_SCALAR_SAFE,
	     "likewise, where sent buffers may be shared or of several pools"),
#ifdef RTE_ARCH_X86_64
	LOOP("floor-avx2", &floor_avx2, PERF_FLOOR_AVX2, "likewise, with AVX2 and fast free"),
#endif
	DRIVER("net_bcm4908", &driver, "this driver with fast free, the bursts that it chooses"),
	DRIVER("net_bcm4908_safe", &driver_safe, "this driver without fast free"),
	DRIVER("net_bcm4908_scalar", &driver_scalar, "this driver with fast free, without vectors"),
	DRIVER("net_bcm4908_scalar_safe", &driver_scalar_safe,
	       "this driver without fast free, without vectors"),
	{
		.name = "net_null_perf",
		.what = "DPDK's net_null: mbufs, but no descriptors and no frames",
		.ops = &perf_null_ops, .size_max = FRAME_MAX, .room = LOOP_CAPACITY,
		.never_empty = true, .unstamped = true,
	},
	{
		.name = "net_ring_perf",
		.what = "DPDK's net_ring: pointers over an rte_ring of 1024",
		.ops = &perf_ring_ops, .size_max = FRAME_MAX, .room = LOOP_CAPACITY,
		.unstamped = true,
	},
};

static struct perf_path strategies[] = {
	LOOP("a-copy", &copying, PERF_FLOOR_NONE,
	     "an allocation and a copy per packet, both ways"),
	LOOP("b-single", &single, PERF_FLOOR_NONE,
	     "no copy, but an allocation per packet and a free per slot"),
	LOOP("c-bulk", &floor_scalar, PERF_FLOOR_SCALAR,
	     "no copy, allocation and free in bulk: the scalar floor"),
	DRIVER("net_bcm4908_perf", &driver, "likewise, this driver"),
	{
		.name = "net_bcm4908_large",
		.what = "d: this driver with one large buffer per frame (4032 bytes)",
		.ops = &perf_driver_ops, .variant = &driver_large,
		.size_max = LARGE_ROOM, .room = LARGE_ROOM,
	},
	{
		.name = "net_bcm4908_chained",
		.what = "d: this driver with 2 KiB buffers, chained where a frame needs it",
		.ops = &perf_driver_ops, .variant = &driver_chained,
		.size_max = LARGE_ROOM, .room = LOOP_CAPACITY,
	},
	LOOP("e-free-each", &free_each, PERF_FLOOR_NONE,
	     "as c, but each sent mbuf is freed by itself"),
	LOOP("e-free-by-pool", &floor_scalar_safe, PERF_FLOOR_SCALAR_SAFE,
	     "as c, but sent mbufs are looked at, then freed in bulk by pool"),
};

const struct perf_paths *
perf_paths_drivers(void)
{
	static const struct perf_paths set = { drivers, RTE_DIM(drivers) };

	return &set;
}

const struct perf_paths *
perf_paths_strategies(void)
{
	static const struct perf_paths set = { strategies, RTE_DIM(strategies) };

	return &set;
}

/* A frame over several mbufs. */
static bool
build_chain(const struct perf_path *path, struct rte_mbuf **pkt)
{
	struct rte_mbuf *last = NULL;
	uint32_t left = path->len;

	*pkt = NULL;
	while (left > 0) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(path->mp);

		if (m == NULL) {
			rte_pktmbuf_free(*pkt);
			return false;
		}
		m->data_len = RTE_MIN(left, path->room);
		left -= m->data_len;
		if (*pkt == NULL) {
			*pkt = m;
			m->pkt_len = path->len;
		} else {
			last->next = m;
			(*pkt)->nb_segs++;
		}
		last = m;
	}
	return true;
}

static bool
build_chains(const struct perf_path *path, struct rte_mbuf **pkts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!build_chain(path, &pkts[i])) {
			rte_pktmbuf_free_bulk(pkts, i);
			return false;
		}
	}
	return true;
}

bool
perf_path_build(const struct perf_path *path, struct rte_mbuf **pkts, uint32_t n)
{
	if (path->len > path->room)
		return build_chains(path, pkts, n);
	if (rte_mempool_get_bulk(path->mp, (void **)pkts, n) < 0)
		return false;
	/* As a receive function would leave them: only the first cache line is touched. */
	for (uint32_t i = 0; i < n; i++) {
		pkts[i]->data_off = RTE_PKTMBUF_HEADROOM;
		pkts[i]->ol_flags = 0;
		pkts[i]->pkt_len = path->len;
		pkts[i]->data_len = path->len;
	}
	return true;
}
