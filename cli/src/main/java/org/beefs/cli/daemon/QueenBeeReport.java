package org.beefs.cli.daemon;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.control.DaemonStatus.ScrubStatus;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.beefs.queenbee.journal.DiskSpace;

/**
 * What the queen-bee says of the hive, asked over the network as anybody would: whoever shows it learns also that she
 * answers.
 */
record QueenBeeReport(HiveReport report) {
    /** Less than a tool waits for the whole status. */
    private static final Duration ANSWER = Duration.ofSeconds(4);

    static QueenBeeReport of(InetSocketAddress queenBee, World world) {
        QueenRequest.Builder request = QueenRequest.newBuilder().setHiveStatus(HiveStatus.getDefaultInstance());
        return new QueenBeeReport(ask(queenBee, world, request).getHiveReport());
    }

    private static QueenReply ask(InetSocketAddress queenBee, World world, QueenRequest.Builder request) {
        QueenReply reply;
        try {
            reply = world.connect(queenBee, ANSWER)
                    .thenCompose(connection -> ask(connection, request.build()))
                    .orTimeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, "the queen-bee does not answer: " + Reasons.of(Failures.unwrap(e)));
        }
        if (reply.hasFailure()) {
            throw new CommandFailure(ExitCode.FAILED, reply.getFailure().getReason());
        }
        return reply;
    }

    private static CompletableFuture<QueenReply> ask(RpcConnection connection, QueenRequest request) {
        CompletableFuture<Message<QueenReply>> reply = connection.call(request, QueenReply.parser(), ANSWER);
        return reply.whenComplete((_, _) -> connection.close()).thenApply(Message::body);
    }

    /** @param ownDisk the queen-bee's, which she does not tell over the network */
    HiveSummary summary(DiskSpace ownDisk) {
        return new HiveSummary(
                HexFormat.of().formatHex(report.getHive().toByteArray()),
                report.getIncarnation(),
                report.getInodes(),
                report.getDirtyFiles(),
                report.getPendingDrops(),
                report.getWaitingForCopies(),
                report.getCopiesUnderWay(),
                report.getLongOpenFiles(),
                report.getCheckpointLagMillis(),
                report.getUnderReplicated(),
                report.getStale(),
                report.getToCopy(),
                report.getBytesToCopy(),
                report.getCopyRate(),
                report.getCopyRate() == 0 ? null : report.getBytesToCopy() / report.getCopyRate(),
                report.getSpace().getCapacity(),
                report.getSpace().getAvailable(),
                report.getReadOnly(),
                report.getComparedReplicas(),
                report.getHealedFiles(),
                report.getRenewedRecords(),
                report.hasComparedAt()
                        ? Timestamps.toInstant(report.getComparedAt())
                                .truncatedTo(ChronoUnit.SECONDS)
                                .toString()
                        : null,
                report.getCatalogsAheadList(),
                ownDisk);
    }

    List<HoneycombStatus> honeycombs() {
        return report.getDesktopsList().stream()
                .filter(DesktopReport::hasHoneycomb)
                .map(QueenBeeReport::honeycomb)
                .toList();
    }

    private static HoneycombStatus honeycomb(DesktopReport desktop) {
        HoneycombOffer offer = desktop.getHoneycomb();
        return new HoneycombStatus(
                desktop.getDesktop(),
                HoneycombStatus.text(offer.getUuid()),
                offer.getAddress(),
                desktop.getConnected(),
                offer.getSpace().getCapacity(),
                offer.getSpace().getUsed(),
                offer.getSpace().getAvailable(),
                0,
                desktop.getRecordsWaiting(),
                desktop.getRecordsBehindMillis(),
                desktop.getPresence().name().toLowerCase(Locale.ROOT),
                desktop.getAwaySeconds(),
                DrainView.of(desktop),
                Duration.ofMillis(desktop.getPausedMillis()).toSeconds(),
                desktop.getAttendance() / 1000.0,
                desktop.getUserActivity().name().toLowerCase(Locale.ROOT),
                desktop.hasScrub()
                        ? ScrubStatus.of(
                                desktop.getScrub(), desktop.getRotten(), desktop.getUnhealed(), desktop.getMissing())
                        : null,
                desktop.getEarlierFolders(),
                List.copyOf(desktop.getUnreachedDesktopsList()));
    }
}
