/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* dpdk-test-bcm4908-perf: what the driver's bursts cost, beside the least that they could. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cpuflags.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>

#include "measure.h"
#include "report.h"

#define POOL_CACHE	512u
#define POOL_SPARE	4096u	/* mbufs beyond those in rings */
#define LARGE_ROOM	(RTE_PKTMBUF_HEADROOM + BCM4908_BUF_MAX)
#define FREE_HUGEPAGES	"/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"
#define ENOUGH_HUGEPAGES 256u

static unsigned int
free_hugepages(void)
{
	FILE *f = fopen(FREE_HUGEPAGES, "r");
	unsigned int pages = 0;

	if (f == NULL)
		return 0;
	if (fscanf(f, "%u", &pages) != 1)
		pages = 0;
	fclose(f);
	return pages;
}

/* Without EAL options: no devices, nothing shared with other processes, hugepages if there are. */
static int
eal_init_default(char *prog)
{
	const bool huge = free_hugepages() >= ENOUGH_HUGEPAGES;
	char prefix[48];
	char *argv[] = {
		prog,
		huge ? (char []){ "--in-memory" } : (char []){ "--no-huge" },
		(char []){ "-m" }, (char []){ "512" },
		(char []){ "--no-pci" },
		(char []){ "--no-telemetry" },
		(char []){ "--log-level=lib.eal:warning" },
		prefix,
		NULL,
	};

	snprintf(prefix, sizeof(prefix), "--file-prefix=bcm4908-perf-%d", (int)getpid());
	if (!huge)
		fprintf(stderr, "note: without %u free hugepages, ordinary ones are used\n",
			ENOUGH_HUGEPAGES);
	return rte_eal_init(RTE_DIM(argv) - 1, argv);
}

/* Is a name in a list that is separated by commas? */
static bool
is_listed(const char *list, const char *name)
{
	const size_t len = strlen(name);

	for (const char *item = list; item != NULL; item = strchr(item, ',')) {
		item += item != list;
		if (strncmp(item, name, len) == 0 && (item[len] == ',' || item[len] == '\0'))
			return true;
	}
	return false;
}

static const struct perf_path *
find_path(const struct perf_paths *set, const char *name, size_t len)
{
	for (unsigned int i = 0; i < set->n; i++)
		if (strlen(set->paths[i].name) == len &&
		    strncmp(set->paths[i].name, name, len) == 0)
			return &set->paths[i];
	return NULL;
}

static int
check_names(const struct perf_paths *set, const char *list)
{
	while (list != NULL) {
		const size_t len = strcspn(list, ",");

		if (find_path(set, list, len) == NULL) {
			fprintf(stderr, "--paths: %.*s is none; --list shows them\n", (int)len,
				list);
			return -1;
		}
		list = list[len] == ',' ? list + len + 1 : NULL;
	}
	return 0;
}

static bool
cpu_can(const struct perf_path *path)
{
#ifdef RTE_ARCH_X86_64
	if (path->floor == PERF_FLOOR_AVX2)
		return rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX2) > 0;
#endif
	RTE_SET_USED(path);
	return true;
}

static void
show_paths(const struct perf_paths *set)
{
	for (unsigned int i = 0; i < set->n; i++)
		printf("  %-24s %s\n", set->paths[i].name, set->paths[i].what);
}

static int
list_all(void)
{
	printf("Paths that are measured:\n");
	show_paths(perf_paths_drivers());
	printf("Paths with --strategies:\n");
	show_paths(perf_paths_strategies());
	return EXIT_SUCCESS;
}

/* Only one path is counted: the first that is not a floor, unless another was named. */
static void
select_paths(const struct perf_paths *set, const struct perf_options *opt)
{
	bool found = false;

	for (unsigned int i = 0; i < set->n; i++) {
		struct perf_path *path = &set->paths[i];
		const bool named = opt->paths != NULL ? is_listed(opt->paths, path->name) :
			!opt->count || path->floor == PERF_FLOOR_NONE;

		path->selected = cpu_can(path) &&
			(named || (!opt->count && path->floor != PERF_FLOOR_NONE)) &&
			!(opt->count && found);
		found |= path->selected;
	}
}

