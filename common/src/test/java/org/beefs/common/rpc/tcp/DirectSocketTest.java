package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DirectSocketTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @Test
    void shouldKeepNoDescriptorWhenThereIsNoMemory() throws IOException {
        assumeThat(Epoll.isAvailable()).isTrue();
        EpollSocketChannel channel = new EpollSocketChannel();
        channel.config().setAllocator(new UsedUp());
        Path socket = target(DESCRIPTORS.resolve(Integer.toString(channel.fd().intValue())));

        assertThatThrownBy(() -> DirectSocket.of(channel, null)).isInstanceOf(OutOfMemoryError.class);

        assertThat(descriptors(socket)).isOne();
        channel.unsafe().closeForcibly();
    }

    private static long descriptors(Path of) throws IOException {
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            return all.filter(one -> target(one).equals(of)).count();
        }
    }

    /** What a descriptor is of; itself when another thread has just closed it. */
    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException gone) {
            return descriptor;
        }
    }

    /** Has no memory outside the heap any more. */
    private static final class UsedUp extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return Unpooled.buffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("direct memory is used up");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }
}
