package org.beefs.honeybee.filesystem.prefetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.Test;

/** Small files of another desktop that are read in the order in which their directory was listed. */
class SmallFileScansTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final Timestamp TIME =
            Timestamp.newBuilder().setSeconds(1000).build();
    private static final int FILES = 100;

    private final FakeHive hive = new FakeHive();
    private final FakeHoneycomb honeycomb = hive.honeycomb;
    private final List<Long> inodes = new ArrayList<>();

    SmallFileScansTest() {
        hive.queen.grants = true;
        hive.get(hive.session.start());
        for (int i = 0; i < FILES; i++) {
            inodes.add(add("f%03d".formatted(i), "file " + i));
        }
    }

    @Test
    void shouldFetchTheNextFilesWhenTheFirstIsRead() {
        list();
        assertThat(fetched()).isEmpty();

        assertThat(read(0)).isEqualTo("file 0");

        assertThat(fetched())
                .isNotEmpty()
                .isEqualTo(inodes.subList(1, 1 + fetched().size()));
    }

    @Test
    void shouldAskOnceForManyFilesAsLongAsTheyAreReadInOrder() {
        list();

        for (int i = 0; i < FILES; i++) {
            assertThat(read(i)).isEqualTo("file " + i);
        }

        assertThat(reads()).containsExactly(inodes.getFirst());
        assertThat(fetched()).isEqualTo(inodes.subList(1, FILES));
        assertThat(honeycomb.requestsOf(OperationCase.READ_FILES)).hasSizeLessThan(FILES / 8);
    }

    @Test
    void shouldFetchTheFirstFilesOfTheNextDirectoryOfAWalk() {
        list();
        read(0);
        read(1);
        int before = fetched().size();

        list();

        assertThat(fetched()).hasSizeGreaterThan(before);
        int walked = fetched().size();
        list();
        assertThat(fetched())
                .as("nothing is fetched for who only lists from then on")
                .hasSize(walked);
    }

    @Test
    void shouldNotFetchWhatWasNotListed() {
        read(0);
        read(1);

        assertThat(fetched()).isEmpty();
    }

    @Test
    void shouldFetchLittleForWhoReadsHereAndThere() {
        list();

        for (int i = 0; i < 10; i++) {
            read(i % 2 == 0 ? 90 - i : i);
        }

        assertThat(fetched()).hasSizeLessThan(60);
    }

    @Test
    void shouldFetchSmallCleanFilesOnly() {
        long large = add("large", "x".repeat(1 << 17));
        long empty = add("empty", "");
        long dirty = add("dirty", "somebody writes");
        hive.queen.layout(dirty).setDirty(true);
        list();

        for (int i = 0; i < FILES; i++) {
            read(i);
        }

        assertThat(fetched()).doesNotContain(large, empty, dirty);
    }

    @Test
    void shouldReadAnewWhatSomebodyHasChanged() {
        list();
        read(0);
        assertThat(fetched()).contains(inodes.get(1));
        long changed = inodes.get(1);

        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(changed).build()));
        honeycomb.put(changed, "changed", TIME);

        assertThat(read(1)).isEqualTo("changed");
    }

    @Test
    void shouldReadAnewWhatWasUnderAnotherLease() {
        list();
        read(0);
        long changed = inodes.get(1);
        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(changed).build()));
        honeycomb.put(changed, "changed", TIME);
        hive.get(
                hive.files.lookup(ROOT, FileSystem.ROOT, FakeHive.bytes("f001"))); // with the same attributes as before

        assertThat(read(1)).isEqualTo("changed");
    }

    @Test
    void shouldForgetWhatNobodyReads() {
        list();
        read(0);
        assertThat(fetched()).contains(inodes.get(1));

        hive.pass(Duration.ofSeconds(11));
        read(1);

        assertThat(reads()).contains(inodes.get(1));
    }

    @Test
    void shouldReadByItselfWhatTheHoneycombLeavesOut() {
        list();
        honeycomb.lose(inodes.get(1));
        read(0);
        honeycomb.put(inodes.get(1), "file 1", TIME);

        assertThat(read(1)).isEqualTo("file 1");
        assertThat(reads()).contains(inodes.get(1));
    }

    @Test
    void shouldWaitForWhatIsOnItsWayAndThenReadByItself() {
        list();
        honeycomb.held = OperationCase.READ_FILES;
        read(0);

        CompletableFuture<Payload.Bytes> waits = hive.files.read(open(1), 0, 4096);
        hive.pass(Duration.ofMillis(500));
        assertThat(waits).isNotDone();
        hive.pass(Duration.ofSeconds(1));

        assertThat(text(hive.get(waits))).isEqualTo("file 1");
        assertThat(reads()).contains(inodes.get(1));
        honeycomb.letGo();
    }

    @Test
    void shouldAnswerPartsOfAFile() {
        list();
        read(0);
        long handle = open(1);

        assertThat(text(hive.get(hive.files.read(handle, 0, 3)))).isEqualTo("fil");
        assertThat(text(hive.get(hive.files.read(handle, 3, 100)))).isEqualTo("e 1");
        assertThat(reads()).doesNotContain(inodes.get(1));
    }

    private long add(String name, String content) {
        long inode = hive.queen.addFile(
                name,
                honeycomb
                        .layout()
                        .setVersion(7)
                        .setCommittedSize(content.length())
                        .setReadable(true),
                Attributes.newBuilder().setMode(0100644).setSize(content.length()));
        honeycomb.put(inode, content, TIME);
        return inode;
    }

    private void list() {
        hive.get(hive.files.listDirectory(FileSystem.ROOT, 0, 4096, true));
    }

    private long open(int file) {
        return hive.get(hive.files.open(ROOT, inodes.get(file), READ)).handle();
    }

    private String read(int file) {
        long handle = open(file);
        String content = text(hive.get(hive.files.read(handle, 0, 4096)));
        hive.get(hive.files.release(handle));
        return content;
    }

    private static String text(Payload payload) {
        try (payload) {
            return payload instanceof Payload.Bytes(ByteBuf bytes) ? bytes.toString(UTF_8) : "";
        }
    }

    /** What was asked for by itself. */
    private List<Long> reads() {
        return honeycomb.requestsOf(OperationCase.READ).stream()
                .map(request -> request.getTarget().getInode())
                .toList();
    }

    /** What was fetched ahead. */
    private List<Long> fetched() {
        return honeycomb.requestsOf(OperationCase.READ_FILES).stream()
                .flatMap(request -> request.getReadFiles().getTargetsList().stream())
                .map(ReplicaTarget::getInode)
                .toList();
    }
}
