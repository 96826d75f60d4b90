/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The unit tests' frame. A test is a function that returns 0; it is known by a
 * name of the form suite_case and each one appears by itself in "meson test".
 */

#ifndef BCM4908_TEST_H
#define BCM4908_TEST_H

#include <stdint.h>
#include <stdio.h>

#include <rte_common.h>

struct test_case {
	const char *name;
	int (*fn)(void);
	struct test_case *next;
};

void test_register(struct test_case *tc);

/**
 * Every device of a test is in strict mode, and the test fails when that
 * reports something, but for what the test says that it has provoked.
 */
void test_forgive(unsigned int reports);

/* Define and register a test: TEST(suite_case) { ...; return 0; } */
#define TEST(id) \
	static int test_##id(void); \
	static struct test_case test_case_##id = { .name = #id, .fn = test_##id }; \
	RTE_INIT(test_init_##id) { test_register(&test_case_##id); } \
	static int test_##id(void)

/* Fail the test unless cond holds; the rest is a printf format and its arguments. */
#define CHECK(cond, ...) do { \
	if (!(cond)) { \
		printf("%s:%d: %s:", __FILE__, __LINE__, #cond); \
		printf(" " __VA_ARGS__); \
		printf("\n"); \
		return -1; \
	} \
} while (0)

/* Fail unless two integers are equal; prints both. */
#define CHECK_EQ(got, want) do { \
	uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want); \
	if (got_ != want_) { \
		printf("%s:%d: %s is %#jx, want %s = %#jx\n", __FILE__, __LINE__, \
		       #got, (uintmax_t)got_, #want, (uintmax_t)want_); \
		return -1; \
	} \
} while (0)

#endif /* BCM4908_TEST_H */
