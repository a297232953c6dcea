# shellcheck shell=bash
# Debian packages: installing what is missing, or saying what to install.

# Where what is no package is kept when it was fetched.
CACHE=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/beefs

APT_UPDATED=

# Debian has renamed it when times became 64 bits wide.
LIBFUSE2='libfuse2t64|libfuse2'

# Installs Debian packages, those that are offered; says what to do instead where that cannot be done. Fails when one of
# them is not there afterwards.
install_packages() {
  local reason=$1 package had=()
  shift
  if ! command -v apt-get >/dev/null; then
    say "$reason: install $* with this system's package manager"
    return 1
  elif [[ $(id -u) != 0 ]]; then
    say "$reason: run  sudo apt-get install $*"
    return 1
  elif ! may_build; then # a service must not change the machine, and would try it again every few seconds
    say "$reason: run  apt-get install $*"
    return 1
  fi
  say "installing $* ($reason)"
  update_package_lists
  # A single name that apt does not know would have it install nothing at all.
  for package; do
    ! offered "$package" || had+=("$package")
  done
  [[ ${#had[@]} != 0 ]] &&
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${had[@]}" </dev/null >/dev/null &&
    [[ ${#had[@]} == $# ]]
}

# Once, as root; a clean machine has no lists.
update_package_lists() {
  [[ -z $APT_UPDATED && $(id -u) == 0 ]] || return 0
  apt-get -qq update </dev/null >&2 || say "apt-get update failed; trying with the package lists that are there"
  APT_UPDATED=yes
}

# Makes sure of PACKAGE unless COMMAND is there; goes on with a warning where it cannot be had.
want_packages() {
  local reason=$1 package=$2 command=$3
  command -v "$command" >/dev/null || install_packages "$reason" "$package" || say "going on without $package"
}

# Makes sure of libfuse 2, which the jnr driver loads.
want_libfuse2() {
  compgen -G '/lib/*/libfuse.so.2' >/dev/null || compgen -G '/usr/lib*/libfuse.so.2' >/dev/null ||
    install_packages "the jnr driver needs it" "$(of_alternatives <<<"$LIBFUSE2")" || say "going on without libfuse 2"
}

# For each line of packages, as NEW|OLD, the first that is installed or offered; the last where none is.
of_alternatives() {
  local line package chosen
  while read -r line; do
    chosen=
    for package in ${line//|/ }; do
      [[ -n $(missing_packages "$package") ]] || { chosen=$package && break; }
    done
    [[ -n $chosen || $line != *"|"* ]] || ! command -v apt-get >/dev/null || update_package_lists
    for package in ${line//|/ }; do
      [[ -n $chosen ]] || ! offered "$package" || chosen=$package
    done
    echo "${chosen:-${line##*|}}"
  done
}

# Those of the given packages that are not installed.
missing_packages() {
  local package
  for package; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

# Whether Debian's configured repositories offer a package.
offered() {
  [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]
}
