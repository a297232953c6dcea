package org.beefs.queenbee.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatchSizeTest {
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(4);

    private final BatchSize size = new BatchSize();

    @Test
    void shouldGrowWhileFullBatchesAreWrittenSoon() {
        for (int i = 0; i < 10; i++) {
            written(size.bytes(), SOON);
        }

        assertThat(size.bytes()).isEqualTo(BatchSize.MOST);
    }

    @Test
    void shouldLearnNothingFromSmallBatches() {
        written(1000, SOON);

        assertThat(size.bytes()).isEqualTo(BatchSize.LEAST);
    }

    @Test
    void shouldShrinkWhenBatchesTakeLongOrBreakOff() {
        written(size.bytes(), SOON);
        written(size.bytes(), SOON);
        written(size.bytes(), LONG);
        assertThat(size.bytes()).isEqualTo(2 * BatchSize.LEAST);

        size.halve();
        size.halve();

        assertThat(size.bytes()).isEqualTo(BatchSize.LEAST);
    }

    private void written(int told, Duration within) {
        size.written(told, within.toNanos());
    }
}
