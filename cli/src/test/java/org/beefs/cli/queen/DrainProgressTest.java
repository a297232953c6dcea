package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.beefs.cli.control.DaemonStatus.DrainStatus;
import org.beefs.cli.queen.DrainProgress.State;
import org.beefs.cli.terminal.TickingClock;
import org.beefs.common.time.Clock;
import org.junit.jupiter.api.Test;

class DrainProgressTest {
    private final Clock slow = new TickingClock(Duration.ofSeconds(1));

    private final StringWriter written = new StringWriter();
    private final DrainProgress progress = new DrainProgress("desktop3", new PrintWriter(written), false, slow);

    @Test
    void shouldShowHowFarItIsUntilNothingIsLeft() {
        assertThat(progress.show(left(20, 0, 0))).isEqualTo(State.UNDER_WAY);
        assertThat(progress.show(left(10, 0, 0))).isEqualTo(State.UNDER_WAY);
        assertThat(progress.show(left(0, 0, 4))).isEqualTo(State.UNDER_WAY);
        assertThat(progress.show(left(0, 0, 0))).isEqualTo(State.EMPTY);

        assertThat(written.toString().lines()).hasSize(2).last().asString().contains("20 of 20");
    }

    @Test
    void shouldWaitUntilOthersKeepItsRecords() {
        DrainStatus unheard = new DrainStatus(true, 0, 0, 0, 0, List.of(), 0, 1);

        assertThat(progress.show(unheard)).isEqualTo(State.UNDER_WAY);
        assertThat(written.toString()).contains("waiting for other desktops to write down the records");
    }

    @Test
    void shouldBelieveNothingThatWasNotCounted() {
        DrainStatus uncounted = new DrainStatus(false, 0, 0, 0, 0, List.of(), 0, 0);

        assertThat(progress.show(uncounted)).isEqualTo(State.UNDER_WAY);
    }

    @Test
    void shouldNameOnceWhatItWaitsFor() {
        DrainStatus open = new DrainStatus(true, 2, 100, 1, 0, List.of("/report"), 0, 0);

        progress.show(open);
        progress.show(open);

        assertThat(written.toString().lines().filter(line -> line.endsWith("/report")))
                .hasSize(1);
    }

    @Test
    void shouldGiveUpWhenNothingThatIsLeftHasAnotherPlace() {
        for (int look = 1; look < 10; look++) {
            assertThat(progress.show(left(2, 2, 0))).isEqualTo(State.UNDER_WAY);
        }
        assertThat(progress.show(left(2, 2, 0))).isEqualTo(State.STUCK);
    }

    private static DrainStatus left(long replicas, long stuck, long drops) {
        return new DrainStatus(true, replicas, 100 * replicas, 0, stuck, List.of(), drops, 0);
    }
}
