package org.beefs.cli.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.control.DaemonStatus.ScrubStatus;
import org.beefs.cli.terminal.Table;
import org.beefs.cli.view.StatusReport.MountStatus;
import org.beefs.cli.view.StatusReport.ProcessStatus;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.Count;
import org.beefs.common.config.Durations;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.beefs.queenbee.journal.StateException;
import org.jspecify.annotations.Nullable;

/** A status report for people. */
public final class StatusView {
    private static final String NOTHING = "-";

    private StatusView() {}

    public static String render(StatusReport report) {
        StringBuilder text = new StringBuilder();
        text.append("Hive in ").append(report.state()).append(summary(report)).append("\n\n");
        text.append(processes(report).render());
        report.processes().forEach(process -> text.append(trouble(process)));
        Table honeycombs = honeycombs(report);
        if (!honeycombs.isEmpty()) {
            text.append('\n').append(honeycombs.render());
        }
        Table mounts = mounts(report);
        if (!mounts.isEmpty()) {
            text.append('\n').append(mounts.render());
        }
        return text.toString();
    }

    private static String summary(StatusReport report) {
        HiveSummary hive = report.hive();
        if (hive == null) {
            return ", whose queen-bee does not answer here";
        }
        return String.format(
                Locale.ROOT,
                ": %s, %s being written, %s to be removed, %d to be copied%s%s%s%s%s%s",
                Count.of(hive.inodes(), "file or folder", "files and folders"),
                Count.of(hive.dirtyFiles(), "file", "files"),
                Count.of(hive.pendingDrops(), "replica", "replicas"),
                hive.waitingForCopies() + hive.copiesUnderWay(),
                CopiesView.lacking(hive),
                longOpen(hive),
                hive.readOnly().isEmpty() ? "" : "\nIt is read-only: " + hive.readOnly(),
                fillingDisk(hive),
                older(hive),
                comparison(hive));
    }

    private static String longOpen(HiveSummary hive) {
        return hive.longOpenFiles() == 0
                ? ""
                : ", %d open for long, whose copies are up to %s old"
                        .formatted(
                                hive.longOpenFiles(),
                                Durations.approximate(Duration.ofMillis(hive.checkpointLagMillis())));
    }

    private static String fillingDisk(HiveSummary hive) {
        return hive.ownDisk().hasLittleRoom()
                ? "\nOnly %s are free on the queen-bee's own disk: the hive stops when it is full. Free some space there, or move her state to a larger disk"
                        .formatted(hive.ownDisk().left())
                : "";
    }

    private static String older(HiveSummary hive) {
        return hive.catalogsAhead().isEmpty()
                ? ""
                : """

                        Its queen-bee's data is older than what these desktops know, which are refused: %s
                        Either %s;  or give up what only they know: %s""".formatted(
                        String.join(", ", hive.catalogsAhead()), StateException.RESTORE, StateException.GIVE_UP);
    }

