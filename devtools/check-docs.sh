#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Build the documentation in build/doc with warnings as errors, and compare
# what it claims with the driver's source. Installs what is missing (as root,
# where apt is).

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# shellcheck disable=SC2154
needs+='
python3-sphinx|have_python_module sphinx
python3-sphinx-rtd-theme|have_python_module sphinx_rtd_theme
'

setup
say "building the documentation in build/doc"
# Everything anew: a page that did not change would not repeat its warnings.
PYTHONDONTWRITEBYTECODE=1 "$python" -m sphinx -q -W --keep-going -E -a \
	"$top/doc/guides" "$top/build/doc" || die "the documentation has warnings"
say "comparing the features with the source"
# shellcheck disable=SC2046
"$python" "$top/devtools/check-features.py" \
	$("$top/devtools/dpdk-source.sh" "$(pkg-config --modversion libdpdk)") ||
	die "documentation and source do not agree"
