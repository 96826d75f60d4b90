/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "measure.h"

#define TIMER_SAMPLES	10001u
#define KEPT_PERCENT	95u	/* of the blocks of a repetition */
#define WARMUP_BLOCKS	4u	/* before each repetition, and once around the ring */

/*
 * What is timed
 */

static __rte_always_inline uint32_t
receive(uint16_t port, struct rte_mbuf **pkts, uint16_t burst, uint32_t n)
{
	uint32_t done = 0;

	while (done < n) {
		const uint16_t got = rte_eth_rx_burst(port, 0, &pkts[done],
						      RTE_MIN(n - done, (uint32_t)burst));

		if (unlikely(got == 0))
			break;
		done += got;
	}
	return done;
}

static __rte_always_inline uint32_t
transmit(uint16_t port, struct rte_mbuf **pkts, uint16_t burst, uint32_t n)
{
	uint32_t done = 0;

	while (done < n) {
		const uint16_t sent = rte_eth_tx_burst(port, 0, &pkts[done],
						       RTE_MIN(n - done, (uint32_t)burst));

		if (unlikely(sent == 0))
			break;
		done += sent;
	}
	return done;
}

/* What an application does that looks at the headers. */
static __rte_always_inline void
touch(struct rte_mbuf **pkts, uint16_t n)
{
	uint64_t sum = 0;

	for (uint16_t i = 0; i < n; i++)
		sum += *rte_pktmbuf_mtod(pkts[i], const uint64_t *);
	asm volatile("" : : "r" (sum));
}

static __rte_always_inline uint32_t
forward(uint16_t port, struct rte_mbuf **pkts, uint16_t burst, uint32_t n, const bool look)
{
	uint32_t done = 0;

	while (done < n) {
		const uint16_t got = rte_eth_rx_burst(port, 0, pkts,
						      RTE_MIN(n - done, (uint32_t)burst));

		if (look)
			touch(pkts, got);
		if (unlikely(got == 0 || transmit(port, pkts, got, got) != got))
			break;
		done += got;
	}
	return done;
}

static __rte_always_inline uint32_t
poll_empty(uint16_t port, struct rte_mbuf **pkts, uint16_t burst, uint32_t n)
{
	uint32_t got = 0;

	for (uint32_t i = 0; i < n; i++)
		got += rte_eth_rx_burst(port, 0, pkts, burst);
	return got == 0 ? n : 0;
}

static __rte_always_inline uint32_t
pass(enum perf_mode mode, uint16_t port, struct rte_mbuf **pkts, uint16_t burst, uint32_t n)
{
	switch (mode) {
	case PERF_RX:
		return receive(port, pkts, burst, n);
	case PERF_TX:
		return transmit(port, pkts, burst, n);
	case PERF_FWD:
		return forward(port, pkts, burst, n, false);
	case PERF_FWD_TOUCH:
		return forward(port, pkts, burst, n, true);
	case PERF_EMPTY:
		return poll_empty(port, pkts, burst, n);
	default:
		return 0;
	}
}

__rte_noinline uint32_t
perf_counted(enum perf_mode mode, uint16_t port, struct rte_mbuf **pkts, uint16_t burst,
	     uint32_t n)
{
	return pass(mode, port, pkts, burst, n);
}

/* The same by another name: a warm-up does not count. */
static __rte_noinline uint32_t
pass_uncounted(enum perf_mode mode, uint16_t port, struct rte_mbuf **pkts, uint16_t burst,
	       uint32_t n)
{
	return pass(mode, port, pkts, burst, n);
}

