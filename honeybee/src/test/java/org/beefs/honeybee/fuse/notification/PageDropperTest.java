package org.beefs.honeybee.fuse.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.beefs.common.linux.Libc;
import org.beefs.honeybee.fuse.TestTimers;
import org.beefs.honeybee.fuse.exchange.Device;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the kernel is told to drop pages: here it is a file that keeps what it is told. */
class PageDropperTest {
    private static final long INODE = 7;
    private static final int WRITE_AND_CREATE = 0101;

    @TempDir
    private Path temporary;

    private final PendingReads reads = new PendingReads();
    private final TestTimers timers = new TestTimers();
    private Device device;
    private NotificationWriter writer;
    private PageDropper dropper;

    @BeforeEach
    void open() {
        try (Arena arena = Arena.ofConfined()) {
            device = new Device(Libc.open(arena.allocateFrom(kernel().toString()), WRITE_AND_CREATE, 0600));
        }
        writer = new NotificationWriter(device);
        dropper = new PageDropper(writer, reads, timers);
    }

    @AfterEach
    void close() {
        dropper.close();
        writer.close();
        device.release();
        timers.close();
    }

    @Test
    void shouldTellTheKernelAtOnceWhenNothingIsBeingRead() throws Exception {
        reads.add(INODE + 1, new CompletableFuture<>());

        dropper.drop(INODE).get(10, TimeUnit.SECONDS);

        assertThat(told()).isPositive();
    }

    @Test
    void shouldWaitForReadsThatBeginWhileItWaits() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        reads.add(INODE, first);
        CompletableFuture<Void> dropped = dropper.drop(INODE);

        reads.add(INODE, second);
        first.completeExceptionally(new IOException("no honeycomb"));
        assertThat(told()).isZero();

        second.complete("content");
        dropped.get(10, TimeUnit.SECONDS);
        assertThat(told()).isPositive();
    }

    @Test
    void shouldNotWaitForEverForAFileThatIsReadAllTheTime() throws Exception {
        List<CompletableFuture<String>> all = new ArrayList<>();
        all.add(new CompletableFuture<>());
        reads.add(INODE, all.getLast());
        CompletableFuture<Void> dropped = dropper.drop(INODE);

        for (int i = 0; i < 10; i++) {
            CompletableFuture<String> next = new CompletableFuture<>();
            reads.add(INODE, next);
            all.getLast().complete("content");
            all.add(next);
        }

        dropped.get(10, TimeUnit.SECONDS);
        assertThat(told()).isPositive();
    }

    private Path kernel() {
        return temporary.resolve("kernel");
    }

    /** Bytes of messages. */
    private long told() throws IOException {
        return Files.size(kernel());
    }
}
