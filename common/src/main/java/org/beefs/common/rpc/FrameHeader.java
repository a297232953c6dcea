package org.beefs.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;

/**
 * What each frame begins with, 24 bytes, numbers in network byte order:
 *
 * <pre>
 *  0  magic, 0xBEE0F500
 *  4  kind (1 byte), flags (1 byte, 0), reserved (2 bytes, 0)
 *  8  id (8 bytes)
 * 16  length of the message in bytes
 * 20  length of the payload in bytes
 * </pre>
 */
record FrameHeader(Frame.Kind kind, long id, int messageLength, int payloadLength) {
    static final int LENGTH = 24;
    private static final int MAGIC = 0xBEE0F500;

    static FrameHeader of(Frame frame) {
        return new FrameHeader(
                frame.kind(),
                frame.id(),
                frame.message().size(),
                frame.payload().length());
    }

    void write(ByteBuf out) {
        out.writeInt(MAGIC);
        out.writeByte(kind.code());
        out.writeByte(0);
        out.writeShort(0);
        out.writeLong(id);
        out.writeInt(messageLength);
        out.writeInt(payloadLength);
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
        if (in.readUnsignedByte() != 0 || in.readUnsignedShort() != 0) {
            throw new CorruptedFrameException("a frame with unknown flags");
        }
        long id = in.readLong();
        int messageLength = bounded("message", in.readInt(), Frame.MAX_MESSAGE);
        int payloadLength = bounded("payload", in.readInt(), Frame.MAX_PAYLOAD);
        return new FrameHeader(kind, id, messageLength, payloadLength);
    }

    private static int bounded(String part, int length, int limit) {
        if (length < 0 || length > limit) {
            throw new CorruptedFrameException("a %s of %s bytes, more than the %d allowed"
                    .formatted(part, Integer.toUnsignedString(length), limit));
        }
        return length;
    }
}
