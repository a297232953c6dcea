package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.stream.Stream;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.program.Await;
import org.junit.jupiter.api.Test;

/** Close and fsync return when the content is on the disks of several desktops. */
@InHive
class PFactorIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @Test
    void shouldNotLoseWithADesktopWhatWasSynced(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.beefs("set", hive.mount().toString(), "--p-factor", "2", "--coherence", "24h")
                .run()
                .mustSucceed();
        Path file = hive.mount().resolve("ledger");

        try (FileChannel ledger = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            append(ledger, "synced");
            ledger.force(true);
            assertThat(holds(hive.desktop(2), "synced")).isTrue();
            append(ledger, ", closed");
        }
        assertThat(holds(hive.desktop(1), "synced, closed")).isTrue();
        assertThat(holds(hive.desktop(2), "synced, closed")).isTrue();

        Role second = hive.desktop(2);
        second.kill();
        Await.until(SOON, "it is missed", () -> hive.status().contains("asleep"));
        assertThatThrownBy(() -> Files.writeString(file, ", alone", StandardOpenOption.APPEND))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Input/output error");
        assertThat(log(hive.desktop(1)).lines().filter(line -> line.contains("not as safe as its P-factor demands")))
                .singleElement()
                .asString()
                .contains("missing: desktop2 (asleep)");

        second.restart();
        Await.until(SOON, "it is back", hive::areAllAwake);
        try (FileChannel ledger = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ledger.force(true);
        }
        assertThat(holds(second, "synced, closed, alone")).isTrue();

        FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE);
        hive.desktop(1).kill();
        closeUntold(open);
        Await.until(SOON, "it is missed", () -> hive.status().contains("asleep"));
        hive.beefs("lost", "desktop1").run().mustSucceed();
        Path uncached = hive.mountOn("desktop2").resolve("ledger");
        Await.until(SOON, "it can be read", () -> reads(uncached, "synced, closed, alone"));
    }

    private static void append(FileChannel file, String text) throws IOException {
        file.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    /** Its desktop is gone, so the queen-bee cannot hear of the close. */
    private static void closeUntold(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            // So is its mount.
        }
    }

    private static boolean reads(Path file, String content) {
        try {
            return Files.readString(file).equals(content);
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether a desktop's honeycomb has a replica with just this content. */
    private static boolean holds(Role desktop, String content) throws IOException {
        try (Stream<Path> all = Files.walk(desktop.folder().resolve("honeycomb/replicas"))) {
            return all.filter(Files::isRegularFile)
                    .anyMatch(replica -> read(replica).equals(content));
        }
    }

    private static String read(Path replica) {
        try {
            return Files.readString(replica);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String log(Role desktop) throws IOException {
        return Files.readString(desktop.folder().resolve("desktop.log"));
    }
}
