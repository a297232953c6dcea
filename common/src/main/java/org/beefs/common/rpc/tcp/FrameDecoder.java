package org.beefs.common.rpc.tcp;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Frame}s of bytes; {@link FrameHeader} is the layout. A payload that came in one piece is a slice of the
 * buffer it was received in; otherwise its pieces are gathered in one buffer outside the heap. Fails with
 * {@link CorruptedFrameException} on anything that is not a frame within its bounds, or in a hive with a key not the
 * next one of who has it, and then takes nothing more. Holds at most one frame.
 */
final class FrameDecoder extends ByteToMessageDecoder {
    /** Bytes of the first frame: nobody is to gather more for somebody who has not even greeted. */
    static final int MAX_GREETING = 4096;

    private final @Nullable FrameMac mac;

    private @Nullable FrameHeader header;

    /** Bytes of header and message, which stay unread until all of them are there. */
    private int headLength;

    private @Nullable ByteString message;
    private @Nullable ByteBuf gathered;
    private boolean corrupt;
    private boolean greeted;

    /** @param mac of what is received, in a hive with a key */
    FrameDecoder(@Nullable FrameMac mac) {
        this.mac = mac;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (corrupt) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (!greeted && mac == null && KeyExchange.isWanted(in)) {
            out.add(KeyExchange.REFUSAL);
            in.skipBytes(in.readableBytes());
            corrupt = true;
            return;
        }
        if (header == null && FrameHeader.isIn(in)) {
            header = readHeader(in);
        }
        if (header != null && message == null && in.readableBytes() >= headLength + FrameMac.lengthOf(mac)) {
            message = readMessage(in, header.messageLength());
        }
        if (header != null && message != null) {
            Payload payload = readPayload(context, in, header.payloadLength());
            if (payload != null) {
                out.add(new Frame(header.kind(), header.id(), message, payload, header.request()));
                header = null;
                message = null;
                greeted = true;
            }
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }

    private FrameHeader readHeader(ByteBuf in) {
        int start = in.readerIndex();
        try {
            FrameHeader read = FrameHeader.read(in);
            headLength = in.readerIndex() - start + read.messageLength();
            in.readerIndex(start);
            if (!greeted && read.messageLength() + read.payloadLength() > MAX_GREETING) {
                throw new CorruptedFrameException("it begins with more than a greeting");
            }
            return read;
        } catch (CorruptedFrameException e) {
            corrupt = true;
            throw e;
        }
    }

    private ByteString readMessage(ByteBuf in, int length) {
        int start = in.readerIndex();
        if (mac != null && in.getLongLE(start + headLength) != mac.next(in.nioBuffer(start, headLength))) {
            corrupt = true;
            throw new CorruptedFrameException("a frame is forged, or was changed, repeated or left out on the way");
        }
        byte[] bytes = new byte[length];
        in.skipBytes(headLength - length).readBytes(bytes).skipBytes(FrameMac.lengthOf(mac));
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /** The payload once all of it is there, otherwise null. */
    private @Nullable Payload readPayload(ChannelHandlerContext context, ByteBuf in, int length) {
        if (length == 0) {
            return Payload.NONE;
        }
        ByteBuf buffer = gathered;
        if (buffer == null) {
            if (in.readableBytes() >= length) {
                return new Payload.Bytes(in.readRetainedSlice(length));
            }
            buffer = context.alloc().directBuffer(length, length);
            gathered = buffer;
        }
        buffer.writeBytes(in, Math.min(in.readableBytes(), buffer.writableBytes()));
        if (buffer.isWritable()) {
            return null;
        }
        gathered = null;
        return new Payload.Bytes(buffer);
    }
}
