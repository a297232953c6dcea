package org.beefs.honeycomb.disk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.linux.Libc;
import org.beefs.common.linux.PageMemory;
import org.junit.jupiter.api.Assumptions;

/**
 * A write of another thread that has begun and does not end before it is let: the kernel asks here for the memory that
 * its content is in (userfaultfd(2)), and holds the inode's lock meanwhile.
 */
final class HeldWrite implements AutoCloseable {
    private static final Path DEVICE = Path.of("/dev/userfaultfd");
    private static final int BYTES = 64 << 10; // a multiple of each size of pages

    private static final int USERFAULTFD_IOC_NEW = 0xAA00;
    private static final long UFFDIO_API = 0xC018AA3FL;
    private static final long UFFDIO_REGISTER = 0xC020AA00L;
    private static final long UFFDIO_ZEROPAGE = 0xC020AA04L;
    private static final long API = 0xAA;
    private static final long MISSING = 1;
    private static final int MESSAGE = 32;

    private final MemorySegment content = PageMemory.allocate(BYTES);
    private final int faults = openFaults();
    private final CompletableFuture<Long> written;

    private HeldWrite(Path file) {
        ask(UFFDIO_API, API, 0, 0);
        ask(UFFDIO_REGISTER, content.address(), BYTES, MISSING, 0);
        written = CompletableFuture.supplyAsync(
                () -> write(file), work -> Thread.ofPlatform().start(work));
    }

    /** Returns when the write holds the inode's lock. Skips the test, loudly, where the kernel does not ask. */
    static HeldWrite begin(Path file) {
        if (!Files.isReadable(DEVICE)) {
            System.err.println("SKIPPED: only root may hold writes, with " + DEVICE);
            Assumptions.abort("no " + DEVICE);
        }
        HeldWrite begun = new HeldWrite(file);
        begun.awaitFault();
        return begun;
    }

    private static int openFaults() {
        int device = LinuxCalls.open(DEVICE, LinuxCalls.O_RDWR, 0);
        try {
            int opened = Libc.ioctl(device, USERFAULTFD_IOC_NEW, MemorySegment.NULL);
            assertThat(opened).as("a descriptor").isPositive();
            return opened;
        } finally {
            Libc.close(device);
        }
    }

    private void ask(long request, long... words) {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(Libc.ioctl(faults, request, arena.allocateFrom(JAVA_LONG, words)))
                    .isZero();
        }
    }

    private long write(Path file) {
        int fd = LinuxCalls.open(file, LinuxCalls.O_RDWR, 0);
        try {
            return Libc.pwrite(fd, content, BYTES, 0);
        } finally {
            Libc.close(fd);
        }
    }

    private void awaitFault() {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(Libc.read(faults, arena.allocate(MESSAGE), MESSAGE)).isEqualTo(MESSAGE);
        }
    }

    boolean isUnderWay() {
        return !written.isDone();
    }

    /** Lets it end. */
    @Override
    public void close() {
        ask(UFFDIO_ZEROPAGE, content.address(), BYTES, 0, 0);
        assertThat(written.join()).isEqualTo(BYTES);
        Libc.close(faults);
    }
}
