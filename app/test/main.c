/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* Runs the unit tests: all of them, or those that are named. */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_eal.h>

#include "bcm4908_dev_model.h"
#include "test.h"

static struct test_case *tests;
static struct test_case **tests_end = &tests;

void
test_register(struct test_case *tc)
{
	*tests_end = tc;
	tests_end = &tc->next;
}

static struct test_case *
test_find(const char *name)
{
	struct test_case *tc;

	for (tc = tests; tc != NULL; tc = tc->next)
		if (strcmp(tc->name, name) == 0)
			return tc;
	return NULL;
}

static uint64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static unsigned int forgiven;

void
test_forgive(unsigned int reports)
{
	forgiven += reports;
}

static bool
test_run(const struct test_case *tc)
{
	const unsigned int before = bcm4908_dev_model_all_reports();
	uint64_t start = now_ms();
	unsigned int reports;
	bool ok;

	printf("RUN  %s\n", tc->name);
	fflush(stdout);
	forgiven = 0;
	ok = tc->fn() == 0;
	reports = bcm4908_dev_model_all_reports() - before;
	if (ok && reports != forgiven) {
		printf("%u reports of strict mode, want %u\n", reports, forgiven);
		ok = false;
	}
	printf("%s %s (%" PRIu64 " ms)\n", ok ? "PASS" : "FAIL", tc->name, now_ms() - start);
	fflush(stdout);
	return ok;
}

/* Without EAL options: ordinary memory, no devices, nothing shared with other processes. */
static int
eal_init_default(char *prog)
{
	char *argv[] = {
		prog,
		(char []){ "--no-huge" },
		(char []){ "-m" }, (char []){ "512" },
		(char []){ "--no-pci" },
		(char []){ "--no-shconf" },
		(char []){ "--file-prefix=bcm4908-test" },
		(char []){ "--no-telemetry" },
		(char []){ "--log-level=lib.eal:warning" },
#ifdef __SANITIZE_ADDRESS__
		(char []){ "--mbuf-pool-ops-name=bcm4908_poison" },
#endif
		NULL,
	};

	return rte_eal_init(RTE_DIM(argv) - 1, argv);
}

static int
usage(const char *prog)
{
	printf("usage: %s [EAL options] [-- [--list] [test names]]\n"
	       "Without names every test runs; without EAL options those of a unit test are used.\n",
	       prog);
	return EXIT_SUCCESS;
}

/* The arguments that follow the first "--", and in *eal_argc how many stand before it. */
static char **
split_args(int argc, char **argv, int *eal_argc)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			*eal_argc = i;
			return &argv[i + 1];
		}
	}
	*eal_argc = argc;
	return &argv[argc];
}

int
main(int argc, char **argv)
{
	unsigned int passed = 0, failed = 0;
	struct test_case *tc;
	char **names, **name;
	int eal_argc;

	names = split_args(argc, argv, &eal_argc);
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return usage(argv[0]);
	if ((*names != NULL && strcmp(*names, "--list") == 0) ||
	    (argc > 1 && strcmp(argv[1], "--list") == 0)) {
		for (tc = tests; tc != NULL; tc = tc->next)
			printf("%s\n", tc->name);
		return EXIT_SUCCESS;
	}
	for (name = names; *name != NULL; name++) {
		if (test_find(*name) == NULL) {
			printf("no test is named %s; --list shows them\n", *name);
			return EXIT_FAILURE;
		}
	}

	if ((eal_argc == 1 ? eal_init_default(argv[0]) : rte_eal_init(eal_argc, argv)) < 0) {
		printf("EAL does not start\n");
		return EXIT_FAILURE;
	}
	bcm4908_dev_model_set_strict(true);

	if (*names == NULL) {
		for (tc = tests; tc != NULL; tc = tc->next)
			*(test_run(tc) ? &passed : &failed) += 1;
	} else {
		for (name = names; *name != NULL; name++)
			*(test_run(test_find(*name)) ? &passed : &failed) += 1;
	}

	rte_eal_cleanup();
	printf("%u passed, %u failed\n", passed, failed);
	return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
