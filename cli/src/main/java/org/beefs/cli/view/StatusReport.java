package org.beefs.cli.view;

import java.util.List;
import java.util.Map;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.jspecify.annotations.Nullable;

/**
 * What {@code status} shows, and its JSON: fields are added, never renamed.
 *
 * @param state the state folder
 * @param processes the daemons that belong to this machine
 * @param honeycombs all that the queen-bee knows; without it those of this machine
 * @param mounts where this machine has, or should have, the hive mounted
 * @param hive null while the queen-bee does not answer
 */
public record StatusReport(
        String state,
        List<ProcessStatus> processes,
        List<HoneycombStatus> honeycombs,
        List<MountStatus> mounts,
        @Nullable HiveSummary hive)
        implements Report {

    /** Whether a daemon runs, and answers. */
    public enum Condition {
        RUNNING,
        /** It runs and answers, and has no connection with the queen-bee. */
        DISCONNECTED,
        /** It runs and does not answer. */
        UNRESPONSIVE,
        STOPPED;

        /** As people and scripts read it. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A daemon of this machine.
     *
     * @param role {@code queenbee} or {@code desktop}
     * @param condition a {@link Condition} in small letters
     * @param pid null when it does not run
     * @param version of the program it runs, when it answers
     * @param trouble why it has no connection with the queen-bee, when it says so; else empty
     */
    public record ProcessStatus(
            String name,
            String role,
            String condition,
            @Nullable Long pid,
            @Nullable String address,
            @Nullable String version,
            String folder,
            String trouble) {}

    /**
     * A mount that a desktop has or remembers.
     *
     * @param mounted whether its daemon serves it
     * @param requests how often the kernel has asked the daemon for what, by the kernel's names
     * @param readOnly whether nothing can be changed through it
     * @param listed whether by the kernel's mount table a hive is seen there, whoever serves it
     */
    public record MountStatus(
            String path,
            String desktop,
            boolean mounted,
            Map<String, Long> requests,
            boolean readOnly,
            boolean listed) {}

    @Override
    public String render() {
        return StatusView.render(this);
    }

    /** Whether a desktop's daemon runs and does not answer. */
    boolean isUnresponsive(String desktop) {
        return processes.stream()
                .anyMatch(process ->
                        process.name().equals(desktop) && process.condition().equals(Condition.UNRESPONSIVE.word()));
    }

    /** Whether every daemon runs and answers. */
    public boolean allRunning() {
        return !processes.isEmpty()
                && processes.stream().allMatch(process -> process.condition().equals(Condition.RUNNING.word()));
    }
}
