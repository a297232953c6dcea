package org.beefs.honeycomb.store;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replica file of the desktop's own file system. */
@ProductionOnly
final class LinuxReplicaFile implements ReplicaFile {
    private static final Logger LOG = LoggerFactory.getLogger(LinuxReplicaFile.class);

    /** Name of the extended attribute that says what a replica file is. */
    private static final MemorySegment XATTR = Arena.global().allocateFrom("user.beefs.replica");

    private static final MemorySegment EMPTY = Arena.global().allocateFrom("");
    private static final int XATTR_BOUND = 4096;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final long UTIME_NOW = (1L << 30) - 1;
    private static final long UTIME_OMIT = (1L << 30) - 2;

    /** Where a call of this thread leaves what it tells; large enough for a struct statx and two timespecs. */
    private static final ThreadLocal<MemorySegment> SCRATCH =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Statx.BYTES, Long.BYTES));

    private final int fd;
    private final Path path;
    private @Nullable FileChannel channel;

    LinuxReplicaFile(int fd, Path path) {
        this.fd = fd;
        this.path = path;
    }

    @Override
    public int read(ByteBuffer into, long position) {
        MemorySegment room = MemorySegment.ofBuffer(into);
        int read = (int) LinuxCalls.checkLong(this, () -> Libc.pread(fd, room, room.byteSize(), position));
        into.position(into.position() + read);
        return read;
    }

    @Override
    public int write(ByteBuffer from, long position) {
        MemorySegment content = MemorySegment.ofBuffer(from);
        int written = (int) LinuxCalls.checkLong(this, () -> Libc.pwrite(fd, content, content.byteSize(), position));
        from.position(from.position() + written);
        return written;
    }

    @Override
    public void truncate(long size) {
        LinuxCalls.check(this, () -> Libc.ftruncate(fd, size));
    }

    @Override
    public void allocate(int mode, long offset, long length) {
        LinuxCalls.check(this, () -> Libc.fallocate(fd, mode, offset, length));
    }

    @Override
    public void sync(boolean dataOnly) {
        LinuxCalls.check(this, () -> dataOnly ? Libc.fdatasync(fd) : Libc.fsync(fd));
    }

    @Override
    public FileStatus status() {
        MemorySegment statx = SCRATCH.get();
        LinuxCalls.check(this, () -> Libc.statx(fd, EMPTY, AT_EMPTY_PATH, Statx.BASIC, statx));
        return Statx.decode(statx);
    }

    @Override
    public void setTimes(SetTimes times) {
        MemorySegment timespecs = SCRATCH.get();
        put(timespecs, 0, times.getAtimeNow(), times.hasAtime(), times.getAtime());
        put(timespecs, 2, times.getMtimeNow(), times.hasMtime(), times.getMtime());
        LinuxCalls.check(this, () -> Libc.futimens(fd, timespecs));
    }

    private static void put(MemorySegment timespecs, int index, boolean now, boolean given, Timestamp time) {
        timespecs.setAtIndex(JAVA_LONG, index, given ? time.getSeconds() : 0);
        timespecs.setAtIndex(JAVA_LONG, index + 1L, now ? UTIME_NOW : given ? time.getNanos() : UTIME_OMIT);
    }

    @Override
    public long seek(long offset, boolean hole) {
        return LinuxCalls.checkLong(this, () -> Libc.lseek(fd, offset, hole ? SEEK_HOLE : SEEK_DATA));
    }

    @Override
    public @Nullable ReplicaDescription description() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(XATTR_BOUND);
            long size = Libc.fgetxattr(fd, XATTR, value, XATTR_BOUND);
            if (size == -Errno.ENODATA.number() || size == -Errno.ERANGE.number()) {
                return null;
            }
            LinuxCalls.checkLong(this, () -> size);
            return size == 0
                    ? null
                    : ReplicaDescription.parseFrom(value.asSlice(0, size).asByteBuffer());
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }

    @Override
    public void describe(ReplicaDescription description) {
        byte[] encoded = description.toByteArray();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(encoded.length).copyFrom(MemorySegment.ofArray(encoded));
            LinuxCalls.check(this, () -> Libc.fsetxattr(fd, XATTR, value, encoded.length, 0));
        }
    }

    /** Opened through /proc at the first call, so that it is this very file whatever happened to its name. */
    @Override
    public synchronized @Nullable FileChannel channel() {
        if (channel == null) {
            try {
                channel = FileChannel.open(Path.of("/proc/self/fd/" + fd), StandardOpenOption.READ);
            } catch (IOException e) {
                LOG.debug("no channel for {}: {}", path, e.getMessage());
            }
        }
        return channel;
    }

    @Override
    public void close() {
        int result = Libc.close(fd);
        if (result < 0) {
            LOG.warn("closing {} failed with {}", path, Errno.of(-result));
        }
        closeChannel();
    }

    private synchronized void closeChannel() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** For messages. */
    @Override
    public String toString() {
        return "replica file " + path;
    }
}
