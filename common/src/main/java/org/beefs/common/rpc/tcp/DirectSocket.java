package org.beefs.common.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Sends small frames on the thread that has them: to wake the event loop for each would cost more than the system call.
 * Not thread-safe.
 *
 * <p>It has a descriptor of its own, because the channel closes its descriptor whenever it likes, and another file
 * could get the number.
 */
final class DirectSocket implements AutoCloseable {
    /** Bound of what is sent at once, and of the memory that is kept for it. */
    static final int MAX_BYTES = 64 << 10;

    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    private final int fd;
    private final @Nullable FrameMac mac;
    private final ByteBuf gathered;

    private DirectSocket(int fd, @Nullable FrameMac mac, ByteBuf gathered) {
        this.fd = fd;
        this.mac = mac;
        this.gathered = gathered;
    }

    /** The direct way of a channel; null when that has no descriptor, or none is left for this. */
    static @Nullable DirectSocket of(Channel channel, @Nullable FrameMac mac) {
        if (!(channel instanceof UnixChannel connected)) {
            return null;
        }
        ByteBuf gathered = channel.alloc().directBuffer(MAX_BYTES, MAX_BYTES); // throws when there is no memory
        int fd = Libc.fcntl(connected.fd().intValue(), F_DUPFD_CLOEXEC, 0);
        if (fd < 0) {
            gathered.release();
            return null;
        }
        return new DirectSocket(fd, mac, gathered);
    }

    /** Gathers a frame that is small enough, and takes it over then. */
    boolean add(Frame frame) {
        if (!(frame.payload() instanceof Payload.Bytes payload)
                || FrameEncoder.headLength(frame, mac) + payload.length() > gathered.writableBytes()) {
            return false;
        }
        FrameEncoder.writeHead(frame, mac, gathered);
        gathered.writeBytes(payload.buffer(), payload.buffer().readerIndex(), payload.length());
        payload.close();
        return true;
    }

    /**
     * Sends what was gathered, as far as that needs no waiting.
     *
     * @return what is left, for the channel to be sent; null when all is sent
     */
    @Nullable
    ByteBuf flush() throws IOException {
        long sent = Libc.send(
                fd,
                MemorySegment.ofBuffer(gathered.nioBuffer()),
                gathered.readableBytes(),
                MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && sent != -Errno.EAGAIN.number() && sent != -Errno.EINTR.number()) {
            gathered.clear();
            throw new IOException("sending failed with " + Errno.of((int) -sent));
        }
        gathered.skipBytes((int) Math.max(0, sent));
        ByteBuf rest = gathered.isReadable() ? gathered.copy() : null;
        gathered.clear();
        return rest;
    }

    @Override
    public void close() {
        Libc.close(fd);
        gathered.release();
    }
}
