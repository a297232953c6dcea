package org.beefs.honeycomb.disk;

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
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica file of the desktop's own file system. Open for reading; a second descriptor, for writing, is opened at the
 * first change and closed when it has to be known whether others write.
 */
@ProductionOnly
final class LinuxReplicaFile implements ReplicaFile {
    private static final Logger LOG = LoggerFactory.getLogger(LinuxReplicaFile.class);

    /** Name of the extended attribute that says what a replica file is. */
    private static final MemorySegment XATTR = Arena.global().allocateFrom("user.beefs.replica");

    /** No file has an extended attribute of this name. */
    private static final MemorySegment NO_XATTR = Arena.global().allocateFrom("user.beefs.none");

    private static final MemorySegment EMPTY = Arena.global().allocateFrom("");
    private static final int XATTR_BOUND = 4096;
    private static final int F_SETSIG = 10;
    private static final int F_SETLEASE = 1024;
    private static final int F_RDLCK = 0;
    private static final int F_UNLCK = 2;
    /** A signal that processes ignore unless they ask for it. */
    private static final int SIGURG = 23;

    private static final int RWF_NOWAIT = 0x08;
    private static final int RWF_APPEND = 0x10;

    /**
     * Reads that do not look in memory after one whose pages were not there. Looking makes the kernel fetch them, which
     * may wait for room in the disk's queue; and where one page is missing, others are.
     */
    private static final int AFTER_A_MISS = 32;

    /** Value for file systems that do not say what they have in memory. */
    private static final int NEVER = Integer.MAX_VALUE;

    private static final int NONE = -1;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final long UTIME_OMIT = (1L << 30) - 2;

