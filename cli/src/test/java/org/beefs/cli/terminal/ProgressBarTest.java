package org.beefs.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.time.Clock;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final StringWriter written = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();
    private final Clock clock = new Clock() {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long bootNanos() {
            return nanos.get();
        }
    };

    @Test
    void shouldPrintALineForEachTenthWhereThereIsNoTerminal() {
        ProgressBar bar = bar(20, false);

        advance(bar, 20);

        assertThat(written.toString().lines())
                .hasSize(10)
                .last()
                .isEqualTo("copy          [" + "#".repeat(30) + "] 20 of 20");
    }

    @Test
    void shouldDrawOneLineAgainOnATerminal() {
        ProgressBar bar = bar(4, true);

        advance(bar, 1);
        bar.end();

        assertThat(written.toString())
                .isEqualTo(
                        "\rcopy          [#######.......................] 1 of 4, 1.0/s, about 0:03 left\033[K\r\033[K");
    }

    @Test
    void shouldSayNothingOfWhatIsOverWithinASecond() {
        for (boolean terminal : List.of(true, false)) {
            ProgressBar bar = bar(10, terminal);
            nanos.addAndGet(Duration.ofMillis(999).toNanos());
            bar.advance(10);
        }

        assertThat(written.toString()).isEmpty();
    }

    @Test
    void shouldStayFullWhenMoreIsDoneThanExpected() {
        ProgressBar bar = bar(2, false);

        advance(bar, 3);

        assertThat(written.toString().lines()).hasSize(2).last().asString().endsWith("2 of 2");
    }

    @Test
    void shouldShowSizesAndHowFastBytesCome() {
        ProgressBar bar = ProgressBar.ofBytes("warmup", 10 << 20, new PrintWriter(written), true, clock);
        bar.skip(4 << 20);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());

        bar.advance(2 << 20);

        assertThat(written.toString()).contains("6.0 MiB of 10.0 MiB, 1.0 MiB/s, about 0:04 left");
    }

    private ProgressBar bar(int all, boolean terminal) {
        return new ProgressBar("copy", all, new PrintWriter(written), terminal, clock);
    }

    /** A step a second. */
    private void advance(ProgressBar bar, int steps) {
        for (int i = 0; i < steps; i++) {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            bar.advance();
        }
    }
}
