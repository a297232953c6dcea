package org.beefs.cli.queen;

import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.terminal.Visible;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.beefs.queenbee.recovery.DrillFindings;
import org.beefs.queenbee.recovery.DrillGap;

/** How a drill of the recovery has ended, for people. */
final class DrillReport {
    private DrillReport() {}

    /** A sentence, what would not be back as it is, and what can be done. */
    static List<String> lines(DrillView drill) {
        List<String> lines = new ArrayList<>();
        lines.add(Visible.of(drill.summary()));
        drill.damaged().forEach(record -> lines.add("  " + Visible.of(record)));
        DrillFindings findings = drill.findings();
        if (findings != null) {
            findings.examples().forEach(gap -> lines.add("  " + line(gap)));
            long gaps =
                    findings.gaps().values().stream().mapToLong(Long::longValue).sum();
            addMore(lines, gaps - findings.examples().size());
            findings.unknown().forEach(path -> lines.add("  unknown to the queen-bee: " + Visible.of(path)));
            addMore(
                    lines,
                    findings.because(DrillGap.UNKNOWN) - findings.unknown().size());
        }
        String advice = drill.advice();
        if (advice != null) {
            lines.add(Visible.of(advice));
        }
        return lines;
    }

    private static void addMore(List<String> lines, long more) {
        if (more > 0) {
            lines.add("  and %d more".formatted(more));
        }
    }

    private static String line(DrillGap gap) {
        String what = gap.path().isEmpty() ? "inode " + gap.inode() : Visible.of(gap.path());
        String desktops = Visible.of(String.join(", ", gap.desktops()));
        return "%s would be %s; %s: %s".formatted(what, gap.state(), gap.reason(), desktops);
    }
}
