package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.junit.jupiter.api.Test;

/**
 * The kernel keeps content of files on other desktops, and nobody reads what is older than what somebody was told is
 * written.
 */
@InHive
class RemotePagesIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int ROUNDS = 200;

    @Test
    void shouldReadOverTheNetworkOnce(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        byte[] content = "line\n".repeat(500_000).getBytes(UTF_8);
        Files.write(hive.mount().resolve("file"), content);
        Path elsewhere = hive.mountOn("desktop2");
        Path file = elsewhere.resolve("file");

        awaitKept(hive, elsewhere, file);

        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    /** The reader opened before anybody wrote, and has read; so its kernel uses pages to the end. */
    @Test
    void shouldShowThroughOpenDescriptorsWhatIsWrittenAnywhere(Hives hives) throws IOException {
        Hive hive = hives.create(3);
        Path local = Files.writeString(hive.mount().resolve("file"), "0000 and more");
        Path elsewhere = hive.mountOn("desktop2");
        Path remote = hive.mountOn("desktop3").resolve("file");
        awaitKept(hive, elsewhere, elsewhere.resolve("file"));
        int reader = Posix.open(elsewhere.resolve("file"), Posix.O_RDONLY, 0);
        try {
            assertThat(read(reader)).isEqualTo("0000 and more");
            int fromAfar = Posix.open(remote, Posix.O_RDWR, 0);
            int past = Posix.open(local, Posix.O_RDWR, 0);
            try {
                for (int round = 1; round <= ROUNDS; round++) {
                    String written = "%04d".formatted(round);
                    Posix.pwrite(fromAfar, 0, written.getBytes(UTF_8));
                    assertThat(read(reader)).isEqualTo(written + " and more");

                    Posix.pwrite(past, 0, "past".getBytes(UTF_8));
                    assertThat(read(reader)).isEqualTo("past and more");

                    Posix.ftruncate(fromAfar, 4);
                    assertThat(read(reader)).isEqualTo("past");

                    Posix.pwrite(past, 4, " and more".getBytes(UTF_8));
                    assertThat(read(reader)).isEqualTo("past and more");
                }
            } finally {
                Posix.close(fromAfar);
                Posix.close(past);
            }
            Files.writeString(remote, "written anew");
            assertThat(read(reader)).isEqualTo("written anew");
            Posix.truncate(local, 7);
            assertThat(read(reader)).isEqualTo("written");
        } finally {
            Posix.close(reader);
        }
    }

    /** The answer to a change of attributes brings an mtime, for which the kernel drops no pages. */
    @Test
    void shouldShowThroughOpenDescriptorsWhatWasWrittenElsewhereBeforeAttributesWereChangedHere(Hives hives)
            throws IOException {
        Hive hive = hives.create(3);
        Path local = Files.writeString(hive.mount().resolve("file"), "0000 and more");
        Path file = hive.mountOn("desktop2").resolve("file");
        awaitKept(hive, hive.mountOn("desktop2"), file);
        int reader = Posix.open(file, Posix.O_RDONLY, 0);
        int writer = Posix.open(local, Posix.O_RDWR, 0);
        try {
            assertThat(read(reader)).isEqualTo("0000 and more");
            for (int round = 1; round <= ROUNDS; round++) {
                String written = "%04d".formatted(round);
                Posix.pwrite(writer, 0, written.getBytes(UTF_8));
                Files.setLastModifiedTime(file, FileTime.fromMillis(round));
                assertThat(read(reader)).isEqualTo(written + " and more");

                Posix.pwrite(writer, 0, "past".getBytes(UTF_8));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
                assertThat(read(reader)).isEqualTo("past and more");
            }
        } finally {
            Posix.close(reader);
            Posix.close(writer);
        }
    }

    @Test
    void shouldKeepNothingAcrossARestartOfTheQueenBee(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path local = Files.writeString(hive.mount().resolve("file"), "before");
        Path elsewhere = hive.mountOn("desktop2");
        Path file = elsewhere.resolve("file");
        awaitKept(hive, elsewhere, file);
        int reader = Posix.open(file, Posix.O_RDONLY, 0);
        try {
            assertThat(read(reader)).isEqualTo("before");
            hive.queenBee().kill();
            hive.up();

            Files.writeString(local, "behind");

            assertThat(read(reader)).isEqualTo("behind");
            assertThat(file).hasContent("behind");
        } finally {
            Posix.close(reader);
        }
    }

    /**
     * Reads until that asks nothing any more. A file is committed a moment after its writer has closed it, and nobody
     * keeps anything of it before that; nor for a while where a busy machine lets a lease end.
     */
    private static void awaitKept(Hive hive, Path mount, Path file) {
        Await.until(SOON, file + " is kept", () -> {
            read(file);
            long before = reads(hive, mount);
            read(file);
            return reads(hive, mount) == before;
        });
    }

    private static void read(Path file) {
        try {
            assertThat(Files.readAllBytes(file)).isNotEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(int descriptor) {
        return new String(Posix.pread(descriptor, 0, 100), UTF_8);
    }

    /** How often the kernel has asked for content through a mount. */
    private static long reads(Hive hive, Path mount) {
        return hive.requests(mount).of("READ");
    }
}
