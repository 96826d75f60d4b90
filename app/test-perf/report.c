/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <rte_cycles.h>
#include <rte_version.h>

#include "report.h"

#define NAME_LEN	128

static double
mpps(double cycles)
{
	return rte_get_tsc_hz() / cycles / 1e6;
}

static const char *
where(const struct perf_case *c)
{
	return c->cross ? "cross" : "warm";
}

/* A name that says all: what trackers keep a history for. */
static const char *
full_name(const struct perf_result *r, char *name)
{
	snprintf(name, NAME_LEN, "%s/%s/%s/ring=%u/burst=%u/size=%u", r->path->name,
		 perf_mode_names[r->c.mode], where(&r->c), r->c.ring, r->c.burst, r->c.size);
	return name;
}

/* The path that serves as a floor, or NULL. */
static const struct perf_path *
floor_path(const struct perf_paths *set, enum perf_floor floor)
{
	for (unsigned int i = 0; i < set->n; i++)
		if (set->paths[i].floor == floor && set->paths[i].selected)
			return &set->paths[i];
	return NULL;
}

/*
 * Text
 */

static void
text_head(FILE *f, const struct perf_paths *set, const struct perf_env *env,
	  const struct perf_result *r)
{
	const bool empty = r->c.mode == PERF_EMPTY;

	fprintf(f, "\n%s, %s, ring %u, burst %u, %u-byte frames: TSC cycles per %s\n",
		perf_mode_names[r->c.mode], where(&r->c), r->c.ring, r->c.burst, r->c.size,
		empty ? "call" : "frame");
	fprintf(f, "%u repetitions of %u blocks of %u %s; "
		"ratios to floors: median over repetitions\n",
		env->opt->reps, env->opt->iters, perf_block_frames(r->path, &r->c),
		empty ? "calls" : "frames");
	fprintf(f, "%-24s %8s %8s %8s", "path", "min", "median", empty ? "" : "Mpps");
	for (enum perf_floor floor = PERF_FLOOR_NONE + 1; floor < PERF_FLOORS; floor++)
		if (floor_path(set, floor) != NULL)
			fprintf(f, " %17s", floor_path(set, floor)->name);
	fprintf(f, "  bursts\n");
}

static void
text_row(FILE *f, const struct perf_paths *set, const struct perf_result *r)
{
	fprintf(f, "%-24s %8.2f %8.2f", r->path->name, r->min, r->median);
	if (r->c.mode == PERF_EMPTY)
		fprintf(f, " %8s", "");
	else
		fprintf(f, " %8.1f", mpps(r->min));
	for (enum perf_floor floor = PERF_FLOOR_NONE + 1; floor < PERF_FLOORS; floor++) {
		if (floor_path(set, floor) == NULL)
			continue;
		if (r->ratio[floor] > 0)
			fprintf(f, " %17.2f", r->ratio[floor]);
		else
			fprintf(f, " %17s", "-");
	}
	fprintf(f, "  %s\n", r->bursts);
}

static void
report_text(FILE *f, const struct perf_paths *set, const struct perf_env *env,
	    const struct perf_result *results, unsigned int n)
{
	fprintf(f, "%s; TSC %.3f GHz; "
		"an empty measurement takes %.0f cycles, which are subtracted\n",
		rte_version(), rte_get_tsc_hz() / 1e9, env->timer);
	for (unsigned int i = 0; i < n; i++) {
		if (i == 0 || memcmp(&results[i].c, &results[i - 1].c, sizeof(results[i].c)) != 0)
			text_head(f, set, env, &results[i]);
		text_row(f, set, &results[i]);
	}
}

/*
 * DTS: performance_metrics.json. It tells of one path, the set's first that is
 * not a floor; what is expected of it is what the fastest floor reaches.
 */

static bool
dts_wants(const struct perf_result *r)
{
	return r->c.mode == PERF_FWD && r->path->floor == PERF_FLOOR_NONE;
}

static bool
same_case(const struct perf_result *a, const struct perf_result *b)
{
	return a->c.size == b->c.size && a->c.ring == b->c.ring && a->c.mode == b->c.mode;
}

static double
expected_mpps(const struct perf_env *env, const struct perf_result *results, unsigned int n,
	      const struct perf_result *r)
{
	double best = 0;

	if (env->opt->expected_mpps > 0)
		return env->opt->expected_mpps;
	for (unsigned int i = 0; i < n; i++)
		if (same_case(&results[i], r) && results[i].path->floor != PERF_FLOOR_NONE)
			best = RTE_MAX(best, mpps(results[i].min));
	return best;
}

