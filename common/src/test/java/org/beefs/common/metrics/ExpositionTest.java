package org.beefs.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.beefs.common.time.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExpositionTest {
    private final Exposition exposition = new Exposition();

    @AfterEach
    void close() {
        exposition.close();
    }

    @Test
    void shouldTellWhatHoldsWhenItIsAsked() {
        Map<String, Long> values = new TreeMap<>();
        exposition.gauges("beefs_used_bytes", "What replicas take", "desktop", () -> values);
        values.put("with \"quotes\"\nand lines", 7L);

        assertThat(exposition.text()).contains("beefs_used_bytes{desktop=\"with \\\"quotes\\\"\\nand lines\"} 7.0\n");

        values.clear();
        assertThat(exposition.text()).doesNotContain("beefs_used_bytes{");
    }

    @Test
    void shouldLeaveOutWhatIsNotKnown() {
        AtomicReference<Optional<Long>> known = new AtomicReference<>(Optional.of(3L));
        exposition.gaugeIfKnown("beefs_inodes", "Files", known::get);
        exposition.counterIfKnown("beefs_recalls", "Recalls", known::get);
        assertThat(exposition.text()).contains("beefs_inodes 3.0\n", "beefs_recalls_total 3.0\n");

        known.set(Optional.empty());

        assertThat(exposition.text())
                .doesNotContain("beefs_inodes 3", "beefs_recalls_total 3")
                .endsWith("# EOF\n");
    }

    @Test
    void shouldTellTimesAsHistogramsInSeconds() {
        OperationTimes<Thread.State> times = new OperationTimes<>();
        exposition.times("beefs_request_seconds", "How long requests take", times::read);
        times.took(Thread.State.NEW, 1_000);
        times.took(Thread.State.NEW, 1_500_000_000);
        times.took(Thread.State.NEW, 60_000_000_000L);

        assertThat(exposition.text())
                .contains("beefs_request_seconds_bucket{operation=\"new\",le=\"1.6384E-5\"} 1\n")
                .contains("beefs_request_seconds_bucket{operation=\"new\",le=\"1.073741824\"} 1\n")
                .contains("beefs_request_seconds_bucket{operation=\"new\",le=\"2.147483648\"} 2\n")
                .contains("beefs_request_seconds_bucket{operation=\"new\",le=\"+Inf\"} 3\n")
                .contains("beefs_request_seconds_sum{operation=\"new\"} 61.500001\n")
                .doesNotContain("operation=\"runnable\"");
    }

    @Test
    void shouldTellFiguresOfTheJvm() {
        assertThat(exposition.text()).contains("jvm_memory_used_bytes").endsWith("# EOF\n");
    }

    @Test
    void shouldGoOnCountingAfterGarbageWasCollected() {
        AtomicLong recalls = new AtomicLong(3);
        exposition.counter("beefs_recalls", "Recalls", recalls::get);
        assertThat(exposition.text()).contains("beefs_recalls_total 3.0\n");

        collectGarbage();
        recalls.incrementAndGet();

        assertThat(exposition.text()).contains("beefs_recalls_total 4.0\n");
    }

    private static void collectGarbage() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        Await.until("garbage is collected", () -> {
            System.gc();
            return garbage.refersTo(null);
        });
    }
}
