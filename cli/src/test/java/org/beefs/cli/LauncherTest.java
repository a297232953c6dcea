package org.beefs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a checkout of nothing, with a Maven and a Java that only tell whether the lock of builds is taken.
 */
class LauncherTest {
    private static final Path PARTS = Path.of("../build-tools/launcher").toAbsolutePath();

    private static final String LAUNCHER = """
            set -euo pipefail
            say() { echo "$*"; }
            fail() { say "$@"; exit 1; }
            DISTRIBUTION=$BEEFS_HOME/cli/target/distribution
            for part in jdk caches build engine simulate test; do source "$PARTS/$part.sh"; done
            find_maven() { MAVEN=$BEEFS_HOME/mvn; }
            install_test_packages() { :; }
            install_crates() { :; }
            start_engine() { :; }
            """;

    private static final String TELL = """
            #!/bin/sh
            flock --nonblock "$BEEFS_HOME/target/build.lock" true && state=free || state=taken
            echo "${0##*/} $state" >>"$BEEFS_HOME/told"
            """;

    /**
     * A Debian that has nothing installed, offers all packages but "unknown", and installs none where one is unknown.
     */
    private static final String DEBIAN = """
            for part in packages test; do source "$PARTS/$part.sh"; done
            id() { echo 0; }
            dpkg-query() { grep -qsw "${!#}" "$BEEFS_HOME/told" && echo installed; }
            apt-cache() { [[ $2 == unknown ]] || echo "  Candidate: 1.0"; }
            apt-get() {
              local words=$*
              [[ $words != *unknown* ]] || return 100
              [[ $words == *update ]] || echo "${words/* install /install }" >>"$BEEFS_HOME/told"
            }
            """;

    /** A Debian without JDK, which knows what it offers when its lists are there. */
    private static final String WITHOUT_JDK = """
            for part in packages jdk; do source "$PARTS/$part.sh"; done
            id() { echo "${USER_ID:-0}"; }
            use_installed_jdk() { [[ -e $BEEFS_HOME/told ]]; }
            apt-cache() { [[ ! -e $BEEFS_HOME/lists || $2 != openjdk* ]] || echo "  Candidate: 1.0"; }
            apt-get() {
              local words=$*
              if [[ $words == *update ]]; then
                [[ -n ${NOTHING_OFFERED:-} ]] || touch "$BEEFS_HOME/lists"
              else
                [[ -z ${NO_NETWORK:-} ]] || return 100
                echo "${words/* install /install }" >>"$BEEFS_HOME/told"
              fi
            }
            """;

    /** A Maven that is too old, and unpacks another one when it is asked to. */
    private static final String OLD_MAVEN = """
            for part in packages maven; do source "$PARTS/$part.sh"; done
            CACHE=$BEEFS_HOME/cache
            mvn() {
              [[ $1 != -v ]] || return 0
              local word folder
              for word; do [[ $word != -DoutputDirectory=* ]] || folder=${word#*=}; done
              for folder in "$folder" ${MEANWHILE:-}; do
                mkdir -p "$folder/apache-maven-$FETCHED_MAVEN/bin"
                touch "$folder/apache-maven-$FETCHED_MAVEN/bin/mvn"
                chmod +x "$folder/apache-maven-$FETCHED_MAVEN/bin/mvn"
              done
              [[ -z ${BREAKS_OFF:-} ]]
            }
            """;

    @TempDir
    private Path checkout;

    @BeforeEach
    void makePrograms() throws IOException {
        Files.createDirectories(checkout.resolve("cli/target/distribution"));
        Files.createDirectories(checkout.resolve("integration-tests/target"));
        Files.createFile(checkout.resolve("integration-tests/target/test.classpath"));
        Scripts.write(checkout.resolve("mvn"), TELL);
        Scripts.write(checkout.resolve("bin/java"), TELL);
    }

    @Test
    void shouldHoldTheLockWhileItBuilds() throws Exception {
        launch("build_if_stale; \"$JAVA_HOME/bin/java\"");

        assertThat(told()).containsExactly("mvn taken", "java free");
    }

