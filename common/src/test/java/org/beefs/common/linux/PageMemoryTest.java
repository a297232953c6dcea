package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PageMemoryTest {
    private static final long PAGE = PageMemory.PAGE;

    private final MemorySegment memory = PageMemory.allocate(3 * PAGE).fill((byte) 1);

    @Test
    void shouldDiscardWholePages() {
        PageMemory.discard(memory.asSlice(0, 2 * PAGE));

        assertThat(ones(0, 2 * PAGE)).isZero();
        assertThat(ones(2 * PAGE, PAGE)).isEqualTo(PAGE);
    }

    /** The rest of the page may be somebody else's. */
    @Test
    void shouldDiscardNothingOfAPageThatIsNotWhollyInside() {
        PageMemory.discard(memory.asSlice(0, PAGE + PAGE / 2));
        PageMemory.discard(memory.asSlice(PAGE + PAGE / 2, PAGE / 4));

        assertThat(ones(0, PAGE)).isZero();
        assertThat(ones(PAGE, 2 * PAGE)).isEqualTo(2 * PAGE);
    }

    @Test
    void shouldDiscardFromTheFirstPageThatIsWhollyInside() {
        PageMemory.discard(memory.asSlice(PAGE / 2, 2 * PAGE));

        assertThat(ones(0, PAGE)).isEqualTo(PAGE);
        assertThat(ones(PAGE, PAGE)).isZero();
        assertThat(ones(2 * PAGE, PAGE)).isEqualTo(PAGE);
    }

    private long ones(long from, long length) {
        long ones = 0;
        for (long i = from; i < from + length; i++) {
            ones += memory.get(JAVA_BYTE, i);
        }
        return ones;
    }
}