    private static String comparison(HiveSummary hive) {
        return hive.comparedAt() == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "\n%s compared with what the queen-bee knows, the last at %s; %s healed, %s renewed",
                        Count.of(hive.comparedReplicas(), "replica was", "replicas were"),
                        hive.comparedAt(),
                        Count.of(hive.healedFiles(), "file was", "files were"),
                        Count.of(hive.renewedRecords(), "record", "records"));
    }

    private static Table processes(StatusReport report) {
        Table table = new Table("process", "condition", "pid", "address", "version");
        for (ProcessStatus process : report.processes()) {
            table.add(
                    process.name(),
                    process.condition(),
                    orNothing(process.pid()),
                    orNothing(process.address()),
                    orNothing(process.version()));
        }
        return table;
    }

    private static String trouble(ProcessStatus process) {
        return process.trouble().isEmpty()
                ? ""
                : "%s has no connection with the queen-bee: %s\n".formatted(process.name(), process.trouble());
    }

    private static Table honeycombs(StatusReport report) {
        Table table = new Table("honeycomb of", "capacity", "used", "available", "address", "");
        for (HoneycombStatus honeycomb : report.honeycombs()) {
            table.add(
                    honeycomb.desktop(),
                    new ByteSize(honeycomb.capacity()).toString(),
                    new ByteSize(honeycomb.used()).toString(),
                    new ByteSize(honeycomb.available()).toString(),
                    honeycomb.address(),
                    remark(honeycomb));
        }
        return table;
    }

    static String remark(HoneycombStatus honeycomb) {
        List<String> remarks = new ArrayList<>();
        if (!honeycomb.presence().equals("awake")) {
            remarks.add(honeycomb.presence() + " for "
                    + Durations.approximate(Duration.ofSeconds(honeycomb.awaySeconds())));
        }
        if (honeycomb.hasOnlyReserveLeft()) {
            remarks.add("only its owner's reserve is free");
        }
        if (honeycomb.fenced() != 0) {
            remarks.add(Count.of(honeycomb.fenced(), "file", "files") + " fenced");
        }
        if (honeycomb.pausedSeconds() != 0) {
            remarks.add("paused for " + Durations.approximate(Duration.ofSeconds(honeycomb.pausedSeconds())));
        }
        if ("active".equals(honeycomb.userActivity())) {
            remarks.add("user active");
        }
        DrainView drain = honeycomb.drain();
        if (drain != null) {
            remarks.add(drain.done() ? "drained" : drain.counted() ? "draining, " + waiting(drain) : "draining");
        }
        ScrubStatus scrub = honeycomb.scrub();
        if (scrub != null) {
            addTo(remarks, scrub);
        }
        if (honeycomb.earlierFolders() != 0) {
            remarks.add("%s away: beefs lost %s gives %s up"
                    .formatted(
                            Count.of(honeycomb.earlierFolders(), "earlier folder is", "earlier folders are"),
                            honeycomb.desktop(),
                            honeycomb.earlierFolders() == 1 ? "it" : "them"));
        }
        if (!honeycomb.unreached().isEmpty()) {
            remarks.add("cannot copy from " + Count.named(honeycomb.unreached(), "desktop", "desktops"));
        }
        return String.join(", ", remarks);
    }

    /** What a drain still waits for. */
    private static String waiting(DrainView drain) {
        if (drain.replicas() > 0) {
            return Count.of(drain.replicas(), "replica", "replicas") + " left"
                    + (drain.inUse() > 0 ? ", %d of them in use".formatted(drain.inUse()) : "")
                    + (drain.stuck() > 0 ? ", %d of them without another place".formatted(drain.stuck()) : "");
        }
        return drain.pendingDrops() > 0
                ? Count.of(drain.pendingDrops(), "replica", "replicas") + " still to be removed there"
                : Count.of(drain.pendingRecords(), "desktop has", "desktops have") + " yet to write down its records";
    }

    private static void addTo(List<String> remarks, ScrubStatus scrub) {
        if (scrub.running()) {
            remarks.add("scrubbing, " + Count.of(scrub.replicas(), "replica", "replicas") + " read");
        }
        if (scrub.rotten() != 0) {
            remarks.add(Count.of(scrub.rotten(), "rotten replica", "rotten replicas"));
        }
        if (scrub.unhealed() != 0) {
            remarks.add(scrub.unhealed() + " of them cannot be replaced now");
        }
        if (scrub.missing() != 0) {
            remarks.add(
                    Count.of(scrub.missing(), "missing replica", "missing replicas") + " that cannot be replaced now");
        }
    }

    private static Table mounts(StatusReport report) {
        Table table = new Table("mount", "desktop", "");
        for (MountStatus mount : report.mounts()) {
            table.add(mount.path(), mount.desktop(), remark(mount, report.isUnresponsive(mount.desktop())));
        }
        return table;
    }

    private static String remark(MountStatus mount, boolean unresponsive) {
        List<String> remarks = new ArrayList<>();
        if (mount.readOnly()) {
            remarks.add("read-only");
        }
        if (!mount.mounted()) {
            remarks.add(
                    !mount.listed()
                            ? "not mounted"
                            : "in the mount table, but its daemon does not " + (unresponsive ? "answer" : "serve it"));
        } else if (!mount.listed()) {
            remarks.add("served, but something else is seen there");
        }
        return String.join(", ", remarks);
    }

    private static String orNothing(@Nullable Object value) {
        return Objects.toString(value, NOTHING);
    }
}
