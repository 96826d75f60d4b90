# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors
# shellcheck shell=bash

# What the scripts of this directory share; sourced by bash.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${BCM4908_CACHE:-${HOME:-/root}/.cache/net-bcm4908}

say() { printf '== %s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# Debian package, and the command that fails while it is missing.
needs='
gcc|gcc --version
libc6-dev|echo "#include <stdio.h>" | gcc -E - -o /dev/null
pkg-config|pkg-config --version
meson|meson --version
ninja-build|ninja --version
libdpdk-dev|pkg-config --exists libdpdk
dpdk|command -v dpdk-testpmd
dpdk-dev|command -v dpdk-testpmd && command -v dpdk-proc-info
python3|test -x /usr/bin/python3
python3-pyelftools|have_python_module elftools
python3-pytest|have_python_module pytest
python3-scapy|have_python_module scapy
'
# Only for fetching sources; a user who brings them does not need these.
needs_apt='
dpkg-dev|dpkg-source --version
patch|patch --version
xz-utils|xz --version
'

# The system's python3 has the packages' modules; one that stands before it in PATH may not.
python=/usr/bin/python3
have_python_module() { "$python" -c "import $1"; }

# Run a command; its output is only shown when it fails.
quietly()
{
	local out

	out=$("$@" 2>&1) || { printf '%s\n' "$out" >&2; return 1; }
}

missing_packages()
{
	local package probe

	while IFS='|' read -r package probe; do
		[ -n "$package" ] || continue
		(eval "$probe") > /dev/null 2>&1 || printf '%s ' "$package"
	done
}

have_apt() { command -v apt-get > /dev/null && command -v dpkg > /dev/null; }

apt_update()
{
	say "updating the package lists"
	quietly apt-get -q -o DPkg::Lock::Timeout=300 update
}

# Install what the build, the programs and the tests need, or say what that is.
install_packages()
{
	local list=$needs missing

	! have_apt || list+=$needs_apt
	missing=$(missing_packages <<< "$list")
	[ -n "$missing" ] || return 0
	if ! have_apt || [ "$(id -u)" != 0 ]; then
		die "these packages are needed (Debian's names): $missing"
	fi
	apt_update || die "the package lists cannot be updated"
	say "installing $missing"
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive quietly apt-get -q -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 install $missing ||
		die "these packages could not be installed: $missing"
	hash -r
}

# apt-get with source entries of its own; the system's files are left alone.
apt_source()
{
	quietly apt-get -q \
		-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$cache/apt/sources" \
		-o Dir::State::lists="$cache/apt/lists" -o Dir::Cache="$cache/apt/cache" \
		-o APT::Sandbox::User="$(id -un)" "$@"
}

# Source entries beside each of the machine's entries that offers a package.
make_source_entries()
{
	# shellcheck disable=SC2016
	local package=$1 format='$(REPO_URI)|$(RELEASE)|$(SOURCESENTRY)'
	local uris uri release entry file

	rm -rf "$cache/apt/sources"
	mkdir -p "$cache/apt/sources" "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial"
	uris=$(apt-cache policy "$package" |
		sed -n 's/^ *[0-9]\+ \([a-z+-]\+:[^ ]*\) \([^ /]*\).*/\1 \2/p' | sort -u)
	while IFS='|' read -r uri release entry; do
		grep -qxF "${uri%/} $release" <<< "$uris" || continue
		file=${entry%:*}
		case $file in
		*.sources)
			sed 's/^Types:.*/Types: deb-src/' "$file" > "$cache/apt/sources/${file##*/}";;
		*)
			sed -n 's/^deb /deb-src /p' "$file" > "$cache/apt/sources/${file##*/}";;
		esac
	done < <(apt-get indextargets --format "$format" 'Created-By: Packages')
	[ -n "$(ls "$cache/apt/sources")" ]
}

