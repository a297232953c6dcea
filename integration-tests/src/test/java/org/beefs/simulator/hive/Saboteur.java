package org.beefs.simulator.hive;

import com.google.protobuf.MessageLite;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.rpc.Frame;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.GetAttributes;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.simulator.world.FrameFilter;
import org.beefs.simulator.world.SimProcess;

/** Plants those faults that show on the wire: by changing a request as it arrives, as if its receiver misunderstood it. */
final class Saboteur implements FrameFilter {
    /** What is counted: requests of a session to one receiver. */
    private record Counted(Object receiver, long session) {}

    private final Sabotage sabotage;
    private final Map<Counted, Long> lastNumbers = new HashMap<>();

    Saboteur(Sabotage sabotage) {
        this.sabotage = sabotage;
    }

    @Override
    public Frame arriving(SimProcess from, SimProcess to, Frame frame) {
        MessageLite message = Wire.read(from, to, frame);
        MessageLite changed = switch (message) {
            case QueenRequest request -> changed(request);
            case DataRequest request -> changed(request, to);
            case null, default -> message;
        };
        return changed == null || changed == message
                ? frame
                : new Frame(frame.kind(), frame.id(), changed.toByteString(), frame.payload());
    }

    private QueenRequest changed(QueenRequest request) {
        return switch (sabotage) {
            case REPEATS_CHANGES ->
                request.getSequence() == 0
                        ? request
                        : request.toBuilder()
                                .setSequence(next(new Counted(SimQueenBee.NAME, request.getSession())))
                                .clearAcknowledged()
                                .build();
            case FORGETS_OPENS -> withoutReadingOpens(request);
            case TRUSTS_LAST_REPORT -> renumbered(request);
            default -> request;
        };
    }

    private DataRequest changed(DataRequest request, SimProcess honeycomb) {
        return sabotage != Sabotage.REPEATS_WRITES || request.getSequence() == 0
                ? request
                : request.toBuilder()
                        .setSequence(next(new Counted(honeycomb, request.getSession())))
                        .clearAcknowledged()
                        .build();
    }

    private QueenRequest withoutReadingOpens(QueenRequest request) {
        if (request.hasOpen() && !request.getOpen().getWrite()) {
            return request.toBuilder()
                    .setGetAttributes(GetAttributes.newBuilder()
                            .setInode(request.getOpen().getInode()))
                    .build();
        }
        if (request.hasRegister()) {
            List<OpenFile> writing = request.getRegister().getOpenFilesList().stream()
                    .filter(OpenFile::getWrite)
                    .toList();
            return request.toBuilder()
                    .setRegister(
                            request.getRegister().toBuilder().clearOpenFiles().addAllOpenFiles(writing))
                    .build();
        }
        return request;
    }

    private QueenRequest renumbered(QueenRequest request) {
        if (!request.hasRelease() || !request.getRelease().hasStatus()) {
            return request;
        }
        QueenRequest.Builder changed = request.toBuilder();
        changed.getReleaseBuilder().getStatusBuilder().setObservation(next(new Counted("observation", 0)));
        return changed.build();
    }

    private long next(Counted counter) {
        return lastNumbers.merge(counter, 1L, Long::sum);
    }
}