    @Test
    void shouldHoldTheLockWhileItCompilesTheSimulatorAndNotWhileThatRuns() throws Exception {
        launch("simulate --seeds 1");

        assertThat(told()).containsExactly("mvn taken", "java free");
    }

    @Test
    void shouldSimulateWithWhatIsThereWhereNothingIsToBeBuilt() throws Exception {
        launch("BEEFS_BUILD=no simulate --seeds 1");

        assertThat(checkout.resolve("told")).content().startsWith("java");
    }

    @Test
    void shouldSayHowToCompileTheSimulatorWhereThatWasNeverDone() throws Exception {
        Files.delete(checkout.resolve("integration-tests/target/test.classpath"));

        assertThat(launch("(BEEFS_BUILD=no simulate) || true")).contains("BEEFS_BUILD=yes");
    }

    @Test
    void shouldSayThatSourcesAreNewerThanWhatWasBuiltWhereNothingIsBuilt() throws Exception {
        Files.createFile(checkout.resolve("pom.xml"));
        launch("touch -d yesterday $STAMP");
        assertThat(launch("BEEFS_BUILD=no tell_if_stale")).contains("not built since its sources have changed");

        launch("touch -d tomorrow $STAMP");

        assertThat(launch("BEEFS_BUILD=no tell_if_stale")).doesNotContain("not built");
    }

    /** Whoever merely uses what is there, and may not even write it, is not to build. */
    @Test
    void shouldMakeCachesOfAnotherJdkAnewOnlyForWhomAsksForABuild() throws Exception {
        Files.createFile(checkout.resolve("cli/target/distribution/tool-b-1-2.aot"));
        launch("touch $STAMP");

        launch("build_if_stale");
        assertThat(checkout.resolve("told")).doesNotExist();
        assertThat(launch("tell_if_stale")).contains("the JDK is another one", "BEEFS_BUILD=yes");

        launch("BEEFS_BUILD=yes build_if_stale");
        assertThat(told()).containsExactly("mvn taken");
    }

    @Test
    void shouldInstallNothingForAService() throws Exception {
        String output = launch(DEBIAN + "BEEFS_BUILD=no; install_packages 'it is needed' some-package || true");

        assertThat(output).contains("it is needed", "install some-package");
        assertThat(checkout.resolve("told")).doesNotExist();
    }

    /** It waits for a queen-bee that is gone. */
    @Test
    void shouldNotLookForSourcesInAHiveThatIsMountedInTheCheckout() throws Exception {
        Files.createDirectories(checkout.resolve("hive/src/main"));
        Files.createFile(checkout.resolve("hive/pom.xml"));

        assertThat(launch("touch -d yesterday $STAMP; is_stale || echo nothing is stale"))
                .endsWith("nothing is stale\n");
    }

