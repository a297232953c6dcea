# shellcheck shell=bash
# Finding a JDK, on a machine on which BeeFS runs. Sets and exports JAVA_HOME.

OLDEST_JAVA=25

# BEEFS_BUILD=no runs what is there: tests set it, because a build inside of theirs would take the jars away from under
# them, and wait for the lock that they hold.
may_build() { [[ ${BEEFS_BUILD:-yes} != no ]]; }

# Whether somebody has said so, and does not merely use what is there.
is_build_wanted() { [[ ${BEEFS_BUILD:-} == yes ]]; }

# What is built has RocksDB's library for one kind of machine only (cli/pom.xml).
require_machine() {
  local machine
  machine=$(uname -m)
  [[ $machine == x86_64 ]] || fail "BeeFS runs on x86-64 only, and this machine is $machine"
}

# Major version of the JDK in a folder; nothing when there is no JDK (a JRE without compiler does not count).
java_version() {
  local home=$1 version
  [[ -x $home/bin/java && -x $home/bin/javac ]] || return 0
  # Asking the compiler starts a JVM, which takes as long as all the rest of a short command.
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release" 2>/dev/null || true)
  [[ -n $version ]] || version=$("$home/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
  echo "$version"
}

jdk_candidates() {
  local compiler
  [[ -z ${JAVA_HOME:-} ]] || echo "$JAVA_HOME"
  if compiler=$(command -v javac); then
    dirname "$(dirname "$(readlink -f "$compiler")")"
  fi
  printf '%s\n' /usr/lib/jvm/*
}

use_installed_jdk() {
  local home version
  while read -r home; do
    version=$(java_version "$home")
    if [[ ${version:-0} -ge $OLDEST_JAVA ]]; then
      export JAVA_HOME=$home
      return
    fi
  done < <(jdk_candidates)
  return 1
}

find_jdk() {
  use_installed_jdk && return
  # A service must not change the machine, and would try it again every few seconds.
  may_build || fail "no JDK $OLDEST_JAVA or newer here: install one (with javac), or set JAVA_HOME to it"
  command -v apt-get >/dev/null ||
    fail "no JDK $OLDEST_JAVA or newer here: install one (with javac; java-$OLDEST_JAVA-openjdk-devel in Fedora)" \
      "with this system's package manager, or set JAVA_HOME to it"
  local package had=()
  update_package_lists
  for package in openjdk-25-jdk-headless temurin-25-jdk; do
    offered "$package" || continue
    had+=("$package")
    if install_packages "BeeFS needs a JDK $OLDEST_JAVA" "$package"; then
      use_installed_jdk && return
    fi
  done
  [[ ${#had[@]} == 0 ]] ||
    fail "no JDK $OLDEST_JAVA or newer here: install ${had[0]}, or set JAVA_HOME to one"
  fail "no JDK $OLDEST_JAVA or newer here, and this system's repositories offer none:" \
    "install one (such as Eclipse Temurin $OLDEST_JAVA) below /usr/lib/jvm, or set JAVA_HOME to it"
}
