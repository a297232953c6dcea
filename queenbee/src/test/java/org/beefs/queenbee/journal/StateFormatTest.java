package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.beefs.common.archive.FolderArchive;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** States that were written with today's and earlier formats can be opened. How one is written, DESIGN.md says. */
class StateFormatTest {
    private static final long ROOT = Namespace.ROOT;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void shouldOpenAState(int format) throws IOException {
        try (InputStream archive =
                StateFormatTest.class.getResourceAsStream("/formats/state-%d.zip".formatted(format))) {
            FolderArchive.unpack(Objects.requireNonNull(archive, "the fixture is in the repository"), folder);
        }
        try (RocksStateStore store = RocksStateStore.open(folder)) {
            TestHive hive = new TestHive(store);
            // For so long the daemon may come back that an older state does not know by its lock.
            hive.advance(Duration.ofSeconds(5));
            TestDesktop desktop = new TestDesktop(hive, "desk", 2, 2).registered();
            Node file = desktop.ok(Ask.lookup(ROOT, "file")).getNode();
            assertThat(file.getAttributes().getLinks()).isEqualTo(2);
            assertThat(file.getAttributes().getMode()).isEqualTo(0100640);
            assertThat(file.getAttributes().getSize()).isEqualTo(1234);
            assertThat(file.getLayout().getVersion()).isPositive();
            long inode = file.getAttributes().getInode();
            assertThat(desktop.ok(Ask.getXattr(inode, "user.note")).getXattr()).isEqualTo(Ask.bytes("kept"));
            long below = desktop.ok(Ask.lookup(ROOT, "folder"))
                    .getNode()
                    .getAttributes()
                    .getInode();
            assertThat(desktop.ok(Ask.lookup(below, "hard"))
                            .getNode()
                            .getAttributes()
                            .getInode())
                    .isEqualTo(inode);
            assertThat(desktop.ok(Ask.lookup(below, "soft"))
                            .getNode()
                            .getAttributes()
                            .getSize())
                    .isEqualTo("../file".length());
            assertThat(hive.queenBee().state().incarnation()).isEqualTo(2);
            assertThat(desktop.ok(Ask.mkdir(ROOT, "new", 0755))
                            .getNode()
                            .getAttributes()
                            .getInode())
                    .isGreaterThan(inode);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "beefs.fixtures", matches = "write")
    void writeAStateOfTodaysFormat() throws IOException {
        try (RocksStateStore store = RocksStateStore.open(folder)) {
            TestHive hive = new TestHive(store);
            TestDesktop desktop = new TestDesktop(hive, "desk").registered();
            long file = desktop.ok(Ask.create(ROOT, "file", 0640, 1))
                    .getNode()
                    .getAttributes()
                    .getInode();
            desktop.ok(Ask.release(
                    file,
                    1,
                    ReplicaStatus.newBuilder()
                            .setInode(file)
                            .setExists(true)
                            .setSize(1234)
                            .setMtime(Timestamp.newBuilder().setSeconds(1))
                            .setObservation(1)
                            .build()));
            desktop.ok(Ask.setXattr(file, "user.note", "kept"));
            long below = desktop.ok(Ask.mkdir(ROOT, "folder", 0755))
                    .getNode()
                    .getAttributes()
                    .getInode();
            desktop.ok(Ask.link(file, below, "hard"));
            desktop.ok(Ask.symlink(below, "soft", "../file"));
            desktop.ok(Ask.mknod(below, "removed", 0100600));
            desktop.ok(Ask.unlink(below, "removed"));
            desktop.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9)));
            desktop.ok(Ask.sync());
            hive.queenBee().close();
        }
        Path formats = Files.createDirectories(Path.of("src/test/resources/formats"));
        FolderArchive.pack(folder, formats.resolve("state-new.zip"));
    }
}
