package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.beefs.queenbee.recovery.DrillFindings;
import org.beefs.queenbee.recovery.DrillGap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DrillReportTest {
    @Test
    void shouldSayNoMoreThanThatAllIsWell() {
        assertThat(DrillReport.lines(view("All is well.", null, List.of(), null)))
                .containsExactly("All is well.");
    }

    @Test
    void shouldTellWhatWouldNotComeBackAndWhatToDo() {
        DrillFindings findings = new DrillFindings(
                10,
                7,
                0,
                Map.of("missing", 2L, "returns", 1L),
                Map.of("away", 3L, "unknown", 2L),
                List.of(
                        new DrillGap("/a\u001bb", 7, "missing", "away", List.of("desk1", "desk2")),
                        new DrillGap("", 8, "returns", "lost", List.of("desk3"))),
                List.of("desk1", "desk2"),
                List.of("/u"));

        assertThat(DrillReport.lines(view("Not all.", "Switch on desk1.", List.of("a damaged one"), findings)))
                .containsExactly(
                        "Not all.",
                        "  a damaged one",
                        "  /a?b would be missing; who knows it is away: desk1, desk2",
                        "  inode 8 would be back though it was removed; who should know it and does not: desk3",
                        "  and 1 more",
                        "  unknown to the queen-bee: /u",
                        "  and 1 more",
                        "Switch on desk1.");
    }

    private static DrillView view(
            String summary, @Nullable String advice, List<String> damaged, @Nullable DrillFindings findings) {
        return new DrillView("failed", summary, advice, null, null, 0, 0, 0, List.of(), List.of(), damaged, findings);
    }
}