# Fetch and unpack a Debian source package: fetch_source PACKAGE[=VERSION] DIRECTORY
fetch_source()
(
	package=${1%%=*}
	work=$cache/$package.tmp

	say "fetching the source of $1"
	if ! make_source_entries "$package"; then
		[ "$(id -u)" = 0 ] || return 1
		apt_update && make_source_entries "$package" || return 1
	fi
	rm -rf "$work"
	mkdir -p "$work"
	cd "$work" || return 1
	if ! apt_source update || ! apt_source source --download-only "$1"; then
		echo "the source package $1 cannot be fetched" >&2
		return 1
	fi
	say "unpacking the source of $1"
	quietly dpkg-source --no-check -x ./*.dsc unpacked || return 1
	rm -rf "$2"
	mv unpacked "$2"
	rm -rf "$work"
)

# The source tree of the installed DPDK, fetched once.
ensure_dpdk_source()
{
	local version package_version

	version=$(pkg-config --modversion libdpdk) || die "the installed DPDK cannot be found"
	[ -z "$("$top/devtools/dpdk-source.sh" "$version")" ] || return 0
	have_apt ||
		die "the source of DPDK $version is needed: unpack it as $cache/dpdk-$version"
	# shellcheck disable=SC2016
	package_version=$(dpkg-query -W -f '${source:Version}' libdpdk-dev) ||
		die "DPDK $version is not the distribution's: unpack its source as $cache/dpdk-$version"
	fetch_source "dpdk=$package_version" "$cache/dpdk-$version" ||
		die "no source of DPDK $version: unpack it as $cache/dpdk-$version"
	[ "$(cat "$cache/dpdk-$version/VERSION")" = "$version" ] ||
		die "the source package of DPDK is not of version $version"
}

# The directory of real captures: tests of tcpdump's source package, fetched once.
ensure_captures()
{
	captures=${BCM4908_CAPTURES:-$cache/tcpdump/tests}
	[ ! -d "$captures" ] || return 0
	have_apt || die "captures are needed: unpack tcpdump's source as $cache/tcpdump"
	fetch_source tcpdump "$cache/tcpdump" ||
		die "no captures: unpack tcpdump's source as $cache/tcpdump"
}

# Install and fetch everything; quick when all of it is there.
setup()
{
	install_packages
	mkdir -p "$cache" || die "cannot make $cache"
	exec 9> "$cache/lock"
	flock 9
	ensure_dpdk_source
	ensure_captures
	exec 9>&-
}

# Configure and compile: build DIRECTORY [meson options]
build()
{
	local dir=$1 log=$1/build.log

	shift
	mkdir -p "$dir"
	if [ -f "$dir/build.ninja" ]; then
		set -- --reconfigure "$@"
	fi
	say "building in ${dir#"$top"/}"
	if ! (cd "$top" && meson setup "$dir" "$@" && ninja -C "$dir") > "$log" 2>&1; then
		tail -n 40 "$log" >&2
		return 1
	fi
}

huge_pages=128 # of 2 MiB
huge_dir=
huge_added=0

# Give testpmd hugepages: free ones, or new ones, in a mount of our own that leaves nothing
# behind. Sets memory (EAL options) and memory_text.
hugepages_begin()
{
	local sys=/sys/kernel/mm/hugepages/hugepages-2048kB free missing

	memory=(--no-huge -m 512)
	memory_text="ordinary pages (--no-huge), for want of hugepages"
	[ "$(id -u)" = 0 ] && [ -w "$sys/nr_hugepages" ] || return 0
	free=$(($(cat $sys/free_hugepages) - $(cat $sys/resv_hugepages)))
	if [ "$free" -lt "$huge_pages" ]; then
		missing=$((huge_pages - free))
		hugepages_add "$missing"
		free=$(($(cat $sys/free_hugepages) - $(cat $sys/resv_hugepages)))
	fi
	huge_dir=$(mktemp -d -t bcm4908-huge-XXXXXX)
	if [ "$free" -lt "$huge_pages" ] ||
	   ! mount -t hugetlbfs -o pagesize=2M nodev "$huge_dir" 2> /dev/null; then
		rmdir "$huge_dir"
		huge_dir=
		hugepages_end
		return 0
	fi
	memory=(--huge-dir="$huge_dir" -m $((huge_pages * 2)))
	memory_text="$huge_pages hugepages of 2 MiB"
}

# Change the number of hugepages; remembers what really came.
hugepages_add()
{
	local file=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages before

	before=$(cat $file)
	echo $((before + $1)) 2> /dev/null > $file
	huge_added=$((huge_added + $(cat $file) - before))
}

hugepages_end()
{
	if [ -n "$huge_dir" ]; then
		umount "$huge_dir" && rmdir "$huge_dir"
		huge_dir=
	fi
	if [ "$huge_added" -gt 0 ]; then
		hugepages_add "-$huge_added"
		huge_added=0
	fi
}
