package org.beefs.simulator.hive;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import org.beefs.common.rpc.Frame;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.simulator.world.SimProcess;
import org.jspecify.annotations.Nullable;

/** Reads what travels between the processes of a hive. */
final class Wire {
    private Wire() {}

    /** The message of a request or reply; null for frames of other kinds. */
    static @Nullable MessageLite read(SimProcess from, SimProcess to, Frame frame) {
        Parser<? extends MessageLite> parser = switch (frame.kind()) {
            case REQUEST ->
                isQueenBee(to)
                        ? QueenRequest.parser()
                        : isQueenBee(from) ? DesktopRequest.parser() : DataRequest.parser();
            case REPLY ->
                isQueenBee(from) ? QueenReply.parser() : isQueenBee(to) ? DesktopReply.parser() : DataReply.parser();
            default -> null;
        };
        try {
            return parser == null ? null : parser.parseFrom(frame.message());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("%s sent %s an unreadable message".formatted(from, to), e);
        }
    }

    private static boolean isQueenBee(SimProcess process) {
        return process.toString().equals(SimQueenBee.NAME);
    }
}
