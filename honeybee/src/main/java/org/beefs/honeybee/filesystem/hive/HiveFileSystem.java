package org.beefs.honeybee.filesystem.hive;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.FoundLock;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.cache.CacheView;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.filesystem.Answers;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.KernelCache;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.beefs.honeybee.filesystem.content.Content;
import org.beefs.honeybee.filesystem.content.LocalPins;
import org.beefs.honeybee.filesystem.content.OpenHandle;
import org.beefs.honeybee.filesystem.content.OpenHandles;
import org.beefs.honeybee.filesystem.content.OpenInode;
import org.beefs.honeybee.filesystem.content.Privileges;
import org.beefs.honeybee.filesystem.lock.MountLocks;
import org.beefs.honeybee.filesystem.prefetch.Prefetcher;
import org.beefs.honeybee.queen.Metadata;
import org.beefs.honeybee.queen.QueenProxy;

/**
 * The hive as a file system: asks the cache or the queen-bee, then goes to the content if need be, and answers. One for
 * each mount; the session, its cache and the ways to honeycombs are shared by the mounts of a desktop.
 *
 * <p>Thread-safe: called by several readers of the kernel at once, while answers come on the threads of the network. No
 * lock is held while anything outside of this package is called, and no thread waits.
 */
public final class HiveFileSystem implements FileSystem {
    private final CacheView view;
    private final QueenProxy queen;
    private final Metadata metadata;
    private final OpenHandles handles;
    private final AccessTimes accesses;
    private final CurrentAttributes current;
    private final Privileges privileges;
    private final Content content;
    private final OpenFiles files;
    private final LocalPins pins;
    private final MountLocks locks;
    private final AttributeChanges changes;
    private final Names names;
    private final Prefetcher prefetcher;
    private final Directories directories;
    private final ExtendedAttributes xattrs;
    private final LastKnown<FileSystemSpace> space;
    private final LastKnown<Attributes> root;

    /**
     * For one mount.
     *
     * @param readOnly the kernel lets nobody change anything, so reading leaves no trace either
     */
    public HiveFileSystem(
            QueenProxy shared, Honeycombs honeycombs, Timers timers, HoneybeeConfig config, boolean readOnly) {
        this.view = shared.cache().view();
        this.queen = shared.forMount(view);
        this.metadata = new Metadata(queen);
        this.handles = new OpenHandles(queen, honeycombs, timers, config.statusPatience());
        this.accesses = new AccessTimes(queen, timers, !readOnly);
        this.view.show(accesses::shown);
        this.current = new CurrentAttributes(metadata, honeycombs, handles, accesses, timers, config.statusPatience());
        this.privileges = new Privileges(queen, metadata);
        this.content = new Content(queen, metadata, honeycombs, privileges, timers);
        this.files = new OpenFiles(queen, honeycombs, handles, current, content);
        this.pins = new LocalPins(honeycombs, handles, accesses::read);
        this.locks = new MountLocks(queen, handles, timers, config.patience(), config.mountPatience());
        this.changes = new AttributeChanges(queen, handles, current, content, accesses);
        this.names = new Names(queen, metadata, current);
        this.prefetcher = new Prefetcher(metadata, honeycombs, queen.clock());
        this.directories = new Directories(
                metadata,
                handles,
                new DirtyStatuses(honeycombs, timers, config.statusPatience()),
                accesses,
                prefetcher);
        this.xattrs = new ExtendedAttributes(queen, metadata, handles);
        this.space = new LastKnown<>(queen::space, timers, config.mountPatience());
        this.root = new LastKnown<>(() -> current.get(ROOT), timers, config.mountPatience());
    }

    /** Asks for what a mount must be able to answer while the queen-bee is away. Waits for nothing. */
    public void learn() {
        root.get();
        space.get();
    }

    /** The inode that is open under a handle; 0 when none is. */
    public long inodeOf(long handle) {
        return handles.inodeOf(handle);
    }

    /** Ends all opens, for a mount that has gone: the kernel does not do so when it was cut off. */
    public CompletableFuture<Void> releaseAll() {
        locks.releaseAll();
        return answer(handles::releaseAll);
    }

    @Override
    public Lifetimes attach(KernelCache kernel) {
        return view.attach(kernel);
    }

