package org.beefs.honeybee.stats;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.FoundLock;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.ForwardingFileSystem;

/**
 * A file system whose root has a folder {@value #FOLDER_NAME} besides, which no listing shows, with a file
 * {@value #FILE_NAME} that everybody may read and nobody may change. Whatever an entry of that name in the file system
 * itself is, it cannot be seen here.
 *
 * <p>Nothing about these two waits for anybody. Thread-safe.
 */
public final class StatsFileSystem extends ForwardingFileSystem {
    public static final String FOLDER_NAME = ".beefs";
    public static final String FILE_NAME = "stats";

    private static final ByteString FOLDER_BYTES = ByteString.copyFromUtf8(FOLDER_NAME);

    private final StatsFolder folder;

    /**
     * Adds the folder to a file system.
     *
     * @param text what is read, made anew for each open; does not wait
     * @param since when the file system was mounted, which is shown as the time of both
     */
    public StatsFileSystem(FileSystem inner, Supplier<String> text, Instant since) {
        super(inner);
        this.folder = new StatsFolder(text, since);
    }

    private static boolean isFolder(long directory, ByteString name) {
        return directory == ROOT && name.equals(FOLDER_BYTES);
    }

    /** Whether a name is there, or would be, where nothing can be changed. */
    private static boolean isFixed(long directory, ByteString name) {
        return StatsFolder.has(directory) || isFolder(directory, name);
    }

    private static <T> CompletableFuture<T> readOnly() {
        return Futures.failed(Errno.EROFS, "nothing can be changed in " + FOLDER_NAME);
    }

    /** The failure of making an entry: in the folder nothing can be made, and there is one of its name. */
    private static <T> CompletableFuture<T> notMade(long directory) {
        return directory == ROOT ? Futures.failed(Errno.EEXIST, FOLDER_NAME + " is every mount's own") : readOnly();
    }

