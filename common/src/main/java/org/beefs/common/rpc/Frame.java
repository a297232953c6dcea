package org.beefs.common.rpc;

import com.google.protobuf.ByteString;

/**
 * The unit that links carry: header, encoded message, raw payload.
 *
 * @param kind what it is
 * @param id the request's number on this connection, chosen by its sender and repeated in the reply; 0 for other kinds
 * @param message an encoded protobuf message, at most {@link #MAX_MESSAGE} bytes
 * @param payload raw content, at most {@link #MAX_PAYLOAD} bytes; owned by whoever has the frame
 */
public record Frame(Kind kind, long id, ByteString message, Payload payload) {
    /** Bound of a message; a directory page with attributes is the largest. */
    public static final int MAX_MESSAGE = 4 << 20;

    /** Bound of a payload: the kernel's largest single read or write. */
    public static final int MAX_PAYLOAD = 1 << 20;

    public enum Kind {
        HELLO(1),
        REQUEST(2),
        REPLY(3),
        REFUSAL(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Its number on the wire. */
        public int code() {
            return code;
        }
    }
}
