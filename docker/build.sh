#!/usr/bin/env bash
# Makes the image "beefs" out of this checkout, without pulling any: a small Debian from debootstrap, the JDK that
# ./beefs uses, and what was built. Needs root, debootstrap and a Docker engine. Debian is fetched once, and kept in
# ~/.cache/beefs; remove it there, and the image "beefs-base" of its suite, to have it made anew.
# What is outdated is built before, as ./beefs does it, unless BEEFS_BUILD=no.
# BEEFS_DEBIAN_SUITE: which Debian, such as trixie. Default: the one that runs here, because its JDK needs no older one;
# bookworm where another system runs.
# Exit codes: 3 when there is no Debian to be had, 1 when anything else fails.
set -euo pipefail

BEEFS_HOME=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
DISTRIBUTION=$BEEFS_HOME/cli/target/distribution

say() { printf 'beefs: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }
fail_without_base() { say "$@"; exit 3; }

for part in packages jdk caches maven build; do
  # shellcheck source=/dev/null
  source "$BEEFS_HOME/build-tools/launcher/$part.sh"
done

suite_here() {
  # shellcheck source=/dev/null
  (source /etc/os-release && [[ $ID == debian ]] && echo "$VERSION_CODENAME") 2>/dev/null || echo bookworm
}

SUITE=${BEEFS_DEBIAN_SUITE:-$(suite_here)}
BASE=beefs-base:$SUITE
KEPT=$CACHE/debian-$SUITE.tar
work=$(mktemp -d)
trap 'rm -rf "$work" "$KEPT.$$"' EXIT

make_base() {
  [[ -e $KEPT ]] || fetch_debian
  docker import "$KEPT" "$BASE" >/dev/null
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
  tar -C "$work/base" -cf "$KEPT.$$" .
  mv "$KEPT.$$" "$KEPT"
}

# Nobody builds meanwhile. With BEEFS_BUILD=no nobody is waited for: tests have the lock themselves.
gather_distribution() {
  build_if_stale
  tell_if_stale
  [[ -d $DISTRIBUTION/lib ]] || fail "nothing is built in $BEEFS_HOME: run  BEEFS_BUILD=yes $BEEFS_HOME/beefs version"
  ! may_build || take_build_lock
  cp -a "$DISTRIBUTION" "$work/context/distribution"
  ! may_build || release_build_lock
}

# What the image needs of the JDK: neither its sources nor the modules to link others from.
gather() {
  mkdir "$work/context"
  cp -a "$BEEFS_HOME/docker/Dockerfile" "$BEEFS_HOME/docker/beefs" "$work/context"
  gather_distribution
  rm -f "$work"/context/distribution/*.aot # made for a JDK elsewhere
  mkdir "$work/context/jdk"
  tar -C "$JAVA_HOME" -h --exclude=./jmods --exclude=./lib/src.zip --exclude=./demo -c . | tar -C "$work/context/jdk" -x
}

require_machine
find_jdk
# Root does not build in somebody else's checkout: what Maven makes there would be root's.
[[ -O $BEEFS_HOME && -w $BEEFS_HOME ]] || BEEFS_BUILD=no
# Before the lock of images, for which tests wait that hold the lock of builds.
gather
# One at a time: whoever comes second finds the base, and what the engine has kept of each step.
mkdir -p "$CACHE"
exec {lock}>"$CACHE/image.lock"
flock "$lock"
docker image inspect "$BASE" >/dev/null 2>&1 || make_base
image=$(docker build --quiet --build-arg "SUITE=$SUITE" "$work/context")
# A JDK that was made for a newer system does not run with an older C library.
docker run --rm --network none "$image" --version >/dev/null || fail "the image made of Debian $SUITE does not run"
docker tag "$image" beefs
say "made the image: docker run beefs --help"
