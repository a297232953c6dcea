package org.beefs.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.channels.FileChannel;

/**
 * Raw content behind a message. Whoever is handed a payload owns it: it passes it on or closes it, exactly once. The
 * bounds of a frame hold (see {@link Frame#MAX_PAYLOAD}).
 */
public sealed interface Payload extends AutoCloseable {
    /** No content. */
    Payload NONE = new Bytes(Unpooled.EMPTY_BUFFER);

    /** Bytes in it. */
    int length();

    @Override
    void close();

    /** Content in memory; received payloads are always of this kind. Closing it releases the buffer once. */
    record Bytes(ByteBuf buffer) implements Payload {
        @Override
        public int length() {
            return buffer.readableBytes();
        }

        @Override
        public void close() {
            buffer.release();
        }
    }

    /**
     * A part of a file that exists there, to be sent without passing through this process. The channel stays open until
     * {@code onClose} has run, from any thread. A file that became shorter before it was sent breaks the link, because
     * its length has been announced.
     */
    record FileSlice(FileChannel channel, long offset, int length, Runnable onClose) implements Payload {
        @Override
        public void close() {
            onClose.run();
        }
    }
}
