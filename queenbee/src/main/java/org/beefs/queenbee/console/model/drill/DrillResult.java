package org.beefs.queenbee.console.model.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.beefs.queenbee.recovery.DrillFindings;
import org.beefs.queenbee.recovery.DrillGap;
import org.jspecify.annotations.Nullable;

/**
 * How a drill ended, in words.
 *
 * @param read desktops whose records were read
 * @param away desktops that keep records and are away
 * @param damaged records that make no sense
 * @param findings null when it did not come so far
 * @param failure why it did not; empty otherwise
 * @param remedy what helps against that; may be empty
 * @param stopped whether that says nothing about the records
 */
record DrillResult(
        List<String> read,
        List<String> away,
        List<String> damaged,
        @Nullable DrillFindings findings,
        String failure,
        String remedy,
        boolean stopped) {
    static DrillResult of(List<String> read, List<String> away, List<String> damaged, DrillFindings findings) {
        return new DrillResult(read, away, damaged, findings, "", "", false);
    }

    /** It cannot be done, and neither could a recovery. */
    static DrillResult failed(String failure, String remedy) {
        return new DrillResult(List.of(), List.of(), List.of(), null, failure, remedy, false);
    }

    /** It has no result. */
    static DrillResult stopped(String why, String remedy) {
        return new DrillResult(List.of(), List.of(), List.of(), null, why, remedy, true);
    }

    String state() {
        if (findings == null) {
            return stopped ? DrillView.STOPPED : DrillView.FAILED;
        }
        if (!damaged.isEmpty() || !findings.completeButForAway()) {
            return DrillView.FAILED;
        }
        return findings.complete() ? DrillView.PASSED : DrillView.INCOMPLETE;
    }

    String summary(long millis) {
        if (findings == null) {
            return (stopped ? "The drill has no result: " : "The namespace cannot be rebuilt: ") + failure + ".";
        }
        int desktops = read.size() + away.size();
        String figures = String.format(
                Locale.ROOT,
                "%,d of %,d files and folders, in %.1f s, from %d of %d desktops",
                findings.there(),
                findings.compared(),
                millis / 1000.0,
                read.size(),
                desktops);
        boolean passed = state().equals(DrillView.PASSED);
        return (passed ? "The namespace can be rebuilt: " : "The namespace cannot be rebuilt completely: ")
                + figures
                + wrong(findings)
                + "."
                + notCompared("Changed meanwhile", findings.changedMeanwhile())
                + notCompared("Only on desktops that were given up", findings.because(DrillGap.GONE))
                + notCompared("Unknown to the queen-bee", findings.because(DrillGap.UNKNOWN));
    }

    @Nullable
    String advice() {
        if (findings == null) {
            return remedy.isEmpty() ? null : remedy;
        }
        List<String> advice = new ArrayList<>();
        if (findings.because(DrillGap.LOST) > 0 || !damaged.isEmpty()) {
            advice.add(
                    "The queen-bee now tells the desktops again what their records lack."
                            + " Repeat the drill in a minute; if it fails again, look at the disks and logs of the desktops that are named.");
        }
        if (findings.because(DrillGap.LATE) > 0) {
            advice.add("Desktops have yet to write down what they were told: look at their disks and logs.");
        }
        if (findings.because(DrillGap.AWAY) > 0) {
            advice.add(
                    "Switch on %s and repeat the drill; a recovery would need them as well. If one does not come back, give it up with beefs lost."
                            .formatted(String.join(", ", findings.waitingFor())));
        }
        return advice.isEmpty() ? null : String.join(" ", advice);
    }

    private String wrong(DrillFindings found) {
        List<String> parts = new ArrayList<>();
        add(parts, found.count(DrillGap.MISSING), "missing");
        add(parts, found.count(DrillGap.OLDER), "older than they are");
        add(parts, found.count(DrillGap.ELSEWHERE), "under other names");
        add(parts, found.count(DrillGap.RETURNS), "back though they were removed");
        String gaps = parts.isEmpty() ? "" : "; would be " + String.join(", ", parts);
        return damaged.isEmpty() ? gaps : gaps + "; records that make no sense: " + damaged.size();
    }

    private static void add(List<String> parts, long number, String what) {
        if (number > 0) {
            parts.add(String.format(Locale.ROOT, "%s: %,d", what, number));
        }
    }

    private static String notCompared(String why, long number) {
        return number == 0 ? "" : String.format(Locale.ROOT, " %s and not compared: %,d.", why, number);
    }
}
