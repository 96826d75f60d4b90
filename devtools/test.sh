#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Install what is missing (as root, where apt is), build, and run every test.
# The last line is "N passed, N failed"; the exit status is 0 when none failed.
#
# usage: test.sh [--full]
#   --full  no time budget, every capture also with the sanitizers, some planted faults, and
#           line coverage

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

full=
case ${1:-} in
'') ;;
--full) full=1;;
*) sed -n '5,10s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit;;
esac

work=$(mktemp -d -t bcm4908-test-XXXXXX)
child=
finish()
{
	trap - EXIT INT TERM HUP
	[ -z "$child" ] || kill -TERM -- "-$child" 2> /dev/null
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

passed=0
failed=0
skipped=0

# add PASSED FAILED SKIPPED
add()
{
	echo "$1 passed, $2 failed, $3 skipped"
	passed=$((passed + $1))
	failed=$((failed + $2))
	skipped=$((skipped + $3))
}

# ended STATUS FAILED: whether what ended with that status is told by its failed tests. A command
# that was ended by its budget, or died, left tests untried: that is a failure of its own.
ended()
{
	case $1 in
	0) ;;
	1) [ "$2" -gt 0 ];;
	124|137) echo "it was interrupted: its time is over"; return 1;;
	*) echo "it ended with status $1"; return 1;;
	esac
}

# in_time SECONDS COMMAND: timeout gives it a group of its own, so that all that it started ends
# with it. Without a budget it takes the time that it needs.
in_time()
{
	local seconds=$1 status

	shift
	[ -z "$full" ] || seconds=0
	timeout --kill-after=10 "$seconds" "$@" < /dev/null &
	child=$!
	wait "$child"
	status=$?
	child=
	return "$status"
}

# suite NAME BUDGET FUNCTION: what a suite leaves of its budget is printed, not given on.
suite()
{
	local name=$1 budget=$2 start=$SECONDS took

	say "$name (budget $([ -n "$full" ] && echo none || echo "$budget s"))"
	deadline=$((SECONDS + budget))
	if ! "$3"; then
		echo "FAIL: $name"
		failed=$((failed + 1))
	fi
	took=$((SECONDS - start))
	say "$name took $took s"
}

left() { echo $((deadline > SECONDS ? deadline - SECONDS : 1)); }

# unit_tests BUILD [meson test options]
# Those without a result in meson's log, because it was interrupted, have failed. (Its JUnit report
# would not tell a test that took too long from one that passed.)
unit_tests()
{
	local dir=$1 log=$1/meson-logs/testlog.json status total p s

	shift
	total=$(meson test -C "$dir" --no-rebuild --list "$@" 2> /dev/null | wc -l)
	rm -f "$log"
	in_time "$(left)" meson test -C "$dir" --no-rebuild --print-errorlogs "$@" \
		> "$work/units" 2>&1
	status=$?
	if [ "$status" -ne 0 ]; then
		cat "$work/units"
	fi
	p=$(grep -c '"result": "OK"' "$log")
	s=$(grep -c '"result": "SKIP"' "$log")
	add "$p" $((total - p - s)) "$s"
	# The status is the number of tests that failed.
	[ "$total" -gt 0 ] && { [ "$status" -eq 0 ] || [ $((total - p - s)) -gt 0 ]; } &&
		[ "$status" -ne 124 ] && [ "$status" -ne 137 ]
}

# Print "PASSED FAILED SKIPPED" of a JUnit report of pytest.
junit()
{
	"$python" - "$1" << 'END'
import os, sys
import xml.etree.ElementTree as ET
p = f = s = 0
if os.path.exists(sys.argv[1]):
    for case in ET.parse(sys.argv[1]).iter("testcase"):
        tags = {child.tag for child in case}
        if tags & {"failure", "error"}:
            f += 1
        elif "skipped" in tags:
            s += 1
        else:
            p += 1
print(p, f, s)
END
}

