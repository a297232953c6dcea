package org.beefs.honeycomb.replicator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.time.ManualClock;
import org.junit.jupiter.api.Test;

class WindowTest {
    private final ManualClock clock = new ManualClock();
    private final Window window = new Window(clock);

    @Test
    void shouldGrowUpToABoundWhileAllComesSoon() {
        come(Window.LEAST, Duration.ofMillis(999));
        assertThat(window.bytes()).isEqualTo(2 * Window.LEAST);

        for (int i = 0; i < 10; i++) {
            come(window.bytes(), Duration.ZERO);
        }
        assertThat(window.bytes()).isEqualTo(Window.MOST);
    }

    @Test
    void shouldNotGrowBecauseOfLittle() {
        come(Window.LEAST / 2, Duration.ZERO);

        assertThat(window.bytes()).isEqualTo(Window.LEAST);
    }

    @Test
    void shouldStayWhereItComesInAWhile() {
        come(Window.LEAST, Duration.ZERO);

        come(window.bytes(), Duration.ofSeconds(2));

        assertThat(window.bytes()).isEqualTo(2 * Window.LEAST);
    }

    @Test
    void shouldShrinkDownToABoundWhileItTakesLong() {
        come(Window.LEAST, Duration.ZERO);

        for (int i = 0; i < 3; i++) {
            come(window.bytes(), Duration.ofSeconds(4));
        }

        assertThat(window.bytes()).isEqualTo(Window.LEAST);
    }

    private void come(long bytes, Duration time) {
        CompletableFuture<Void> coming = new CompletableFuture<>();
        CompletableFuture<Void> measured = window.measure(bytes, () -> coming);
        clock.advance(time);
        coming.complete(null);
        assertThat(measured).isCompleted();
    }
}
