package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** Desktops go and come back, users move between desks, and files stay to be read and written. */
@InHive
class AbsenceIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    @Test
    void shouldGoOnWritingElsewhereWhenADesktopIsLost(Hives hives) throws IOException {
        Hive hive = coherentSoon(hives, 3);
        Path elsewhere = hive.mountOn("desktop2");
        for (int i = 0; i < 20; i++) {
            Files.writeString(hive.mount().resolve("file" + i), "line " + i);
        }
        for (int i = 0; i < 20; i++) {
            awaitCurrent(hive.mount().resolve("file" + i), 3);
        }

        Role first = hive.desktop(1);
        first.kill();
        declareLost(hive);

        for (int i = 0; i < 20; i++) {
            Path file = elsewhere.resolve("file" + i);
            awaitMoved(file);
            Files.writeString(file, ", more", StandardOpenOption.APPEND);
        }
        assertThat(hive.status()).contains("lost");
        first.restart();
        awaitAllAwake(hive);

        Path back = hive.mountOn("desktop1");
        for (int i = 0; i < 20; i++) {
            assertThat(back.resolve("file" + i)).hasContent("line " + i + ", more");
            awaitCurrent(back.resolve("file" + i), 3);
        }
        assertThat(hive.beefs("lost", "desktop1").runToAnyEnd().errors()).contains("is connected");
    }

    @Test
    void shouldBringThePrimaryToWhoWritesAtAnotherDesk(Hives hives) throws IOException {
        Hive hive = coherentSoon(hives, 2);
        Path file = Files.writeString(hive.mount().resolve("thesis"), "begun");
        awaitCurrent(file, 2);
        Path elsewhere = hive.mountOn("desktop2").resolve("thesis");

        Files.writeString(elsewhere, ", continued", StandardOpenOption.APPEND);

        assertThat(line(elsewhere, 0)).startsWith("desktop2\tprimary");
        assertThat(file).hasContent("begun, continued");
        awaitCurrent(file, 2);
        Files.writeString(file, ", finished", StandardOpenOption.APPEND);
        assertThat(elsewhere).hasContent("begun, continued, finished");
        awaitCurrent(elsewhere, 2);
        hive.down().mustSucceed();
        hive.up().mustSucceed();
        assertThat(file).hasContent("begun, continued, finished");
    }

    @Test
    void shouldGoOnWritingElsewhereWhatADesktopHasThatIsAsleep(Hives hives) throws IOException {
        Hive hive = coherentSoon(hives, 3);
        Path file = Files.writeString(hive.mount().resolve("thesis"), "begun");
        awaitCurrent(file, 3);
        Path elsewhere = hive.mountOn("desktop2").resolve("thesis");
        Path reader = hive.mountOn("desktop3").resolve("thesis");
        Role first = hive.desktop(1);

        try (FileChannel kept = FileChannel.open(reader, StandardOpenOption.READ)) {
            first.kill();
            Files.writeString(elsewhere, ", finished", StandardOpenOption.APPEND);

            assertThat(hive.status()).contains("asleep").doesNotContain("lost");
            assertThat(reader).hasContent("begun, finished");
            ByteBuffer content = ByteBuffer.allocate(100);
            kept.read(content, 0);
            assertThat(new String(content.array(), 0, content.position(), UTF_8))
                    .isEqualTo("begun, finished");
        }

        first.restart();
        awaitAllAwake(hive);
        assertThat(hive.mountOn("desktop1").resolve("thesis")).hasContent("begun, finished");
        awaitCurrent(elsewhere, 3);
    }

    @Test
    void shouldWaitForADesktopThatAloneHasWhatSomebodyWantsToWrite(Hives hives) throws IOException {
        Hive hive = coherentSoon(hives, 2);
        hive.beefs("set", hive.mount().toString(), "--replicas", "1").run().mustSucceed();
        Path file = Files.writeString(hive.mount().resolve("thesis"), "begun");
        awaitCurrent(file, 1);
        Path elsewhere = hive.mountOn("desktop2").resolve("thesis");
        Role first = hive.desktop(1);
        first.kill();

        try (RunningProgram writer = Program.of("sh", "-c", "printf ', finished' >> " + elsewhere)
                        .start();
                RunningProgram trace =
                        hive.beefs("trace", Long.toString(writer.pid())).start()) {
            Await.until(
                    SOON,
                    () -> "a call that waits in " + trace.outputSoFar() + trace.errorsSoFar(),
                    () -> trace.outputSoFar().contains("desktop1 to come back"));

            first.restart();
            writer.await(SOON).mustSucceed();
        }

        assertThat(elsewhere).hasContent("begun, finished");
    }

    /** So that who makes a backup does not take the archive for a good one. */
    @Test
    void shouldLetABackupSayWhatIsOnlyOnADesktopThatIsAway(Hives hives) throws IOException {
        Hive hive = coherentSoon(hives, 2);
        hive.beefs("set", hive.mount().toString(), "--replicas", "1").run().mustSucceed();
        hive.desktop(1).restartWith(settings -> settings.replace("patience = \"60s\"", "patience = \"3s\""));
        awaitAllAwake(hive);
        Path elsewhere = hive.mountOn("desktop2");
        Files.writeString(hive.mount().resolve("here"), "content");
        for (int i = 0; i < 3; i++) {
            awaitCurrent(Files.writeString(elsewhere.resolve("there" + i), "content"), 1);
        }
        Path archive = hive.scratch().resolve("new.tar");
        Await.until(
                SOON,
                () -> "nothing to be attended to: " + check(hive).output(),
                () -> check(hive).succeeded());

        hive.desktop(2).kill();
        Result backup = Program.of("tar", "-C", hive.mount().toString(), "-cf", archive.toString(), ".")
                .with("LC_ALL", "C")
                .within(SOON)
                .runToAnyEnd();

        assertThat(backup.exitCode()).isEqualTo(2);
        assertThat(backup.errors())
                .contains("./there0: Read error", "./there1: Read error", "./there2: Read error")
                .doesNotContain("./here");
        assertThat(unpacked(archive, "here")).isEqualTo("content");
        assertThat(unpacked(archive, "there0")).isEqualTo("\0".repeat("content".length()));
    }

    private static Result check(Hive hive) {
        return hive.beefs("status", "--check").runToAnyEnd();
    }

    private static String unpacked(Path archive, String name) {
        return Program.of("tar", "-xOf", archive.toString(), "./" + name).run().output();
    }

    /** Nobody knows how large it is; but neither removing nor renaming depends on that. */
    @Test
    void shouldRemoveAndRenameWhatADesktopWasWritingThatIsAway(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.queenBee().restartWith(settings -> settings + "lease = \"7s\"\nfence-margin = \"3s\"\n");
        Path folder = Files.createDirectory(hive.mount().resolve("folder"));
        Path elsewhere = hive.mountOn("desktop2").resolve("folder");
        int first = Posix.open(folder.resolve("first"), Posix.O_WRONLY | Posix.O_CREAT, 0644);
        int second = Posix.open(folder.resolve("second"), Posix.O_WRONLY | Posix.O_CREAT, 0644);
        try {
            Posix.write(first, "content".getBytes(UTF_8));
            Posix.sync(folder); // what a desktop has decided in the last milliseconds is its own until it is back

            hive.desktop(1).kill();
            Await.until(SOON, "it is missed", () -> hive.status().contains("asleep"));

            Program.of(
                            "mv",
                            elsewhere.resolve("first").toString(),
                            elsewhere.resolve("renamed").toString())
                    .run()
                    .mustSucceed();
            Program.of("rm", "-r", elsewhere.toString()).run().mustSucceed();
            assertThat(elsewhere).doesNotExist();
        } finally {
            Posix.close(first);
            Posix.close(second);
        }
    }

    /** The kernel goes on reading its replica's file for them, and wants all opens of it alike. */
    @Test
    void shouldServeWhatProgramsHaveKeptOpenWhileTheirDesktopWasLost(Hives hives) throws IOException {
        Hive hive = coherentSoon(hives, 3);
        Path file = Files.writeString(hive.mount().resolve("tool"), "begun");
        awaitCurrent(file, 3);
        Path elsewhere = hive.mountOn("desktop2").resolve("tool");
        Role first = hive.desktop(1);

        try (FileChannel kept = FileChannel.open(file, StandardOpenOption.READ)) {
            first.stop();
            declareLost(hive);
            awaitMoved(elsewhere);
            first.resume();
            awaitAllAwake(hive);

            assertThat(file).hasContent("begun");
            Files.writeString(elsewhere, ", continued", StandardOpenOption.APPEND);
            assertThat(read(kept)).isEqualTo("begun, continued");
            assertThat(file).hasContent("begun, continued");
        }
    }

    @Test
    void shouldForgetADesktopThatDoesNotComeBackAndRefuseItsFolder(Hives hives) throws IOException {
        Hive hive = coherentSoon(hives, 2);
        hive.queenBee().restartWith(settings -> settings + "lease = \"7s\"\nfence-margin = \"3s\"\n");
        Path file = Files.writeString(hive.mount().resolve("thesis"), "begun");
        awaitCurrent(file, 2);
        Path elsewhere = hive.mountOn("desktop2").resolve("thesis");
        Role first = hive.desktop(1);
        first.stop();
        Await.until(SOON, "it is missed", () -> hive.status().contains("asleep"));
        assertThat(hive.beefs("forget", "desktop1").runToAnyEnd().errors()).contains("beefs lost desktop1");

        declareLost(hive);
        Await.until(
                SOON,
                "nothing is in the way any more",
                () -> hive.beefs("forget", "desktop1").runToAnyEnd().succeeded());
        assertThat(hive.report().honeycombs())
                .extracting(HoneycombStatus::desktop)
                .containsExactly("desktop2");

        first.resume();
        Await.until(SOON, hive::status, () -> hive.status().contains("desktop1, which was forgotten"));
        assertThat(first.log()).contains("the queen-bee refuses desktop1");
        first.kill();
        Path folder = first.folder().resolve("honeycomb");
        Files.move(folder, first.folder().resolve("honeycomb-before"));
        Files.createDirectory(folder);
        first.restart();
        awaitAllAwake(hive);
        assertThat(hive.mountOn("desktop1").resolve("thesis")).hasContent("begun");
        awaitCurrent(elsewhere, 2);
    }

    private static String read(FileChannel file) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(100);
        file.read(content, 0);
        return UTF_8.decode(content.flip()).toString();
    }

    /** One whose files have their secondaries a moment after they were closed. */
    private static Hive coherentSoon(Hives hives, int desktops) {
        Hive hive = hives.create(desktops);
        hive.beefs("set", hive.mount().toString(), "--coherence", "200ms").run().mustSucceed();
        return hive;
    }

    private static void awaitCurrent(Path file, int replicas) {
        Await.until(
                SOON,
                () -> "%d current replicas of %s, not %s".formatted(replicas, file, lines(file)),
                () -> lines(file).stream()
                        .map(line -> line.split("\t", -1)[4])
                        .toList()
                        .equals(Collections.nCopies(replicas, "current")));
    }

    private static void declareLost(Hive hive) {
        Await.until(SOON, "it is missed", () -> hive.status().contains("asleep"));
        hive.beefs("lost", "desktop1").run().mustSucceed();
    }

    private static void awaitMoved(Path file) {
        Await.until(
                SOON,
                () -> "another primary than " + line(file, 0),
                () -> !line(file, 0).startsWith("desktop1"));
    }

    private static void awaitAllAwake(Hive hive) {
        Await.until(SOON, () -> "all are there: " + hive.status(), hive::areAllAwake);
    }

    private static String line(Path file, int number) {
        return lines(file).get(number);
    }

    /** Of the file's replicas, the primary's first. */
    private static List<String> lines(Path file) {
        return new String(Xattrs.get(file, "beefs.location"), UTF_8).lines().toList();
    }
}