/* A path of another driver that this DPDK does not have is left out; ours must be there. */
static int
create_paths(const struct perf_paths *set, const struct perf_env *env)
{
	int ret = 0;

	for (unsigned int i = 0; i < set->n; i++) {
		struct perf_path *path = &set->paths[i];
		const bool ours = path->ops == &perf_driver_ops || path->ops == &perf_loop_ops;

		if (!path->selected)
			continue;
		path->selected = ret == 0 && path->ops->create(path, env) == 0;
		if (!path->selected && ours)
			ret = -1;
	}
	return ret;
}

static void
destroy_paths(const struct perf_paths *set)
{
	for (unsigned int i = 0; i < set->n; i++) {
		if (set->paths[i].selected)
			set->paths[i].ops->destroy(&set->paths[i]);
		set->paths[i].selected = false;
	}
}

static unsigned int
list_max(const struct perf_list *list)
{
	unsigned int max = 0;

	for (unsigned int i = 0; i < list->n; i++)
		max = RTE_MAX(max, (unsigned int)list->v[i]);
	return max;
}

/* The rings of all paths are full at the same time, both ways in the worst case. */
static int
make_pools(const struct perf_paths *set, struct perf_env *env)
{
	const unsigned int ring = list_max(&env->opt->rings);
	unsigned int mbufs = POOL_SPARE;

	for (unsigned int i = 0; i < set->n; i++)
		mbufs += set->paths[i].selected ? 2 * ring : 0;
	env->mp = rte_pktmbuf_pool_create("perf", mbufs, POOL_CACHE, 0,
					  RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (env->opt->strategies)
		env->large_mp = rte_pktmbuf_pool_create("perf_large", POOL_SPARE + 2 * ring,
							POOL_CACHE, 0, LARGE_ROOM, SOCKET_ID_ANY);
	if (env->mp != NULL && (!env->opt->strategies || env->large_mp != NULL))
		return 0;
	fprintf(stderr, "no memory for %u mbufs: give EAL more, or take smaller rings\n", mbufs);
	return -1;
}

static void
free_pools(struct perf_env *env)
{
	rte_mempool_free(env->mp);
	rte_mempool_free(env->large_mp);
}

/* Results of all cases, one after the other. */
struct results {
	struct perf_result *v;
	unsigned int n;
	unsigned int room;
};

static void
say_progress(const struct perf_case *c, unsigned int nr, unsigned int total)
{
	fprintf(stderr, "%s%u of %u: %s, %s, ring %u, burst %u, %u bytes%s",
		isatty(STDERR_FILENO) ? "\r\033[K" : "", nr, total, perf_mode_names[c->mode],
		c->cross ? "cross" : "warm", c->ring, c->burst, c->size,
		isatty(STDERR_FILENO) && nr < total ? "" : "\n");
}

static int
run_case(const struct perf_paths *set, const struct perf_case *c, const struct perf_env *env,
	 struct results *results)
{
	int ret;

	if (results->n + set->n > results->room) {
		const unsigned int room = 2 * results->room + set->n;
		struct perf_result *v = realloc(results->v, room * sizeof(*v));

		if (v == NULL)
			return -ENOMEM;
		results->v = v;
		results->room = room;
	}
	ret = perf_measure(set, c, env, &results->v[results->n]);
	if (ret < 0)
		return ret;
	if (ret == 0)
		fprintf(stderr, "left out: no path has a ring of %u and bursts of %u\n", c->ring,
			c->burst);
	results->n += ret;
	return 0;
}

/* The n-th case of all that were asked for; false: there are no more. */
static bool
nth_case(const struct perf_options *opt, unsigned int n, struct perf_case *c)
{
	for (int cross = 0; cross <= 1; cross++)
		for (unsigned int r = 0; r < opt->rings.n; r++)
			for (unsigned int s = 0; s < opt->sizes.n; s++)
				for (unsigned int b = 0; b < opt->bursts.n; b++)
					for (int mode = 0; mode < PERF_MODES; mode++) {
						if (!(cross ? opt->cross : opt->warm) ||
						    !opt->modes[mode] || n-- > 0)
							continue;
						memset(c, 0, sizeof(*c));
						c->mode = mode;
						c->cross = cross;
						c->ring = opt->rings.v[r];
						c->burst = opt->bursts.v[b];
						c->size = opt->sizes.v[s];
						return true;
					}
	return false;
}

static int
run_cases(const struct perf_paths *set, const struct perf_env *env, struct results *results)
{
	unsigned int total = 0;
	bool launched = false;
	struct perf_case c;
	int ret = 0;

	while (nth_case(env->opt, total, &c))
		total++;
	for (unsigned int n = 0; n < total && ret == 0; n++) {
		nth_case(env->opt, n, &c);
		say_progress(&c, n + 1, total);
		if (c.cross && !launched) {
			ret = perf_device_launch(env->device_lcore);
			launched = ret == 0;
		}
		if (ret == 0)
			ret = run_case(set, &c, env, results);
	}
	if (launched)
		perf_device_end(env->device_lcore);
	return ret;
}

static int
run_count(const struct perf_paths *set, const struct perf_env *env, FILE *f)
{
	struct perf_case c;
	int64_t frames;

	nth_case(env->opt, 0, &c);
	for (unsigned int i = 0; i < set->n; i++) {
		if (!set->paths[i].selected)
			continue;
		if (!perf_path_applies(&set->paths[i], &c)) {
			fprintf(stderr, "bursts of %u are too long for a ring of %u\n", c.burst,
				c.ring);
			return -1;
		}
		frames = perf_count(&set->paths[i], &c, env);
		if (frames < 0)
			return -1;
		perf_report_count(f, &set->paths[i], &c, frames);
	}
	return 0;
}

static int
run_measurements(const struct perf_paths *set, const struct perf_env *env, FILE *f)
{
	struct results results = { 0 };
	int ret = run_cases(set, env, &results);

	if (ret == 0 && results.n == 0) {
		fprintf(stderr, "nothing was measured\n");
		ret = -1;
	}
	if (ret == 0)
		perf_report(f, set, env, results.v, results.n);
	free(results.v);
	return ret;
}

static int
find_device_lcore(struct perf_env *env)
{
	env->device_lcore = rte_get_next_lcore(-1, 1, 0);
	if (!env->opt->cross || env->device_lcore < RTE_MAX_LCORE)
		return 0;
	fprintf(stderr, "--cross needs two lcores: give EAL -l or --lcores\n");
	return -1;
}

static int
run(const struct perf_options *opt, FILE *f)
{
	const struct perf_paths *set = opt->strategies ? perf_paths_strategies() :
		perf_paths_drivers();
	struct perf_env env = { .opt = opt };
	int ret = -1;

	select_paths(set, opt);
	if (find_device_lcore(&env) == 0 && create_paths(set, &env) == 0 &&
	    make_pools(set, &env) == 0) {
		if (opt->reps < PERF_REPS_MIN && !opt->count)
			fprintf(stderr, "note: fewer than %u repetitions are for a trial only\n",
				PERF_REPS_MIN);
		env.timer = perf_timer_overhead();
		ret = opt->count ? run_count(set, &env, f) : run_measurements(set, &env, f);
	}
	destroy_paths(set);
	free_pools(&env);
	return ret;
}

/* The arguments that follow the first "--", with the program's name in front. */
static char **
split_args(int argc, char **argv, int *eal_argc)
{
	*eal_argc = argc;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			*eal_argc = i;
			argv[i] = argv[0];
			return &argv[i];
		}
	}
	/* These two are answered without "--" in front, too. */
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "--list") == 0))
		*eal_argc = 0;
	return &argv[*eal_argc];
}

