package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.rpc.tcp.HiveKey;
import org.beefs.integration.faults.SmallDisk;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.hive.NewerQueenBee;
import org.beefs.integration.hive.StandaloneRoles;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A role that cannot start says why in one line that names the thing, and in its exit code; and the help says how it
 * can.
 */
class StartFailuresIT {
    /** A host's address that is nobody's: RFC 5737 keeps it for documentation. */
    private static final String ELSEWHERE = "192.0.2.1:7411";

    private final StandaloneRoles roles = new StandaloneRoles();

    @AfterEach
    void endAll() {
        roles.close();
    }

    @Test
    void shouldNameTheUnknownKey() {
        Path file = roles.file("queenbee.toml", """
                [queenbee]
                listen = "127.0.0.1:0"
                colour = "yellow"
                """);

        fails(ExitCode.CONFIGURATION, List.of("queenbee", "--config", file.toString()), "'queenbee.colour'", file);
    }

    @Test
    void shouldNameTheBadSize() {
        Path file = roles.file("desktop.toml", """
                [honeycomb]
                capacity = "much"
                """);

        fails(
                ExitCode.CONFIGURATION,
                List.of("desktop", "desk7", "--config", file.toString()),
                "'honeycomb.capacity': 'much' is not a size",
                file);
    }

