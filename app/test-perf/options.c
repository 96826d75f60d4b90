/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "perf.h"

#define RING_LEAST		64u
#define RING_MOST		8192u
#define RING_MULTIPLE		32u
#define SIZE_LEAST		64u
#define SIZE_MOST		1518u
#define STRATEGY_SIZE_MOST	4000u	/* fits into one buffer */
#define REPS_MAX		1000u
#define ITERS_MAX		1000000u

const char * const perf_mode_names[PERF_MODES] = {
	[PERF_RX] = "rx",
	[PERF_TX] = "tx",
	[PERF_FWD] = "fwd",
	[PERF_FWD_TOUCH] = "fwd+touch",
	[PERF_EMPTY] = "empty",
};

const char * const perf_format_names[PERF_FORMATS] = {
	[PERF_TEXT] = "text",
	[PERF_DTS] = "dts",
	[PERF_BMF] = "bmf",
	[PERF_GHA] = "gha",
};

enum {
	OPT_MODES = 1,
	OPT_PATHS,
	OPT_RING,
	OPT_BURST,
	OPT_SIZE,
	OPT_RX_FREE_THRESH,
	OPT_TX_FREE_THRESH,
	OPT_WARM,
	OPT_CROSS,
	OPT_DEVICE,
	OPT_REPS,
	OPT_ITERS,
	OPT_STRATEGIES,
	OPT_COUNT,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_EXPECTED_MPPS,
	OPT_TOLERANCE,
	OPT_LIST,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "modes", required_argument, NULL, OPT_MODES },
	{ "paths", required_argument, NULL, OPT_PATHS },
	{ "ring", required_argument, NULL, OPT_RING },
	{ "burst", required_argument, NULL, OPT_BURST },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "rx-free-thresh", required_argument, NULL, OPT_RX_FREE_THRESH },
	{ "tx-free-thresh", required_argument, NULL, OPT_TX_FREE_THRESH },
	{ "warm", no_argument, NULL, OPT_WARM },
	{ "cross", no_argument, NULL, OPT_CROSS },
	{ "device", required_argument, NULL, OPT_DEVICE },
	{ "reps", required_argument, NULL, OPT_REPS },
	{ "iters", required_argument, NULL, OPT_ITERS },
	{ "strategies", no_argument, NULL, OPT_STRATEGIES },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "expected-mpps", required_argument, NULL, OPT_EXPECTED_MPPS },
	{ "tolerance", required_argument, NULL, OPT_TOLERANCE },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static void
usage(const char *prog)
{
	printf("usage: %s [EAL options] -- [options]\n"
	       "Without EAL options, those of a run that shares nothing are used.\n"
	       "\n"
	       "What is measured (LIST: values separated by commas):\n"
	       "  --modes=LIST         of rx, tx, fwd, fwd+touch, empty; default: all\n"
	       "  --paths=LIST         names that --list shows; default: all. Floors always run\n"
	       "  --ring=LIST          descriptors each way, %u to %u, multiples of %u;\n"
	       "                       default: 512\n"
	       "  --burst=LIST         frames in a burst, 1 to %u, to half a ring; default: 32\n"
	       "  --size=LIST          bytes of a frame, FCS included, %u to %u; default: 64\n"
	       "  --rx-free-thresh=N   the driver's queue option; default: the driver's\n"
	       "  --tx-free-thresh=N   likewise\n"
	       "  --warm, --cross      device side on the same core (default), another, or both\n"
	       "  --device=KIND        the driver's device side: writer (default) or model\n"
	       "  --strategies         other ways to drive the same ring, instead of drivers\n"
	       "  --reps=N             repetitions, at least %u for a record; default: %u\n"
	       "  --iters=N            blocks of up to %u frames in each; default: 500\n"
	       "\n",
	       prog, RING_LEAST, RING_MOST, RING_MULTIPLE, PERF_BURST_MAX, SIZE_LEAST, SIZE_MOST,
	       PERF_REPS_MIN, PERF_REPS_MIN, PERF_BLOCK);
	printf("For instruction counters:\n"
	       "  --count=MODE         rx, tx or fwd: --iters blocks of one path, each in a call\n"
	       "                       of perf_counted() with nothing else inside\n"
	       "\n"
	       "Results:\n"
	       "  --format=F           text (default), dts, bmf or gha\n"
	       "  --output=FILE        instead of standard output\n"
	       "  --expected-mpps=N    dts: what is expected; default: the fastest floor's\n"
	       "  --tolerance=N        dts: how much less passes, as a fraction; default: 0.13\n"
	       "\n"
	       "  --list               show the paths and end\n"
	       "  --help               show this and end\n");
}

