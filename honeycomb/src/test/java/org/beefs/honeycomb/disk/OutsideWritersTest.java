package org.beefs.honeycomb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replica files of the real file system that others write as well. */
class OutsideWritersTest {
    private static final ReplicaId ID = new ReplicaId(0x1_2345L, 0);

    @TempDir
    Path folder;

    private LinuxReplicaFiles files;
    private ReplicaFile file;

    @BeforeEach
    void create() throws IOException {
        UserXattrs.require(folder);
        files = LinuxReplicaFiles.open(folder);
        file = files.create(ReplicaDescription.newBuilder().setInode(ID.inode()).build());
    }

    @AfterEach
    void close() {
        file.close();
        files.close();
    }

    @Test
    void shouldSeeNoWriterWhereThereIsNone() throws IOException {
        assertThat(files.showsWriters()).isTrue();
        assertThat(file.isOpenForWriting()).isFalse();
        try (FileChannel reader = FileChannel.open(path(), StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            file.write(bytes("honey"), 0);
            reader.map(MapMode.READ_ONLY, 0, 5, arena);
            assertThat(file.isOpenForWriting()).isFalse();
        }
    }

    @Test
    void shouldNotCountItself() {
        file.write(bytes("honey"), 0);
        file.truncate(3);
        file.allocate(0, 0, 100);
        file.append(bytes("x"));

        assertThat(file.isOpenForWriting()).isFalse();
        file.write(bytes("comb"), 0);
        assertThat(file.status().size()).isEqualTo(101);
        assertThat(file.isOpenForWriting()).isFalse();
    }

    @Test
    void shouldSeeADescriptorThatMayWrite() throws IOException {
        try (FileChannel writer = FileChannel.open(path(), StandardOpenOption.WRITE)) {
            assertThat(file.isOpenForWriting()).isTrue();
            writer.write(ByteBuffer.wrap(new byte[] {1}));
        }
        assertThat(file.isOpenForWriting()).isFalse();
    }

    @Test
    void shouldSeeAMappingThatMayWriteAfterItsDescriptorIsClosed() throws IOException {
        file.truncate(10_000);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map;
            try (FileChannel writer = FileChannel.open(path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                map = writer.map(MapMode.READ_WRITE, 0, 10_000, arena);
            }
            assertThat(file.isOpenForWriting()).isTrue();
            map.set(ValueLayout.JAVA_BYTE, 5000, (byte) 7);
        }
        assertThat(file.isOpenForWriting()).isFalse();
    }

    @Test
    void shouldSeeWritersOfAFileThatHasNoNameAnyMore() throws IOException {
        try (FileChannel writer = FileChannel.open(path(), StandardOpenOption.WRITE)) {
            files.delete(ID);
            assertThat(file.isOpenForWriting()).isTrue();
            writer.write(ByteBuffer.wrap(new byte[] {1}));
        }
        assertThat(file.isOpenForWriting()).isFalse();
        file.append(bytes("x"));
        assertThat(file.status().size()).isEqualTo(2);
    }

    /** Looking at the size and then writing there would lose lines. */
    @Test
    void shouldAppendAtTheEndWhoeverElseAppends() throws Exception {
        int lines = 5000;
        Thread outside = Thread.ofPlatform().start(() -> appendOutside(lines));
        for (int i = 0; i < lines; i++) {
            file.append(bytes("inside\n"));
        }
        outside.join();

        assertThat(Files.readAllLines(path())).hasSize(2 * lines).containsOnly("inside", "outside");
    }

    @Test
    void shouldSeeWhoWritesThroughAnotherObjectOfThisProcess() throws IOException {
        try (ReplicaFile same = Objects.requireNonNull(files.open(ID), "replica file")) {
            same.write(bytes("honey"), 0);
            assertThat(file.isOpenForWriting())
                    .as("another object of the same process")
                    .isTrue();
        }
        assertThat(file.isOpenForWriting()).isFalse();
    }

    @Test
    void shouldWaitForAWriteOfAnotherThatHasBegun() throws Exception {
        CompletableFuture<Path> task = new CompletableFuture<>();
        Thread waiting;
        try (HeldWrite write = HeldWrite.begin(path())) {
            waiting = Thread.ofPlatform().start(() -> {
                task.complete(taskOfThisThread());
                file.finishWrites();
            });
            while (waiting.isAlive() && !isBlockedInTheKernel(task.join())) {
                Thread.onSpinWait();
            }
            assertThat(waiting.isAlive()).as("it waits").isTrue();
            assertThat(write.isUnderWay()).isTrue();
        }
        waiting.join();
    }

    private static Path taskOfThisThread() {
        try {
            return Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it sleeps there where no signal wakes it, as for a lock; not once it has ended. */
    private static boolean isBlockedInTheKernel(Path task) throws IOException {
        try {
            return Files.readString(task.resolve("stat")).contains(") D ");
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void appendOutside(int lines) {
        try (FileChannel writer = FileChannel.open(path(), StandardOpenOption.APPEND)) {
            for (int i = 0; i < lines; i++) {
                writer.write(bytes("outside\n"));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path path() {
        return folder.resolve("replicas/01/23/0000000000012345.00000000");
    }

    private static ByteBuffer bytes(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocateDirect(encoded.length).put(encoded).flip();
    }
}
