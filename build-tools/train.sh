#!/usr/bin/env bash
# Makes the AOT caches of a distribution: what the JVM learns in one run (which classes there are, which methods are
# worth compiling) is kept for the next ones. Without it daemons start more slowly, and interpret the first thousands of
# requests. It learns from everyday work in a small hive with two desktops. Where nothing can be mounted there are no
# caches, and all works without.
#   train.sh JAVA_HOME DISTRIBUTION FOLDER_TO_COPY
set -euo pipefail
export LC_ALL=C.UTF-8

JAVA_HOME=$1
JAVA=$JAVA_HOME/bin/java
DISTRIBUTION=$2
SAMPLE=$3

# shellcheck source=/dev/null
source "$(dirname "$0")/launcher/caches.sh"

# Runs a JVM as daemons and tools do: with the flags of a kind of process, and then what follows.
java_of() {
  local kind=$1
  shift
  "$JAVA" "@$DISTRIBUTION/common.options" "@$DISTRIBUTION/$kind.options" "-Djava.library.path=$DISTRIBUTION/native" "$@"
}

beefs() { java_of tool -cp "$DISTRIBUTION/lib/*" org.beefs.cli.Main "$@" --state "$WORK/hive"; }

everyday_work() {
  local round file
  for round in 1 2 3; do
    cp -r "$SAMPLE" "one/$round"
    find one two -ls
    grep -r class "two/$round"
    find "two/$round" -name '*.java' | sed -n '1,50p' | while read -r file; do
      echo more >>"$file"
      mv "$file" "$file.moved"
      ln "$file.moved" "$file"
      rm "$file.moved"
    done
    chmod -R go-w "one/$round"
    cp -r "two/$round" two/copy
    rm -r one/copy
  done
}

assemble() {
  local kind=$1 record=$2
  java_of "$kind" -Xlog:disable -XX:AOTMode=create "-XX:AOTConfiguration=$record" "-XX:AOTCache=$(cache_of "$kind" "$(build_id)")" \
    -cp "$DISTRIBUTION/lib/*"
}

train() {
  local queenbee desktop
  export BEEFS_JAVA_OPTS="-XX:AOTMode=record -XX:AOTConfiguration=$WORK/%p.record"
  beefs up --desktops 2 "$WORK/one"
  beefs mount "$WORK/two" --desktop desktop2
  (cd "$WORK" && everyday_work)
  read -r queenbee _ <"$WORK/hive/queenbee/pid"
  read -r desktop _ <"$WORK/hive/desktop1/pid"
  java_of tool -XX:AOTMode=record "-XX:AOTConfiguration=$WORK/tool.record" -cp "$DISTRIBUTION/lib/*" \
    org.beefs.cli.Main status --state "$WORK/hive"
  beefs down
  assemble queenbee "$WORK/pid$queenbee.record"
  assemble desktop "$WORK/pid$desktop.record"
  assemble tool "$WORK/tool.record"
}

# The training itself runs in a process of its own, which has a time limit: whatever goes wrong, the build goes on.
if [[ -n ${4:-} ]]; then
  WORK=$4
  train
  exit
fi

# Also when the build is interrupted: daemons live in sessions of their own.
clean_up() {
  [[ -n ${trained:-} ]] || {
    rm -f "$DISTRIBUTION"/*.aot
    beefs down >/dev/null 2>&1 || true
    umount -f -l "$WORK/one" "$WORK/two" 2>/dev/null || true
  }
  rm -rf --one-file-system "$WORK"
}

WORK=$(mktemp -d)
trap clean_up EXIT
trap 'exit 130' INT TERM
rm -f "$DISTRIBUTION"/*.aot
if timeout --foreground --kill-after=10 300 "$BASH" "$0" "$@" "$WORK" </dev/null >"$DISTRIBUTION/training.log" 2>&1; then
  trained=yes
else
  echo "beefs: there are no AOT caches, so that daemons start more slowly; see $DISTRIBUTION/training.log" >&2
fi
