# shellcheck shell=bash
# A Docker engine for the tests in containers: the one that answers already, or one that is started for them and ended
# afterwards.

ENGINE=
ENGINE_FOLDER=

# Goes on with a warning where there can be none: those tests are skipped then.
start_engine() {
  # The helper image of Testcontainers cannot be pulled everywhere, and this machine is no container to it.
  export TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=localhost
  ! engine_answers || return 0
  if [[ $(id -u) != 0 ]] || ! command -v dockerd >/dev/null; then
    say "WARNING: NO DOCKER ENGINE HERE: SKIPPING TESTS THAT NEED IT"
    return 0
  fi
  ENGINE_FOLDER=$(mktemp -d)
  trap stop_engine EXIT
  # Networks of its own only: it changes nothing that the machine has.
  dockerd --data-root "$ENGINE_FOLDER/data" --exec-root "$ENGINE_FOLDER/exec" --pidfile "$ENGINE_FOLDER/pid" \
    --host "unix://$ENGINE_FOLDER/socket" --bridge=none --iptables=false --ip6tables=false --ip-forward=false \
    --log-level warn </dev/null >"$ENGINE_FOLDER/log" 2>&1 &
  ENGINE=$!
  export DOCKER_HOST=unix://$ENGINE_FOLDER/socket
  local end=$((SECONDS + 60))
  until engine_answers; do
    if ! kill -0 "$ENGINE" 2>/dev/null || ((SECONDS > end)); then
      say "WARNING: NO DOCKER ENGINE CAN BE STARTED HERE: SKIPPING TESTS THAT NEED IT"
      tail -n 3 "$ENGINE_FOLDER/log" >&2
      stop_engine
      return 0
    fi
    sleep 0.2
  done
}

engine_answers() {
  command -v docker >/dev/null && timeout 20 docker info >/dev/null 2>&1
}

# Harmless when none was started, and when it was ended before.
stop_engine() {
  [[ -n $ENGINE ]] || return 0
  local left
  left=$(timeout 20 docker ps --quiet 2>/dev/null || true)
  # shellcheck disable=SC2086 # one word each
  [[ -z $left ]] || timeout 60 docker kill $left >/dev/null || true
  kill "$ENGINE" 2>/dev/null || true
  timeout 30 tail --pid="$ENGINE" -f /dev/null || kill -KILL "$ENGINE" 2>/dev/null || true
  wait "$ENGINE" 2>/dev/null || true
  ENGINE=
  rm -rf --one-file-system "$ENGINE_FOLDER" || say "something is left in $ENGINE_FOLDER"
  unset DOCKER_HOST
}
