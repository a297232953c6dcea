package org.beefs.common.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.rpc.Frame;

/**
 * What each frame begins with, 24 bytes, or 32 with the id that logs know a request by; numbers in network byte order:
 *
 * <pre>
 *  0  magic, 0xBEE0F500
 *  4  kind (1 byte), flags (1 byte: 1 if there is an id for logs), reserved (2 bytes, 0)
 *  8  id (8 bytes)
 * 16  length of the message in bytes
 * 20  length of the payload in bytes
 * 24  id for logs (8 bytes), if there is one
 * </pre>
 */
record FrameHeader(Frame.Kind kind, long id, int messageLength, int payloadLength, long request) {
    /** Length of a header without an id for logs. */
    static final int LENGTH = 24;

    private static final int FLAGS_AT = 5;
    private static final int HAS_REQUEST = 1;
    private static final int MAGIC = 0xBEE0F500;

    static FrameHeader of(Frame frame) {
        return new FrameHeader(
                frame.kind(),
                frame.id(),
                frame.message().size(),
                frame.payload().length(),
                frame.request());
    }

    /** How long the header of a frame is. */
    static int lengthOf(Frame frame) {
        return length(frame.request() != CurrentRequest.NONE);
    }

    /** Whether all of a header is there. */
    static boolean isIn(ByteBuf in) {
        int there = in.readableBytes();
        return there >= LENGTH && there >= length(in.getByte(in.readerIndex() + FLAGS_AT) == HAS_REQUEST);
    }

    private static int length(boolean withRequest) {
        return withRequest ? LENGTH + Long.BYTES : LENGTH;
    }

    void write(ByteBuf out) {
        out.writeInt(MAGIC);
        out.writeByte(kind.code());
        out.writeByte(request == CurrentRequest.NONE ? 0 : HAS_REQUEST);
        out.writeShort(0);
        out.writeLong(id);
        out.writeInt(messageLength);
        out.writeInt(payloadLength);
        if (request != CurrentRequest.NONE) {
            out.writeLong(request);
        }
    }

    /** Fails with {@link CorruptedFrameException} and a sentence for people. */
    static FrameHeader read(ByteBuf in) {
        if (in.readInt() != MAGIC) {
            throw new CorruptedFrameException("what it sends is not the BeeFS protocol");
        }
        int code = in.readUnsignedByte();
        Frame.Kind kind = Frame.Kind.of(code);
        if (kind == null) {
            throw new CorruptedFrameException("a frame of unknown kind " + code);
        }
        int flags = in.readUnsignedByte();
        if ((flags & ~HAS_REQUEST) != 0 || in.readUnsignedShort() != 0) {
            throw new CorruptedFrameException("a frame with unknown flags");
        }
        long id = in.readLong();
        int messageLength = bounded("message", in.readInt(), Frame.MAX_MESSAGE);
        int payloadLength = bounded("payload", in.readInt(), Frame.MAX_PAYLOAD);
        long request = flags == HAS_REQUEST ? in.readLong() : CurrentRequest.NONE;
        return new FrameHeader(kind, id, messageLength, payloadLength, request);
    }

    private static int bounded(String part, int length, int limit) {
        if (length < 0 || length > limit) {
            throw new CorruptedFrameException("a %s of %s bytes, more than the %d allowed"
                    .formatted(part, Integer.toUnsignedString(length), limit));
        }
        return length;
    }
}
