package org.beefs.cli.daemon;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import org.beefs.cli.command.Version;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.state.Reasons;
import org.beefs.common.posix.Failures;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;

/**
 * What the queen-bee says of the hive, asked over the network as anybody would: whoever shows it learns also that she
 * answers.
 */
record QueenBeeReport(HiveReport report) {
    /** Less than a tool waits for the whole status. */
    private static final Duration ANSWER = Duration.ofSeconds(4);

    static QueenBeeReport of(InetSocketAddress queenBee, World world) {
        Hello hello = Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram(Version.ofProgram())
                .setRole("tool")
                .build();
        QueenRequest request = QueenRequest.newBuilder()
                .setHiveStatus(HiveStatus.getDefaultInstance())
                .build();
        try {
            return RpcConnection.connect(
                            world.network(),
                            world.timers(),
                            queenBee,
                            ANSWER,
                            hello,
                            _ -> new NoService<>(DesktopRequest.parser()))
                    .thenCompose(connection -> ask(connection, request))
                    .orTimeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, "the queen-bee does not answer: " + Reasons.of(Failures.unwrap(e)));
        }
    }

    private static CompletableFuture<QueenBeeReport> ask(RpcConnection connection, QueenRequest request) {
        CompletableFuture<Message<QueenReply>> reply =
                connection.call(request, Payload.NONE, QueenReply.parser(), ANSWER);
        return reply.whenComplete((_, _) -> connection.close())
                .thenApply(message -> new QueenBeeReport(message.body().getHiveReport()));
    }

    HiveSummary summary() {
        return new HiveSummary(
                HexFormat.of().formatHex(report.getHive().toByteArray()),
                report.getIncarnation(),
                report.getInodes(),
                report.getDirtyFiles(),
                report.getPendingDrops(),
                report.getWaitingForCopies(),
                report.getCopiesUnderWay());
    }

    List<HoneycombStatus> honeycombs() {
        return report.getDesktopsList().stream()
                .filter(DesktopReport::hasHoneycomb)
                .map(QueenBeeReport::honeycomb)
                .toList();
    }

    private static HoneycombStatus honeycomb(DesktopReport desktop) {
        HoneycombOffer offer = desktop.getHoneycomb();
        ByteBuffer uuid = offer.getUuid().asReadOnlyByteBuffer();
        return new HoneycombStatus(
                desktop.getDesktop(),
                new UUID(uuid.getLong(), uuid.getLong()).toString(),
                offer.getAddress(),
                desktop.getConnected(),
                offer.getSpace().getCapacity(),
                offer.getSpace().getUsed(),
                offer.getSpace().getAvailable(),
                0,
                desktop.getRecordsWaiting(),
                desktop.getRecordsBehindMillis());
    }
}
