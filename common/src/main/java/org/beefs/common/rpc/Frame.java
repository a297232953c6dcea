package org.beefs.common.rpc;

import com.google.protobuf.ByteString;
import org.beefs.common.request.CurrentRequest;
import org.jspecify.annotations.Nullable;

/**
 * The unit that links carry: header, encoded message, raw payload.
 *
 * @param kind what it is
 * @param id the request's number on this connection, chosen by its sender and repeated in the reply or failure; 0 for
 *     other kinds
 * @param message an encoded protobuf message, at most {@link #MAX_MESSAGE} bytes
 * @param payload raw content, at most {@link #MAX_PAYLOAD} bytes; owned by whoever has the frame
 * @param request the id that logs know a request by, wherever it goes; {@link CurrentRequest#NONE} for other kinds, and
 *     where none is known
 */
public record Frame(Kind kind, long id, ByteString message, Payload payload, long request) {
    /** Bound of a message; the record of an inode with 65,000 names of 255 bytes is the largest. */
    public static final int MAX_MESSAGE = 24 << 20;

    /** Bound of a payload: the kernel's largest single read or write. */
    public static final int MAX_PAYLOAD = 1 << 20;

    /** A frame without an id for logs. */
    public Frame(Kind kind, long id, ByteString message, Payload payload) {
        this(kind, id, message, payload, CurrentRequest.NONE);
    }

    /** Whether it keeps the bounds. A frame that does not is never sent, and breaks the link it comes from. */
    public boolean isWithinBounds() {
        return message.size() <= MAX_MESSAGE && payload.length() <= MAX_PAYLOAD;
    }

    public enum Kind {
        HELLO(1),
        REQUEST(2),
        REPLY(3),
        REFUSAL(4),
        /** A request's answer when its service could not make a reply: the message is a Failure. */
        FAILURE(5);

        /** All kinds, made once: {@code values()} copies at each call, and each frame that comes asks. */
        private static final Kind[] ALL = values();

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Its number on the wire. */
        public int code() {
            return code;
        }

        /** The kind of that number; null for a number that has none. */
        public static @Nullable Kind of(int code) {
            for (Kind kind : ALL) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return null;
        }
    }
}
