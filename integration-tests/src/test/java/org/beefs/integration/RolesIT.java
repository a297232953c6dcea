package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.beefs.cli.program.ExitCode;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.hive.StandaloneRoles;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each role started alone in the foreground, as somebody does who builds a hive by hand or writes a service for it. */
@Requires
class RolesIT {
    private static final Duration STOP = Duration.ofSeconds(20);

    /** As shells see Ctrl-C. */
    private static final int INTERRUPTED = 130;

    private static final int WRONG_CONFIGURATION = 3;

    private final StandaloneRoles roles = new StandaloneRoles();

    @AfterEach
    void endAll() {
        roles.close();
    }

    @Test
    void shouldServeInTheForegroundUntilCtrlC() throws IOException {
        RunningProgram desktop = desktop("[honeycomb]");
        Path file = roles.path("mount").resolve("file");
        Files.writeString(file, "text");
        assertThat(file).hasContent("text");

        desktop.signal(Posix.SIGINT);

        Result end = desktop.await(STOP);
        assertThat(end.exitCode()).as(end.toString()).isEqualTo(INTERRUPTED);
        assertThat(MountPoints.isMounted(roles.path("mount"))).isFalse();
        assertThat(end.errors()).contains("desk7 has stopped").doesNotContain("ERROR", "\tat ");
        assertThat(roles.path("mount")).isEmptyDirectory();
    }

    /** Most machines have no large pages, and the JVM warns of that. */
    @Test
    void shouldAnswerScriptsWithNothingElseWhateverTheJvmHasToSay() {
        Result quiet = roles.beefs("version", "--json").run();
        Result warned = roles.beefs("version", "--json")
                .with("JDK_JAVA_OPTIONS", "-XX:+UseLargePages")
                .run();

        assertThat(warned.output()).as(warned.errors()).isEqualTo(quiet.output());
    }

    @Test
    void shouldEndAtCtrlCAlsoWhileItWaitsForTheQueenBee() {
        Path mount = roles.path("mount");
        try (RunningProgram desktop = roles.beefs(
                        "desktop", "desk7", "--queenbee", "127.0.0.1:1", "--mount", mount.toString())
                .start()) {
            until("it makes the folder to mount at", () -> Files.exists(mount));

            desktop.signal(Posix.SIGINT);

            Result end = desktop.await(STOP);
            assertThat(end.exitCode()).as(end.toString()).isEqualTo(INTERRUPTED);
            assertThat(MountPoints.isMounted(mount)).isFalse();
            assertThat(end.errors()).doesNotContain("ERROR", "\tat ");
        }
    }

    /** As with a unit that starts it by the host's name, and a folder that has another one. */
    @Test
    void shouldSayThatItHasNoSettingsWhereAnotherDesktopHas() throws IOException {
        Path other = Files.createDirectories(roles.path("state/desk7"));
        Files.writeString(other.resolve("desktop.toml"), "[desktop]\nname = \"desk7\"\n");

        Result end = roles.beefs("desktop", "desk7.example.org").runToAnyEnd();

        assertThat(end.exitCode()).as(end.toString()).isEqualTo(WRONG_CONFIGURATION);
        assertThat(end.errors()).contains("there is no " + roles.path("state/desk7.example.org/desktop.toml"));
    }

    @Test
    void shouldLeaveNoMountWhenItCannotStart() {
        String queenBee = roles.startQueenBee();
        Path good = roles.path("mount");
        Path bad = roles.file("file", "").resolve("mount");

        Result end = roles.beefs(
                        "desktop",
                        "desk7",
                        "--queenbee",
                        queenBee,
                        "--mount",
                        good.toString(),
                        "--mount",
                        bad.toString())
                .runToAnyEnd();

        assertThat(end.exitCode()).as(end.toString()).isEqualTo(ExitCode.FOLDER);
        assertThat(end.errors()).contains("beefs: cannot mount at " + bad);
        assertThat(MountPoints.isMounted(good)).isFalse();
    }

    @Test
    void shouldTellProgramsWhenTheHoneycombIsFull() throws IOException {
        desktop("""
                [honeycomb]
                capacity = "1M"
                reserve = "1M"
                """);
        Path mount = roles.path("mount");
        byte[] kept = content(600 << 10);
        Files.write(mount.resolve("kept"), kept);
        Path tooMuch = Files.write(roles.path("much"), content(500 << 10));

        Result copy = copy(tooMuch, mount.resolve("copy"));

        assertThat(copy.exitCode()).isEqualTo(1);
        assertThat(copy.errors()).contains("No space left on device");
        assertThat(mount.resolve("kept")).hasBinaryContent(kept);
        Files.delete(mount.resolve("kept"));
        until("there is room again", () -> copy(tooMuch, mount.resolve("copy")).succeeded());
        assertThat(mount.resolve("copy")).hasSameBinaryContentAs(tooMuch);
    }

    /** A desktop with a configuration file and a mount, and the queen-bee that it needs. */
    private RunningProgram desktop(String honeycomb) {
        Path file = roles.file("desk7.toml", """
                [desktop]
                name = "desk7"

                [queenbee]
                address = "%s"

                %s
                """.formatted(roles.startQueenBee(), honeycomb));
        return roles.start(
                "desktop",
                "desk7",
                "--config",
                file.toString(),
                "--mount",
                roles.path("mount").toString());
    }

    private static Result copy(Path from, Path to) {
        return Program.of("cp", from.toString(), to.toString()).runToAnyEnd();
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static void until(String sentence, BooleanSupplier condition) {
        Await.until(Duration.ofSeconds(10), sentence, condition);
    }
}
