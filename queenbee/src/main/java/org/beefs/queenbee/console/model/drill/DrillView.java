package org.beefs.queenbee.console.model.drill;

import java.util.List;
import java.util.Objects;
import org.beefs.queenbee.recovery.DrillFindings;
import org.jspecify.annotations.Nullable;

/**
 * The drill of a recovery that is under way, or the last one. Its JSON is an interface: fields are added, never
 * renamed.
 *
 * @param state {@code never}, {@code running}, {@code passed}, {@code incomplete} if only desktops that are away know
 *     the rest, {@code failed}, or {@code stopped} before it had a result
 * @param summary all in one sentence
 * @param advice what can be done; null when nothing has to be
 * @param begun when, as ISO 8601 has it; null when there never was one
 * @param by who has begun it
 * @param millis how long it took
 * @param done records that are read so far
 * @param all that are to be read; 0 while that is not known
 * @param read desktops whose records were read
 * @param away desktops that keep records and are away
 * @param damaged records that make no sense, a sentence for each; a bounded number of them
 * @param findings how it ended; null when it did not come so far
 */
public record DrillView(
        String state,
        String summary,
        @Nullable String advice,
        @Nullable String begun,
        @Nullable String by,
        long millis,
        long done,
        long all,
        List<String> read,
        List<String> away,
        List<String> damaged,
        @Nullable DrillFindings findings) {
    public static final String NEVER = "never";
    public static final String RUNNING = "running";
    public static final String PASSED = "passed";
    public static final String INCOMPLETE = "incomplete";
    public static final String FAILED = "failed";
    public static final String STOPPED = "stopped";

    public DrillView {
        Objects.requireNonNull(state);
        Objects.requireNonNull(summary);
        Objects.requireNonNull(read);
        Objects.requireNonNull(away);
        Objects.requireNonNull(damaged);
    }

    /** Before the first. */
    static final DrillView NONE = new DrillView(
            NEVER,
            "Nobody has tried yet whether the namespace can be rebuilt.",
            null,
            null,
            null,
            0,
            0,
            0,
            List.of(),
            List.of(),
            List.of(),
            null);

    public boolean running() {
        return state.equals(RUNNING);
    }

    /** One that has just begun. */
    static DrillView begun(String when, String who) {
        return new DrillView(
                RUNNING, "The drill begins.", null, when, who, 0, 0, 0, List.of(), List.of(), List.of(), null);
    }

    /** This drill, further on. */
    DrillView at(String step, long doneSoFar, long ofAll, long tookMillis) {
        return new DrillView(
                RUNNING, step, null, begun, by, tookMillis, doneSoFar, ofAll, List.of(), List.of(), List.of(), null);
    }

    /** This drill at its end. */
    DrillView ended(DrillResult result, long tookMillis) {
        return new DrillView(
                result.state(),
                result.summary(tookMillis),
                result.advice(),
                begun,
                by,
                tookMillis,
                done,
                all,
                result.read(),
                result.away(),
                result.damaged(),
                result.findings());
    }
}
