package org.beefs.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.EncoderException;
import io.netty.handler.codec.MessageToMessageEncoder;
import java.util.List;

/**
 * Makes bytes of {@link Frame}s; {@link FrameHeader} is the layout. Payloads in memory are passed on as they are, files
 * as regions for sendfile. The frame's payload is closed when it was sent or cannot be.
 */
final class FrameEncoder extends MessageToMessageEncoder<Frame> {
    FrameEncoder() {
        super(Frame.class);
    }

    @Override
    protected void encode(ChannelHandlerContext context, Frame frame, List<Object> out) {
        if (!frame.isWithinBounds()) {
            frame.payload().close();
            throw new EncoderException("a frame beyond its bounds");
        }
        int length = FrameHeader.lengthOf(frame) + frame.message().size();
        ByteBuf head = context.alloc().directBuffer(length, length);
        writeHead(frame, head);
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

    /** Writes all of a frame but its payload. */
    static void writeHead(Frame frame, ByteBuf out) {
        FrameHeader.of(frame).write(out);
        int size = frame.message().size();
        frame.message().copyTo(out.nioBuffer(out.writerIndex(), size));
        out.writerIndex(out.writerIndex() + size);
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
