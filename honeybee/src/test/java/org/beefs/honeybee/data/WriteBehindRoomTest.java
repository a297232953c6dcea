package org.beefs.honeybee.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.Test;

/** How much memory there is for all that is held back. */
class WriteBehindRoomTest {
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final int MOST = 10;

    private final FakeHive hive = new FakeHive();
    private final WriteBehind writeBehind = new WriteBehind(hive.session.cache(), MOST, () -> {});
    private final List<CompletableFuture<ReplicaStatus>> underWay = new ArrayList<>();

    @Test
    void shouldHoldBackNoMoreOfAllFilesThanThereIsMemoryFor() {
        start();
        DelayedFile one = open("one");
        DelayedFile other = open("other");

        assertThat(isHeldBack(one, 6)).isTrue();
        assertThat(isHeldBack(other, 5)).isFalse();
        assertThat(isHeldBack(other, 4)).isTrue();
        assertThat(writeBehind.bytes()).isEqualTo(MOST);

        underWay.getFirst().complete(ReplicaStatus.getDefaultInstance());
        assertThat(isHeldBack(other, 7)).isFalse();
        assertThat(isHeldBack(one, 6)).isTrue();
    }

    @Test
    void shouldLoseNothingOfMoreWritesThanMayWaitForOneHoneycomb() {
        start();
        hive.honeycomb.held = OperationCase.WRITE;
        List<Long> handles = new ArrayList<>();
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < 140; i++) {
            long handle = hive.get(hive.files.open(FakeHive.ROOT, addFile("f" + i), WRITE))
                    .handle();
            handles.add(handle);
            CompletableFuture<Void> written = Futures.DONE;
            for (int j = 0; j < DelayedFile.MOST_WRITES && written.isDone(); j++) { // none of them joins another
                written = hive.files.write(handle, 2L * j, Unpooled.wrappedBuffer(new byte[1]), false, false);
                writes.add(written);
            }
        }
        hive.timers.runDue();

        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;
        hive.honeycomb.letGo();
        writes.forEach(hive::get);

        handles.forEach(handle -> hive.get(hive.files.sync(handle, false)));
    }

    private void start() {
        hive.queen.grants = true;
        hive.queen.grantsWriting = true;
        hive.get(hive.session.start());
    }

    private DelayedFile open(String name) {
        long inode = addFile(name);
        hive.get(hive.files.open(FakeHive.ROOT, inode, WRITE));
        return writeBehind.open(inode);
    }

    private long addFile(String name) {
        return hive.queen.addFile(
                name, hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
    }

    private boolean isHeldBack(DelayedFile file, int bytes) {
        return hive.get(file.write(100L * underWay.size(), Unpooled.wrappedBuffer(new byte[bytes]), (_, _, _) -> {
                    CompletableFuture<ReplicaStatus> sent = new CompletableFuture<>();
                    underWay.add(sent);
                    return sent;
                }))
                .isPresent();
    }
}