static void
report_dts(FILE *f, const struct perf_env *env, const struct perf_result *results, unsigned int n)
{
	const struct perf_path *path = NULL;
	const time_t now = time(NULL);
	char stamp[32];
	struct tm tm;

	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S+00:00", gmtime_r(&now, &tm));
	fprintf(f, "{\n  \"timestamp\": \"%s\",\n  \"results\": [", stamp);
	for (unsigned int i = 0; i < n; i++) {
		const struct perf_result *r = &results[i];
		double expected, measured, delta;

		if (!dts_wants(r) || (path != NULL && r->path != path))
			continue;
		expected = expected_mpps(env, results, n, r);
		measured = mpps(r->min);
		delta = (measured - expected) / expected;
		fprintf(f, "%s\n    {\"frame_size\": %u, \"num_descriptors\": %u, "
			"\"expected_mpps\": %.3f, \"measured_mpps\": %.3f, "
			"\"performance_delta\": %.4f, \"pass\": %s}",
			path == NULL ? "" : ",", r->c.size, r->c.ring, expected, measured, delta,
			delta >= -env->opt->tolerance ? "true" : "false");
		path = r->path;
	}
	fprintf(f, "\n  ]\n}\n");
}

/*
 * Bencher Metric Format
 */

static void
bmf_measure(FILE *f, const char *prefix, const char *name, double value, double lower,
	    double upper)
{
	fprintf(f, "%s\n    \"%s\": {\"value\": %.4f, "
		"\"lower_value\": %.4f, \"upper_value\": %.4f}",
		prefix, name, value, lower, upper);
}

static void
report_bmf(FILE *f, const struct perf_paths *set, const struct perf_result *results,
	   unsigned int n)
{
	char name[NAME_LEN];

	fprintf(f, "{");
	for (unsigned int i = 0; i < n; i++) {
		const struct perf_result *r = &results[i];

		fprintf(f, "%s\n  \"%s\": {", i == 0 ? "" : ",", full_name(r, name));
		if (r->c.mode == PERF_EMPTY) {
			bmf_measure(f, "", "cycles-per-call", r->median, r->min, r->max);
		} else {
			bmf_measure(f, "", "cycles-per-packet", r->median, r->min, r->max);
			bmf_measure(f, ",", "mpps", mpps(r->median), mpps(r->max), mpps(r->min));
		}
		for (enum perf_floor floor = PERF_FLOOR_NONE + 1; floor < PERF_FLOORS; floor++) {
			if (r->ratio[floor] <= 0 || r->path->floor == floor)
				continue;
			snprintf(name, sizeof(name), "ratio-to-%s", floor_path(set, floor)->name);
			bmf_measure(f, ",", name, r->ratio[floor], r->ratio_min[floor],
				    r->ratio_max[floor]);
		}
		fprintf(f, "\n  }");
	}
	fprintf(f, "\n}\n");
}

/*
 * github-action-benchmark, customSmallerIsBetter
 */

static void
gha_entry(FILE *f, const char *prefix, const char *name, const char *unit, double value,
	  double min, double max, const char *extra)
{
	fprintf(f, "%s\n  {\"name\": \"%s\", \"unit\": \"%s\", \"value\": %.4f, "
		"\"range\": \"%.4f..%.4f\", \"extra\": \"%s\"}",
		prefix, name, unit, value, min, max, extra);
}

static void
report_gha(FILE *f, const struct perf_paths *set, const struct perf_result *results,
	   unsigned int n)
{
	char name[NAME_LEN], unit[NAME_LEN];

	fprintf(f, "[");
	for (unsigned int i = 0; i < n; i++) {
		const struct perf_result *r = &results[i];

		full_name(r, name);
		gha_entry(f, i == 0 ? "" : ",", name,
			  r->c.mode == PERF_EMPTY ? "cycles/call" : "cycles/packet", r->median,
			  r->min, r->max, r->bursts);
		for (enum perf_floor floor = PERF_FLOOR_NONE + 1; floor < PERF_FLOORS; floor++) {
			const struct perf_path *path = floor_path(set, floor);

			if (r->ratio[floor] <= 0 || r->path->floor == floor)
				continue;
			snprintf(unit, sizeof(unit), "x %s", path->name);
			snprintf(name + strlen(full_name(r, name)),
				 sizeof(name) - strlen(name), " to %s", path->name);
			gha_entry(f, ",", name, unit, r->ratio[floor], r->ratio_min[floor],
				  r->ratio_max[floor], r->bursts);
		}
	}
	fprintf(f, "\n]\n");
}

void
perf_report(FILE *f, const struct perf_paths *set, const struct perf_env *env,
	    const struct perf_result *results, unsigned int n)
{
	switch (env->opt->format) {
	case PERF_DTS:
		report_dts(f, env, results, n);
		break;
	case PERF_BMF:
		report_bmf(f, set, results, n);
		break;
	case PERF_GHA:
		report_gha(f, set, results, n);
		break;
	default:
		report_text(f, set, env, results, n);
		break;
	}
}

void
perf_report_count(FILE *f, const struct perf_path *path, const struct perf_case *c,
		  int64_t frames)
{
	fprintf(f, "%s %s: %" PRId64 " frames passed in perf_counted(), "
		"ring %u, burst %u, %u bytes (%s)\n",
		path->name, perf_mode_names[c->mode], frames, c->ring, c->burst, c->size,
		path->bursts);
}
