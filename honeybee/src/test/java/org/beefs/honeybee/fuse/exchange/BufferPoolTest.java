package org.beefs.honeybee.fuse.exchange;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.beefs.common.linux.PageMemory;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
    private static final int BUFFERS = 20;

    private final BufferPool pool = new BufferPool(BUFFERS);

    @Test
    void shouldGiveBackThePagesOfABufferThatIsNoPools() {
        BufferPool empty = new BufferPool(1);
        empty.takeNow();
        RequestBuffer buffer = Objects.requireNonNull(empty.takeNow(2L * PageMemory.PAGE));
        buffer.memory().fill((byte) 1);

        empty.give(buffer);

        assertThat(buffer.memory().mismatch(MemorySegment.ofArray(new byte[2 * PageMemory.PAGE])))
                .as("pages that were given back read as zeros")
                .isEqualTo(-1);
        assertThat(empty.free()).isZero();
    }

    @Test
    void shouldSayWhenTheSystemHasNoMemoryLeft() {
        BufferPool empty = new BufferPool(1);
        empty.takeNow();

        assertThat(empty.takeNow(Long.MAX_VALUE / 2)).isNull();
    }

    @Test
    void shouldGiveEachBufferToOneTakerOnly() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            Set<RequestBuffer> taken = new HashSet<>();
            Set<Long> addresses = new HashSet<>();
            for (int i = 0; i < BUFFERS; i++) {
                RequestBuffer buffer = Objects.requireNonNull(pool.takeNow());
                buffer.memory().set(JAVA_BYTE, RequestBuffer.BYTES - 1, (byte) 1);
                taken.add(buffer);
                addresses.add(buffer.memory().address());
            }

            assertThat(addresses).hasSize(BUFFERS);
            assertThat(pool.takeNow()).isNull();
            assertThat(pool.take(Duration.ZERO)).isNull();
            taken.forEach(pool::give);
            assertThat(pool.free()).isEqualTo(BUFFERS);
        }
    }
}