# functional BUILD REPORT [pytest options]
functional()
{
	local report=$work/$2.xml status p f s

	export BCM4908_BUILD=$1 BCM4908_CAPTURES=$captures
	shift 2
	in_time "$(left)" env PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -p no:cacheprovider \
		-q -rs --tb=short --junitxml="$report" "$@"
	status=$?
	read -r p f s < <(junit "$report")
	add "$p" "$f" "$s"
	ended "$status" "$f" && [ $((p + f)) -gt 0 ]
}

tests=$top/app/test/functional

suite_build()
{
	build "$top/build" -Dwerror=true && unit_tests "$top/build" --no-suite oracle
}

# The mainline Linux driver on the model.
suite_oracle()
{
	local status=0

	in_time "$(left)" "$top/devtools/linux-source.sh" || status=$?
	if [ "$status" -eq 77 ]; then
		echo "skipped: the source of the mainline driver cannot be had"
		skipped=$((skipped + 1))
		return 0
	fi
	[ "$status" -eq 0 ] && build "$top/build" -Dwerror=true &&
		unit_tests "$top/build" --suite oracle
}

consumers=("$tests"/test_{bonding,consumers,packet_capture,tools}.py)

suite_functional()
{
	functional "$top/build" functional "$tests" --ignore="$tests/test_captures.py" \
		"${consumers[@]/#/--ignore=}"
}

suite_consumers() { functional "$top/build" consumers "${consumers[@]}"; }

# Counts as one test.
suite_docs()
{
	in_time "$(left)" "$top/devtools/check-docs.sh" || return 1
	echo "1 passed"
	passed=$((passed + 1))
}

suite_captures() { functional "$top/build" captures "$tests/test_captures.py"; }

suite_sanitizers()
{
	local dir=$top/build-sanitizers every=10

	if [ -n "$full" ]; then
		every=1
		export BCM4908_ROBUST_STEPS=10000
	fi
	build "$dir" -Dwerror=true -Db_sanitize=address,undefined -Db_lundef=false || return 1
	export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
	unit_tests "$dir" || return 1
	BCM4908_SANITIZED=1 BCM4908_CAPTURES_EVERY=$every \
		functional "$dir" sanitizers "$tests" --ignore="$tests/test_guide.py" \
		--ignore="$tests/test_single_core_forward_perf.py" "${consumers[@]/#/--ignore=}"
}

# The model's thread beside a forwarding and a control thread.
suite_threads()
{
	local dir=$top/build-threads

	build "$dir" -Dwerror=true -Db_sanitize=thread -Db_lundef=false || return 1
	export TSAN_OPTIONS=halt_on_error=1
	unit_tests "$dir" thread_loop thread_cable thread_queues intr_thread
}

# Half a minute of the fuzzers, where clang is; counts as one test.
suite_fuzz()
{
	if ! command -v clang > /dev/null; then
		echo "skipped: clang is needed"
		skipped=$((skipped + 1))
		return 0
	fi
	in_time "$(left)" "$top/devtools/fuzz.sh" --seconds 30 || return 1
	echo "1 passed"
	passed=$((passed + 1))
}

# The planted faults must fit the source; with --full, unit tests must find some of them.
# Counts as one test.
suite_mutants()
{
	local what=(--check)

	[ -z "$full" ] || what=(--sample 20)
	in_time "$(left)" "$python" "$top/devtools/mutate.py" "${what[@]}" || return 1
	echo "1 passed"
	passed=$((passed + 1))
}

# What the unit tests leave out of the driver's lines; counts as one test.
suite_coverage()
{
	in_time "$(left)" "$top/devtools/coverage.sh" || return 1
	echo "1 passed"
	passed=$((passed + 1))
}

setup
suite "build and unit tests" 240 suite_build
suite "oracle" 180 suite_oracle
suite "documentation" 120 suite_docs
suite "functional tests" 360 suite_functional
suite "other programs" 240 suite_consumers
suite "captures" 180 suite_captures
suite "sanitizers" 600 suite_sanitizers
suite "thread sanitizer" 180 suite_threads
suite "fuzz" 180 suite_fuzz
suite "planted faults" 30 suite_mutants
[ -z "$full" ] || suite "coverage" 300 suite_coverage

say "all of it took $SECONDS s"
if [ "$skipped" -gt 0 ]; then
	echo "$passed passed, $failed failed, $skipped skipped"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
