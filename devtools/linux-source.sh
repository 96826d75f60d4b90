#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The net/bcm4908 authors

# Fetch the mainline Linux driver of this controller from the distribution's
# kernel source package, for the oracle test (app/test/oracle). Only the three
# files that it needs are kept, outside of the repository. They are GPL-2.0-only
# and go into a program for tests alone.
#
# usage: linux-source.sh [--where]
#   --where  only print the directory that was fetched; nothing when there is none
#
# The exit status is 77 when the package cannot be had.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

package=linux-source-6.1
dir=$cache/$package
inside=$package/drivers/net/ethernet/broadcom

# Of the files that the test was made with (Debian's 6.1.192).
known='
a849f79a5e511d03fdc6389c3d2f8225a31f221a7c9523680c3607ebbda88c58  bcm4908_enet.c
7c8059086b852f6a4dbd179b8fa24323b94740914cdb438fbca66cd963230fa5  bcm4908_enet.h
13c3bee85802e8421f72b5890a146f82313f92af615f5248d517d8a12a01a1dd  unimac.h
'
files=(bcm4908_enet.c bcm4908_enet.h unimac.h)

complete()
{
	local file

	for file in "${files[@]}"; do
		[ -s "$dir/$file" ] || return 1
	done
}

unavailable()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 77
}

download()
{
	quietly apt-get -q -o APT::Sandbox::User=root download "$package"
}

fetch()
(
	work=$dir.tmp

	rm -rf "$work"
	mkdir -p "$work"
	trap 'rm -rf "$work"' EXIT
	cd "$work" || exit 1
	say "fetching the package $package (139 MB)"
	if ! download 2> /dev/null; then
		[ "$(id -u)" = 0 ] && apt_update
		download || exit 1
	fi
	say "unpacking three files of it"
	dpkg-deb --fsys-tarfile ./*.deb | tar -xO "./usr/src/$package.tar.xz" |
		xz -dc | tar -x --strip-components=5 "${files[@]/#/$inside/}" || exit 1
	rm -f ./*.deb
	rm -rf "$dir"
	mv "$work" "$dir"
)

check()
{
	local sum file want

	while read -r sum file; do
		want=$(sed -n "s/  $file\$//p" <<< "$known")
		if [ "$sum" = "$want" ]; then
			echo "$sum  $file"
		else
			echo "$sum  $file: differs from the one that the test was made with ($want)"
		fi
	done < <(cd "$dir" && sha256sum "${files[@]}")
}

case ${1:-} in
--where) ! complete || echo "$dir"; exit 0;;
'') ;;
*) sed -n '5,13s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit;;
esac

mkdir -p "$cache" || die "cannot make $cache"
exec 9> "$cache/lock"
flock 9
if ! complete; then
	have_apt || unavailable "no apt: put ${files[*]} of Linux 6.1 into $dir"
	if ! fetch || ! complete; then
		unavailable "the package $package cannot be had"
	fi
fi
say "the mainline driver lies in $dir"
check
