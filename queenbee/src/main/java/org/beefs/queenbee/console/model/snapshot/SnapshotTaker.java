package org.beefs.queenbee.console.model.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.console.model.drill.Drills;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.console.model.snapshot.HiveView.Copies;
import org.beefs.queenbee.console.model.snapshot.HiveView.Load;
import org.beefs.queenbee.console.model.snapshot.HiveView.Records;
import org.beefs.queenbee.console.model.snapshot.HiveView.Space;
import org.beefs.queenbee.hive.NaturalOrder;
import org.beefs.queenbee.journal.DiskSpace;
import org.jspecify.annotations.Nullable;

/** Makes a snapshot of what the queen-bee tells any tool. Thread-safe. */
public final class SnapshotTaker {
    private final Questions questions;
    private final Rooms rooms;
    private final Drills drills;
    private final Supplier<DiskSpace> ownDisk;

    /** @param ownDisk the queen-bee's, as last seen */
    public SnapshotTaker(Questions questions, Rooms rooms, Drills drills, Supplier<DiskSpace> ownDisk) {
        this.questions = questions;
        this.rooms = rooms;
        this.drills = drills;
        this.ownDisk = ownDisk;
    }

    /**
     * Asks the queen-bee.
     *
     * @param speed of what she was asked lately
     * @param replication as last counted
     */
    public Snapshot take(Instant now, Speed speed, Replication replication) {
        HiveReport report = questions
                .request(QueenRequest.newBuilder().setHiveStatus(HiveStatus.getDefaultInstance()))
                .getHiveReport();
        List<DesktopView> desktops = report.getDesktopsList().stream()
                .map(desktop -> desktop(desktop, rooms.of(desktop.getDesktop()), replication.of(desktop.getDesktop())))
                .sorted(Comparator.comparing(DesktopView::name, NaturalOrder.INSTANCE))
                .toList();
        HiveView hive = hive(report, now, speed, rawSpace(report));
        return new Snapshot(Health.of(hive, desktops, drills.lastResult()), desktops);
    }

    private HiveView hive(HiveReport report, Instant now, Speed speed, Space rawSpace) {
        return new HiveView(
                time(now),
                "",
                true,
                List.of(),
                HexFormat.of().formatHex(report.getHive().toByteArray()),
                report.getIncarnation(),
                report.getInodes(),
                report.getDirtyFiles(),
                new Space(report.getSpace().getCapacity(), report.getSpace().getAvailable()),
                rawSpace,
                copies(report),
                new Load(
                        speed.operationsPerSecond(),
                        speed.medianMicros(),
                        speed.slowMicros(),
                        report.getLeases(),
                        report.getLocks(),
                        report.getWaitingForLocks(),
                        report.getRecalls(),
                        report.getWaitingForRecalls(),
                        report.getAppliedSequence() - report.getDurableSequence(),
                        report.getTrafficRate()),
                new Records(
                        report.getComparedReplicas(),
                        report.getHealedFiles(),
                        report.hasComparedAt() ? time(Timestamps.toInstant(report.getComparedAt())) : null,
                        report.getCatalogsAheadList()),
                report.getReadOnly(),
                report.getMemoryPercent(),
                ownDisk.get());
    }

    private static Copies copies(HiveReport report) {
        long rate = report.getCopyRate();
        return new Copies(
                report.getUnderReplicated(),
                report.getOnlyOnLost(),
                List.copyOf(report.getOnlyOnList()),
                report.getStale(),
                report.getToCopy(),
                report.getBytesToCopy(),
                rate,
                rate == 0 ? null : report.getBytesToCopy() / rate,
                report.getWaitingForCopies(),
                report.getCopiesUnderWay(),
                report.getPendingDrops(),
                report.getLongOpenFiles(),
                report.getCheckpointLagMillis(),
                report.getReplicationLagMillis());
    }

    private static Space rawSpace(HiveReport report) {
        long capacity = 0;
        long available = 0;
        for (DesktopReport desktop : report.getDesktopsList()) {
            if (desktop.getConnected() && desktop.hasHoneycomb()) {
                capacity += desktop.getHoneycomb().getSpace().getCapacity();
                available += desktop.getHoneycomb().getSpace().getAvailable();
            }
        }
        return new Space(capacity, available);
    }

    private static DesktopView desktop(DesktopReport report, String room, DesktopView.@Nullable Replicas replicas) {
        HoneycombSpace space = report.getHoneycomb().getSpace();
        return new DesktopView(
                report.getDesktop(),
                presence(report),
                report.getConnected(),
                report.getSilentMillis(),
                report.getAwaySeconds(),
                report.getAttendance() / 1000.0,
                space.getCapacity(),
                space.getUsed(),
                space.getAvailable(),
                Duration.ofMillis(report.getPausedMillis()).toSeconds(),
                report.getUserActivity().name().toLowerCase(Locale.ROOT),
                report.getRecordsWaiting(),
                report.getRecordsBehindMillis(),
                DrainView.of(report),
                replicas,
                List.copyOf(report.getMountsList()),
                report.getOpenFiles(),
                report.getRotten(),
                report.getUnhealed(),
                report.getMissing(),
                room,
                report.getProgram(),
                report.getEarlierFolders(),
                List.copyOf(report.getUnreachedDesktopsList()),
                report.getMissed());
    }

    private static String presence(DesktopReport report) {
        if (!report.hasHoneycomb()) {
            return DesktopView.WITHOUT_HONEYCOMB;
        }
        return switch (report.getPresence()) {
            case LOST -> "lost";
            case ASLEEP -> "asleep";
            default -> "awake";
        };
    }

    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
