package org.beefs.honeycomb.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog that can be opened, and of which a part in the middle cannot be read. */
class DamagedCatalogTest {
    private static final int MANY = 5000;

    @TempDir
    Path folder;

    @Test
    void shouldBeMadeAnewByTheNextStartWhenDamageIsMetAtRunTime() throws IOException {
        fill();
        spoilTheMiddle();
        try (RocksCatalog damaged = RocksCatalog.open(catalog())) {
            assertThat(damaged.highestInode()).isEqualTo(MANY);
            assertThat(folder.resolve("catalog.damaged")).doesNotExist();
            assertThatThrownBy(() -> damaged.page(null, MANY)).isInstanceOf(PosixException.class);
            assertThatThrownBy(() -> damaged.page(null, MANY)).isInstanceOf(PosixException.class);
        }

        try (RocksCatalog anew = RocksCatalog.open(catalog())) {
            assertThat(anew.page(null, MANY)).isEmpty();
            assertThat(anew.takeMark(2)).as("the folder is scanned").isEmpty();
            anew.put(replica(6));
        }
        assertThat(folder.resolve("catalog.damaged")).isNotEmptyDirectory();
        try (RocksCatalog again = RocksCatalog.open(catalog())) {
            assertThat(again.page(null, MANY)).containsExactly(replica(6));
        }
    }

    private Path catalog() {
        return folder.resolve("catalog");
    }

    private void fill() throws IOException {
        try (RocksCatalog catalog = RocksCatalog.open(catalog())) {
            for (long inode = 1; inode <= MANY; inode++) {
                catalog.put(replica(inode));
            }
            catalog.markComplete(1, 100);
        }
    }

    /** Of the largest table, which has the replicas. */
    private void spoilTheMiddle() throws IOException {
        Path table;
        try (Stream<Path> files = Files.list(catalog())) {
            table = files.filter(file -> file.toString().endsWith(".sst"))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(table);
        bytes[bytes.length / 3] ^= 1;
        Files.write(table, bytes);
    }

    private static ReplicaDescription replica(long inode) {
        return ReplicaDescription.newBuilder()
                .setInode(inode)
                .setEpoch(1L << 32)
                .setVersion(inode * 0x9E37_79B9_7F4A_7C15L)
                .build();
    }
}
