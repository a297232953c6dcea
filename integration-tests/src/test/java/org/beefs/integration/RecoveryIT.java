package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.beefs.cli.view.StatusReport;
import org.beefs.common.wire.Records;
import org.beefs.honeycomb.catalog.RocksCatalog;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;

/** The queen-bee's disk is gone: everything comes back from the honeycombs, also to programs that have files open. */
@InHive
class RecoveryIT {
    private static final Duration SETTLING = Duration.ofSeconds(30);
    private static final int FILES_IN_LARGE_DIRECTORY = 2000;

    @Test
    void shouldBringEverythingBackFromTheHoneycombs(Hives hives) throws IOException {
        Hive hive = hives.create(3);
        Path other = hive.mountOn("desktop2");
        makeTree(hive.mount().resolve("first"));
        makeTree(other.resolve("second"));
        Path open = other.resolve("open");
        try (FileChannel channel =
                FileChannel.open(open, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("before".getBytes(StandardCharsets.UTF_8)));
            awaitRecords(hive, hive.mount(), other);
            String before = describe(hive.mount());

            hive.queenBee().kill();
            Folders.delete(hive.queenBee().folder());
            Result up = hive.beefs("up").runToAnyEnd();
            assertThat(up.exitCode()).isEqualTo(5);
            assertThat(up.errors()).contains("the queen-bee's folder is missing", "beefs recover --state");
            Result recovery = hive.beefs("recover").run();

            assertThat(recovery.output() + recovery.errors()).contains("removed inodes were not brought back");
            assertThat(describe(hive.mount())).isEqualTo(before);
            assertThat(describe(other)).isEqualTo(before);
            channel.write(ByteBuffer.wrap(" and after".getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(open).hasContent("before and after");
        Files.writeString(hive.mount().resolve("new"), "made after the recovery");
        hive.down();
        hive.up();
        assertThat(hive.mount().resolve("new")).hasContent("made after the recovery");
        assertThat(hive.mount().resolve("open")).hasContent("before and after");
    }

    /** What the day of a recovery would show, shown before, while the hive is used. */
    @Test
    void shouldProveInADrillThatEverythingWouldComeBack(Hives hives) throws IOException {
        Hive hive = hives.create(3);
        makeTree(hive.mount().resolve("tree"));
        Files.createSymbolicLink(hive.mount().resolve("link"), Path.of("nowhere"));
        hive.beefs("set", hive.mount().toString(), "--replicas", "1").run();
        Files.writeString(hive.mountOn("desktop2").resolve("file"), "on the second desktop");

        Result passed = hive.beefs("recover", "--drill").run();

        assertThat(passed.output())
                .containsPattern(
                        "The namespace can be rebuilt: ([0-9,]+) of \\1 files and folders, in [0-9.]+ s, from 3 of 3 desktops\\.");
        assertThat(hive.beefs("events", "--kind", "action").run().output())
                .contains("a drill of the recovery has begun (root at the command line)");
        assertThat(hive.beefs("recover", "--drill", "--cancel").run().output()).contains("no drill is under way");

        hive.desktop(2).kill();
        Result away = failingDrill(hive);
        assertThat(away.output())
                .contains(
                        "from 2 of 3 desktops; would be missing: 1",
                        "/file would be missing; who knows it is away: desktop2",
                        "Switch on desktop2");

        loseRecordsOfLink(hive);
        Result lost = failingDrill(hive);
        assertThat(lost.output())
                .contains(
                        "from 3 of 3 desktops; would be missing: 1",
                        "/link would be missing; who should know it and does not: desktop",
                        "tells the desktops again");
        awaitRecords(hive, hive.mount());
        assertThat(hive.beefs("recover", "--drill", "--json").run().output()).contains("\"state\" : \"passed\"");
    }

    private static Result failingDrill(Hive hive) {
        Result drill = hive.beefs("recover", "--drill").runToAnyEnd();
        assertThat(drill.exitCode()).as(drill.toString()).isEqualTo(1);
        return drill;
    }

    /** As defects or disks could, while nobody looks: the catalogs still say that they are complete. */
    private static void loseRecordsOfLink(Hive hive) throws IOException {
        long inode = (long) Files.getAttribute(hive.mount().resolve("link"), "unix:ino", LinkOption.NOFOLLOW_LINKS);
        hive.down().mustSucceed();
        for (int i = 1; i <= 3; i++) {
            Path catalog = hive.desktop(i).folder().resolve("honeycomb/catalog");
            try (RocksCatalog opened = RocksCatalog.open(catalog)) {
                assertThat(opened.records().page(inode, 1, 1))
                        .singleElement()
                        .matches(record -> record.getInode() == inode);
                opened.records()
                        .write(Records.newBuilder()
                                .setHive(opened.records().state().getHive())
                                .setAsOf(Long.MAX_VALUE)
                                .addForgotten(inode)
                                .build());
            }
        }
        hive.up().mustSucceed();
    }

    @Test
    void shouldServeReadOnlyUntilAllHoneycombsHaveAnswered(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path mine = Files.writeString(hive.mount().resolve("mine"), "on the first desktop");
        Path other = hive.mountOn("desktop2");
        Files.writeString(other.resolve("theirs"), "on the second");
        awaitRecords(hive, hive.mount(), other);
        hive.queenBee().kill();
        hive.desktop(2).kill();
        Folders.delete(hive.queenBee().folder());

        try (ServerSocket _ = takePlaceOf(hive.desktop(2))) {
            Result recovery = hive.beefs("recover", "--serve-read-only").runToAnyEnd();
            assertThat(recovery.exitCode()).as(recovery.toString()).isEqualTo(4);
            assertThat(recovery.output()).contains("served read-only");
            assertThat(hive.status()).contains("It is read-only: its recovery has not ended");

            assertThat(mine).hasContent("on the first desktop");
            assertThat(Program.of("ls", hive.mount().toString()).run().output()).contains("mine");
            assertReadOnly(() -> Files.writeString(mine, "changed"));
            assertReadOnly(() -> Files.writeString(hive.mount().resolve("new"), "made"));
            assertReadOnly(() -> Files.delete(mine));
            assertReadOnly(() -> Files.setLastModifiedTime(mine, FileTime.fromMillis(0)));
            assertReadOnly(() -> Files.createDirectory(hive.mount().resolve("directory")));
            Result lost = hive.beefs("lost", "desktop2").runToAnyEnd();
            assertThat(lost.succeeded()).isFalse();
            assertThat(lost.errors()).contains("read-only");
        }

        hive.up();
        Path fresh = hive.mount().resolve("new");
        Await.until(SETTLING, "it can be changed again", () -> canBeMade(fresh));
        assertThat(hive.status()).doesNotContain("read-only");
        assertThat(mine).hasContent("on the first desktop");
        assertThat(hive.mount().resolve("theirs")).hasContent("on the second");
        assertThat(hive.queenBee().folder().resolve("recovery.txt")).content().contains("inodes were found");
        assertThat(hive.queenBee().folder().resolve("data.read-only")).doesNotExist();
    }

    /**
     * Last night's copy of the queen-bee's data must not be told over a day's work: what people try first when a disk
     * has failed.
     */
    @Test
    void shouldTellOfACopyThatWasPutBackAndRecoverWhatItLacks(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Role queenBee = hive.queenBee();
        Path data = queenBee.folder().resolve("data");
        Path copy = hive.scratch().resolve("copy");
        Path early = Files.writeString(hive.mount().resolve("early"), "made before the copy");
        awaitRecords(hive, hive.mount());
        queenBee.kill();
        Program.of("cp", "-a", data.toString(), copy.toString()).run();
        queenBee.restart();
        Path other = hive.mountOn("desktop2");
        Path later = other.resolve("later");
        Files.writeString(later, "made after it");
        Files.move(early, hive.mount().resolve("moved"));
        awaitRecords(hive, hive.mount(), other);

        queenBee.kill();
        Folders.delete(data);
        Files.move(copy, data);
        queenBee.restart();

        Await.until(
                SETTLING,
                () -> "both desktops are refused: " + hive.status(),
                () -> hive.status().contains("desktop1, desktop2"));
        assertThat(hive.status()).contains("older", "beefs recover");

        queenBee.kill();
        Folders.delete(queenBee.folder());
        hive.beefs("recover").run();
        assertThat(later).hasContent("made after it");
        assertThat(hive.mount().resolve("moved")).hasContent("made before the copy");
        assertThat(early).doesNotExist();
    }

    /** As on a server that is also one of the hive's desktops: it knows of no others. */
    @Test
    void shouldNotRebuildAHiveFromThoseOfItsHoneycombsThatAreHere(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Files.writeString(hive.mount().resolve("here"), "on the first desktop");
        awaitRecords(hive, hive.mount());
        hive.queenBee().kill();
        hive.desktop(2).kill();
        Folders.delete(hive.queenBee().folder());
        Folders.delete(hive.desktop(2).folder());

        Result recovery = hive.beefs("recover").runToAnyEnd();

        assertThat(recovery.succeeded()).isFalse();
        assertThat(recovery.errors()).contains("not asked: desktop2", "--without desktop2");
        hive.beefs("recover", "--without", "desktop2").run();
        assertThat(hive.mount().resolve("here")).hasContent("on the first desktop");
        assertThat(hive.queenBee().folder().resolve("recovery.txt")).content().contains("not asked: desktop2");
    }

    /** As the manual has it: who has practised a recovery that was not as it should be loses nothing by that. */
    @Test
    void shouldGoBackToTheDataFromBeforeARecovery(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Role queenBee = hive.queenBee();
        Path data = queenBee.folder().resolve("data");
        Path kept = queenBee.folder().resolve("data-before");
        Path file = Files.writeString(hive.mount().resolve("file"), "made before");
        awaitRecords(hive, hive.mount());
        queenBee.kill();
        Files.move(data, kept);
        hive.beefs("recover").run();
        awaitRecords(hive, hive.mount());

        queenBee.kill();
        Folders.delete(data);
        Files.move(kept, data);
        Path settings = queenBee.folder().resolve("queenbee.toml");
        String usual = Files.readString(settings);
        Files.writeString(settings, usual.replace("[queenbee]", "[queenbee]\naccept-older-state = true"));
        hive.up();
        Path fresh = hive.mount().resolve("new");
        Await.until(SETTLING, "it can be changed again", () -> canBeMade(fresh));
        Files.writeString(settings, usual);
        queenBee.kill();
        hive.up();

        Await.until(
                SETTLING,
                "it is not refused any more",
                () -> canBeMade(hive.mount().resolve("newer")));
        assertThat(hive.status()).doesNotContain("older than");
        assertThat(file).hasContent("made before");
        assertThat(fresh).exists();
        hive.beefs("fsck").run();
    }

    /** Listens where a desktop's honeycomb does, and answers nothing. */
    private static ServerSocket takePlaceOf(Role desktop) throws IOException {
        Matcher listen = Pattern.compile("listen = \"127\\.0\\.0\\.1:(\\d+)\"")
                .matcher(Files.readString(desktop.folder().resolve("desktop.toml")));
        assertThat(listen.find()).isTrue();
        return new ServerSocket(Integer.parseInt(listen.group(1)), 1, InetAddress.getLoopbackAddress());
    }

    private static void assertReadOnly(ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only file system");
    }

    private static boolean canBeMade(Path file) {
        try {
            Files.createFile(file);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static void makeTree(Path top) throws IOException {
        Files.createDirectories(top.resolve("a/b/c"));
        Files.createDirectory(top.resolve("large"));
        for (int i = 0; i < FILES_IN_LARGE_DIRECTORY; i++) {
            Files.writeString(top.resolve("large/file" + i), "content " + i);
        }
        Program.shell("""
                        cd "$TOP"
                        echo linked > a/file && ln a/file a/b/hard && ln a/file large/hard
                        ln -s ../a/file a/b/soft && ln -s /nowhere dangling
                        mkfifo a/fifo
                        echo text > attributes && chmod 4751 attributes && chown 1234:2345 attributes
                        if command -v setfattr >/dev/null; then setfattr -n user.note -v kept attributes a; fi
                        if command -v setfacl >/dev/null; then setfacl -m u:77:rw attributes && setfacl -d -m g:88:rx a; fi
                        touch -d '1999-12-31 23:59:59.123456789' attributes
                        mkdir gone && echo x > gone/x && rm -r gone
                        mv a/b/c moved && echo below > moved/below
                        """).with("TOP", top.toString()).run();
    }

    /** All that can be seen of the tree, but for access times, which reading changes. */
    private static String describe(Path mount) {
        return Program.shell("""
                        cd "$MOUNT"
                        find . -mindepth 1 -printf '%p %i %y %m %n %U %G %s %T@ %C@ %l\\n' | sort
                        find . -type f -print0 | sort -z | xargs -0 sha256sum
                        if command -v getfattr >/dev/null; then getfattr -R -h -d -m - . 2>/dev/null; fi
                        """).with("MOUNT", mount.toString()).run().output();
    }

    /** Until the queen-bee says that every honeycomb's catalog is complete, with what was made through these mounts. */
    private static void awaitRecords(Hive hive, Path... mounts) {
        for (Path mount : mounts) {
            Posix.sync(mount);
        }
        Await.until(SETTLING, "all catalogs are complete", () -> {
            StatusReport report = hive.report();
            return report.hive() != null
                    && report.honeycombs().stream().allMatch(honeycomb -> honeycomb.recordsBehindMillis() == 0);
        });
    }
}
