package org.beefs.honeybee.fuse.reader;

import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.Connection;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.exchange.RequestBuffer;
import org.beefs.honeybee.fuse.operations.Dispatcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests from the kernel and begins their operations, one after the other, until the mount ends. Waits for the
 * kernel and, when all buffers are in use, for one of these; never for the network.
 */
public final class Reader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reader.class);

    private final Device device;
    private final Connection connection;
    private final Dispatcher dispatcher;
    private final BufferPool buffers;

    /** Becomes a holder of the device, and releases it at the end. */
    public Reader(Device device, Connection connection, Dispatcher dispatcher, BufferPool buffers) {
        this.device = device;
        this.connection = connection;
        this.dispatcher = dispatcher;
        this.buffers = buffers;
    }

    @Override
    public void run() {
        RequestBuffer buffer = buffers.await(connection);
        try {
            while (buffer != null) {
                long length = receive(buffer);
                if (length > 0) {
                    buffer = serve(buffer, length);
                } else if (length < 0) {
                    connection.end();
                    buffers.give(buffer);
                    buffer = null;
                }
            }
        } finally {
            device.release();
        }
    }

    /** The length of the next request; 0 when there is none after all, negative when the mount has ended. */
    private long receive(RequestBuffer buffer) {
        long length = device.read(buffer.memory());
        if (length >= Exchange.HEADER) {
            return length;
        }
        Errno errno = length < 0 ? Errno.of((int) -length) : Errno.EIO;
        return switch (errno) {
            // ENOENT: the caller gave up while the request was being handed over.
            case EINTR, EAGAIN, ENOENT -> 0;
            case ENODEV -> -1;
            // The kernel has failed the request that it had no memory to hand over.
            case ENOMEM -> {
                LOG.warn("the kernel has no memory for a request, which fails with EIO");
                yield 0;
            }
            default -> {
                LOG.error("reading from the kernel failed with {}: this reader ends", errno);
                yield -1;
            }
        };
    }

    /** Answers the buffer for the next request; null when the mount has ended. */
    private @Nullable RequestBuffer serve(RequestBuffer buffer, long length) {
        device.hold();
        Exchange exchange = new Exchange(connection, device, buffer);
        dispatcher.dispatch(exchange, buffer.body(length));
        return exchange.hasBuffer() ? buffer : buffers.await(connection);
    }
}
