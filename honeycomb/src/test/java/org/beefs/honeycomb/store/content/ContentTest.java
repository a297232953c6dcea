package org.beefs.honeycomb.store.content;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.junit.jupiter.api.Test;

/** What becomes of content that a disk takes in parts. */
class ContentTest {
    private final ByteBuf content = Unpooled.directBuffer().writeBytes("abcdef".getBytes(UTF_8));
    private final StringBuilder appended = new StringBuilder();

    @Test
    void shouldAppendWhatADiskTakesInParts() {
        Content.append(diskThatTakes(2, 3, 1), content);

        assertThat(appended).hasToString("abcdef");
        assertThat(content.readableBytes())
                .as("the caller's buffer is as it was")
                .isEqualTo(6);
    }

    @Test
    void shouldSayThatADiskIsFullWhenNothingWasAppended() {
        assertThat(errnoOf(() -> Content.append(diskThatTakes(), content))).isEqualTo(Errno.ENOSPC);
    }

    @Test
    void shouldNotHaveAnybodyAppendAgainWhatIsThereInPart() {
        assertThat(errnoOf(() -> Content.append(diskThatTakes(2), content))).isEqualTo(Errno.EIO);
    }

    /** As many bytes each time, and then it is full. */
    private ReplicaFile diskThatTakes(Integer... bytes) {
        Deque<Integer> room = new ArrayDeque<>(List.of(bytes));
        return (ReplicaFile) Proxy.newProxyInstance(
                ContentTest.class.getClassLoader(), new Class<?>[] {ReplicaFile.class}, (_, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("append");
                    if (room.isEmpty()) {
                        throw new PosixException(Errno.ENOSPC, "the disk is full");
                    }
                    ByteBuffer from = (ByteBuffer) arguments[0];
                    byte[] taken = new byte[room.remove()];
                    from.get(taken);
                    appended.append(new String(taken, UTF_8));
                    return taken.length;
                });
    }
}
