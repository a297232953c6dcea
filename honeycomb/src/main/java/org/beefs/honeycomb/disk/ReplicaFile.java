package org.beefs.honeycomb.disk;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.jspecify.annotations.Nullable;

/**
 * An open replica file. Thread-safe, except that {@link #close} waits until nobody uses it any more. Methods fail with
 * {@link org.beefs.common.posix.PosixException} and the disk's errno. Positions and sizes are in bytes.
 */
public interface ReplicaFile extends AutoCloseable {
    /** Answer of {@link #readAtHand} after which a caller that may wait reads instead. */
    int NOT_AT_HAND = -1;

    /**
     * As pread(2) into a direct buffer, whose position it moves; the number of bytes read, 0 at the end of the file.
     */
    int read(ByteBuffer into, long position);

    /**
     * As {@link #read}, but only what is in memory, and without waiting for anything; maybe less than there is.
     * {@link #NOT_AT_HAND} when there is nothing from that position on, or that is not known.
     */
    int readAtHand(ByteBuffer into, long position);

    /** As pwrite(2) from a direct buffer, whose position it moves; the number of bytes written, maybe not all. */
    int write(ByteBuffer from, long position);

    /**
     * Writes from a direct buffer at the end of the file as it is then, whoever else writes; otherwise as
     * {@link #write}.
     */
    int append(ByteBuffer from);

    /**
     * As copy_file_range(2) from another file, or another part of this one; the number of bytes copied, maybe not all.
     */
    long copy(ReplicaFile source, long from, long to, long length);

    /** As {@link #copy}, until all is copied or the source ends; the number of bytes copied. */
    default long copyAll(ReplicaFile source, long from, long to, long length) {
        long done = 0;
        long more;
        do {
            more = copy(source, from + done, to + done, length - done);
            done += more;
        } while (more > 0 && done < length);
        return done;
    }

    /** As ftruncate(2): mtime and ctime change also when the size does not. */
    void truncate(long size);

    /** As fallocate(2). */
    void allocate(int mode, long offset, long length);

    /** As fsync(2) or, with {@code dataOnly}, fdatasync(2). */
    void sync(boolean dataOnly);

    /**
     * Returns when every write to the file that has begun is done, whoever does it. A write moves ctime when it begins,
     * so that ctime alone does not tell of one that takes long.
     */
    void finishWrites();

    FileStatus status();

    /** As futimens(2). */
    void setTimes(SetTimes times);

    /** As lseek(2) with SEEK_HOLE or SEEK_DATA. */
    long seek(long offset, boolean hole);

    /** The description on the file; null when it is missing or not to be understood. */
    @Nullable
    ReplicaDescription description();

    /** Writes on the file what it is; changes ctime but not mtime. */
    void describe(ReplicaDescription description);

    /** A channel to send content from, open as long as this file is; null when there is none. */
    @Nullable
    FileChannel channel();

    /**
     * Fails as an open for writing would, for example because the disk is read-only. What the kernel meets when it
     * opens the file by itself it tells programs as EIO, whatever it was.
     */
    void checkWritable();

    /** A descriptor for the kernel to read and write the file with; open for reading until this is closed. */
    int descriptor();

    /**
     * Whether anybody in any process has the file open or mapped for writing, other than through this object, which
     * nobody may change the file with meanwhile. Means nothing where {@link ReplicaFiles#showsWriters} is false.
     */
    boolean isOpenForWriting();

    /** Whether nobody can change it, as {@link #setImmutable} says. */
    boolean isImmutable();

    /**
     * Lets nobody change the file any more, however he has it open or mapped, nor remove or rename it; or takes that
     * back. Waits until what was written before is on disk. Fails with EPERM when this process may not change that.
     * Means nothing where {@link ReplicaFiles#fences} is false.
     */
    void setImmutable(boolean immutable);

    @Override
    void close();
}
