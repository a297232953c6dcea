package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.List;
import org.beefs.honeybee.trace.TracedCall;
import org.beefs.honeybee.trace.TracedCall.Reason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TraceViewTest {
    @Test
    void shouldShowHowACallEnded() {
        assertThat(render(TraceLine.ENDED, call("report\033[2J.odt", null, 820, "ENOENT", List.of())))
                .isEqualTo("03:04:05.678  lookup      report?[2J.odt in inode 7  thread 12  0.82 ms  ENOENT"
                        + "  (request 00000000000000ab)");
        assertThat(render(TraceLine.ENDED, call("report.odt", "a/report.odt", 1_240_000, null, List.of())))
                .isEqualTo("03:04:05.678  lookup      a/report.odt  thread 12  1.2 s  ok  (request 00000000000000ab)");
    }

    @Test
    void shouldShowWhatACallWaitsFor() {
        List<Reason> reasons = List.of(
                new Reason("queen-bee", "the queen-bee, who waits for desktop2 to let go of what it caches"),
                new Reason("honeycomb", "the honeycomb of desktop3"));

        assertThat(render(TraceLine.WAITING, call(null, "", 1_500_000, null, reasons)))
                .isEqualTo(
                        "03:04:05.678  lookup      inode 7  thread 12  waits since 1.5 s for the queen-bee, who waits"
                                + " for desktop2 to let go of what it caches, and for the honeycomb of desktop3"
                                + "  (request 00000000000000ab)");
    }

    private static String render(String state, TracedCall call) {
        return TraceView.render(new TraceLine("desktop1", state, call), ZoneOffset.UTC);
    }

    private static TracedCall call(
            @Nullable String name, @Nullable String path, long micros, @Nullable String error, List<Reason> waits) {
        return new TracedCall(
                "2026-01-02T03:04:05.678Z", "lookup", 7, name, path, 12, micros, error, "00000000000000ab", waits);
    }
}
