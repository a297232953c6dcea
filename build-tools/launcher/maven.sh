# shellcheck shell=bash
# Finding Maven. Sets MAVEN to the command. Needs JAVA_HOME.

OLDEST_MAVEN=3.9.6
FETCHED_MAVEN=3.9.16

maven_version() {
  # Outside the checkout, whose .mvn/ is not for every Maven.
  (cd / && "$1" -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')
}

new_enough_maven() {
  local version
  version=$(maven_version "$1")
  [[ -n $version && $(printf '%s\n' "$OLDEST_MAVEN" "$version" | sort -V | head -1) == "$OLDEST_MAVEN" ]]
}

# Any Maven can fetch a newer one from the registry it is configured for. It runs in a folder of its own, because
# without a project the plugin leaves an oddly named folder where it runs; and what it unpacks gets its name when all of
# it is there. Who comes second finds it made.
fetch_maven() (
  folder=$1 name=apache-maven-$FETCHED_MAVEN
  say "fetching Maven $FETCHED_MAVEN"
  mkdir -p "$folder"
  scratch=$(mktemp -d "$folder/XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  if ! (cd "$scratch" && mvn -q -B dependency:unpack \
    "-Dartifact=org.apache.maven:apache-maven:$FETCHED_MAVEN:zip:bin" "-DoutputDirectory=$scratch") </dev/null >"$scratch/log" 2>&1; then
    grep '^\[ERROR\]' "$scratch/log" >&2 || true
    fail "cannot fetch Maven $FETCHED_MAVEN: install Maven $OLDEST_MAVEN or newer and put mvn on the PATH"
  fi
  chmod +x "$scratch/$name/bin/mvn"
  mv -T "$scratch/$name" "$folder/$name" 2>/dev/null || [[ -x $folder/$name/bin/mvn ]] ||
    fail "cannot use $folder/$name: remove it"
)

find_maven() {
  local cache=$CACHE/maven
  if command -v mvn >/dev/null && new_enough_maven mvn; then
    MAVEN=mvn
    return
  fi
  MAVEN=$cache/apache-maven-$FETCHED_MAVEN/bin/mvn
  [[ ! -x $MAVEN ]] || return 0
  command -v mvn >/dev/null || install_packages "the build needs Maven" maven ||
    fail "no Maven here: install Maven $OLDEST_MAVEN or newer and put mvn on the PATH"
  fetch_maven "$cache" || exit
}
