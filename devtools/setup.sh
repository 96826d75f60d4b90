#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Install the packages that the build, the programs and the tests need, and
# fetch the sources that they read: DPDK of the installed version (driver SDK
# headers, pmdinfogen) and tcpdump (its test captures).

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

setup
say "everything is there; sources lie in $cache"
