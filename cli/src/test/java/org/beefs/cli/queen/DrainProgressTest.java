package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.beefs.cli.queen.DrainProgress.State;
import org.beefs.cli.terminal.TickingClock;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.junit.jupiter.api.Test;

class DrainProgressTest {
    private final Clock slow = new TickingClock(Duration.ofSeconds(1));

    private final StringWriter written = new StringWriter();
    private final DrainProgress progress = new DrainProgress("desktop3", new PrintWriter(written), false, slow);

    @Test
    void shouldShowHowFarItIsUntilNothingIsLeft() {
        assertThat(progress.show(left(20, 0, 0), true)).isEqualTo(State.UNDER_WAY);
        assertThat(progress.show(left(10, 0, 0), true)).isEqualTo(State.UNDER_WAY);
        assertThat(progress.show(left(0, 0, 4), true)).isEqualTo(State.UNDER_WAY);
        assertThat(progress.show(left(0, 0, 0), true)).isEqualTo(State.EMPTY);

        assertThat(written.toString().lines())
                .hasSize(3)
                .anyMatch(line -> line.contains("20 of 20"))
                .last()
                .isEqualTo("waiting for desktop3 to remove what has left");
    }

    @Test
    void shouldWaitUntilOthersKeepItsRecords() {
        DrainView unheard = new DrainView(true, 0, 0, 0, 0, List.of(), 0, 1, false, false);

        assertThat(progress.show(unheard, true)).isEqualTo(State.UNDER_WAY);
        assertThat(written.toString()).contains("waiting for other desktops to write down the records");
    }

    @Test
    void shouldSayThatItWaitsForTheDesktopItself() {
        progress.show(left(20, 0, 0), false);
        progress.show(left(20, 0, 0), false);
        assertThat(written.toString().lines().filter("desktop3 is away: switch it on"::equals))
                .hasSize(1);

        progress.show(left(0, 0, 4), true);
        assertThat(written.toString()).contains("waiting for desktop3 to remove what has left");
    }

    @Test
    void shouldNotWaitForADesktopThatNobodyNeedsAnyMore() {
        progress.show(new DrainView(true, 0, 0, 0, 0, List.of(), 0, 1, false, false), false);

        assertThat(written.toString()).doesNotContain("away").contains("waiting for other desktops");
    }

    @Test
    void shouldNotWaitForADesktopThatWasGivenUp() {
        DrainView givenUp = new DrainView(true, 2, 200, 0, 2, List.of(), 0, 0, false, true);

        assertThat(progress.show(givenUp, false)).isEqualTo(State.GIVEN_UP);
        assertThat(written.toString()).doesNotContain("switch it on");
    }

    @Test
    void shouldBelieveNothingThatWasNotCounted() {
        DrainView uncounted = new DrainView(false, 0, 0, 0, 0, List.of(), 0, 0, false, false);

        assertThat(progress.show(uncounted, true)).isEqualTo(State.UNDER_WAY);
    }

    @Test
    void shouldNameOnceWhatItWaitsFor() {
        DrainView open = new DrainView(true, 2, 100, 1, 0, List.of("/report"), 0, 0, false, false);

        progress.show(open, true);
        progress.show(open, true);

        assertThat(written.toString().lines().filter(line -> line.endsWith("/report")))
                .hasSize(1);
    }

    @Test
    void shouldGiveUpWhenNothingThatIsLeftHasAnotherPlace() {
        for (int look = 1; look < 10; look++) {
            assertThat(progress.show(left(2, 2, 0), true)).isEqualTo(State.UNDER_WAY);
        }
        assertThat(progress.show(left(2, 2, 0), true)).isEqualTo(State.STUCK);
    }

    /** Others have yet to copy from it, and no other place is needed then. */
    @Test
    void shouldNotGiveUpWhileTheDesktopIsAway() {
        for (int look = 1; look <= 20; look++) {
            assertThat(progress.show(left(2, 2, 0), false)).isEqualTo(State.UNDER_WAY);
        }
    }

    private static DrainView left(long replicas, long stuck, long drops) {
        return new DrainView(
                true, replicas, 100 * replicas, 0, stuck, List.of(), drops, 0, replicas + drops == 0, false);
    }
}
