# shellcheck shell=bash
# Which build a distribution holds, and which AOT caches are of that build and this JDK. Needs DISTRIBUTION and JAVA_HOME.

# Of names, sizes and times of the libraries that are there: a copy of them that broke off is of no build. rsync -a tells
# files apart by the same, and to read them all takes too long for each start.
build_id() {
  local sum
  read -r sum _ < <(cd "$DISTRIBUTION" && stat -c '%n %s %Y' lib/* native/* 2>/dev/null | sha256sum)
  echo "${sum:0:12}"
}

# What the JVM itself compares of its JDK. With a cache of another one it starts without the JDK's own archive, too: more
# slowly than without any.
jdk_id() {
  stat -L -c '%s-%Y' "$JAVA_HOME/lib/modules" 2>/dev/null || true
}

# The JVM takes a cache whatever has become of its jars.
cache_of() {
  local kind=$1 build=$2
  echo "$DISTRIBUTION/$kind-$build-$(jdk_id).aot"
}

# Whether there are caches, and none that this JDK takes.
caches_are_of_another_jdk() {
  compgen -G "$DISTRIBUTION/tool-*.aot" >/dev/null && ! compgen -G "$DISTRIBUTION/tool-*-$(jdk_id).aot" >/dev/null
}
