# shellcheck shell=bash
# POSIX test suites that come as crates: what ./beefs test and ./beefs posix-test need beside Debian's packages.

# PROGRAM VERSION
CRATES=("pjdfstest 0.2.2" "fsx 0.3.2")

# Puts the suites on the PATH, and installs what is missing. LOSS says what becomes of a suite that cannot be installed.
install_crates() {
  local loss=$1 crate program version root=$CACHE/crates
  export PATH=$root/bin:$PATH:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin
  for crate in "${CRATES[@]}"; do
    read -r program version <<<"$crate"
    ! command -v "$program" >/dev/null || continue
    if ! command -v cargo >/dev/null; then
      say "WARNING: NO RUST HERE (cargo is missing): $loss $program"
      continue
    fi
    [[ -z $(missing_packages libacl1-dev) ]] || install_packages "building test suites needs it" libacl1-dev || true
    say "installing the test suite $program $version"
    # Not optimized, and what they share is compiled once: to build them takes longer than they ever run.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_TARGET_DIR=$root/target \
      cargo install --quiet --root "$root" "$program@$version" </dev/null >&2 ||
      say "WARNING: $program $version CANNOT BE BUILT HERE: $loss $program"
  done
  rm -rf "$root/target" || true # not all may write there
}
