package org.beefs.honeycomb.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksCatalogTest {
    @TempDir
    Path folder;

    private RocksCatalog catalog;

    @BeforeEach
    void open() throws IOException {
        catalog = RocksCatalog.open(folder.resolve("catalog"));
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private void reopen() throws IOException {
        close();
        open();
    }

    private static ReplicaDescription replica(long inode, int generation) {
        return ReplicaDescription.newBuilder()
                .setInode(inode)
                .setGeneration(generation)
                .setEpoch(1L << 32)
                .build();
    }

    @Test
    void shouldFindWhatWasPutUntilItIsRemoved() throws IOException {
        catalog.put(replica(5, 0));
        catalog.put(replica(5, 0).toBuilder().setVersion(3).build());
        reopen();
        assertThat(catalog.find(new ReplicaId(5, 0)))
                .isEqualTo(replica(5, 0).toBuilder().setVersion(3).build());
        catalog.remove(new ReplicaId(5, 0));
        assertThat(catalog.find(new ReplicaId(5, 0))).isNull();
    }

    @Test
    void shouldListReplicasInOrderPageByPage() {
        List<ReplicaDescription> all =
                List.of(replica(1, 0), replica(1, 1), replica(2, 0), replica(1L << 40, 0), replica(-1, 0));
        all.reversed().forEach(catalog::put);

        assertThat(catalog.page(null, 3)).isEqualTo(all.subList(0, 3));
        assertThat(catalog.page(new ReplicaId(2, 0), 3)).isEqualTo(all.subList(3, 5));
        assertThat(catalog.page(new ReplicaId(1, 5), 1)).isEqualTo(all.subList(2, 3));
        assertThat(catalog.page(new ReplicaId(-1, 0), 3)).isEmpty();
    }

    @Test
    void shouldKnowTheHighestInodeThatHasOrHadAReplica() throws IOException {
        assertThat(catalog.highestInode()).isZero();
        catalog.put(replica(1L << 41, 0));
        catalog.put(replica(5, 0));
        catalog.markComplete(1, 100);
        reopen();
        assertThat(catalog.highestInode()).isEqualTo(1L << 41);
        catalog.put(replica(1L << 42, 0));
        catalog.remove(new ReplicaId(1L << 42, 0));
        assertThat(catalog.highestInode()).isEqualTo(1L << 42);
    }

    @Test
    void shouldForgetAllReplicasButNotTheMark() {
        catalog.put(replica(5, 0));
        catalog.markComplete(1, 100);
        catalog.clear();
        assertThat(catalog.page(null, 10)).isEmpty();
        assertThat(catalog.takeMark(2)).hasValue(100);
    }

    @Test
    void shouldTakeTheMarkOfTheLastBootOnce() throws IOException {
        assertThat(catalog.takeMark(1)).isEmpty();
        catalog.markComplete(1, 4096);
        reopen();
        assertThat(catalog.takeMark(2)).hasValue(4096);
        reopen();
        assertThat(catalog.takeMark(3)).isEmpty();
    }

    @Test
    void shouldNotBelieveTheMarkOfAnEarlierBoot() {
        catalog.markComplete(1, 4096);
        assertThat(catalog.takeMark(3)).isEmpty();
    }

    @Test
    void shouldBeginAnewWhenItIsDamaged() throws IOException {
        catalog.put(replica(5, 0));
        catalog.close();
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(folder.resolve("catalog"), "{CURRENT,MANIFEST*}")) {
            for (Path entry : entries) {
                Files.writeString(entry, "garbage");
            }
        }
        open();
        assertThat(catalog.page(null, 10)).isEmpty();
        catalog.put(replica(6, 0));
        assertThat(catalog.find(new ReplicaId(6, 0))).isNotNull();
    }

    @Test
    void shouldFailInOrderAfterItsEnd() {
        catalog.close();
        assertThatThrownBy(() -> catalog.put(replica(5, 0)))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
    }
}
