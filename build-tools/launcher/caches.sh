# shellcheck shell=bash
# Which build a distribution holds, and which AOT caches are of that build. Needs DISTRIBUTION.

# Of names, sizes and times of the libraries that are there: a copy of them that broke off is of no build. rsync -a tells
# files apart by the same, and to read them all takes too long for each start.
build_id() {
  local sum
  read -r sum _ < <(cd "$DISTRIBUTION" && stat -c '%n %s %Y' lib/* native/* 2>/dev/null | sha256sum)
  echo "${sum:0:12}"
}

# The JVM takes a cache whatever has become of its jars.
cache_of() {
  local kind=$1 build=$2
  echo "$DISTRIBUTION/$kind-$build.aot"
}
