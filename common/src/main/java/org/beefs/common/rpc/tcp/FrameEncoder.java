package org.beefs.common.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.EncoderException;
import io.netty.handler.codec.MessageToMessageEncoder;
import java.nio.ByteBuffer;
import java.util.List;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Makes bytes of {@link Frame}s; {@link FrameHeader} is the layout. Payloads in memory are passed on as they are, files
 * as regions for sendfile. The frame's payload is closed when it was sent or cannot be. In a hive with a key the
 * frame's {@link FrameMac} stands between message and payload.
 */
final class FrameEncoder extends MessageToMessageEncoder<Frame> {
    private final @Nullable FrameMac mac;

    /** @param mac of what is sent, in a hive with a key */
    FrameEncoder(@Nullable FrameMac mac) {
        super(Frame.class);
        this.mac = mac;
    }

    @Override
    protected void encode(ChannelHandlerContext context, Frame frame, List<Object> out) {
        if (!frame.isWithinBounds()) {
            frame.payload().close();
            throw new EncoderException("a frame beyond its bounds");
        }
        int length = headLength(frame, mac);
        ByteBuf head = context.alloc().directBuffer(length, length);
        writeHead(frame, mac, head);
        out.add(head);
        if (frame.payload().length() == 0) {
            frame.payload().close();
            return;
        }
        out.add(
                switch (frame.payload()) {
                    case Payload.Bytes bytes -> bytes.buffer();
                    case Payload.FileSlice slice -> new Region(slice);
                });
    }

    /** Bytes of all but the payload. */
    static int headLength(Frame frame, @Nullable FrameMac mac) {
        return FrameHeader.lengthOf(frame) + frame.message().size() + FrameMac.lengthOf(mac);
    }

    /** Writes all of a frame but its payload. */
    static void writeHead(Frame frame, @Nullable FrameMac mac, ByteBuf out) {
        int from = out.writerIndex();
        FrameHeader.of(frame).write(out);
        int size = frame.message().size();
        int header = out.writerIndex() - from;
        ByteBuffer head = out.nioBuffer(from, header + size);
        frame.message().copyTo(head.position(header));
        out.writerIndex(out.writerIndex() + size);
        if (mac != null) {
            out.writeLongLE(mac.next(head.flip()));
        }
    }

    /** A part of a file. Leaves the file open: it belongs to whoever made the slice. */
    private static final class Region extends DefaultFileRegion {
        private final Payload.FileSlice slice;

        Region(Payload.FileSlice slice) {
            super(slice.channel(), slice.offset(), slice.length());
            this.slice = slice;
        }

        @Override
        protected void deallocate() {
            slice.close();
        }
    }
}