    @Override
    public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        if (isFolder(directory, name)) {
            return folder.attributes(StatsFolder.FOLDER);
        }
        return StatsFolder.has(directory) ? folder.lookup(directory, name) : super.lookup(caller, directory, name);
    }

    @Override
    public CompletableFuture<Attributes> lookupEntry(Credentials caller, long directory, ByteString name) {
        return isFolder(directory, name) || StatsFolder.has(directory)
                ? lookup(caller, directory, name)
                : super.lookupEntry(caller, directory, name);
    }

    @Override
    public CompletableFuture<Attributes> getAttributes(long inode) {
        return StatsFolder.has(inode) ? folder.attributes(inode) : super.getAttributes(inode);
    }

    @Override
    public CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change) {
        return StatsFolder.has(inode) ? readOnly() : super.setAttributes(caller, inode, change);
    }

    @Override
    public CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        return StatsFolder.has(inode) ? folder.checkAccess(inode, mask) : super.checkAccess(caller, inode, mask);
    }

    @Override
    public CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device) {
        return isFixed(directory, name)
                ? notMade(directory)
                : super.makeNode(caller, directory, name, mode, umask, device);
    }

    @Override
    public CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask) {
        return isFixed(directory, name)
                ? notMade(directory)
                : super.makeDirectory(caller, directory, name, mode, umask);
    }

    @Override
    public CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target) {
        return isFixed(directory, name) ? notMade(directory) : super.makeSymbolicLink(caller, directory, name, target);
    }

    @Override
    public CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name) {
        if (StatsFolder.has(inode)) {
            return Futures.failed(Errno.EXDEV, FOLDER_NAME + " is no part of the hive");
        }
        return isFixed(directory, name) ? notMade(directory) : super.link(caller, inode, directory, name);
    }

    @Override
    public CompletableFuture<Void> unlink(Credentials caller, long directory, ByteString name) {
        return isFixed(directory, name) ? readOnly() : super.unlink(caller, directory, name);
    }

    @Override
    public CompletableFuture<Void> removeDirectory(Credentials caller, long directory, ByteString name) {
        return isFixed(directory, name) ? readOnly() : super.removeDirectory(caller, directory, name);
    }

    @Override
    public CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        return isFixed(oldDirectory, oldName) || isFixed(newDirectory, newName)
                ? readOnly()
                : super.rename(caller, oldDirectory, oldName, newDirectory, newName, mode);
    }

    @Override
    public CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags) {
        return isFixed(directory, name)
                ? notMade(directory)
                : super.create(caller, directory, name, mode, umask, flags);
    }

    @Override
    public CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags) {
        return StatsFolder.has(directory) ? readOnly() : super.createUnnamed(caller, directory, mode, umask, flags);
    }

    @Override
    public CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        if (!StatsFolder.has(inode)) {
            return super.open(caller, inode, flags);
        }
        return flags.write() || flags.truncate() ? readOnly() : folder.open();
    }

    @Override
    public OptionalInt backingFile(long handle, boolean required) {
        return StatsFolder.opened(handle) ? OptionalInt.empty() : super.backingFile(handle, required);
    }

    @Override
    public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        return StatsFolder.opened(handle) ? folder.read(handle, offset, length) : super.read(handle, offset, length);
    }

    @Override
    public CompletableFuture<Void> write(
            long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
        return StatsFolder.opened(handle) ? readOnly() : super.write(handle, offset, content, append, clearPrivileges);
    }

    @Override
    public CompletableFuture<Void> writePages(long handle, long offset, ByteBuf content, boolean clearPrivileges) {
        return StatsFolder.opened(handle) ? readOnly() : super.writePages(handle, offset, content, clearPrivileges);
    }

    @Override
    public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        return StatsFolder.opened(handle) ? Futures.DONE : super.sync(handle, dataOnly);
    }

    @Override
    public CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        return StatsFolder.opened(handle) ? readOnly() : super.allocate(handle, mode, offset, length, clearPrivileges);
    }

    @Override
    public CompletableFuture<Long> copy(
            long source, long from, long target, long to, long length, boolean clearPrivileges) {
        return StatsFolder.opened(source) || StatsFolder.opened(target)
                ? Futures.failed(Errno.EXDEV, FOLDER_NAME + " is no part of the hive")
                : super.copy(source, from, target, to, length, clearPrivileges);
    }

    @Override
    public CompletableFuture<Long> seek(long handle, long offset, boolean hole) {
        return StatsFolder.opened(handle) ? folder.seek(handle, offset, hole) : super.seek(handle, offset, hole);
    }

    @Override
    public CompletableFuture<Optional<FoundLock>> findLock(long inode, FileLock wanted) {
        return StatsFolder.has(inode) ? withoutLocks() : super.findLock(inode, wanted);
    }

    @Override
    public CompletableFuture<Void> setLock(
            long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        return StatsFolder.has(inode) ? withoutLocks() : super.setLock(handle, inode, lock, interrupted);
    }

    private static <T> CompletableFuture<T> withoutLocks() {
        return Futures.failed(Errno.EOPNOTSUPP, "there are no locks in " + FOLDER_NAME);
    }

    @Override
    public boolean wantsFlush(long handle) {
        return !StatsFolder.opened(handle) && super.wantsFlush(handle);
    }

    @Override
    public CompletableFuture<Void> flush(long handle, long inode, long lockOwner) {
        return StatsFolder.has(inode) ? Futures.DONE : super.flush(handle, inode, lockOwner);
    }

    @Override
    public CompletableFuture<Void> release(long handle) {
        return StatsFolder.opened(handle) ? folder.release(handle) : super.release(handle);
    }

    @Override
    public CompletableFuture<Void> openDirectory(Credentials caller, long directory) {
        return StatsFolder.has(directory) ? Futures.DONE : super.openDirectory(caller, directory);
    }

    @Override
    public CompletableFuture<Listing> listDirectory(long directory, long after, int limit, boolean withAttributes) {
        if (StatsFolder.has(directory)) {
            return folder.list(after, withAttributes);
        }
        CompletableFuture<Listing> listing = super.listDirectory(directory, after, limit, withAttributes);
        return directory == ROOT ? listing.thenCompose(page -> shown(page, limit, withAttributes)) : listing;
    }

    /**
     * The page without an entry of the folder's name. An empty page would end the listing, so the next one takes its
     * place.
     */
    private CompletableFuture<Listing> shown(Listing page, int limit, boolean withAttributes) {
        Listing shown = withoutFolder(page);
        return shown.entries().isEmpty() && !page.end() && !page.entries().isEmpty()
                ? listDirectory(ROOT, page.entries().getLast().cookie(), limit, withAttributes)
                : CompletableFuture.completedFuture(shown);
    }

    /** The listing without the entry of the folder's name that the file system itself may have. */
    private static Listing withoutFolder(Listing listing) {
        return listing.entries().stream().noneMatch(entry -> entry.name().equals(FOLDER_BYTES))
                ? listing
                : new Listing(
                        listing.entries().stream()
                                .filter(entry -> !entry.name().equals(FOLDER_BYTES))
                                .toList(),
                        listing.end(),
                        listing.parent(),
                        listing.nextCookie());
    }

    @Override
    public CompletableFuture<Void> syncDirectory(long directory) {
        return StatsFolder.has(directory) ? Futures.DONE : super.syncDirectory(directory);
    }

    @Override
    public CompletableFuture<Void> clearPrivileges(long inode) {
        return StatsFolder.has(inode) ? Futures.DONE : super.clearPrivileges(inode);
    }

    @Override
    public CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name) {
        return StatsFolder.has(inode)
                ? Futures.failed(Errno.ENODATA, "there are no extended attributes in " + FOLDER_NAME)
                : super.getXattr(caller, inode, name);
    }

    @Override
    public CompletableFuture<Void> setXattr(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return StatsFolder.has(inode) ? readOnly() : super.setXattr(caller, inode, name, value, create, replace);
    }

    @Override
    public CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode) {
        return StatsFolder.has(inode) ? CompletableFuture.completedFuture(List.of()) : super.listXattrs(caller, inode);
    }

    @Override
    public CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name) {
        return StatsFolder.has(inode) ? readOnly() : super.removeXattr(caller, inode, name);
    }
}
