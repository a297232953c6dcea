package org.beefs.queenbee.operations.hive;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.DrainReport;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.ScrubReport;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.hive.inventory.InventorySummary;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.replication.Census;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.session.Session;

/** Tells tools what runs where. */
public final class HiveStatusOperation implements Operation {
    private final QueenState state;

    public HiveStatusOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Checkpoints checkpoints = state.replication().checkpoints();
        HiveReport.Builder report = HiveReport.newBuilder()
                .setHive(state.hive())
                .setIncarnation(state.incarnation())
                .setInodes(state.namespace().size())
                .setAppliedSequence(state.journal().applied())
                .setDurableSequence(state.journal().durable())
                .setDirtyFiles(state.namespace().dirtyFiles())
                .setPendingDrops(state.honeycombs().errandQueues().pendingDrops())
                .setLeases(state.leases().size())
                .setRecalls(state.leases().recalls().sent())
                .setWaitingForRecalls(state.leases().recalls().waiting())
                .setLocks(state.locks().size())
                .setWaitingForLocks(state.locks().waiting())
                .setWaitingForCopies(state.replication().waiting())
                .setCopiesUnderWay(state.replication().underWay())
                .setReplicationLagMillis(state.replication().lag().toMillis())
                .setLongOpenFiles(checkpoints.longOpen())
                .setCheckpointLagMillis(checkpoints.lag().toMillis())
                .setReadOnly(state.mutator().whyReadOnly())
                .setMemoryPercent(state.memory().percentUsed());
        add(state.replication().census().counts(), report);
        addComparisons(report);
        addDesktops(report);
        reply.setHiveReport(report);
    }

    /** Each once, whatever folders it has had. */
    private void addDesktops(HiveReport.Builder report) {
        Map<String, List<Honeycomb>> honeycombs = state.honeycombs().all().stream()
                .collect(Collectors.groupingBy(Honeycomb::desktop, LinkedHashMap::new, Collectors.toList()));
        for (Session session : state.sessions().all()) {
            List<Honeycomb> ofDesktop = Objects.requireNonNullElse(honeycombs.remove(session.desktop()), List.of());
            report.addDesktops(withHoneycomb(connected(session), ofDesktop));
        }
        honeycombs.values().forEach(ofDesktop -> report.addDesktops(withHoneycomb(absent(ofDesktop), ofDesktop)));
    }

    private void add(Census.Counts counts, HiveReport.Builder report) {
        report.setUnderReplicated(counts.underReplicated())
                .setStale(counts.stale())
                .setToCopy(counts.toCopy())
                .setBytesToCopy(counts.bytesToCopy())
                .setOnlyOnLost(counts.onlyOnLost())
                .addAllOnlyOn(counts.lostPrimaries())
                .setCopyRate(state.replication().copyRate())
                .setTrafficRate(state.honeycombs().all().stream()
                        .filter(Honeycomb::isConnected)
                        .mapToLong(honeycomb -> honeycomb.traffic().perSecond())
                        .sum())
                .setSpace(FileSystemStatusOperation.space(state));
    }

    private void addComparisons(HiveReport.Builder report) {
        List<InventorySummary.Result> results = state.honeycombs().all().stream()
                .map(honeycomb -> honeycomb.inventory().summary().last())
                .filter(Objects::nonNull)
                .toList();
        Instant now = state.clock().now();
        results.stream()
                .map(InventorySummary.Result::at)
                .filter(at -> !at.isAfter(now)) // of a moment with a clock that was ahead
                .max(Comparator.naturalOrder())
                .ifPresent(latest -> report.setComparedAt(Timestamps.toWire(latest)));
        report.setComparedReplicas(results.stream()
                        .mapToLong(InventorySummary.Result::replicas)
                        .sum())
                .setHealedFiles(results.stream()
                        .mapToLong(InventorySummary.Result::healed)
                        .sum())
                .setRenewedRecords(state.records().renewed())
                .addAllCatalogsAhead(state.olderState().refused());
    }

    private DesktopReport.Builder connected(Session session) {
        return DesktopReport.newBuilder()
                .setDesktop(session.desktop())
                .setConnected(session.connection() != null)
                .setSilentMillis(
                        Duration.ofNanos(state.sessions().silent(session)).toMillis())
                .addAllMounts(session.mounts())
                .setProgram(session.program())
                .setOpenFiles(session.handles().size());
    }

    private static DesktopReport.Builder absent(List<Honeycomb> ofDesktop) {
        Honeycomb last = Honeycombs.last(ofDesktop).orElseThrow();
        return DesktopReport.newBuilder().setDesktop(last.desktop()).setProgram(last.program());
    }

    /** Of several the one that others, such as a drain, take for the desktop's. */
    private DesktopReport.Builder withHoneycomb(DesktopReport.Builder desktop, List<Honeycomb> ofDesktop) {
        Honeycomb shown = Honeycombs.last(ofDesktop).orElse(null);
        if (shown == null) {
            return desktop;
        }
        add(shown, desktop);
        return desktop.setEarlierFolders((int) ofDesktop.stream()
                .filter(honeycomb -> honeycomb != shown && isMissed(honeycomb))
                .count());
    }

    /**
     * Whether a honeycomb that is away may hold what somebody waits for: nobody has given it up, nor was it emptied
     * before.
     */
    private boolean isMissed(Honeycomb honeycomb) {
        Census.Left left = honeycomb.isDraining() ? state.replication().census().left(honeycomb) : null;
        return honeycomb.mayComeBack() && (left == null || left.replicas() > 0);
    }

    private void add(Honeycomb honeycomb, DesktopReport.Builder desktop) {
        desktop.setHoneycomb(offer(honeycomb))
                .setPresence(honeycomb.presence().toWire())
                .setMissed(honeycomb.presence() == Presence.LOST && isMissed(honeycomb))
                .setAwaySeconds(honeycomb.absence().length().toSeconds())
                .setAttendance(honeycomb.attendance().thousandths())
                .setRecordsWaiting(state.records().waiting(honeycomb))
                .setRecordsBehindMillis(state.records().behind(honeycomb).toMillis())
                .setPausedMillis(honeycomb.paused().toMillis())
                .setUserActivity(honeycomb.userActivity())
                .setRotten(honeycomb.unsound().countRotten())
                .setUnhealed(honeycomb.unsound().unhealed().size())
                .setMissing(honeycomb.unsound().missing().size())
                .addAllUnreachedDesktops(state.replication().unreached().from(honeycomb));
        ScrubReport scrub = honeycomb.scrub();
        if (scrub != null) {
            desktop.setScrub(scrub);
        }
        if (honeycomb.isDraining()) {
            desktop.setDrain(drain(honeycomb));
        }
    }

    private DrainReport drain(Honeycomb honeycomb) {
        DrainReport.Builder report = DrainReport.newBuilder()
                .setPendingDrops(honeycomb.errandQueue().drops().pending())
                .setPendingRecords(state.records().takingOver(honeycomb));
        Census.Left left = state.replication().census().left(honeycomb);
        if (left != null) {
            report.setCounted(true)
                    .setReplicas(left.replicas())
                    .setBytes(left.bytes())
                    .setInUse(left.inUse())
                    .setStuck(left.stuck())
                    .addAllExamples(left.examples());
        }
        return report.build();
    }

    private static HoneycombOffer offer(Honeycomb honeycomb) {
        return HoneycombOffer.newBuilder()
                .setUuid(honeycomb.uuid())
                .setBoot(honeycomb.lastStart().boot())
                .setAddress(honeycomb.address())
                .setSpace(honeycomb.space())
                .build();
    }
}
