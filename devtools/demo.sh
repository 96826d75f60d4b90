#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Forward real captures through two net_bcm4908 ports of dpdk-testpmd and compare
# every frame. Installs what is missing (as root, where apt is), builds, and
# cleans up after itself. The exit status is 0 when no frame was lost or changed.
#
# usage: demo.sh [-i]
#   -i  stay at testpmd's prompt afterwards, with the ports running

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

interactive=
while getopts ih opt; do
	case $opt in
	i) interactive=--interactive;;
	*) sed -n '6,11s/^# \{0,1\}//p' "$0"; [ "$opt" = h ]; exit;;
	esac
done

child=
finish()
{
	trap - EXIT INT TERM HUP
	if [ -n "$child" ] && kill -TERM "$child" 2> /dev/null; then
		wait "$child"
	fi
	hugepages_end
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

setup
build "$top/build" || die "the build fails"
hugepages_begin
say "memory: $memory_text"
say "starting dpdk-testpmd"
# In the background, so that a signal is served at once; it keeps the terminal.
"$python" "$top/devtools/demo.py" $interactive "$top/build/drivers" "$captures" \
	-- "${memory[@]}" <&0 &
child=$!
wait "$child"
status=$?
child=
exit "$status"
