#!/usr/bin/env bash
# Makes the image "beefs" out of this checkout, without pulling any: a small Debian from debootstrap, the JDK that
# ./beefs uses, and what was built. Needs root, debootstrap and a Docker engine. Debian is fetched once, and kept in
# ~/.cache/beefs; remove it there, and the image "beefs-base" of its suite, to have it made anew.
# BEEFS_DEBIAN_SUITE: which Debian, such as the default, bookworm.
# Exit codes: 3 when there is no Debian to be had, 1 when anything else fails.
set -euo pipefail

BEEFS_HOME=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
SUITE=${BEEFS_DEBIAN_SUITE:-bookworm}
BASE=beefs-base:$SUITE
CACHE=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/beefs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf 'beefs: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }
fail_without_base() { say "$@"; exit 3; }

make_base() {
  local kept=$CACHE/debian-$SUITE.tar
  [[ -e $kept ]] || fetch_debian "$kept"
  docker import "$kept" "$BASE" >/dev/null
}

# Of this suite; Debian has renamed it when times became 64 bits wide.
libfuse2() {
  case $SUITE in
    bullseye | bookworm) echo libfuse2 ;;
    *) echo libfuse2t64 ;;
  esac
}

# Mounting needs fuse3, the jnr driver libfuse2; getfattr shows where a file is. A name that is given last, so that no
# half file is ever found.
fetch_debian() {
  command -v debootstrap >/dev/null || fail_without_base "debootstrap is missing"
  say "making the base image from Debian $SUITE, for a minute or some"
  debootstrap --variant=minbase --include="fuse3,$(libfuse2),attr" "$SUITE" "$work/base" >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log" >&2; fail_without_base "debootstrap failed"; }
  rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/* "$work"/base/usr/share/{doc,man,locale}/*
  tar -C "$work/base" -cf "$1.$$" .
  mv "$1.$$" "$1"
}

# What the image needs of the JDK: neither its sources nor the modules to link others from.
gather() {
  mkdir "$work/context"
  cp -a "$BEEFS_HOME/docker/Dockerfile" "$BEEFS_HOME/docker/beefs" "$work/context"
  cp -a "$BEEFS_HOME/cli/target/distribution" "$work/context/distribution"
  rm -f "$work"/context/distribution/*.aot # made for a JDK elsewhere
  mkdir "$work/context/jdk"
  tar -C "$JAVA_HOME" -h --exclude=./jmods --exclude=./lib/src.zip --exclude=./demo -c . | tar -C "$work/context/jdk" -x
}

for part in packages jdk; do
  # shellcheck source=/dev/null
  source "$BEEFS_HOME/build-tools/launcher/$part.sh"
done
find_jdk
[[ -d $BEEFS_HOME/cli/target/distribution/lib ]] || fail "nothing is built yet: run ./beefs --version first"
# One at a time: whoever comes second finds the base, and what the engine has kept of each step.
mkdir -p "$CACHE"
exec {lock}>"$CACHE/image.lock"
flock "$lock"
docker image inspect "$BASE" >/dev/null 2>&1 || make_base
gather
docker build --quiet --build-arg "SUITE=$SUITE" --tag beefs "$work/context" >/dev/null
say "made the image: docker run beefs --help"