    @Override
    public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        return answer(() -> names.lookup(caller, directory, name));
    }

    @Override
    public CompletableFuture<Attributes> lookupEntry(Credentials caller, long directory, ByteString name) {
        return answer(() -> names.lookupEntry(caller, directory, name));
    }

    @Override
    public CompletableFuture<Attributes> getAttributes(long inode) {
        return answer(inode == ROOT ? root::get : () -> current.get(inode));
    }

    @Override
    public CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change) {
        return answer(() -> changes.apply(caller, inode, change));
    }

    @Override
    public CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        return answer(() -> metadata.checkAccess(caller, inode, mask));
    }

    @Override
    public CompletableFuture<ByteString> readSymbolicLink(Credentials caller, long inode) {
        return answer(() -> {
            accesses.read(metadata.known(inode));
            return queen.readSymbolicLink(caller, inode);
        });
    }

    @Override
    public CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device) {
        return answer(() -> names.makeNode(caller, directory, name, mode, umask, device));
    }

    @Override
    public CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask) {
        return answer(() -> names.makeDirectory(caller, directory, name, mode, umask));
    }

    @Override
    public CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target) {
        return answer(() -> names.makeSymbolicLink(caller, directory, name, target));
    }

    @Override
    public CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name) {
        return answer(() -> names.link(caller, inode, directory, name));
    }

    @Override
    public CompletableFuture<Void> unlink(Credentials caller, long directory, ByteString name) {
        return answer(() -> queen.unlink(caller, directory, name));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(Credentials caller, long directory, ByteString name) {
        return answer(() -> queen.removeDirectory(caller, directory, name));
    }

    @Override
    public CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        return answer(() -> names.rename(caller, oldDirectory, oldName, newDirectory, newName, mode));
    }

    /** An open that nobody waits for any more is released: nobody else will. */
    @Override
    public CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, int umask, OpenFlags flags) {
        return Answers.of(
                () -> files.create(caller, directory, name, mode, umask, flags), opened -> release(opened.handle()));
    }

    @Override
    public CompletableFuture<OpenedFile> createUnnamed(
            Credentials caller, long directory, int mode, int umask, OpenFlags flags) {
        return Answers.of(
                () -> files.createUnnamed(caller, directory, mode, umask, flags), opened -> release(opened.handle()));
    }

    @Override
    public CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        return Answers.of(() -> files.open(caller, inode, flags), opened -> release(opened.handle()));
    }

    @Override
    public OptionalInt backingFile(long handle, boolean required) {
        return pins.backingFile(handle, required);
    }

    @Override
    public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        return Answers.of(() -> read(handles.get(handle), offset, length), Payload::close);
    }

    @Override
    public CompletableFuture<Void> write(
            long handle, long offset, ByteBuf bytes, boolean append, boolean clearPrivileges) {
        return retaining(bytes, () -> content.write(handles.get(handle), offset, bytes, append, clearPrivileges));
    }

    @Override
    public CompletableFuture<Void> writePages(long handle, long offset, ByteBuf bytes, boolean clearPrivileges) {
        return retaining(bytes, () -> content.writePages(handles.get(handle), offset, bytes, clearPrivileges));
    }

    /**
     * The content is retained until nobody looks at it any more, which after a cancellation is later than the answer.
     */
    private static CompletableFuture<Void> retaining(ByteBuf bytes, Supplier<CompletableFuture<Void>> write) {
        bytes.retain();
        return answer(() -> Futures.attempt(write).whenComplete((nothing, failure) -> bytes.release()));
    }

    @Override
    public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        return answer(() -> content.sync(handles.get(handle), dataOnly));
    }

    @Override
    public CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        return answer(() -> content.allocate(handles.get(handle), mode, offset, length, clearPrivileges)
                .thenAccept(status -> {}));
    }

    @Override
    public CompletableFuture<Long> copy(
            long source, long from, long target, long to, long length, boolean clearPrivileges) {
        return answer(() -> content.copy(handles.get(source), from, handles.get(target), to, length, clearPrivileges));
    }

    @Override
    public CompletableFuture<Long> seek(long handle, long offset, boolean hole) {
        return answer(() -> content.seek(handles.get(handle), offset, hole));
    }

    @Override
    public CompletableFuture<Optional<FoundLock>> findLock(long inode, FileLock wanted) {
        return answer(() -> locks.find(inode, wanted));
    }

    @Override
    public CompletableFuture<Void> setLock(
            long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        return Futures.attempt(() -> locks.set(handle, inode, lock, interrupted));
    }

    @Override
    public boolean wantsFlush(long handle) {
        OpenHandle open = handles.get(handle);
        return open.delayed() != null || open.isSyncedAtClose() || locks.mayEndByClosing(open);
    }

    @Override
    public CompletableFuture<Void> flush(long handle, long inode, long lockOwner) {
        CompletableFuture<Void> flushed = answer(() -> {
            OpenHandle open = handles.get(handle);
            return handles.noticeLoss(open).thenCompose(noticed -> content.flush(open));
        });
        return flushed.exceptionally(failed -> null)
                .thenCompose(done -> answer(() -> locks.closed(inode, lockOwner)))
                .thenCompose(unlocked -> flushed);
    }

    @Override
    public CompletableFuture<Void> release(long handle) {
        locks.released(handle);
        return answer(() -> handles.release(handle));
    }

    @Override
    public CompletableFuture<Void> openDirectory(Credentials caller, long directory) {
        return answer(() -> directories.open(caller, directory));
    }

    @Override
    public CompletableFuture<Listing> listDirectory(long directory, long after, int limit, boolean withAttributes) {
        return answer(() -> directories.list(directory, after, limit, withAttributes));
    }

    @Override
    public CompletableFuture<Void> syncDirectory(long directory) {
        return answer(queen::sync);
    }

    @Override
    public CompletableFuture<FileSystemSpace> space() {
        return answer(space::get);
    }

    @Override
    public CompletableFuture<Void> clearPrivileges(long inode) {
        return answer(() -> {
            OpenInode open = handles.find(inode);
            return open != null && open.mayBeWrittenInPassthrough() ? privileges.clear(open) : Futures.DONE;
        });
    }

    @Override
    public CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name) {
        return answer(() -> xattrs.get(caller, inode, name));
    }

    @Override
    public CompletableFuture<Void> setXattr(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return answer(() -> xattrs.set(caller, inode, name, value, create, replace));
    }

    @Override
    public CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode) {
        return answer(() -> xattrs.list(caller, inode));
    }

    @Override
    public CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name) {
        return answer(() -> xattrs.remove(caller, inode, name));
    }

    private CompletableFuture<Payload.Bytes> read(OpenHandle handle, long offset, int length) {
        handle.firstRead().ifPresent(accesses::read);
        CompletableFuture<Payload.Bytes> read = content.read(handle, offset, length);
        if (offset == 0) {
            prefetcher.reads(handle.open().inode());
        }
        return read;
    }

    private static <T> CompletableFuture<T> answer(Supplier<CompletableFuture<T>> work) {
        return Answers.of(work, unwanted -> {});
    }
}