static int
parse_number(const char *name, const char *text, unsigned long min, unsigned long max,
	     unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && text[0] != '-' && *number >= min &&
	    *number <= max)
		return 0;
	fprintf(stderr, "--%s=%s: a number from %lu to %lu is allowed\n", name, text, min, max);
	return -1;
}

static int
parse_list(const char *name, const char *text, unsigned long min, unsigned long max,
	   struct perf_list *list)
{
	char *copy = strdup(text), *rest = copy, *item;
	unsigned long number;
	int ret = 0;

	list->n = 0;
	while (ret == 0 && (item = strsep(&rest, ",")) != NULL) {
		ret = parse_number(name, item, min, max, &number);
		if (ret == 0 && list->n == PERF_LIST_MAX) {
			fprintf(stderr, "--%s: at most %u values\n", name, PERF_LIST_MAX);
			ret = -1;
		}
		if (ret == 0)
			list->v[list->n++] = number;
	}
	free(copy);
	return ret;
}

static int
parse_rings(const char *text, struct perf_list *list)
{
	if (parse_list("ring", text, RING_LEAST, RING_MOST, list) != 0)
		return -1;
	for (unsigned int i = 0; i < list->n; i++) {
		if (list->v[i] % RING_MULTIPLE != 0) {
			fprintf(stderr, "--ring=%u: a multiple of %u is needed\n", list->v[i],
				RING_MULTIPLE);
			return -1;
		}
	}
	return 0;
}

/* Index of a name, or -1 when it was said which are allowed. */
static int
parse_name(const char *option, const char *text, const char * const *names, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (strcmp(text, names[i]) == 0)
			return i;
	fprintf(stderr, "--%s=%s: allowed are", option, text);
	for (unsigned int i = 0; i < n; i++)
		fprintf(stderr, "%s %s", i == 0 ? "" : ",", names[i]);
	fprintf(stderr, "\n");
	return -1;
}

static int
parse_modes(const char *text, bool *modes)
{
	char *copy = strdup(text), *rest = copy, *item;
	int mode = 0;

	memset(modes, 0, sizeof(*modes) * PERF_MODES);
	while (mode >= 0 && (item = strsep(&rest, ",")) != NULL) {
		mode = parse_name("modes", item, perf_mode_names, PERF_MODES);
		if (mode >= 0)
			modes[mode] = true;
	}
	free(copy);
	return mode < 0 ? -1 : 0;
}

static int
parse_count(const char *text, struct perf_options *opt)
{
	/* the first three modes */
	int mode = parse_name("count", text, perf_mode_names, PERF_FWD + 1);

	if (mode < 0)
		return -1;
	memset(opt->modes, 0, sizeof(opt->modes));
	opt->modes[mode] = true;
	opt->count = true;
	return 0;
}

static int
parse_fraction(const char *name, const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	if (end != text && *end == '\0' && *number > 0)
		return 0;
	fprintf(stderr, "--%s=%s: a positive number is needed\n", name, text);
	return -1;
}