    /** Memory in which a call of this thread leaves its result; large enough for a struct statx and two timespecs. */
    private static final ThreadLocal<MemorySegment> SCRATCH =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Statx.BYTES, Long.BYTES));

    private final int fd;
    private final Path path;
    private volatile int writer = NONE;

    /** For how many reads, or about so many, the file system is not asked what it has in memory. */
    private final AtomicInteger unasked = new AtomicInteger();

    private @Nullable FileChannel channel;

    /** Takes over a descriptor that was opened for reading. */
    LinuxReplicaFile(int fd, Path path) {
        this.fd = fd;
        this.path = path;
    }

    /** Opens a file; null when there is none. Fails for a symbolic link, which none of them is. */
    static @Nullable LinuxReplicaFile open(Path path) {
        try {
            return new LinuxReplicaFile(LinuxCalls.open(path, LinuxCalls.O_RDONLY | LinuxCalls.O_NOFOLLOW, 0), path);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return null;
            }
            throw e;
        }
    }

    /** As unlink(2), also for an immutable file; that there is none is no failure. */
    static void unlink(Path path) {
        try {
            LinuxCalls.unlink(path);
        } catch (PosixException e) {
            if (e.errno() == Errno.EPERM) {
                unlinkImmutable(path);
            } else if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    private static void unlinkImmutable(Path path) {
        try (LinuxReplicaFile file = open(path)) {
            if (file != null) {
                file.setImmutable(false);
                LinuxCalls.unlink(path);
            }
        }
    }

    @Override
    public int read(ByteBuffer into, long position) {
        MemorySegment room = MemorySegment.ofBuffer(into);
        int read = (int) LinuxCalls.checkLong(this, () -> Libc.pread(fd, room, room.byteSize(), position));
        into.position(into.position() + read);
        return read;
    }

    @Override
    public int readAtHand(ByteBuffer into, long position) {
        if (unasked.get() > 0) {
            unasked.decrementAndGet();
            return NOT_AT_HAND;
        }
        MemorySegment vector = vector(MemorySegment.ofBuffer(into));
        int read = (int) Libc.preadv2(fd, vector, 1, position, RWF_NOWAIT);
        if (read < 0) {
            unasked.set(read == -Errno.EAGAIN.number() ? AFTER_A_MISS : NEVER);
            return NOT_AT_HAND;
        }
        into.position(into.position() + read);
        return read;
    }

    @Override
    public int write(ByteBuffer from, long position) {
        MemorySegment content = MemorySegment.ofBuffer(from);
        int to = writer();
        int written = (int) LinuxCalls.checkLong(this, () -> Libc.pwrite(to, content, content.byteSize(), position));
        from.position(from.position() + written);
        return written;
    }

    /** The kernel finds the end, because others append without this process's knowledge. */
    @Override
    public int append(ByteBuffer from) {
        MemorySegment vector = vector(MemorySegment.ofBuffer(from));
        int to = writer();
        int written = (int) LinuxCalls.checkLong(this, () -> Libc.pwritev2(to, vector, 1, 0, RWF_APPEND));
        from.position(from.position() + written);
        return written;
    }

    /** A struct iovec, until this thread's next call. */
    private static MemorySegment vector(MemorySegment content) {
        MemorySegment vector = SCRATCH.get();
        vector.setAtIndex(JAVA_LONG, 0, content.address());
        vector.setAtIndex(JAVA_LONG, 1, content.byteSize());
        return vector;
    }

    @Override
    public long copy(ReplicaFile source, long from, long to, long length) {
        MemorySegment offsets = SCRATCH.get();
        offsets.setAtIndex(JAVA_LONG, 0, from);
        offsets.setAtIndex(JAVA_LONG, 1, to);
        int writer = writer();
        return LinuxCalls.checkLong(
                this,
                () -> Libc.copyFileRange(source.descriptor(), offsets, writer, offsets.asSlice(Long.BYTES), length));
    }

    @Override
    public void truncate(long size) {
        int to = writer();
        LinuxCalls.check(this, () -> Libc.ftruncate(to, size));
    }

    @Override
    public void allocate(int mode, long offset, long length) {
        int to = writer();
        LinuxCalls.check(this, () -> Libc.fallocate(to, mode, offset, length));
    }

    @Override
    public void sync(boolean dataOnly) {
        LinuxCalls.check(this, () -> dataOnly ? Libc.fdatasync(fd) : Libc.fsync(fd));
    }

    /**
     * Writes hold the inode's lock, and so does the removal of an attribute; that there is none to be removed is found
     * out with the lock held, and changes nothing. Not so asynchronous direct writes, which only begin with the lock
     * held.
     */
    @Override
    public void finishWrites() {
        int result = Libc.fremovexattr(fd, NO_XATTR);
        if (result != -Errno.ENODATA.number()) {
            LinuxCalls.check(this, result);
        }
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
        put(timespecs, 0, times.hasAtime(), times.getAtime());
        put(timespecs, 2, times.hasMtime(), times.getMtime());
        LinuxCalls.check(this, () -> Libc.futimens(fd, timespecs));
    }

    private static void put(MemorySegment timespecs, int index, boolean given, Timestamp time) {
        timespecs.setAtIndex(JAVA_LONG, index, given ? time.getSeconds() : 0);
        timespecs.setAtIndex(JAVA_LONG, index + 1L, given ? time.getNanos() : UTIME_OMIT);
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
            LinuxCalls.check(this, size);
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

    @Override
    public synchronized @Nullable FileChannel channel() {
        if (channel == null) {
            try {
                channel = FileChannel.open(itself(), StandardOpenOption.READ);
            } catch (IOException e) {
                LOG.debug("no channel for {}: {}", path, e.getMessage());
            }
        }
        return channel;
    }

    @Override
    public int descriptor() {
        return fd;
    }

    /**
     * The kernel grants a lease for reading only while nobody can write. It is given back at once; should somebody open
     * the file for writing in between, the kernel's signal to the holder must not be SIGIO, which ends a process.
     */
    @Override
    public boolean isOpenForWriting() {
        closeWriter();
        LinuxCalls.check(this, () -> Libc.fcntl(fd, F_SETSIG, SIGURG));
        int lease = Libc.fcntl(fd, F_SETLEASE, F_RDLCK);
        if (lease == -Errno.EAGAIN.number()) {
            return true;
        }
        LinuxCalls.check(this, lease);
        LinuxCalls.check(this, () -> Libc.fcntl(fd, F_SETLEASE, F_UNLCK));
        return false;
    }

    @Override
    public void checkWritable() {
        close(LinuxCalls.open(itself(), LinuxCalls.O_RDWR, 0));
    }

    @Override
    public boolean isImmutable() {
        return FileFlags.isImmutable(fd);
    }

    @Override
    public void setImmutable(boolean immutable) {
        FileFlags.setImmutable(fd, this, immutable);
    }

    private int writer() {
        int present = writer;
        return present == NONE ? openWriter() : present;
    }

    private synchronized int openWriter() {
        if (writer == NONE) {
            writer = LinuxCalls.open(itself(), LinuxCalls.O_RDWR, 0);
        }
        return writer;
    }

    /** The path of this very file, whatever happened to its name. */
    private Path itself() {
        return Path.of("/proc/self/fd/" + fd);
    }

    @Override
    public void close() {
        closeWriter();
        close(fd);
        closeChannel();
    }

    private synchronized void closeWriter() {
        if (writer != NONE) {
            close(writer);
            writer = NONE;
        }
    }

    private void close(int descriptor) {
        int result = Libc.close(descriptor);
        if (result < 0) {
            LOG.warn("closing {} failed with {}", path, Errno.of(-result));
        }
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
