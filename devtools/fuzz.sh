#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Build the fuzz targets with clang and its sanitizers, and run them one after another.
# The last line tells how many inputs were executed; the status is 0 when there was no finding.
#
# usage: fuzz.sh [--seconds N] [target...]
#   --seconds N  time for all targets together [60]
#   target       rx, tx, devargs [all]

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

dir=${BCM4908_FUZZ_BUILD:-$top/build-fuzz}
found=$dir/findings
seconds=60
targets=()

usage() { sed -n '5,10s/^# \{0,1\}//p' "$0"; }

while [ $# -gt 0 ]; do
	case $1 in
	--seconds) seconds=${2:-}; shift 2 || exit 1;;
	rx|tx|devargs) targets+=("$1"); shift;;
	--help) usage; exit 0;;
	*) usage; exit 1;;
	esac
done
[ ${#targets[@]} -gt 0 ] || targets=(rx tx devargs)
[[ $seconds =~ ^[0-9]+$ ]] || die "--seconds $seconds: a number is wanted"

# Inputs to start from: what a corpus that is kept holds, and one argument of each kind.
seed()
{
	local into=$1 n=0 args

	mkdir -p "$into"
	[ "${into##*/}" = devargs ] || return 0
	for args in wire=loop wire=cable:x rate=1000 stepping=burst cpu=1 coherent=0 sw-cksum=1 \
		    mac=02:00:00:00:00:01 fault=tx-hang fault=rx-len:value:60 fault=rx-len:value:4095+tx-kick:after:2 \
		    fault=garbage:value:7:every:3:count:2; do
		printf 'M%s' "$args" > "$into/seed-$((n++))"
	done
	printf 'Tcoherent=1' > "$into/seed-$n"
}

programs=("${targets[@]/#/app/test/fuzz/dpdk-bcm4908-fuzz-}")
mkdir -p "$dir" "$found"
say "building in ${dir#"$top"/}"
# shellcheck disable=SC2086
if ! (cd "$top" && { [ -f "$dir/build.ninja" ] || CC=clang meson setup "$dir" -Dfuzz=true \
	-Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false ${BCM4908_MESON_ARGS:-}; } &&
      ninja -C "$dir" "${programs[@]}") > "$dir/build.log" 2>&1; then
	tail -n 40 "$dir/build.log" >&2
	exit 1
fi

export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
each=$((seconds / ${#targets[@]}))
total=0
status=0
for target in "${targets[@]}"; do
	options=(-max_total_time=$((each > 0 ? each : 1)) -max_len=1024 -print_final_stats=1
		 -artifact_prefix="$found/$target-" -rss_limit_mb=3072 -timeout=20)
	[ "$target" != devargs ] ||
		options+=(-max_len=200 -dict="$top/app/test/fuzz/devargs.dict")
	seed "$dir/corpus/$target"
	nice "$dir/app/test/fuzz/dpdk-bcm4908-fuzz-$target" "${options[@]}" \
		"$dir/corpus/$target" > "$dir/$target.log" 2>&1
	result=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/$target.log")
	edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$dir/$target.log" | tail -n 1)
	echo "$target: ${runs:-0} executions, ${edges:-0} edges"
	total=$((total + ${runs:-0}))
	if [ "$result" -ne 0 ] || [ "${runs:-0}" -eq 0 ]; then
		tail -n 40 "$dir/$target.log"
		echo "FAIL: $target; inputs are kept in $found"
		status=1
	fi
done
echo "$total executions, $([ $status -eq 0 ] && echo "no finding" || echo "findings")"
exit $status
