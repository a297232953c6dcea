package org.beefs.honeybee.stats;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.filesystem.Holes;

/**
 * A folder with one file, whose content is made when it is opened and stays for that open. Like those of /proc it says
 * that its length is 0; reading goes past the kernel's pages, so programs find the end by reading. Thread-safe.
 */
final class StatsFolder {
    /** Inodes at the end of the numbers, where the queen-bee, who counts from below, never comes. */
    static final long FOLDER = Long.MAX_VALUE - 1;

    static final long FILE = Long.MAX_VALUE;

    /** Opens at a time, in a mount. */
    static final int MOST_OPEN = 1024;

    private static final int WRITE = 2;
    private static final int EXECUTE = 1;
    private static final long COOKIE = 3;
    private static final ByteString NAME = ByteString.copyFromUtf8(StatsFileSystem.FILE_NAME);

    private final Supplier<String> text;
    private final Timestamp since;

    /** The content of each open, by handle. */
    private final Map<Long, byte[]> open = new ConcurrentHashMap<>();

    /** Handles are negative: those of the hive are not. */
    private final AtomicLong lastHandle = new AtomicLong();

    StatsFolder(Supplier<String> text, Instant since) {
        this.text = text;
        this.since = Timestamps.toWire(since);
    }

    /** Whether an inode is the folder or its file. */
    static boolean has(long inode) {
        return inode >= FOLDER;
    }

    /** Whether a handle is of an open of the file. */
    static boolean opened(long handle) {
        return handle < 0;
    }

    CompletableFuture<Attributes> lookup(long directory, ByteString name) {
        if (directory == FILE) {
            return Futures.failed(Errno.ENOTDIR, StatsFileSystem.FILE_NAME + " is a file");
        }
        return name.equals(NAME)
                ? attributes(FILE)
                : Futures.failed(Errno.ENOENT, "there is only " + StatsFileSystem.FILE_NAME);
    }

    CompletableFuture<Attributes> attributes(long inode) {
        return CompletableFuture.completedFuture(attributesOf(inode));
    }

    private Attributes attributesOf(long inode) {
        boolean folder = inode == FOLDER;
        return Attributes.newBuilder()
                .setInode(inode)
                .setMode(folder ? FileMode.DIRECTORY | 0555 : FileMode.REGULAR | 0444)
                .setLinks(folder ? 2 : 1)
                .setAtime(since)
                .setMtime(since)
                .setCtime(since)
                .setBtime(since)
                .build();
    }

    CompletableFuture<Void> checkAccess(long inode, int mask) {
        int never = inode == FOLDER ? WRITE : WRITE | EXECUTE;
        return (mask & never) == 0 ? Futures.DONE : Futures.failed(Errno.EACCES, "it can only be read");
    }

    CompletableFuture<OpenedFile> open() {
        if (open.size() >= MOST_OPEN) {
            return Futures.failed(Errno.ENFILE, "it is open " + MOST_OPEN + " times");
        }
        long handle = lastHandle.decrementAndGet();
        open.put(handle, text.get().getBytes(StandardCharsets.UTF_8));
        return CompletableFuture.completedFuture(new OpenedFile(attributesOf(FILE), handle, false, false));
    }

    CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        byte[] content = content(handle);
        int from = (int) Math.min(offset, content.length);
        int bytes = Math.min(length, content.length - from);
        return CompletableFuture.completedFuture(new Payload.Bytes(Unpooled.wrappedBuffer(content, from, bytes)));
    }

    CompletableFuture<Long> seek(long handle, long offset, boolean hole) {
        return Futures.attempt(
                () -> CompletableFuture.completedFuture(Holes.none(content(handle).length, offset, hole)));
    }

    CompletableFuture<Void> release(long handle) {
        open.remove(handle);
        return Futures.DONE;
    }

    CompletableFuture<Listing> list(long after, boolean withAttributes) {
        Entry file = new Entry(NAME, FILE, FileMode.REGULAR, COOKIE, withAttributes ? attributesOf(FILE) : null);
        return CompletableFuture.completedFuture(
                new Listing(after >= COOKIE ? List.of() : List.of(file), true, FileSystem.ROOT, COOKIE + 1));
    }

    private byte[] content(long handle) {
        byte[] content = open.get(handle);
        if (content == null) {
            throw new PosixException(Errno.EBADF, "it is not open");
        }
        return content;
    }
}