    @Test
    void shouldNameTheTakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            fails(ExitCode.ADDRESS, List.of("queenbee", "--listen", address), address + ": Address already in use");
            fails(
                    ExitCode.ADDRESS,
                    List.of("desktop", "desk7", "--honeycomb", path("comb"), "--listen", address),
                    address + ": Address already in use");
        }
    }

    /** The port was chosen when the hive was set up; each start would fail like this one. */
    @Test
    void shouldNameTheFileWithTheTakenPort() throws IOException {
        Path state = roles.folder("state");
        Path file = Files.createDirectory(state.resolve("queenbee")).resolve("queenbee.toml");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(file, "[queenbee]\nlisten = \"127.0.0.1:%d\"\n".formatted(taken.getLocalPort()));

            Result up =
                    roles.beefs("up", path("hive"), "--state", state.toString()).runToAnyEnd();

            assertThat(up.exitCode()).isEqualTo(ExitCode.ADDRESS);
            assertThat(up.errors()).contains("Address already in use; choose another port in " + file);
        }
    }

    @Test
    void shouldNameTheAddressThatIsNotItsOwn() {
        fails(ExitCode.ADDRESS, List.of("queenbee", "--listen", ELSEWHERE), ELSEWHERE);
        fails(ExitCode.ADDRESS, List.of("queenbee", "--listen", "bees.invalid:7411"), "of host bees.invalid");
    }

    @Test
    void shouldNameTheFolderThatCannotBeUsed() {
        String below = roles.file("file", "").resolve("folder").toString();

        fails(ExitCode.FOLDER, List.of("queenbee", "--state", below), below + "/queenbee: Not a directory");
        fails(ExitCode.FOLDER, List.of("queenbee", "--set", "queenbee.state=" + below), below + ": Not a directory");
        fails(
                ExitCode.FOLDER,
                List.of("desktop", "desk7", "--honeycomb", below),
                below + " cannot be used: Not a directory");
    }

    @Test
    void shouldNameTheFolderThatIsUsedForSomethingElse() {
        Path letter = roles.file("letter", "");

        fails(
                ExitCode.FOLDER,
                List.of("desktop", "desk7", "--honeycomb", path("")),
                "cannot be used: it holds something else (",
                "use an empty folder");
        assertThat(letter).exists();
    }

    @Test
    void shouldNameBothVersionsWhenTheQueenBeeHasAnother() {
        try (NewerQueenBee queenBee = new NewerQueenBee()) {
            fails(
                    ExitCode.VERSION,
                    List.of("desktop", "desk7", "--queenbee", queenBee.address(), "--mount", path("mount")),
                    "speaks protocol " + queenBee.protocol(),
                    queenBee.address());
        }
    }

    @Test
    void shouldSayThatTheHivesKeyIsMissingOrAnother() throws IOException {
        HiveKey.create(roles.folder("state").resolve(HiveKey.FILE));
        String queenBee = roles.startQueenBee();
        Path elsewhere = roles.folder("elsewhere");
        List<String> desktop = List.of("desktop", "desk7", "--state", elsewhere.toString(), "--queenbee", queenBee);

        fails(ExitCode.VERSION, desktop, queenBee + " refused us: it wants the key of its hive");

        HiveKey.create(elsewhere.resolve(HiveKey.FILE));
        fails(ExitCode.VERSION, desktop, "refusing " + queenBee + ": it has another key than this hive (hive.key)");
    }

    /** Before it tries to reach a queen-bee, of which it then would have to say something too. */
    @Test
    void shouldNameThePlaceThatNothingCanBeMountedAt() {
        Path file = roles.file("file", "");

        fails(
                ExitCode.FOLDER,
                List.of("desktop", "desk7", "--queenbee", "127.0.0.1:1", "--mount", file.toString()),
                "cannot mount at " + file);
        fails(
                ExitCode.FOLDER,
                List.of(
                        "desktop",
                        "desk7",
                        "--queenbee",
                        "127.0.0.1:1",
                        "--mount",
                        file.resolveSibling("").toString()),
                "it is not empty");
    }

    /** Of what the daemon itself says nothing is left there. */
    @Test
    @Requires(programs = "mkfs.ext4")
    void shouldNameTheFullDisk() {
        try (SmallDisk disk = SmallDisk.create(roles.path("disk"), "128M", "150M")) {
            String state = disk.folder().resolve("state").toString();
            roles.beefs("up", path("hive"), "--desktops", "1", "--state", state).run();
            roles.beefs("down", "--state", state).run();
            disk.fill();

            Result up = roles.beefs("up", "--state", state).runToAnyEnd();
            roles.beefs("down", "--state", state).runToAnyEnd();

            assertThat(up.succeeded()).isFalse();
            assertThat(up.errors()).contains("the disk of " + state + "/queenbee is full", "free some space there");
        }
    }

    /** Whoever is to repair that disk wants nobody to use it. */
    @Test
    @Requires(programs = "mkfs.ext4")
    void shouldStopAllOnADiskThatHasBecomeReadOnly() {
        try (SmallDisk disk = SmallDisk.create(roles.path("disk"), "128M", "150M")) {
            String state = disk.folder().resolve("state").toString();
            roles.beefs("up", path("hive"), "--desktops", "1", "--state", state).run();
            disk.sync();
            disk.makeReadOnly();

            roles.beefs("down", "--state", state).run();

            assertThat(roles.beefs("status", "--state", state).runToAnyEnd().output())
                    .contains("stopped")
                    .doesNotContain("running");
            assertThat(MountPoints.isMounted(roles.path("hive"))).isFalse();
        }
    }

    /** An empty key would be refused for ever. */
    @Test
    @Requires(programs = "mkfs.ext4")
    void shouldLeaveNoHalfKeyOnAFullDisk() throws IOException {
        try (SmallDisk disk = SmallDisk.create(roles.path("disk"), "64M", "80M")) {
            Path state = Files.createDirectory(disk.folder().resolve("state"));
            disk.fill();

            Result up =
                    roles.beefs("up", path("hive"), "--state", state.toString()).runToAnyEnd();

            assertThat(up.exitCode()).isEqualTo(ExitCode.FOLDER);
            assertThat(up.errors()).contains(": No space left on device");
            assertThat(state.resolve(HiveKey.FILE)).doesNotExist();
            assertThat(state.resolve("unfinished")).doesNotExist();
        }
    }

    /** The queen-bee may come later, so the desktop says what it misses and goes on trying. */
    @Test
    void shouldNameTheQueenBeeThatCannotBeReached() throws IOException {
        String nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = "127.0.0.1:" + free.getLocalPort();
        }
        try (RunningProgram desktop =
                roles.beefs("desktop", "desk7", "--queenbee", nobody).start()) {
            Await.until(
                    Duration.ofSeconds(60),
                    desktop::errorsSoFar,
                    () -> desktop.errorsSoFar().endsWith("\n"));

            assertThat(desktop.errorsSoFar())
                    .hasLineCount(1)
                    .endsWith("no connection with the queen-bee, trying on: " + nobody
                            + " cannot be reached: Connection refused\n");
            assertThat(desktop.isRunning()).isTrue();
        }
    }

    /** Units show that each command does. */
    @Test
    void shouldTeachACommandWithAnExample() {
        assertThat(roles.beefs("--help").run().output()).contains("Usage: beefs", "Try it:", "./beefs up");

        for (String command : List.of("status", "posix-test")) {
            assertThat(roles.beefs(command, "--help").run().output())
                    .contains("Usage: beefs " + command)
                    .containsPattern("Examples?:");
        }
    }

    /** Runs it, and expects one line on stderr that has all these, and nothing else anywhere. */
    private void fails(int exitCode, List<String> command, Object... named) {
        Result end = roles.beefs(command.toArray(String[]::new)).runToAnyEnd();

        assertThat(end.exitCode()).as(end.toString()).isEqualTo(exitCode);
        assertThat(end.output()).isEmpty();
        assertThat(end.errors()).startsWith("beefs: ").hasLineCount(1).doesNotContain("Exception");
        for (Object thing : named) {
            assertThat(end.errors()).contains(thing.toString());
        }
    }

    private String path(String name) {
        return roles.path(name).toString();
    }
}
