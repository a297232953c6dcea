package org.beefs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of the image, with a Java that only writes down what it is told. */
class ContainerLauncherTest {
    private static final Path LAUNCHER = Path.of("../docker/beefs").toAbsolutePath();

    @TempDir
    private Path jdk;

    @BeforeEach
    void makeJava() throws IOException {
        Path java = Files.createDirectory(jdk.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$* ${MALLOC_ARENA_MAX:-many} arenas\" >\"$JAVA_HOME/told\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void shouldTellHowWideTheTerminalIsAndThatItCanBeDrawnOn() throws Exception {
        run("script", "-qec", "stty cols 97; exec sh " + LAUNCHER + " top", "/dev/null");

        assertThat(told()).contains("-Dbeefs.terminal=true", "-Dbeefs.screen=true", "-Dbeefs.columns=97", "Main top");
    }

    @Test
    void shouldNotDrawWhereThereIsNoTerminal() throws Exception {
        run("setsid", "sh", LAUNCHER.toString(), "top");

        assertThat(told())
                .contains("-Dbeefs.terminal=false", "-Dbeefs.screen=false")
                .doesNotContain("beefs.columns");
    }

    @Test
    void shouldNotBelieveATerminalThatDoesNotKnowHowWideItIs() throws Exception {
        run("script", "-qec", "stty cols 0; exec sh " + LAUNCHER + " top", "/dev/null");

        assertThat(told()).contains("-Dbeefs.screen=true").doesNotContain("beefs.columns");
    }

    /** As ./beefs does: a heap for the queen-bee is none for each tool. */
    @Test
    void shouldGiveFurtherFlagsToDaemonsOnly() throws Exception {
        run("env", "BEEFS_JAVA_OPTS=-Xmx4g -Xms1g", "sh", LAUNCHER.toString(), "top");
        assertThat(told()).doesNotContain("-Xmx4g");

        run("env", "BEEFS_JAVA_OPTS=-Xmx4g -Xms1g", "sh", LAUNCHER.toString(), "queenbee");

        assertThat(told()).contains(" -Xmx4g -Xms1g ");
    }

    /** Idle daemons would take tens of megabytes more. */
    @Test
    void shouldGiveDaemonsFewArenasOfMemoryUnlessSomebodyHasSaidHowMany() throws Exception {
        run("env", "-u", "MALLOC_ARENA_MAX", "sh", LAUNCHER.toString(), "top");
        assertThat(told()).endsWith(" many arenas\n");

        run("env", "-u", "MALLOC_ARENA_MAX", "sh", LAUNCHER.toString(), "desktop", "desk1");
        assertThat(told()).endsWith(" 2 arenas\n");

        run("env", "MALLOC_ARENA_MAX=5", "sh", LAUNCHER.toString(), "queenbee");
        assertThat(told()).endsWith(" 5 arenas\n");
    }

    private String told() throws IOException {
        return Files.readString(jdk.resolve("told"));
    }

    private void run(String... command) throws Exception {
        ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
        program.environment().put("JAVA_HOME", jdk.toString());
        Process running = program.start();
        running.getOutputStream().close();
        String output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(output).isZero();
    }
}
