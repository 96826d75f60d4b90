#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Cross-build the plugin, the unit tests and the benchmark for arm64, against the
# distribution's arm64 packages of DPDK. These are unpacked below the cache, from
# where the machine's own packages come; the machine gets no foreign architecture.
#
# usage: build-arm64.sh [--test] [--directory DIR]
#   --test           run the unit tests and a trial of the benchmark in user-mode emulation
#   --directory DIR  build there instead of in build-arm64

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

needs+='
gcc-aarch64-linux-gnu|aarch64-linux-gnu-gcc --version
qemu-user-static|qemu-aarch64-static --version
'

dir=$top/build-arm64
run=
while [ $# -gt 0 ]; do
	case $1 in
	--test) run=1;;
	--directory) dir=${2:?--directory needs a name}; shift;;
	*) sed -n '5,11s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit;;
	esac
	shift
done
case $dir in
/*) ;;
*) dir=$PWD/$dir;;
esac

arm64=$cache/arm64
root=$arm64/root
libs=$root/usr/lib/aarch64-linux-gnu

# apt-get for the other architecture: the machine's sources, lists and state of its own.
apt_arm64()
{
	quietly apt-get -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
		-o Dir::State="$arm64/apt" -o Dir::State::status="$arm64/apt/status" \
		-o Dir::Cache="$arm64/apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

# Unpack the arm64 packages, in the version that is installed here.
fetch_packages()
{
	local version=$1 deb

	rm -rf "$root" "$root.tmp"
	mkdir -p "$root.tmp" "$arm64/apt/lists/partial" "$arm64/apt/cache/archives/partial"
	: > "$arm64/apt/status"
	say "fetching the arm64 packages of DPDK $version"
	if ! apt_arm64 update ||
	   ! apt_arm64 install --download-only --yes --no-install-recommends \
			"libdpdk-dev=$version" "dpdk-dev=$version" "dpdk=$version"; then
		die "the arm64 packages of DPDK $version cannot be fetched"
	fi
	for deb in "$arm64"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$root.tmp" || die "cannot unpack ${deb##*/}"
	done
	rm -f "$arm64"/apt/cache/archives/*.deb
	echo "$version" > "$root.tmp/version"
	mv "$root.tmp" "$root"
}

ensure_packages()
{
	local version

	# shellcheck disable=SC2016
	version=$(dpkg-query -W -f '${source:Version}' libdpdk-dev) ||
		die "the installed DPDK is not the distribution's"
	exec 9> "$cache/lock"
	flock 9
	[ "$(cat "$root/version" 2> /dev/null)" = "$version" ] || fetch_packages "$version"
	exec 9>&-
}

write_cross_file()
{
	cat << END
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-gcc-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64-static', '-L', '$root']

[built-in options]
c_args = ['--sysroot=$root']
c_link_args = ['--sysroot=$root', '-Wl,-rpath-link,$libs']

[properties]
sys_root = '$root'
pkg_config_libdir = '$libs/pkgconfig:$root/usr/share/pkgconfig'

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'cortex-a53'
endian = 'little'
END
}

# What the emulator runs finds its libraries below the root, and EAL its drivers too.
emulated() { qemu-aarch64-static -L "$root" "$@"; }

have_apt || die "this needs apt"
setup
ensure_packages
mkdir -p "$dir"
write_cross_file > "$dir.cross.tmp"
if ! cmp -s "$dir.cross.tmp" "$dir/arm64.txt"; then
	rm -rf "$dir/meson-private" "$dir/build.ninja"
fi
mv "$dir.cross.tmp" "$dir/arm64.txt"
build "$dir" --cross-file "$dir/arm64.txt" || die "the build failed"
say "built $(file -bL "$dir/drivers/librte_net_bcm4908.so" 2> /dev/null | cut -d, -f1,2)"

if [ -n "$run" ]; then
	say "running the unit tests in emulation"
	meson test -C "$dir" --no-rebuild --print-errorlogs --timeout-multiplier 5 \
		--no-suite oracle || status=1
	say "running the benchmark in emulation: its figures mean nothing, its checks do"
	emulated "$dir/app/dpdk-test-bcm4908-perf" --no-huge -m 256 --no-pci \
		--file-prefix "arm64-$$" -- --modes=rx,tx,fwd --reps=2 --iters=4 \
		> "$dir/perf.txt" 2> "$dir/perf.log" || { cat "$dir/perf.log"; status=1; }
	exit "${status:-0}"
fi
