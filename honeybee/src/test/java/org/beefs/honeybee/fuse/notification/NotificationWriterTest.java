package org.beefs.honeybee.fuse.notification;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.beefs.common.linux.Libc;
import org.beefs.honeybee.fuse.exchange.Device;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In the kernel's place is the other end of a socket, which is full. */
@Timeout(60)
class NotificationWriterTest {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM_CLOEXEC = 0x80001;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int LENGTH = 16;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment message = arena.allocate(LENGTH);
    private final int kernel;
    private final Device device;
    private final NotificationWriter writer;
    private long unread;
    private volatile boolean noThreads;

    NotificationWriterTest() {
        MemorySegment pair = arena.allocate(JAVA_INT, 2);
        assertThat(Libc.socketpair(AF_UNIX, SOCK_STREAM_CLOEXEC, 0, pair)).isZero();
        kernel = pair.getAtIndex(JAVA_INT, 0);
        int descriptor = pair.getAtIndex(JAVA_INT, 1);
        for (long sent = 0; sent >= 0; sent = Libc.send(descriptor, message, LENGTH, MSG_DONTWAIT)) {
            unread += sent;
        }
        device = new Device(descriptor);
        writer = new NotificationWriter(device, this::thread);
    }

    @AfterEach
    void close() {
        writer.close();
        device.release();
        Libc.close(kernel);
        arena.close();
    }

    private Thread thread(Runnable work) {
        if (noThreads) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return Thread.ofPlatform().daemon().unstarted(work);
    }

    /** Else programs would go on with what the kernel still knows, or wait for ever. */
    @Test
    void shouldTellTheKernelThoughNoThreadCanBeMade() throws InterruptedException {
        noThreads = true;
        Thread patient = Thread.ofPlatform().start(() -> writer.writePatiently(message, LENGTH));
        while (!writer.isHeldUp()) {
            Thread.onSpinWait();
        }

        assertThat(writer.write(message, LENGTH))
                .as("the kernel is not waited for")
                .isFalse();

        read(unread + 2 * LENGTH);
        patient.join();
        assertThat(writer.write(message, LENGTH)).isTrue();
    }

    /** Waits for so many bytes. */
    private void read(long bytes) {
        MemorySegment some = arena.allocate(1 << 16);
        for (long left = bytes; left > 0; ) {
            long read = Libc.read(kernel, some, Math.min(left, some.byteSize()));
            assertThat(read).isPositive();
            left -= read;
        }
    }
}
