package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.queenbee.console.model.snapshot.HiveView.Attention;
import org.junit.jupiter.api.Test;

class AttentionReportTest {
    @Test
    void shouldNameTheCommandThatTheConsoleHasAButtonFor() {
        AttentionReport report = new AttentionReport(List.of(
                new Attention("desk7 has been away for 5d.", "If it does not come back:", "desk7", "lost"),
                new Attention("desk8 is drained.", "Or let it take replicas again:", "desk8", "cancel-drain"),
                new Attention("Less than 10 % of the space is free.", "Add a desktop.", null, null)));

        assertThat(report.render().lines())
                .containsExactly(
                        "desk7 has been away for 5d. If it does not come back: beefs lost desk7",
                        "desk8 is drained. Or let it take replicas again: beefs drain desk8 --cancel",
                        "Less than 10 % of the space is free. Add a desktop.");
    }

    @Test
    void shouldSayThatThereIsNothing() {
        assertThat(new AttentionReport(List.of()).render()).isEqualTo("Nothing needs attention.");
    }
}