static int
parse_one(int id, const char *name, char *arg, struct perf_options *opt)
{
	static const char * const devices[] = { "writer", "model" };
	unsigned long number = 0;
	int ret = 0;

	switch (id) {
	case OPT_MODES:
		return parse_modes(arg, opt->modes);
	case OPT_PATHS:
		opt->paths = arg;
		break;
	case OPT_RING:
		return parse_rings(arg, &opt->rings);
	case OPT_BURST:
		return parse_list(name, arg, 1, PERF_BURST_MAX, &opt->bursts);
	case OPT_SIZE:
		return parse_list(name, arg, SIZE_LEAST, STRATEGY_SIZE_MOST, &opt->sizes);
	case OPT_RX_FREE_THRESH:
		ret = parse_number(name, arg, 1, RING_MOST / 2, &number);
		opt->rx_free_thresh = number;
		break;
	case OPT_TX_FREE_THRESH:
		ret = parse_number(name, arg, 1, RING_MOST / 2, &number);
		opt->tx_free_thresh = number;
		break;
	case OPT_WARM:
		opt->warm = true;
		break;
	case OPT_CROSS:
		opt->cross = true;
		break;
	case OPT_DEVICE:
		ret = parse_name(name, arg, devices, RTE_DIM(devices));
		opt->model = ret == 1;
		break;
	case OPT_REPS:
		ret = parse_number(name, arg, 1, REPS_MAX, &number);
		opt->reps = number;
		break;
	case OPT_ITERS:
		ret = parse_number(name, arg, 1, ITERS_MAX, &number);
		opt->iters = number;
		break;
	case OPT_STRATEGIES:
		opt->strategies = true;
		break;
	case OPT_COUNT:
		return parse_count(arg, opt);
	case OPT_FORMAT:
		ret = parse_name(name, arg, perf_format_names, PERF_FORMATS);
		opt->format = ret;
		break;
	case OPT_OUTPUT:
		opt->output = arg;
		break;
	case OPT_EXPECTED_MPPS:
		return parse_fraction(name, arg, &opt->expected_mpps);
	case OPT_TOLERANCE:
		return parse_fraction(name, arg, &opt->tolerance);
	case OPT_LIST:
		opt->list = true;
		break;
	}
	return ret < 0 ? -1 : 0;
}

/* What no single option shows. */
static int
check(struct perf_options *opt)
{
	if (!opt->warm && !opt->cross)
		opt->warm = true;
	for (unsigned int i = 0; i < opt->sizes.n; i++) {
		if (!opt->strategies && opt->sizes.v[i] > SIZE_MOST) {
			fprintf(stderr, "--size=%u: more than %u only with --strategies\n",
				opt->sizes.v[i], SIZE_MOST);
			return -1;
		}
	}
	if (opt->count && (opt->rings.n > 1 || opt->bursts.n > 1 || opt->sizes.n > 1 ||
			   opt->cross || opt->strategies)) {
		fprintf(stderr, "--count takes one ring, burst and frame size, no --cross "
			"and no --strategies\n");
		return -1;
	}
	if (opt->format == PERF_DTS && (opt->bursts.n > 1 || (opt->warm && opt->cross) ||
					!opt->modes[PERF_FWD] || opt->strategies || opt->count)) {
		fprintf(stderr, "--format=dts holds forwarding with one burst size, either --warm "
			"or --cross, without --strategies and --count\n");
		return -1;
	}
	return 0;
}

int
perf_options_parse(int argc, char **argv, struct perf_options *opt)
{
	int id, index = 0;

	*opt = (struct perf_options){
		.modes = { true, true, true, true, true },
		.rings = { 1, { 512 } },
		.bursts = { 1, { 32 } },
		.reps = PERF_REPS_MIN,
		.iters = 500,
		.tolerance = 0.13,
	};
	optind = 1;
	while ((id = getopt_long(argc, argv, "", long_options, &index)) != -1) {
		if (id == OPT_HELP) {
			usage(argv[0]);
			return 0;
		}
		/* getopt has said what is wrong */
		if (id == '?' || parse_one(id, long_options[index].name, optarg, opt) != 0) {
			fprintf(stderr, "--help shows the options\n");
			return -1;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "%s: only options are allowed; --help shows them\n", argv[optind]);
		return -1;
	}
	if (opt->sizes.n == 0)
		opt->sizes = opt->strategies ? (struct perf_list){ 3, { 64, 1518, 3000 } } :
			(struct perf_list){ 1, { 64 } };
	return check(opt) == 0 ? 1 : -1;
}
