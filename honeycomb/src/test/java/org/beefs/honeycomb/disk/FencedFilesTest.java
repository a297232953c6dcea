package org.beefs.honeycomb.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Random;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.Identity;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Immutable replica files of the real file system, where that has them. */
class FencedFilesTest {
    private static final ReplicaId ID = new ReplicaId(0x1_2345L, 0);
    private static final ReplicaDescription SAYS =
            ReplicaDescription.newBuilder().setInode(ID.inode()).setEpoch(7).build();
    private static final int PAGE = 4096;

    @TempDir
    Path folder;

    private LinuxReplicaFiles files;
    private ReplicaFile file;

    @BeforeEach
    void create() throws IOException {
        UserXattrs.require(folder);
        files = LinuxReplicaFiles.open(folder);
        assumeTrue(files.fences(), "this file system cannot stop writers");
        file = files.create(SAYS);
    }

    @AfterEach
    void close() {
        if (files.fences()) {
            file.setImmutable(false);
            file.close();
        }
        files.close();
    }

    @Test
    void shouldStopDescriptorsAndMappingsThatAreThereAlready() throws IOException {
        file.truncate(PAGE);
        try (FileChannel writer = FileChannel.open(path(), StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment map = writer.map(MapMode.READ_WRITE, 0, PAGE, arena);
            map.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);

            file.setImmutable(true);

            assertThat(file.isImmutable()).isTrue();
            assertThatThrownBy(() -> writer.write(one(), 0)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> map.set(ValueLayout.JAVA_BYTE, 0, (byte) 2))
                    .isInstanceOf(InternalError.class);
            assertThat(file.isOpenForWriting()).isTrue();
            file.setImmutable(false);
            map.set(ValueLayout.JAVA_BYTE, 0, (byte) 3);
            assertThat(writer.write(one(), 0)).isEqualTo(1);
        }
    }

    @Test
    void shouldRemoveWhatIsImmutable() {
        file.setImmutable(true);
        files.delete(ID);
        assertThat(files.open(ID)).isNull();
    }

    @Test
    void shouldTakeCopyAndRemoveWhatAProgramHolds() throws IOException {
        Timestamp mtime = Timestamp.newBuilder().setSeconds(1234).setNanos(5678).build();
        file.truncate(1 << 20);
        file.write(text("end"), (1 << 20) - 3);
        file.write(text("honey"), 0);
        file.setTimes(SetTimes.newBuilder().setMtime(mtime).build());
        FencedFiles fenced = files.fenced();
        file.setImmutable(true);

        String name = fenced.take(ID);
        assertThat(files.open(ID)).isNull();
        assertThat(fenced.uncopied()).containsExactly(name);
        assertThat(fenced.replica(name)).isEqualTo(ID);
        file.setImmutable(true);
        fenced.copy(name, SAYS);
        fenced.finish(name);

        try (ReplicaFile copy = Objects.requireNonNull(files.open(ID))) {
            FileStatus status = copy.status();
            assertThat(status.size()).isEqualTo(1 << 20);
            assertThat(status.blocks() * 512).as("space of a sparse file").isEqualTo(2 * PAGE);
            assertThat(status.mtime()).isEqualTo(mtime);
            assertThat(copy.description()).isEqualTo(SAYS);
            assertThat(copy.isImmutable()).isFalse();
            ByteBuffer end = ByteBuffer.allocateDirect(8);
            assertThat(copy.read(end, (1 << 20) - 3)).isEqualTo(3);
            assertThat(end.get(0)).isEqualTo((byte) 'e');
        }
        assertThat(fenced.uncopied()).isEmpty();
        assertThat(fenced.copied()).containsExactly(name);
        fenced.remove(name);
        assertThat(fenced.copied()).isEmpty();
    }

    @Test
    void shouldCopyAnEmptyFileAndOneThatIsOnlyAHole() {
        for (long size : new long[] {0, 1 << 20}) {
            ReplicaFile fresh = Objects.requireNonNull(files.open(ID));
            fresh.truncate(size);
            fresh.close();
            String name = files.fenced().take(ID);
            files.fenced().copy(name, SAYS);
            files.fenced().finish(name);

            try (ReplicaFile copy = Objects.requireNonNull(files.open(ID))) {
                assertThat(copy.status().size()).isEqualTo(size);
                assertThat(copy.status().blocks()).isZero();
            }
        }
        assertThat(files.fenced().copied()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void shouldStartWhereAnEarlierStartHasDiedInTheMiddleOfItsProbe() throws IOException {
        files.writeIdentity(Identity.create(new Random(1)).encode());
        files.close();
        Files.createFile(folder.resolve("probe"));
        try (LinuxReplicaFile left = Objects.requireNonNull(LinuxReplicaFile.open(folder.resolve("probe")))) {
            left.setImmutable(true);
        }

        files = LinuxReplicaFiles.open(folder);

        assertThat(files.fences()).isTrue();
        assertThat(folder.resolve("probe")).doesNotExist();
    }

    private Path path() {
        return folder.resolve("replicas/01/23/0000000000012345.00000000");
    }

    private static ByteBuffer one() {
        return ByteBuffer.wrap(new byte[] {1});
    }

    private static ByteBuffer text(String text) {
        ByteBuffer direct = ByteBuffer.allocateDirect(text.length());
        return direct.put(text.getBytes(StandardCharsets.US_ASCII)).flip();
    }
}