int
main(int argc, char **argv)
{
	struct perf_options opt;
	char *no_args[] = { argv[0], NULL };
	char **args;
	int eal_argc, ret;
	FILE *f;

	args = split_args(argc, argv, &eal_argc);
	if (eal_argc == argc)
		args = no_args;
	ret = perf_options_parse(eal_argc == argc ? 1 : argc - eal_argc, args, &opt);
	if (ret <= 0)
		return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	if (opt.list)
		return list_all();
	if (opt.paths != NULL &&
	    check_names(opt.strategies ? perf_paths_strategies() : perf_paths_drivers(),
			opt.paths) != 0)
		return EXIT_FAILURE;
	/* Before all the work: it may not be possible. */
	f = opt.output != NULL ? fopen(opt.output, "w") : stdout;
	if (f == NULL) {
		fprintf(stderr, "--output=%s: %s\n", opt.output, strerror(errno));
		return EXIT_FAILURE;
	}
	if ((eal_argc == 1 ? eal_init_default(argv[0]) : rte_eal_init(eal_argc, argv)) < 0) {
		fprintf(stderr, "EAL does not start\n");
		return EXIT_FAILURE;
	}
	ret = run(&opt, f);
	rte_eal_cleanup();
	if (fclose(f) != 0) {
		fprintf(stderr, "the results cannot be written: %s\n", strerror(errno));
		ret = -1;
	}
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
