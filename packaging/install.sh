#!/bin/sh
# Installs the command `varvite` with its manual pages and shell completions: no compiler, no root.
#
#   sh install.sh [--to PREFIX] [SOURCE]
#
# SOURCE is a folder or an URL with the files of a release, or one archive beside its SHA256SUMS; by default the newest
# release. PREFIX is ~/.local by default. The archive is checked before a file of PREFIX changes, and files are moved
# into place one by one, the command last. Needs a shell, coreutils, tar and gzip; curl or wget for an URL.
set -eu

RELEASE=https://github.com/varvite/varvite/releases/latest/download
GUIDE=https://github.com/varvite/varvite/blob/main/docs/guide/install.md

# All lines are in functions, so that a script that arrives cut off does nothing.
main() {
    prefix=${HOME:+$HOME/.local} from=$RELEASE
    while [ $# -gt 0 ]; do
        case $1 in
            --to) [ $# -ge 2 ] || fail "--to needs a folder"; prefix=$2; shift 2 ;;
            -*) fail "there is no option $1; usage: sh install.sh [--to PREFIX] [SOURCE]" ;;
            *) from=$1; shift ;;
        esac
    done
    [ -n "$prefix" ] || fail "HOME is not set: choose a folder by --to PREFIX"
    platform=$(platform)
    work=$(mktemp -d) || fail "cannot make a temporary folder: set TMPDIR"
    moving=
    trap 'rm -rf "$work" ${moving:+"$moving"}' EXIT
    trap 'exit 130' INT TERM HUP
    get_archive
    unpack
    install_files
}

fail() {
    echo "varvite: $*" >&2
    exit 1
}

# The name of this system, as archives have it.
platform() {
    case $(uname -s) in
        Linux) os=linux ;;
        Darwin) os=macos ;;
        *) fail "there is no archive for $(uname -s) that this script installs; see $GUIDE" ;;
    esac
    case $(uname -m) in
        x86_64 | amd64) echo "$os-x86_64" ;;
        aarch64 | arm64) echo "$os-aarch64" ;;
        *) fail "there is no archive for processors of the kind $(uname -m); build from source, see $GUIDE" ;;
    esac
}

# Copies or downloads the archive for this system to $work, and compares its checksum.
get_archive() {
    archive= folder=${from%/}
    case $from in
        *.tar.gz) archive=${from##*/} folder=${from%"$archive"} folder=${folder%/} folder=${folder:-.} ;;
    esac
    fetch "$folder/SHA256SUMS" "$work/SHA256SUMS"
    expected=$(expected_sum)
    archive=${expected#* } expected=${expected%% *}
    fetch "$folder/$archive" "$work/$archive"
    found=$(sum "$work/$archive")
    [ "$found" = "$expected" ] || fail "$archive is damaged or incomplete, nothing was installed: its SHA-256 is" \
        "$found, and SHA256SUMS says $expected; get it again"
}

# Copies a file, or downloads it if its name is an URL.
fetch() {
    case $1 in
        http://* | https://*)
            if command -v curl >/dev/null; then
                curl --fail --silent --location "$1" --output "$2" || no_file "$1"
            elif command -v wget >/dev/null; then
                wget --quiet "$1" -O "$2" || no_file "$1"
            else
                fail "needs curl or wget to download $1"
            fi ;;
        *) cp "$1" "$2" 2>/dev/null || no_file "$1" ;;
    esac
}

no_file() {
    fail "cannot get $1, nothing was installed: give a folder or an URL with the files of a release"
}

# The checksum and the name of the archive for this system: $archive, or else the one in SHA256SUMS.
expected_sum() {
    case $archive in
        '' | varvite-[0-9]*-"$platform".tar.gz) ;;
        *) fail "$archive is not an archive of the command for $platform, which this machine is" ;;
    esac
    while read -r sum name; do
        case $name in
            */*) ;;
            varvite-[0-9]*-"$platform".tar.gz)
                [ "${archive:-$name}" = "$name" ] && echo "$sum $name" && return ;;
        esac
    done <"$work/SHA256SUMS"
    fail "$folder/SHA256SUMS lists no ${archive:-archive of the command for $platform, which this machine is}"
}

# The SHA-256 of a file.
sum() {
    if command -v sha256sum >/dev/null; then
        set -- "$(sha256sum "$1")"
    elif command -v shasum >/dev/null; then
        set -- "$(shasum -a 256 "$1")"
    else
        fail "needs sha256sum or shasum to check the archive"
    fi
    echo "${1%% *}"
}

# Unpacks the archive in $work, and starts the command once.
unpack() {
    tar -xzf "$work/$archive" -C "$work" 2>/dev/null || fail "cannot unpack $archive: is gzip installed, and $work full?"
    unpacked=$work/${archive%.tar.gz}
    version=$("$unpacked/bin/varvite" -V 2>/dev/null) ||
        fail "the command in $archive does not start on this machine, nothing was installed; see $GUIDE"
}

# Moves the files to $prefix. They are copied to its disk first, so that a full disk changes nothing.
install_files() {
    { check_places "$unpacked/share" "$prefix/share" && check_places "$unpacked/bin" "$prefix/bin"; } || exit 1
    remove_leftovers
    moving=$prefix/.varvite-install.$$
    { mkdir -p "$prefix" && cp -R "$unpacked" "$moving"; } 2>/dev/null ||
        fail "cannot write to $prefix, nothing was installed: choose another folder by --to PREFIX"
    { move "$moving/share" "$prefix/share" && move "$moving/bin" "$prefix/bin"; } ||
        fail "cannot move all files to $prefix: remove the file that the line above names, and install again"
    echo "$version is in $prefix/bin/varvite"
    case :${PATH:-}: in
        *:"$prefix/bin":*) ;;
        *) echo "To start it as varvite, add $prefix/bin to PATH" ;;
    esac
}

# Fails if a folder stands where a file belongs, because mv would move the file into that folder.
check_places() (
    for entry in "$1"/*; do
        place=$2/${entry##*/}
        if [ -d "$entry" ]; then
            check_places "$entry" "$place" || exit 1
        elif [ -d "$place" ]; then
            fail "$place is a folder, nothing was installed: move it away, or choose another folder by --to PREFIX"
        fi
    done
)

# Removes what installations left in $prefix that were killed.
remove_leftovers() {
    for leftover in "$prefix"/.varvite-install.*; do
        [ ! -d "$leftover" ] || is_running "${leftover##*.}" || rm -rf "$leftover"
    done
}

# Whether there is a process with this number. One of another user gets no signal, but has an entry in /proc or ps.
is_running() {
    kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ] || ps -p "$1" >/dev/null 2>&1
}

# Moves the files of a folder, and of folders in it, to another folder.
move() (
    mkdir -p "$2"
    for entry in "$1"/*; do
        if [ -d "$entry" ]; then
            move "$entry" "$2/${entry##*/}"
        else
            mv -f "$entry" "$2/${entry##*/}"
        fi || exit 1
    done
)

main "$@"
