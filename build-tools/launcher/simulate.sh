# shellcheck shell=bash
# ./beefs simulate: the simulator, which lives among the integration tests. Maven says when something must be compiled.

simulate() {
  local tests=$BEEFS_HOME/integration-tests/target log=$BEEFS_HOME/target/build.log
  find_maven
  mkdir -p "$BEEFS_HOME/target"
  say "compiling what has changed (log: $log)"
  (cd "$BEEFS_HOME" && "$MAVEN" -q -B -ntp process-test-classes -pl integration-tests -am -DskipTests) </dev/null >"$log" 2>&1 || {
    grep -m 20 '^\[ERROR\]' "$log" >&2 || tail -20 "$log" >&2
    fail "the build failed; see $log"
  }
  local terminal=false
  [[ ! -t 2 ]] || terminal=true
  exec "$JAVA_HOME/bin/java" "@$BEEFS_HOME/cli/src/main/distribution/common.options" -XX:+UseParallelGC "-Dbeefs.terminal=$terminal" \
    -cp "$tests/test-classes:$(<"$tests/test.classpath")" org.beefs.simulator.SimulateCommand "$@"
}
