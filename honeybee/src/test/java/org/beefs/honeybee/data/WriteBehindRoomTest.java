package org.beefs.honeybee.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
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
        hive.queen.grants = true;
        hive.queen.grantsWriting = true;
        hive.get(hive.session.start());
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

    private DelayedFile open(String name) {
        long inode = hive.queen.addFile(
                name, hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
        hive.get(hive.files.open(FakeHive.ROOT, inode, WRITE));
        return writeBehind.open(inode);
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
