package org.beefs.honeybee.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.Await;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.hive.HiveFileSystem;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.Test;

/** What the kernel keeps of the content of files on other desktops, and that nobody reads from it what is outdated. */
class FusePagesTest extends LeasedHiveTest {
    @Test
    void shouldReadOverTheNetworkOnce() throws Exception {
        addFile("f", "content");
        assertThat(root.resolve("f")).hasContent("content");
        long before = reads();

        assertThat(root.resolve("f")).hasContent("content");

        assertThat(reads()).isEqualTo(before);
    }

    @Test
    void shouldReadAgainWhatWasRecalledThoughItLooksTheSame() throws Exception {
        long inode = addFile("f", "old");
        assertThat(root.resolve("f")).hasContent("old");

        recallAttributes(inode);
        write(inode, "new", 1);

        assertThat(root.resolve("f")).hasContent("new");
    }

    @Test
    void shouldShowThroughOpenDescriptorsWhatOthersWrite() throws Exception {
        long inode = addFile("f", "one");
        try (FileChannel open = FileChannel.open(root.resolve("f"))) {
            assertThat(content(open)).isEqualTo("one");
            recallAttributes(inode);
            onHive(() -> hive.queen.layout(inode).setDirty(true));
            assertThat(content(open)).isEqualTo("one");

            write(inode, "two", 2);
            assertThat(content(open)).isEqualTo("two");
            write(inode, "longer", 3);
            assertThat(content(open)).isEqualTo("longer");
            write(inode, "cut", 4);
            assertThat(content(open)).isEqualTo("cut");
        }
    }

    @Test
    void shouldShowInMappingsWhatOthersHaveWrittenSinceTheRecall() throws Exception {
        long inode = addFile("f", "old");
        try (Arena arena = Arena.ofConfined();
                FileChannel open = FileChannel.open(root.resolve("f"))) {
            MemorySegment map = open.map(FileChannel.MapMode.READ_ONLY, 0, 3, arena);
            assertThat(MappedBytes.load(map, 0)).isEqualTo((byte) 'o');

            onHive(() -> {
                hive.honeycomb.put(inode, "new", time(1));
                return 0;
            });
            recallAttributes(inode);

            assertThat(MappedBytes.load(map, 0)).isEqualTo((byte) 'n');
        }
    }

    @Test
    void shouldKeepNothingOfWhatOthersAreWriting() throws Exception {
        long inode = addFile("f", "content");
        onHive(() -> hive.queen.layout(inode).setDirty(true));
        try (FileChannel open = FileChannel.open(root.resolve("f"))) {
            content(open);
            long before = reads();

            content(open);

            assertThat(reads()).isGreaterThan(before);
        }
    }

    @Test
    void shouldShowWhatAnotherMountOfTheDesktopWrites() throws Exception {
        Path other = mount(
                        "other",
                        new HiveFileSystem(hive.proxy, hive.honeycombs, hive.timers, FakeHive.CONFIG, false),
                        MountOptions.DEFAULTS)
                .target();
        addFile("f", "one");
        try (FileChannel open = FileChannel.open(root.resolve("f"))) {
            assertThat(content(open)).isEqualTo("one");

            Files.writeString(other.resolve("f"), "two");

            assertThat(content(open)).isEqualTo("two");
            assertThat(root.resolve("f")).hasContent("two");
        }
    }

    @Test
    void shouldLetGoWithoutWaitingForAHoneycombThatDoesNotAnswer() throws Exception {
        long inode = addFile("f", "x".repeat(10_000));
        onHive(() -> {
            hive.honeycomb.setMute(true);
            return 0;
        });
        Process stuck = start("cat " + root.resolve("f"));
        Await.until("the file is being read", () -> mount.requests().containsKey("READ"));

        recallAttributes(inode);

        assertThat(stuck.isAlive()).isTrue();
        stuck.descendants().forEach(ProcessHandle::destroyForcibly);
        stuck.destroyForcibly();
    }

