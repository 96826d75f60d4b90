#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Run the unit tests in a build that counts, and print the lines of driver and model that ran.
# Fails when a test does, or when fewer than 95 % of the driver's lines ran.
#
# usage: coverage.sh

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

dir=${BCM4908_COVERAGE_BUILD:-$top/build-coverage}

# Some code is inlined by contract, which takes a level above 0.
build "$dir" -Db_coverage=true -Doptimization=1 || exit 1
find "$dir" -name '*.gcda' -delete
say "running the unit tests"
if ! "$dir/app/dpdk-bcm4908-test" > "$dir/tests.log" 2>&1; then
	grep -A 20 -B 20 '^FAIL' "$dir/tests.log" || tail -n 40 "$dir/tests.log"
	exit 1
fi
"$python" "$top/devtools/coverage.py" "$dir" 95
