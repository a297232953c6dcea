# shellcheck shell=bash
# Building the distribution when it is missing or older than a source. Needs JAVA_HOME.

# Touched with the time at which the newest good build began.
STAMP=$DISTRIBUTION/built

# Folders count too: their times show removed files. Tests do not: the distribution holds none.
is_stale() {
  [[ ! -e $STAMP ]] || (cd "$BEEFS_HOME" &&
    [[ -n $(find pom.xml .mvn build-tools/*.txt ./*/pom.xml ./*/src/main -newer "$STAMP" -print -quit) ]])
}

run_build() {
  local log=$BEEFS_HOME/target/build.log began=$BEEFS_HOME/target/build-began
  find_maven
  say "building, for a minute or two (log: $log)"
  touch "$began"
  (cd "$BEEFS_HOME" && "$MAVEN" -q -B -ntp package -pl cli -am -DskipTests) </dev/null >"$log" 2>&1 || {
    grep -m 20 '^\[ERROR\]' "$log" >&2 || tail -20 "$log" >&2
    fail "the build failed; see $log"
  }
  mv "$began" "$STAMP"
}

# Two launchers never build at once: the second waits, and then finds everything built. BEEFS_BUILD=no runs what is there:
# tests set it, because a build inside of theirs would take the jars away from under them.
build_if_stale() {
  [[ ${BEEFS_BUILD:-yes} != no ]] || return 0
  is_stale || return 0
  mkdir -p "$BEEFS_HOME/target"
  exec {build_lock}>"$BEEFS_HOME/target/build.lock"
  flock "$build_lock"
  ! is_stale || run_build
  exec {build_lock}>&-
}
