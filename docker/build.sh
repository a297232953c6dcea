#!/usr/bin/env bash
# Makes the image "beefs" out of this checkout, without pulling any: a small Debian from debootstrap, the JDK that ./beefs uses, and what
# was built. Needs root, debootstrap and a Docker engine. The base, "beefs-base", is made once; remove it to have it made anew.
set -euo pipefail

BEEFS_HOME=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
SUITE=${BEEFS_DEBIAN_SUITE:-bookworm}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf 'beefs: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# Mounting needs fuse3, the jnr driver libfuse2.
make_base() {
  say "making the base image from Debian $SUITE, for some minutes"
  debootstrap --variant=minbase --include=fuse3,libfuse2 "$SUITE" "$work/base" >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log" >&2; fail "debootstrap failed"; }
  rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/* "$work"/base/usr/share/{doc,man,locale}/*
  tar -C "$work/base" -c . | docker import - beefs-base >/dev/null
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
docker image inspect beefs-base >/dev/null 2>&1 || make_base
gather
docker build --quiet --tag beefs "$work/context" >/dev/null
say "made the image: docker run beefs --help"
