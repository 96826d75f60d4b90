#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Print the unpacked DPDK source of a version that setup.sh fetched; nothing when there is none.
# usage: dpdk-source.sh VERSION

dir="${BCM4908_CACHE:-${HOME:-/root}/.cache/net-bcm4908}/dpdk-$1"
if [ -f "$dir/VERSION" ]; then
	echo "$dir"
fi
