package org.beefs.honeybee.filesystem;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.FoundLock;

/**
 * POSIX semantics as the kernel asks for them: by inode number and by handle. Every driver sits on this interface.
 *
 * <p>Thread-safe, and no method waits for the network: futures complete on whatever thread has the answer, and fail
 * with {@link org.beefs.common.posix.PosixException} whose errno is the application's. Names are 1 to 255 bytes without
 * slash and NUL. Permission is checked against the caller wherever POSIX checks it. Handles are numbers of one mount,
 * never reused. Cancelling a future gives up waiting; whether the operation was carried out is then unknown.
 */
public interface FileSystem {
    /** The inode number of the root directory. */
    long ROOT = 1;

    /**
     * A kernel keeps what is answered from now on, and is told when it is no longer true. At most once.
     *
     * @return says of each answer how long the kernel may keep it
     */
    default Lifetimes attach(KernelCache kernel) {
        return Lifetimes.NONE;
    }

    /** The entry's inode; needs search permission on the directory. ENOENT when there is none. */
    CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name);

    /**
     * As {@link #lookup}, for a kernel, which asks for the attributes anew before it relies on them. When a file was
     * being written on a desktop that cannot be asked now, its size, blocks and times are those known last: so it can
     * be removed and renamed all the same.
     */
    default CompletableFuture<Attributes> lookupEntry(Credentials caller, long directory, ByteString name) {
        return lookup(caller, directory, name);
    }

    /** As stat(2). Works for unlinked inodes as long as somebody has them open. */
    CompletableFuture<Attributes> getAttributes(long inode);

    /** As chmod, chown, truncate and utimensat together, in that order; answers what is true afterwards. */
    CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change);

    /** As access(2); mask 4 read, 2 write, 1 execute or search. Fails with EACCES. */
    CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask);

    /** As readlink(2). EINVAL when the inode is no symbolic link. */
    CompletableFuture<ByteString> readSymbolicLink(Credentials caller, long inode);

    /**
     * As mknod(2).
     *
     * @param mode type and permissions
     * @param umask permissions that are not given, unless the directory has a default access control list; likewise
     *     below
     */
    CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device);

    /** As mkdir(2). EEXIST when there is such a name. */
    CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask);

    /** As symlink(2), with a target of 1 to 4095 bytes. EEXIST, ENAMETOOLONG. */
    CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target);

    /** As link(2). EPERM for directories, EMLINK beyond 65,000 names, EEXIST. */
    CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name);

    /** As unlink(2). EISDIR for directories, ENOENT. */
    CompletableFuture<Void> unlink(Credentials caller, long directory, ByteString name);

    /** As rmdir(2). ENOTDIR, ENOTEMPTY. */
    CompletableFuture<Void> removeDirectory(Credentials caller, long directory, ByteString name);

    /** As renameat2(2). EEXIST with NO_REPLACE; ENOENT with EXCHANGE when there is nothing to exchange with. */
    CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode);

    /** Creates a regular file and opens it; with an existing name, opens that unless {@code flags.exclusive()}. */
    CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags);

    /**
     * As open(2) with O_TMPFILE: creates a regular file without a name in a directory and opens it to write.
     * {@link #link} may name it unless {@code flags.exclusive()}.
     */
    CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags);

    /** Opens a regular file, truncating it first when the flags say so. */
    CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags);

    /**
     * Lets the driver read and write an open file past this file system, until the handle is released, with the rights
     * that the file was opened with. Waits for local disks only. Fails with EIO if it is required, and another file
     * than those opens have is the content's.
     *
     * @param required the same inode is open in this way already, and the kernel wants all opens of it alike
     * @return a descriptor of a file with the same content, open for reading until the handle is released; empty when
     *     the content is elsewhere, or has to go through here. If it is required that means: reads have to go through
     *     here, and mappings show the right content still
     */
    OptionalInt backingFile(long handle, boolean required);

    /** At most {@code length} bytes, fewer only at the end of the file. The payload belongs to the caller. */
    CompletableFuture<Payload.Bytes> read(long handle, long offset, int length);

    /**
     * Writes all of the content, which stays unchanged until the future is done. Fails also with what has become of an
     * earlier write, as do {@link #flush} and {@link #sync}; each handle is told once.
     *
     * @param append write at the end, wherever that is by then, and ignore the offset
     * @param clearPrivileges the writer lacks CAP_FSETID: set-uid and set-gid bits go
     */
    CompletableFuture<Void> write(long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges);

    /**
     * As {@link #write} of what a program has changed in a mapping, but it does not fail for what has become of an
     * earlier write: the kernel brings these pages only once.
     */
    CompletableFuture<Void> writePages(long handle, long offset, ByteBuf content, boolean clearPrivileges);

    /** Done when content and all namespace changes answered so far are on disks. */
    CompletableFuture<Void> sync(long handle, boolean dataOnly);

    /**
     * As fallocate(2).
     *
     * @param clearPrivileges as in {@link #write}
     */
    CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges);

    /**
     * As copy_file_range(2), where the contents lie together so that they need not come here; EXDEV otherwise. May copy
     * less.
     *
     * @param clearPrivileges as in {@link #write}
     */
    CompletableFuture<Long> copy(long source, long from, long target, long to, long length, boolean clearPrivileges);

    /** As lseek(2) with SEEK_HOLE or SEEK_DATA. */
    CompletableFuture<Long> seek(long handle, long offset, boolean hole);

    /** The lock of another owner that is in the way of this one, as F_GETLK; empty when there is none. */
    CompletableFuture<Optional<FoundLock>> findLock(long inode, FileLock wanted);

    /**
     * As F_SETLK and F_SETLKW of fcntl(2), and flock(2). Giving up does not need the handle, and is done in the end
     * even when it fails with EIO. A lock that is granted after the future was cancelled is given up.
     *
     * @param interrupted when this is done, waiting ends with EINTR, unless the lock was granted before
     */
    CompletableFuture<Void> setLock(long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted);

    /**
     * Whether {@link #flush} has to be called when a descriptor of this open file is closed. Closing is quicker
     * without, and needs nobody.
     */
    boolean wantsFlush(long handle);

    /**
     * A process has closed a descriptor of a file: by that it loses its locks of fcntl(2) on the file, also when this
     * fails. Done when what was written before is where everybody sees it.
     *
     * @param lockOwner as the kernel of this mount calls the process
     */
    CompletableFuture<Void> flush(long handle, long inode, long lockOwner);

    /** Ends an open; done when the queen-bee knows. */
    CompletableFuture<Void> release(long handle);

    /** Opens a directory for listing; needs read permission. */
    CompletableFuture<Void> openDirectory(Credentials caller, long directory);

    /**
     * Entries with a cookie above {@code after}, in an order that stays while entries come and go; 0 begins. The
     * entries "." and ".." are not among them: cookies 1 and 2 are left to the driver for these.
     */
    CompletableFuture<Listing> listDirectory(long directory, long after, int limit, boolean withAttributes);

    /** Done when all namespace changes answered so far are on the queen-bee's disk. */
    CompletableFuture<Void> syncDirectory(long directory);

    /** As statfs(2): the space that df(1) shows, where a file takes as many bytes as it is long. */
    CompletableFuture<FileSystemSpace> space();

    /**
     * Somebody without CAP_FSETID may be about to write a file past this file system (see {@link #backingFile}): if it
     * is open for that, set-id bits that it got meanwhile go, as they would in {@link #write}.
     */
    CompletableFuture<Void> clearPrivileges(long inode);

    /** As getxattr(2). ENODATA when there is no attribute of that name. */
    CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name);

    /** As setxattr(2). With {@code create} fails with EEXIST, with {@code replace} with ENODATA. */
    CompletableFuture<Void> setXattr(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace);

    /** As listxattr(2): the names that the caller may see. */
    CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode);

    /** As removexattr(2). ENODATA when there is no attribute of that name, unless it is an access control list. */
    CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name);

    /** Whether a rename may replace, must not, or exchanges two existing entries. */
    enum RenameMode {
        REPLACE,
        NO_REPLACE,
        EXCHANGE
    }

    /** How a file is opened; exclusive matters only to create. */
    record OpenFlags(
            boolean read,
            boolean write,
            boolean truncate,
            boolean exclusive,
            boolean execute,
            boolean keepAccessTime) {}

    /**
     * A file and the handle it was opened under. After an open that did not truncate, size and times of a file that is
     * being written are as the queen-bee knows them: who needs them asks for the attributes.
     *
     * @param mayKeepPages whether content that is read may be kept as {@link Lifetimes#pages} says
     * @param isNew whether it was made to be opened
     */
    record OpenedFile(Attributes attributes, long handle, boolean mayKeepPages, boolean isNew) {}

    /**
     * A page of a directory.
     *
     * @param nextCookie what is made or renamed from now on has this cookie or a higher one; 0 if that is not known
     */
    record Listing(List<Entry> entries, boolean end, long parent, long nextCookie) {}
}
