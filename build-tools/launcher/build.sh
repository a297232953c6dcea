# shellcheck shell=bash
# Building the distribution when it is missing or older than a source. Needs jdk.sh, caches.sh and JAVA_HOME.

# Touched with the time at which the newest good build began.
STAMP=$DISTRIBUTION/built

BUILD_LOG=$BEEFS_HOME/target/build.log

# What the distribution is built of. By name: whoever looks into a hive that is mounted in the checkout waits when its
# queen-bee is gone.
MODULES=(common queenbee honeycomb honeybee cli)

# Does something with all sources that are newer than a file. Folders count too: their times show removed files. Tests do
# not: the distribution holds none.
newer_sources() {
  local than=$1
  shift
  (cd "$BEEFS_HOME" && find pom.xml .mvn build-tools/*.* integration-tests/pom.xml "${MODULES[@]/%//pom.xml}" \
    "${MODULES[@]/%//src/main}" -newer "$than" "$@")
}

is_stale() {
  [[ ! -e $STAMP || -n $(newer_sources "$STAMP" -print -quit) ]] || { is_build_wanted && caches_are_of_another_jdk; }
}

run_build() {
  local began=$BEEFS_HOME/target/build-began
  find_maven
  say "building, for a minute or two (log: $BUILD_LOG)"
  touch "$began"
  # They come from a clock that was ahead, and each command would build until that time has come.
  newer_sources "$began" -exec touch -r "$began" {} + || true
  run_maven package -pl cli -am
  mv "$began" "$STAMP"
}

# Has Maven work in the checkout.
run_maven() {
  (cd "$BEEFS_HOME" && "$MAVEN" -q -B -ntp "$@" -DskipTests) </dev/null >"$BUILD_LOG" 2>&1 || {
    grep -m 20 '^\[ERROR\]' "$BUILD_LOG" >&2 || tail -20 "$BUILD_LOG" >&2
    fail "the build failed; see $BUILD_LOG"
  }
}

# Two launchers never have Maven work in one checkout at once: the second waits. Who may read the file could lock it.
take_build_lock() {
  mkdir -p "$BEEFS_HOME/target"
  exec {build_lock}>"$BEEFS_HOME/target/build.lock"
  chmod 600 "$BEEFS_HOME/target/build.lock" 2>/dev/null || true # another user's, in a checkout that a group shares
  flock --nonblock "$build_lock" || {
    say "waiting for another ./beefs that builds or tests here"
    flock "$build_lock"
  }
}

# Also for what has inherited it.
release_build_lock() {
  flock --unlock "$build_lock"
  exec {build_lock}>&-
}

# Who has waited finds everything built.
build_if_stale() {
  may_build || return 0
  is_stale || return 0
  take_build_lock
  ! is_stale || run_build
  release_build_lock
}

# Who has brought a checkout to a new version, where nothing is built, would take the old one for it.
tell_if_stale() {
  local builds="this builds it: BEEFS_BUILD=yes $BEEFS_HOME/beefs version"
  may_build || ! is_stale || say "not built since its sources have changed; $builds"
  ! caches_are_of_another_jdk || say "starts slowly, because the JDK is another one than it was built with; $builds"
}
