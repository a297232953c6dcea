# shellcheck shell=bash
# ./beefs test: everything that Maven can verify, with what the tests need installed first. Needs no network when it is.

test_usage() {
  cat <<'USAGE'
Usage: ./beefs test [--all | --long] [MAVEN ARGUMENT...]

Builds BeeFS and runs all its tests: units, the simulator, and whole hives in real mounts (these need root and /dev/fuse).
Missing Debian packages, and the test suites pjdfstest and fsx (crates), are installed first. Tests in containers use the Docker engine
that answers, or one that is started for them (as root). Whatever else would build here waits until the tests have ended.

  --all    also what does not run each time: the second driver's suites
  --long   the same, and the long forms of random walks, kills and suites: hours rather than minutes
  Further arguments go to Maven, such as -pl common or -Dit.test=KillsIT.

Exit code: 0 when all tests passed, otherwise 1.
USAGE
}

install_test_packages() {
  local wanted missing
  mapfile -t wanted < <(sed 's/#.*//; s/ //g; /^$/d' "$BEEFS_HOME/integration-tests/debian-packages.txt" | of_alternatives)
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [[ ${#missing[@]} == 0 ]] || install_packages "tests need it" "${missing[@]}" || {
    mapfile -t missing < <(missing_packages "${missing[@]}")
    say "WARNING: without ${missing[*]} some tests cannot run"
  }
}

# One line per module from the reports of this run, what was skipped, and what passed only when it ran again.
report() {
  local began=$1
  (cd "$BEEFS_HOME" && find . -path '*-reports/TEST-*.xml' -newer "$began" -exec awk '
    function number(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : 0 }
    /<testsuite /  { split(FILENAME, part, "/"); module = part[2]; tests[module] += number("tests"); skipped[module] += number("skipped");
                     bad[module] += number("errors") + number("failures") }
    /<testcase /   { match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8)
                     match($0, /classname="[^"]*"/); class = substr($0, RSTART + 11, RLENGTH - 12) }
    /<skipped/     { remarks = remarks sprintf("  SKIPPED %s: %s\n", class, name) }
    /<flaky(Failure|Error) / { remarks = remarks sprintf("  PASSED ONLY WHEN RUN AGAIN %s: %s\n", class, name) }
    END { for (module in tests) printf "  %-18s %5d tests, %d failed, %d skipped\n", module, tests[module], bad[module], skipped[module]
          printf "%s", remarks }' {} +)
}

# What is built and made here is for the other users, too, as whom some tests act.
run_tests() {
  local forms=() began=$BEEFS_HOME/target/tests-began code=0
  case "${1:-}" in
    --help | -h) test_usage; return ;;
    --all) forms=(-Dbeefs.all=true); shift ;;
    --long) forms=(-Dbeefs.all=true -Dbeefs.long=true); shift ;;
  esac
  umask 022
  install_test_packages
  install_crates "SKIPPING TESTS THAT NEED"
  find_maven
  start_engine
  # As long as the tests run: Maven compiles and tests at once, and a build meanwhile would take the jars away from
  # under them.
  take_build_lock
  touch "$began"
  # Maven, and what tests leave behind when they are killed, does not hold the lock.
  (exec {build_lock}>&-; cd "$BEEFS_HOME" && "$MAVEN" -B -ntp verify --fail-at-end ${forms[@]+"${forms[@]}"} "$@") </dev/null || code=1
  stop_engine
  echo
  report "$began"
  if [[ $code == 0 ]]; then
    [[ $# != 0 ]] || cp -p "$began" "$STAMP" # all of it was built
    echo "All tests passed in $((SECONDS / 60)) min $((SECONDS % 60)) s."
  else
    echo "TESTS OR CHECKS FAILED: see [ERROR] above."
  fi
  release_build_lock
  return "$code"
}
