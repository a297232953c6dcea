package org.beefs.queenbee.console.model.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who was there when, over restarts and within bounds. */
class PresenceHistoryTest {
    private static final Instant MORNING = Instant.parse("2026-11-24T08:00:00Z");
    private static final Duration LOOK = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    private PresenceHistory history;
    private Instant now = MORNING;

    @BeforeEach
    void open() {
        history = new PresenceHistory(folder);
    }

    @Test
    void shouldTellPeriodsOfADesktop() {
        see("awake");
        see("awake");
        see("asleep");
        see("lost");

        assertThat(history.of("desk1"))
                .containsExactly(
                        new PresencePeriod("awake", "2026-11-24T08:00:00Z", "2026-11-24T08:00:10Z"),
                        new PresencePeriod("asleep", "2026-11-24T08:00:10Z", "2026-11-24T08:00:15Z"),
                        new PresencePeriod("lost", "2026-11-24T08:00:15Z", null));
        assertThat(history.of("other")).isEmpty();
    }

    @Test
    void shouldKnowNothingOfTheTimeInWhichNobodyLooked() {
        see("awake");
        see("awake");
        history.save();
        history = new PresenceHistory(folder);
        now = now.plus(Duration.ofHours(1));
        see("awake");

        assertThat(history.of("desk1"))
                .containsExactly(
                        new PresencePeriod("awake", "2026-11-24T08:00:00Z", "2026-11-24T08:00:05Z"),
                        new PresencePeriod("not seen", "2026-11-24T08:00:05Z", "2026-11-24T09:00:10Z"),
                        new PresencePeriod("awake", "2026-11-24T09:00:10Z", null));
    }

    @Test
    void shouldMakeNoGapOfAShortRestart() {
        see("awake");
        history.save();
        history = new PresenceHistory(folder);
        see("awake");
        assertThat(history.of("desk1")).containsExactly(new PresencePeriod("awake", "2026-11-24T08:00:00Z", null));
    }

    /** A queen-bee that is killed saves nothing at her end. */
    @Test
    void shouldBeSavedNowAndThen() {
        for (int i = 0; i < 100; i++) {
            see("awake");
        }
        PresenceHistory after = new PresenceHistory(folder);
        assertThat(after.of("desk1")).isEqualTo(history.of("desk1"));
    }

    @Test
    void shouldForgetWhatIsOld() {
        see("asleep");
        now = now.plus(PresenceHistory.KEPT);
        Instant oldest = now.minus(PresenceHistory.KEPT);
        see("awake");
        assertThat(history.of("desk1"))
                .containsExactly(
                        new PresencePeriod(
                                "not seen",
                                oldest.toString(),
                                oldest.plus(PresenceHistory.KEPT).toString()),
                        new PresencePeriod(
                                "awake", oldest.plus(PresenceHistory.KEPT).toString(), null));
    }

    @Test
    void shouldKeepABoundedNumberOfChanges() {
        for (int i = 0; i < PresenceHistory.MOST_CHANGES; i++) {
            see("awake");
            see("asleep");
        }
        assertThat(history.of("desk1")).hasSize(PresenceHistory.MOST_CHANGES);
        assertThat(history.of("desk1").getLast().presence()).isEqualTo("asleep");
    }

    @Test
    void shouldForgetDesktopsThatAreNotThereAnyMore() {
        see("awake");
        now = now.plus(PresenceHistory.KEPT).plus(LOOK);
        history.see(now, List.of());
        assertThat(history.of("desk1")).isEmpty();
    }

    @Test
    void shouldBearAClockThatIsSetBack() {
        see("awake");
        now = now.minusSeconds(3600);
        see("asleep");
        see("asleep");
        assertThat(history.of("desk1"))
                .containsExactly(
                        new PresencePeriod("awake", "2026-11-24T07:00:05Z", "2026-11-24T07:00:05Z"),
                        new PresencePeriod("asleep", "2026-11-24T07:00:05Z", null));
    }

    @Test
    void shouldGoOnWithWhatIsSoAfterAMomentWithAClockYearsAhead() {
        see("awake");
        history.see(now.plus(Duration.ofDays(3650)), List.of(desktop("asleep")));
        see("asleep");
        now = MORNING.plus(Duration.ofHours(1));
        see("awake");
        see("asleep");

        assertThat(history.of("desk1").getLast()).isEqualTo(new PresencePeriod("asleep", "2026-11-24T09:00:05Z", null));
        assertThat(new PresenceHistory(folder).of("desk1"))
                .as("what was saved since")
                .last()
                .isEqualTo(new PresencePeriod("awake", "2026-11-24T09:00:00Z", null));
    }

    private void see(String presence) {
        history.see(now, List.of(desktop(presence)));
        now = now.plus(LOOK);
    }

    private static DesktopView desktop(String presence) {
        return new DesktopView(
                "desk1",
                presence,
                presence.equals("awake"),
                0,
                0,
                1,
                0,
                0,
                0,
                0,
                "unknown",
                0,
                0,
                null,
                null,
                List.of(),
                0,
                0,
                0,
                0,
                "",
                "",
                0,
                List.of(),
                false);
    }
}