/*
 * Around it
 */

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median_of(double *v, unsigned int n)
{
	qsort(v, n, sizeof(*v), compare);
	return n % 2 != 0 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double
perf_timer_overhead(void)
{
	static double samples[TIMER_SAMPLES];

	for (unsigned int i = 0; i < TIMER_SAMPLES; i++) {
		const uint64_t start = rte_rdtsc_precise();

		samples[i] = rte_rdtsc_precise() - start;
	}
	return median_of(samples, TIMER_SAMPLES);
}

uint32_t
perf_block_frames(const struct perf_path *path, const struct perf_case *c)
{
	const uint32_t half = c->ring / 2 / perf_path_segs(path, c);

	if (c->burst > half)
		return 0;
	return RTE_MAX(RTE_MIN(half, PERF_BLOCK) / c->burst * c->burst, (uint32_t)c->burst);
}

bool
perf_path_applies(const struct perf_path *path, const struct perf_case *c)
{
	return path->selected && c->size <= path->size_max && perf_block_frames(path, c) > 0 &&
		!(c->mode == PERF_EMPTY && path->never_empty);
}

static int
moved_wrong(const struct perf_path *path, const struct perf_case *c, uint32_t n, uint32_t want)
{
	fprintf(stderr, "%s: %s: %u of %u frames passed, with a ring of %u and bursts of %u\n",
		path->name, perf_mode_names[c->mode], n, want, c->ring, c->burst);
	return -EIO;
}

static int
device(struct perf_path *path, perf_device_fn fn, uint32_t n, const struct perf_case *c)
{
	if (perf_device_call(fn, path, n, c->cross))
		return 0;
	fprintf(stderr, "%s: %s: the device side found no descriptor for one of %u frames\n",
		path->name, perf_mode_names[c->mode], n);
	return -EIO;
}

/* Pass a block of frames; *cycles is what the timed part took, NULL: this is a warm-up. */
static int
run_block(struct perf_path *path, const struct perf_case *c, uint32_t n, double *cycles)
{
	const bool receives = c->mode != PERF_TX && c->mode != PERF_EMPTY;
	const bool sends = c->mode != PERF_RX && c->mode != PERF_EMPTY;
	static struct rte_mbuf *pkts[PERF_BURST_MAX];
	uint32_t done;
	int ret = 0;

	if (receives)
		ret = device(path, path->ops->fill, n, c);
	else if (sends && !perf_path_build(path, pkts, n))
		ret = -ENOMEM;
	if (ret != 0)
		return ret;
	if (cycles != NULL) {
		const uint64_t start = rte_rdtsc_precise();

		done = perf_counted(c->mode, path->port, pkts, c->burst, n);
		*cycles = rte_rdtsc_precise() - start;
	} else {
		done = pass_uncounted(c->mode, path->port, pkts, c->burst, n);
	}
	if (done != n)
		return moved_wrong(path, c, done, n);
	if (sends)
		return device(path, path->ops->drain, n, c);
	if (receives)
		rte_pktmbuf_free_bulk(pkts, n);
	return 0;
}

/* What arrives must be what the device side wrote: a path that is broken has no speed. */
static int
check_frames(struct perf_path *path, const struct perf_case *c)
{
	struct rte_mbuf *pkts[PERF_BURST_MAX];
	const uint64_t stamp = perf_ring_stamp();
	uint32_t done;
	int ret = device(path, path->ops->fill, c->burst, c);

	if (ret != 0)
		return ret;
	done = receive(path->port, pkts, c->burst, c->burst);
	if (done != c->burst)
		return moved_wrong(path, c, done, c->burst);
	for (uint32_t i = 0; i < done && ret == 0; i++) {
		/* net_null has frames of one size */
		if (!path->never_empty && pkts[i]->pkt_len != path->len)
			ret = -EIO;
		if (!path->unstamped &&
		    *rte_pktmbuf_mtod(pkts[i], const uint64_t *) != stamp + i)
			ret = -EIO;
	}
	rte_pktmbuf_free_bulk(pkts, done);
	if (ret != 0)
		fprintf(stderr, "%s: a frame is not what the device side wrote\n", path->name);
	return ret;
}

static int
start_path(struct perf_path *path, const struct perf_case *c, const struct perf_env *env)
{
	int ret;

	path->len = perf_frame_len(c);
	ret = path->ops->start(path, c, env);
	if (ret != 0)
		return ret;
	/* An empty ring is to stay empty. */
	if (c->mode != PERF_EMPTY)
		ret = check_frames(path, c);
	if (ret != 0)
		path->ops->stop(path);
	return ret;
}

static int
run_repetition(struct perf_path *path, const struct perf_case *c, const struct perf_env *env,
	       double *blocks, double *figure)
{
	const uint32_t n = perf_block_frames(path, c);
	const unsigned int iters = env->opt->iters;
	const unsigned int kept = RTE_MAX(iters * KEPT_PERCENT / 100, 1u);
	double sum = 0;
	int ret = 0;

	for (unsigned int i = 0; i < WARMUP_BLOCKS + c->ring / n && ret == 0; i++)
		ret = run_block(path, c, n, NULL);
	for (unsigned int i = 0; i < iters && ret == 0; i++)
		ret = run_block(path, c, n, &blocks[i]);
	if (ret != 0)
		return ret;
	qsort(blocks, iters, sizeof(*blocks), compare);
	for (unsigned int i = 0; i < kept; i++)
		sum += blocks[i];
	*figure = (sum / kept - env->timer) / n;
	return 0;
}

/* The figures of all paths, a row for each, a column for each repetition. */
struct table {
	unsigned int reps;
	double *v;
};

static double *
row(const struct table *t, unsigned int path)
{
	return &t->v[path * t->reps];
}

static void
ratio_to_floor(const struct table *t, unsigned int path, unsigned int floor_path,
	       enum perf_floor floor, double *scratch, struct perf_result *result)
{
	for (unsigned int i = 0; i < t->reps; i++)
		scratch[i] = row(t, path)[i] / row(t, floor_path)[i];
	result->ratio[floor] = median_of(scratch, t->reps);
	result->ratio_min[floor] = scratch[0];
	result->ratio_max[floor] = scratch[t->reps - 1];
}

static int
summarise(const struct perf_paths *set, const struct perf_case *c, const struct table *t,
	  double *scratch, struct perf_result *results)
{
	int n = 0;

	for (unsigned int p = 0; p < set->n; p++) {
		struct perf_result *result = &results[n];

		if (!perf_path_applies(&set->paths[p], c))
			continue;
		*result = (struct perf_result){ .c = *c, .path = &set->paths[p] };
		memcpy(result->bursts, set->paths[p].bursts, sizeof(result->bursts));
		for (unsigned int f = 0; f < set->n; f++)
			if (set->paths[f].floor != PERF_FLOOR_NONE &&
			    perf_path_applies(&set->paths[f], c))
				ratio_to_floor(t, p, f, set->paths[f].floor, scratch, result);
		memcpy(scratch, row(t, p), sizeof(*scratch) * t->reps);
		result->median = median_of(scratch, t->reps);
		result->min = scratch[0];
		result->max = scratch[t->reps - 1];
		n++;
	}
	return n;
}

static int
run_all(const struct perf_paths *set, const struct perf_case *c, const struct perf_env *env,
	const struct table *t, double *blocks)
{
	int ret = 0;

	for (unsigned int rep = 0; rep < t->reps && ret == 0; rep++)
		for (unsigned int p = 0; p < set->n && ret == 0; p++)
			if (perf_path_applies(&set->paths[p], c))
				ret = run_repetition(&set->paths[p], c, env, blocks,
						     &row(t, p)[rep]);
	return ret;
}

int
perf_measure(const struct perf_paths *set, const struct perf_case *c, const struct perf_env *env,
	     struct perf_result *results)
{
	const unsigned int reps = env->opt->reps;
	struct table t = { reps, calloc((size_t)set->n * reps, sizeof(double)) };
	double *blocks = calloc(RTE_MAX(env->opt->iters, reps), sizeof(*blocks));
	unsigned int started = 0;
	int ret = t.v == NULL || blocks == NULL ? -ENOMEM : 0;

	for (; started < set->n && ret == 0; started++)
		if (perf_path_applies(&set->paths[started], c))
			ret = start_path(&set->paths[started], c, env);
	if (ret == 0)
		ret = run_all(set, c, env, &t, blocks);
	else if (started > 0)
		started--; /* the one that did not start */
	while (started-- > 0)
		if (perf_path_applies(&set->paths[started], c))
			set->paths[started].ops->stop(&set->paths[started]);
	if (ret == 0)
		ret = summarise(set, c, &t, blocks, results);
	free(blocks);
	free(t.v);
	return ret;
}

int64_t
perf_count(struct perf_path *path, const struct perf_case *c, const struct perf_env *env)
{
	const uint32_t n = perf_block_frames(path, c);
	int ret = start_path(path, c, env);
	double cycles;

	if (ret != 0)
		return ret;
	/* Twice around the ring, and the pool's cache is as full as it stays. */
	for (unsigned int i = 0; i < WARMUP_BLOCKS + 2 * c->ring / n && ret == 0; i++)
		ret = run_block(path, c, n, NULL);
	for (unsigned int i = 0; i < env->opt->iters && ret == 0; i++)
		ret = run_block(path, c, n, &cycles);
	path->ops->stop(path);
	return ret != 0 ? ret : (int64_t)env->opt->iters * n;
}
