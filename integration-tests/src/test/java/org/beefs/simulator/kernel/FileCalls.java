package org.beefs.simulator.kernel;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.fuse.notification.KeptPages;
import org.beefs.honeycomb.memory.OutsideFile;

/** System calls on open files. */
final class FileCalls {
    /** As fallocate(2). */
    private static final int KEEP_SIZE = 0x01;

    /** Whoever closes a file here has no locks on it. */
    private static final long PROGRAM = 1;

    private final SimKernel kernel;
    private final PathWalk walk;
    private final PageReads pageReads;

    FileCalls(SimKernel kernel, PathWalk walk, Trust trust) {
        this.kernel = kernel;
        this.walk = walk;
        this.pageReads = new PageReads(kernel, walk, trust);
    }

    /** Nothing but the inode's number is seen of its attributes. */
    CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        return walk.attributes(inode)
                .thenCompose(known -> FileMode.isRegular(known.getMode())
                        ? walk.permit(caller, inode, rights(flags))
                        : CompletableFuture.completedFuture(null))
                .thenCompose(_ -> kernel.ask(fileSystem -> fileSystem.open(caller, inode, flags), file -> {
                    KeptPages.Use use = kernel.files()
                            .enter(inode, file, () -> kernel.lifetimes().pages(inode));
                    return () -> {
                        kernel.files().take(inode, file.handle(), flags, use);
                        if (flags.truncate()) {
                            kernel.inodes().stale(inode);
                        }
                        Attributes number =
                                Attributes.newBuilder().setInode(inode).build();
                        return new OpenedFile(number, file.handle(), file.mayKeepPages(), false);
                    };
                }));
    }

    private static int rights(OpenFlags flags) {
        return (flags.read() ? Permissions.READ : 0) | (flags.write() ? Permissions.WRITE : 0);
    }

    /** Asks for something that is done with an open file. */
    <T, R> CompletableFuture<R> ask(
            long handle, Function<FileSystem, CompletableFuture<T>> request, Answer<T, R> answer) {
        return kernel.files().through(handle, () -> kernel.ask(request, answer));
    }

    CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        OutsideFile past = kernel.files().past(handle);
        if (kernel.files().isPaged(handle)) {
            return pageReads.read(handle, offset, length);
        }
        if (past == null) {
            return ask(handle, fileSystem -> fileSystem.read(handle, offset, length), Answer.plain());
        }
        ByteBuf read = Unpooled.wrappedBuffer(past.read(offset, length));
        kernel.inodes().stale(kernel.files().inode(handle)); // atime
        return CompletableFuture.completedFuture(new Payload.Bytes(read));
    }

    CompletableFuture<Void> write(long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        long inode = kernel.files().inode(handle);
        OutsideFile past = kernel.files().past(handle);
        int length = content.readableBytes();
        if (past == null) {
            kernel.pages().drop(inode, offset, length);
            return ask(
                    handle,
                    fileSystem -> fileSystem.write(handle, offset, content, append, clearPrivileges),
                    Answer.then(() -> kernel.inodes()
                            .written(inode, length + (append ? kernel.inodes().size(inode) : offset))));
        }
        try {
            past.write(offset, append, ByteBufUtil.getBytes(content));
        } catch (PosixException fenced) { // with EPERM, which says here that what was asked is not done
            return CompletableFuture.failedFuture(new PosixException(Errno.EIO, fenced.getMessage()));
        }
        kernel.inodes().invalidate(inode);
        return CompletableFuture.completedFuture(null);
    }

    CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        return kernel.swallowing(ask(handle, fileSystem -> fileSystem.sync(handle, dataOnly), Answer.plain()));
    }

    CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        long inode = kernel.files().inode(handle);
        kernel.pages().drop(inode, offset, length);
        return ask(
                handle,
                fileSystem -> fileSystem.allocate(handle, mode, offset, length, clearPrivileges),
                Answer.then(() -> kernel.inodes().written(inode, (mode & KEEP_SIZE) == 0 ? offset + length : 0)));
    }

    /**
     * Closing waits for what was written behind. The kernel has the file closed a moment after it has told the daemon.
     */
    CompletableFuture<Void> release(long handle) {
        closePast(handle);
        if (!kernel.files().wantsFlush(handle)) {
            return forget(handle);
        }
        long inode = kernel.files().inode(handle);
        CompletableFuture<Void> flushed =
                kernel.swallowing(ask(handle, fileSystem -> fileSystem.flush(handle, inode, PROGRAM), Answer.plain()));
        return flushed.exceptionally(failed -> null)
                .thenCompose(done -> forget(handle))
                .thenCompose(released -> flushed.exceptionally(FileCalls::closedNevertheless));
    }

    private void closePast(long handle) {
        OutsideFile past = kernel.files().past(handle);
        if (past != null) {
            kernel.soon(past::close);
        }
    }

    /** The program was killed: nobody waits for what was written behind. */
    CompletableFuture<Void> releaseKilled(long handle) {
        closePast(handle);
        return forget(handle);
    }

    /** The file went away while nobody could ask for it, so there is nothing to close. */
    private static Void closedNevertheless(Throwable failure) {
        PosixException cause = Failures.toPosix(failure);
        if (cause.errno() != Errno.ESTALE) {
            throw cause;
        }
        return null;
    }

    /** The descriptor is closed, and the file stays mapped. Done when the hive knows that nobody uses it any more. */
    CompletableFuture<Void> forget(long handle) {
        return kernel.files()
                .quiet(handle)
                .thenCompose(_ -> kernel.ask(
                        fileSystem -> {
                            kernel.files().leave(handle);
                            return fileSystem.release(handle);
                        },
                        Answer.plain()));
    }

    CompletableFuture<ByteString> readLink(Credentials caller, long inode) {
        return walk.attributes(inode).thenCompose(_ -> {
            ByteString known = kernel.inodes().target(inode);
            return known != null
                    ? CompletableFuture.completedFuture(known)
                    : kernel.ask(fileSystem -> fileSystem.readSymbolicLink(caller, inode), target -> () -> {
                        kernel.inodes().keepTarget(inode, target);
                        return target;
                    });
        });
    }
}
