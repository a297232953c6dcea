package org.beefs.honeybee.fuse.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.protocol.Origin;
import org.beefs.honeybee.mount.MountRefusedException;

/**
 * One descriptor of /dev/fuse. Its reader and each request read from it that is not yet answered hold it open: an
 * answer has to go back through the descriptor that the request came from, and a descriptor's number must not be reused
 * while somebody may still write to it. Thread-safe.
 */
public final class Device implements Origin {
    private static final int O_RDWR_CLOEXEC = 02000002;
    private static final long FUSE_DEV_IOC_CLONE = 0x8004e500L;
    private static final long FUSE_DEV_IOC_BACKING_OPEN = 0x4010e501L;
    private static final long FUSE_DEV_IOC_BACKING_CLOSE = 0x4004e502L;

    /** Length of {@code struct fuse_backing_map}: descriptor, flags and padding, which are 0. */
    private static final int BACKING_MAP = 16;

    private final int descriptor;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** Takes the descriptor over; the creator is its first holder. */
    public Device(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * An unconnected descriptor.
     *
     * @throws IOException with a sentence for the user
     */
    public static Device open() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(arena.allocateFrom("/dev/fuse"), O_RDWR_CLOEXEC, 0);
            if (descriptor < 0) {
                throw new MountRefusedException("cannot open /dev/fuse (" + Errno.of(-descriptor)
                        + "): is the kernel's fuse module loaded, and is this process allowed to use it?");
            }
            return new Device(descriptor);
        }
    }

    /** Further descriptors of the same mount, each with requests of its own; none on kernels that lack this. */
    public List<Device> cloned(int number) throws IOException {
        List<Device> clones = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            var argument = arena.allocateFrom(JAVA_INT, descriptor);
            while (clones.size() < number) {
                Device clone = open();
                if (Libc.ioctl(clone.descriptor, FUSE_DEV_IOC_CLONE, argument) < 0) {
                    clone.release();
                    break;
                }
                clones.add(clone);
            }
        } catch (IOException failure) {
            clones.forEach(Device::release);
            throw failure;
        }
        return clones;
    }

    public int descriptor() {
        return descriptor;
    }

    /** Only for somebody who acts for a present holder. */
    public void hold() {
        holders.incrementAndGet();
    }

    /** As {@link #hold} for somebody who may come too late; false when it is closed. */
    public boolean holdIfOpen() {
        return holders.getAndUpdate(present -> present == 0 ? 0 : present + 1) != 0;
    }

    /** Closes the descriptor when nobody holds it any more. */
    @Override
    public void release() {
        if (holders.decrementAndGet() == 0) {
            Libc.close(descriptor);
        }
    }

    /**
     * Gives the kernel a file that it may read and write by itself. Answers the backing id, from 1, or a negative
     * errno.
     */
    public int openBacking(int file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map = arena.allocate(BACKING_MAP, 8);
            map.set(JAVA_INT, 0, file);
            return Libc.ioctl(descriptor, FUSE_DEV_IOC_BACKING_OPEN, map);
        }
    }

    /** Answers a negative errno for an id that the kernel does not have. */
    public int closeBacking(int id) {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.ioctl(descriptor, FUSE_DEV_IOC_BACKING_CLOSE, arena.allocateFrom(JAVA_INT, id));
        }
    }

    /** Waits for a request and answers its length, or a negative errno. */
    public long read(MemorySegment buffer) {
        return Libc.read(descriptor, buffer, buffer.byteSize());
    }

    @Override
    public long write(MemorySegment message, long length) {
        return Libc.write(descriptor, message, length);
    }

    @Override
    public long writeVectors(MemorySegment vectors, int count) {
        return Libc.writev(descriptor, vectors, count);
    }
}