    @Test
    void shouldDropPagesOfAFileWhileAnotherIsBeingRead() throws Exception {
        long read = addFile("read", "x".repeat(10_000));
        long other = addFile("other", "old");
        assertThat(root.resolve("other")).hasContent("old");
        hold(OperationCase.READ);
        Process reader = start("cat " + root.resolve("read"));
        Await.until("the file is being read", () -> mount.requests().getOrDefault("READ", 0L) >= 2);
        recallAttributes(read);
        hold(OperationCase.OPERATION_NOT_SET);

        recallAttributes(other);
        write(other, "new", 1);

        assertThat(root.resolve("other")).hasContent("new");
        onHive(() -> {
            hive.honeycomb.letGo();
            return 0;
        });
        assertThat(reader.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private void hold(OperationCase operation) throws Exception {
        onHive(() -> {
            hive.honeycomb.held = operation;
            return 0;
        });
    }

    /** The kernel ends no file system while it drops pages, and waits with that for reads. */
    @Test
    void shouldAnswerRecallsWhileAnUnmountingWaitsForARead() throws Exception {
        long read = addFile("read", "x".repeat(10_000));
        long other = addFile("other", "y");
        assertThat(root.resolve("other")).hasContent("y");
        onHive(() -> {
            hive.honeycomb.setMute(true);
            return 0;
        });
        Process reader = start("cat " + root.resolve("read"));
        Await.until("the file is being read", () -> mount.requests().getOrDefault("READ", 0L) >= 2);
        recallAttributes(read);
        for (ProcessHandle reading : reader.descendants().toList()) {
            reading.destroyForcibly();
            reading.onExit().get(30, TimeUnit.SECONDS);
        }
        Process unmounting = start("exec umount -l " + root);
        Await.until(
                "the file system is being ended",
                () -> !unmounting.isAlive() || unmounting.descendants().anyMatch(FusePagesTest::endsAFileSystem));

        recallAttributes(other);

        assertThat(unmounting.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean endsAFileSystem(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "wchan"))
                    .contains("fuse_kill_sb");
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void shouldForgetPagesWithTheLeases() throws Exception {
        long inode = addFile("f", "old");
        assertThat(root.resolve("f")).hasContent("old");
        onHive(() -> {
            hive.queen.endSession();
            return 0;
        });

        write(inode, "new", 1);
        addFile("other", "");
        assertThat(root.resolve("other")).exists();

        assertThat(root.resolve("f")).hasContent("new");
    }

    /**
     * What is read there would tell the kernel a wrong end of a file that was shortened meanwhile. The simulator's
     * kernel does the same.
     */
    @Test
    void shouldNotBeAskedForWhatLiesBehindTheEnd() throws Exception {
        addFile("f", "content");
        try (FileChannel open = FileChannel.open(root.resolve("f"))) {
            assertThat(open.read(ByteBuffer.allocate(100), "content".length())).isNegative();
            assertThat(mount.requests()).doesNotContainKey("READ");

            assertThat(content(open)).isEqualTo("content");
            assertThat(mount.requests()).containsEntry("READ", 1L);
        }
    }

    @Test
    void shouldReadAheadInLargeRequests() throws Exception {
        int size = 16 << 20;
        addFile("f", "x".repeat(size));

        shell("dd if=%s bs=4k of=/dev/null status=none".formatted(root.resolve("f")));

        long[] lengths = onHive(() -> hive.honeycomb.requestsOf(OperationCase.READ).stream()
                .map(DataRequest::getRead)
                .mapToLong(read -> read.getLength())
                .toArray());
        assertThat(Arrays.stream(lengths).filter(length -> length == 1 << 20)).hasSizeGreaterThan(10);
        assertThat(lengths).hasSizeLessThan(32);
    }

    /** A clean file that was written in second 1. */
    private long addFile(String name, String content) throws Exception {
        return onHive(() -> {
            long inode = hive.queen.addFile(
                    name,
                    hive.honeycomb.layout(),
                    Attributes.newBuilder()
                            .setMode(0100644)
                            .setSize(content.length())
                            .setMtime(time(1)));
            hive.honeycomb.put(inode, content, time(1));
            return inode;
        });
    }

    /** Somebody else writes, in that second. */
    private void write(long inode, String content, long second) throws Exception {
        onHive(() -> {
            hive.honeycomb.put(inode, content, time(second));
            return 0;
        });
    }

    private long reads() throws Exception {
        return onHive(() -> hive.honeycomb.requestsOf(OperationCase.READ).size());
    }

    private static String content(FileChannel open) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        int length = open.read(buffer, 0);
        return new String(buffer.array(), 0, Math.max(0, length), UTF_8);
    }

    private static Timestamp time(long second) {
        return Timestamp.newBuilder().setSeconds(second).build();
    }
}
