package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private static final int LEAST = 64 * 1024;
    private static final int MOST = 1024 * 1024;
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(4);

    private final Allowance size = new Allowance(LEAST, MOST);

    @Test
    void shouldGrowWhileFullBatchesAreWrittenSoon() {
        for (int i = 0; i < 10; i++) {
            written(size.bytes(), SOON);
        }

        assertThat(size.bytes()).isEqualTo(MOST);
    }

    @Test
    void shouldLearnNothingFromSmallBatches() {
        written(1000, SOON);

        assertThat(size.bytes()).isEqualTo(LEAST);
    }

    @Test
    void shouldShrinkWhenBatchesTakeLongOrBreakOff() {
        written(size.bytes(), SOON);
        written(size.bytes(), SOON);
        written(size.bytes(), LONG);
        assertThat(size.bytes()).isEqualTo(2 * LEAST);

        size.halve();
        size.halve();

        assertThat(size.bytes()).isEqualTo(LEAST);
    }

    private void written(int told, Duration within) {
        size.came(told >= size.bytes(), within.toNanos());
    }
}
