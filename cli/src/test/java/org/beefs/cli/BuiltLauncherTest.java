package org.beefs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher with a distribution of nothing, and a Java that tells with which flags it is started. */
class BuiltLauncherTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final String BUILD = "-Dbeefs.build=";

    @TempDir
    private Path temporary;

    private Path checkout;

    @BeforeEach
    void makeCheckout() throws Exception {
        checkout = Files.createDirectory(temporary.resolve("built"));
        Files.copy(REPOSITORY.resolve("beefs"), checkout.resolve("beefs"));
        Scripts.copy(REPOSITORY.resolve("build-tools"), checkout.resolve("build-tools"));
        Files.createDirectories(distribution(checkout).resolve("native"));
        Files.createDirectories(distribution(checkout).resolve("lib"));
        Files.writeString(distribution(checkout).resolve("lib/one.jar"), "old");
        String tell = "printf '%s\\n' \"$@\"";
        Scripts.write(temporary.resolve("jdk/bin/java"), tell);
        Scripts.write(temporary.resolve("jdk/bin/javac"), tell);
        Files.writeString(temporary.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        Files.createDirectory(temporary.resolve("jdk/lib"));
        Path modules = Files.writeString(temporary.resolve("jdk/lib/modules"), "of 25.0.1");
        Files.setLastModifiedTime(modules, FileTime.from(Instant.ofEpochSecond(1_800_000_000)));
        Files.createFile(distribution(checkout).resolve("desktop-" + build(checkout) + "-9-1800000000.aot"));
    }

    @Test
    void shouldUseTheCacheOfItsBuild() throws Exception {
        assertThat(flags(checkout)).anyMatch(flag -> flag.startsWith("-XX:AOTCache=") && flag.contains("/desktop-"));
    }

    @Test
    void shouldUseTheCacheAlsoInAWholeCopy() throws Exception {
        Path copy = copy();

        assertThat(build(copy)).isEqualTo(build(checkout));
        assertThat(flags(copy)).anyMatch(flag -> flag.startsWith("-XX:AOTCache=" + distribution(copy)));
    }

    @Test
    void shouldUseNoCacheBesideAJarOfAnotherBuild() throws Exception {
        Path copy = copy();
        Files.writeString(distribution(copy).resolve("lib/one.jar"), "another");

        assertThat(build(copy)).isNotEqualTo(build(checkout));
        assertThat(flags(copy)).noneMatch(flag -> flag.startsWith("-XX:AOTCache="));
    }

    /** The JVM would refuse it, and leave out the JDK's own archive as well. */
    @Test
    void shouldUseNoCacheOfAnotherJdk() throws Exception {
        Files.writeString(temporary.resolve("jdk/lib/modules"), "of 25.0.2, and larger");

        assertThat(flags(checkout)).noneMatch(flag -> flag.startsWith("-XX:AOTCache="));
    }

    /** Idle daemons would take tens of megabytes more. */
    @Test
    void shouldGiveDaemonsFewArenasOfMemoryUnlessSomebodyHasSaidHowMany() throws Exception {
        Scripts.write(temporary.resolve("jdk/bin/java"), "echo \"arenas: ${MALLOC_ARENA_MAX:-many}\"");
        String beefs = checkout.resolve("beefs").toString();

        assertThat(run(beefs, "queenbee")).isEqualTo("arenas: 2\n");
        assertThat(run(beefs, "desktop", "desk1")).isEqualTo("arenas: 2\n");
        assertThat(run("env", "MALLOC_ARENA_MAX=5", beefs, "desktop", "desk1")).isEqualTo("arenas: 5\n");
        assertThat(run(beefs, "status")).isEqualTo("arenas: many\n");
    }

    /** RocksDB's library is there for one kind of machine. */
    @Test
    void shouldRefuseAMachineThatIsNotX8664InOneLine() throws Exception {
        Scripts.write(temporary.resolve("arm/uname"), "echo aarch64");

        String said = run(
                "sh",
                "-c",
                "PATH=%s:$PATH; ! %s status".formatted(temporary.resolve("arm"), checkout.resolve("beefs")));

        assertThat(said).contains("x86-64", "aarch64").hasLineCount(1);
    }

    private Path copy() throws Exception {
        Path copy = temporary.resolve("copy");
        Scripts.copy(checkout, copy);
        return copy;
    }

    private String build(Path where) throws Exception {
        return flags(where).stream()
                .filter(flag -> flag.startsWith(BUILD))
                .findFirst()
                .orElseThrow()
                .substring(BUILD.length());
    }

    private List<String> flags(Path where) throws Exception {
        return run(where.resolve("beefs").toString(), "desktop", "desk1")
                .lines()
                .toList();
    }

    private String run(String... command) throws Exception {
        ProcessBuilder launcher = new ProcessBuilder(command);
        launcher.environment().put("JAVA_HOME", temporary.resolve("jdk").toString());
        launcher.environment().put("BEEFS_BUILD", "no");
        launcher.environment().keySet().removeAll(List.of("BEEFS_JAVA_OPTS", "MALLOC_ARENA_MAX"));
        return Scripts.run(launcher);
    }

    private static Path distribution(Path where) {
        return where.resolve("cli/target/distribution");
    }
}
