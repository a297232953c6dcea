package org.beefs.cli.fsck;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.beefs.cli.process.Await;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.CheckEntries;
import org.beefs.common.wire.CheckInodes;
import org.beefs.common.wire.CheckReplicas;
import org.beefs.common.wire.CheckedEntries;
import org.beefs.common.wire.CheckedInodes;
import org.beefs.common.wire.CheckedReplicas;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaLook;

/**
 * The queen-bee, as a check asks her.
 *
 * @param repair whether she is to repair what can be repaired
 */
@ProductionOnly
record QueenBeePeer(Peer peer, boolean repair) {
    /** How long she may be busy, or wait for her desktops after a start: longer than their leases. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    HiveReport status() {
        return ask(QueenRequest.newBuilder().setHiveStatus(HiveStatus.getDefaultInstance()))
                .getHiveReport();
    }

    CheckedInodes inodes(int from) {
        return ask(QueenRequest.newBuilder()
                        .setCheckInodes(CheckInodes.newBuilder().setFrom(from).setRepair(repair)))
                .getCheckedInodes();
    }

    CheckedEntries entries(long directory, CheckedEntries from) {
        return ask(QueenRequest.newBuilder()
                        .setCheckEntries(CheckEntries.newBuilder()
                                .setDirectory(directory)
                                .setAfter(from.getAfter())
                                .setStamp(from.getStamp())
                                .setSubdirectories(from.getSubdirectories())
                                .setRepair(repair)))
                .getCheckedEntries();
    }

    CheckedReplicas judge(HoneycombPeer honeycomb, List<ReplicaLook> looks, boolean strays) {
        return ask(QueenRequest.newBuilder()
                        .setCheckReplicas(CheckReplicas.newBuilder()
                                .setHoneycomb(honeycomb.uuid())
                                .addAllLooks(looks)
                                .setStrays(strays)
                                .setRepair(repair)))
                .getCheckedReplicas();
    }

    private QueenReply ask(QueenRequest.Builder request) {
        AtomicReference<QueenReply> answer = new AtomicReference<>(QueenReply.getDefaultInstance());
        Await.until(PATIENCE, () -> {
            answer.set(peer.ask(request.build(), QueenReply.parser()));
            return answer.get().getFailure().getErrno() != Errno.EAGAIN.number();
        });
        if (answer.get().hasFailure()) {
            throw PosixException.of(answer.get().getFailure());
        }
        return answer.get();
    }
}
