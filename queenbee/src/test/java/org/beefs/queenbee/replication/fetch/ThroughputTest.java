package org.beefs.queenbee.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.Test;

/** How fast copies are made. */
class ThroughputTest {
    private final ManualTime time = new ManualTime();
    private final Throughput throughput = new Throughput(time);

    @Test
    void shouldBeWhatWasCopiedInTheTimeThatItTook() {
        throughput.copied(600);
        throughput.copied(400);
        time.jump(Duration.ofSeconds(2));
        throughput.tick(true);

        assertThat(throughput.perSecond()).isEqualTo(500);
    }

    /** Sparse files may be as large. */
    @Test
    void shouldCountSizesThatAreMoreThanANumberHolds() {
        throughput.copied(Long.MAX_VALUE);
        throughput.copied(Long.MAX_VALUE);
        time.jump(Duration.ofSeconds(1));
        throughput.tick(true);

        assertThat(throughput.perSecond()).isEqualTo(Long.MAX_VALUE);
    }
}
