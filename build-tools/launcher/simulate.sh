# shellcheck shell=bash
# ./beefs simulate: the simulator, which lives among the integration tests. Maven says when something must be compiled.

compile_simulator() {
  find_maven
  take_build_lock
  say "compiling what has changed (log: $BUILD_LOG)"
  run_maven process-test-classes -pl integration-tests -am
  release_build_lock
}

simulate() {
  local tests=$BEEFS_HOME/integration-tests/target terminal=false
  ! may_build || compile_simulator
  [[ -e $tests/test.classpath ]] || fail "the simulator is not compiled; this does it: BEEFS_BUILD=yes $BEEFS_HOME/beefs simulate"
  [[ ! -t 2 ]] || terminal=true
  exec "$JAVA_HOME/bin/java" "@$BEEFS_HOME/cli/src/main/distribution/common.options" -XX:+UseParallelGC "-Dbeefs.terminal=$terminal" \
    -cp "$tests/test-classes:$(<"$tests/test.classpath")" org.beefs.simulator.SimulateCommand "$@"
}