    @Test
    void shouldLookForSourcesInAllModules() throws Exception {
        List<String> modules = Pattern.compile("<module>(.+)</module>")
                .matcher(Files.readString(Path.of("../pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();

        assertThat(launch("echo \"${MODULES[@]}\" integration-tests").strip().split(" "))
                .containsExactlyInAnyOrderElementsOf(modules);
        assertThat(launch("BEEFS_HOME=$PARTS/../..; newer_sources $PARTS -false 2>&1"))
                .as("what is missing there")
                .isEmpty();
    }

    @Test
    void shouldNotBuildForEverAfterAClockThatWasAhead() throws Exception {
        Files.createFile(checkout.resolve("pom.xml"));

        String output = launch("""
                cd "$BEEFS_HOME"
                touch -d '+1 hour' pom.xml
                build_if_stale
                is_stale && echo "outdated at once"
                touch pom.xml
                is_stale && echo "outdated when it is changed"
                """);

        assertThat(output).doesNotContain("at once").contains("outdated when it is changed");
    }

    @Test
    void shouldNotUseAMavenThatIsHalfUnpacked() throws Exception {
        String output =
                launch(OLD_MAVEN + "(BREAKS_OFF=yes; find_maven) || true; find_maven; ls $CACHE/maven; ls $MAVEN");

        assertThat(output)
                .containsSubsequence("fetching Maven", "cannot fetch Maven", "fetching Maven", "\napache-maven-")
                .endsWith("/bin/mvn\n");
    }

    @Test
    void shouldUseTheMavenThatSomebodyElseHasFetchedMeanwhile() throws Exception {
        String output = launch(OLD_MAVEN + "MEANWHILE=$CACHE/maven; find_maven; ls $CACHE/maven");

        assertThat(output).hasLineCount(2).contains("\napache-maven-");
    }

    /** Maven compiles and tests in one run, and the tests use what was built. */
    @Test
    void shouldHoldTheLockWhileTestsRun() throws Exception {
        launch("run_tests; \"$JAVA_HOME/bin/java\"");

        assertThat(told()).containsExactly("mvn taken", "java free");
    }

    @Test
    void shouldInstallThePackagesThatAreOfferedAndNameTheOthers() throws Exception {
        Files.writeString(checkout.resolve("integration-tests/debian-packages.txt"), "one\nunknown\ntwo\n");

        String output = launch(DEBIAN + "install_test_packages");

        assertThat(told()).containsExactly("install one two");
        assertThat(output).contains("WARNING: without unknown some tests cannot run");
    }

    @Test
    void shouldInstallAJdkAlsoWhereThereAreNoListsOfPackagesYet() throws Exception {
        launch(WITHOUT_JDK + "find_jdk");

        assertThat(told()).containsExactly("install openjdk-25-jdk-headless");
    }

    @Test
    void shouldNameAJdkThatIsOfferedAndCannotBeInstalled() throws Exception {
        String output = launch(WITHOUT_JDK + "NO_NETWORK=yes; (find_jdk) || true");

        assertThat(output)
                .contains("no JDK 25 or newer here: install openjdk-25-jdk-headless")
                .doesNotContain("offers none");
    }

    @Test
    void shouldSayWhoIsNotRootWhichJdkToInstall() throws Exception {
        Files.createFile(checkout.resolve("lists"));

        String output = launch(WITHOUT_JDK + "USER_ID=1000; (find_jdk) || true");

        assertThat(output)
                .contains("sudo apt-get install openjdk-25-jdk-headless")
                .doesNotContain("offers none");
    }

    @Test
    void shouldSayThatNoJdkIsOffered() throws Exception {
        String output = launch(WITHOUT_JDK + "NOTHING_OFFERED=yes; (find_jdk) || true");

        assertThat(output).contains("repositories offer none");
    }

    /** A service would try it again every few seconds. */
    @Test
    void shouldInstallNoJdkForAService() throws Exception {
        String output = launch(WITHOUT_JDK + "BEEFS_BUILD=no; (find_jdk) || true");

        assertThat(output).contains("no JDK 25 or newer here: install one");
        assertThat(checkout.resolve("lists")).doesNotExist();
        assertThat(checkout.resolve("told")).doesNotExist();
    }

    @Test
    void shouldNotSpeakOfDebianWhereItIsAnotherSystem() throws Exception {
        String output = launch(WITHOUT_JDK + "unset -f apt-get; PATH=$BEEFS_HOME/bin; (find_jdk) || true");

        assertThat(output).contains("with this system's package manager").doesNotContain("apt-get", "offer none");
    }

    private Iterable<String> told() throws IOException {
        return Files.readAllLines(checkout.resolve("told"));
    }

    private String launch(String command) throws Exception {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", LAUNCHER + command);
        bash.environment().put("BEEFS_HOME", checkout.toString());
        bash.environment().put("JAVA_HOME", checkout.toString());
        bash.environment().put("PARTS", PARTS.toString());
        bash.environment().remove("BEEFS_BUILD");
        return Scripts.run(bash);
    }
}
