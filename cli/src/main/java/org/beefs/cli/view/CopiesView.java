package org.beefs.cli.view;

import java.time.Duration;
import java.util.Locale;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.Count;
import org.beefs.common.config.Durations;

/** What files lack, and how long it takes until they have it, for people. */
final class CopiesView {
    private CopiesView() {}

    /** The rest of a line; empty when nothing is lacking. */
    static String lacking(HiveSummary hive) {
        return hive.underReplicated() == 0 && hive.stale() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " (%s too few current replicas, %s stale%s)",
                        Count.of(hive.underReplicated(), "file has", "files have"),
                        Count.of(hive.stale(), "replica is", "replicas are"),
                        left(hive));
    }

    private static String left(HiveSummary hive) {
        if (hive.bytesToCopy() == 0) {
            return "";
        }
        String bytes = "; " + new ByteSize(hive.bytesToCopy()) + " to copy";
        Long seconds = hive.copySecondsLeft();
        return seconds == null
                ? bytes
                : "%s at %s/s, about %s"
                        .formatted(
                                bytes,
                                new ByteSize(hive.copyRate()),
                                Durations.approximate(Duration.ofSeconds(seconds)));
    }
}
