package org.beefs.honeybee.queen;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.beefs.common.posix.AccessRights;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Access;
import org.beefs.common.wire.CheckAccess;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.CreateUnnamed;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.FileSystemStatus;
import org.beefs.common.wire.GetAttributes;
import org.beefs.common.wire.GetXattr;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.ListXattrs;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.MakeNode;
import org.beefs.common.wire.MakeRoom;
import org.beefs.common.wire.MakeSymbolicLink;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReadSymbolicLink;
import org.beefs.common.wire.RecordAccesses;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.common.wire.RemoveXattr;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SecureContent;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.beefs.common.wire.Sync;
import org.beefs.common.wire.Unlink;
import org.beefs.honeybee.cache.CacheView;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.heldback.SendingTerm;
import org.jspecify.annotations.Nullable;

/**
 * The queen-bee's operations as asynchronous calls. They fail with {@link org.beefs.common.posix.PosixException}: the
 * queen-bee's, or EIO when it does not answer within the patience. Thread-safe.
 */
public final class QueenProxy {
    private final QueenSession session;
    private final @Nullable CacheView origin;

    /** A proxy for the daemon's own requests. */
    public QueenProxy(QueenSession session) {
        this(session, null);
    }

    private QueenProxy(QueenSession session, @Nullable CacheView origin) {
        this.session = session;
        this.origin = origin;
    }

    /** The proxy for the requests of a mount, which sees the cache like this. */
    public QueenProxy forMount(CacheView mount) {
        return new QueenProxy(session, mount);
    }

    /** What is known under leases of the session that this asks in. */
    public MetadataCache cache() {
        return session.cache();
    }

    /** As {@link QueenSession#sending}. */
    public SendingTerm sending() {
        return session.sending();
    }

    /** The clocks of this desktop. */
    public Clock clock() {
        return session.clock();
    }

    /** Whether the machine is about to sleep, and nothing is to be asked that nobody waits for. */
    public boolean isResting() {
        return session.isResting();
    }

    public CompletableFuture<Node> lookup(Credentials caller, long parent, ByteString name) {
        Lookup lookup = Lookup.newBuilder().setParent(parent).setName(name).build();
        return session.ask(requestOf(caller).setLookup(lookup)).thenApply(QueenReply::getNode);
    }

    public CompletableFuture<Node> attributes(long inode) {
        GetAttributes get = GetAttributes.newBuilder().setInode(inode).build();
        return session.ask(QueenRequest.newBuilder().setGetAttributes(get)).thenApply(QueenReply::getNode);
    }

    /** Changes attributes other than times. */
    public CompletableFuture<Node> setAttributes(Credentials caller, SetAttributes change) {
        return change(requestOf(caller).setSetAttributes(change)).thenApply(QueenReply::getNode);
    }

    /** Changes attributes with times; a dirty file is open for writing afterwards. The handle is chosen here. */
    public CompletableFuture<Opened> setTimes(Credentials caller, SetAttributes.Builder change) {
        long handle = session.nextHandle();
        return session.opens().open(requestOf(caller).setSetAttributes(change.setHandle(handle)), handle, true, origin);
    }

    /**
     * As {@link #setTimes} of a file that is open for writing under this handle already, if that is decided here; null
     * when the queen-bee has to be asked.
     */
    public @Nullable CompletableFuture<Node> decideTimes(
            Credentials caller, SetAttributes.Builder change, long handle) {
        CompletableFuture<QueenReply> decided =
                session.changes().decide(requestOf(caller).setSetAttributes(change.setHandle(handle)), origin);
        return decided == null ? null : decided.thenApply(QueenReply::getNode);
    }

    /** Tells what was read. */
    public CompletableFuture<Void> recordAccesses(List<Access> accesses) {
        RecordAccesses record =
                RecordAccesses.newBuilder().addAllAccesses(accesses).build();
        return change(QueenRequest.newBuilder().setRecordAccesses(record)).thenApply(QueenProxy::nothing);
    }

    CompletableFuture<Void> checkAccess(Credentials caller, long inode, int mask) {
        CheckAccess check =
                CheckAccess.newBuilder().setInode(inode).setMask(mask).build();
        return session.ask(requestOf(caller).setCheckAccess(check)).thenApply(QueenProxy::nothing);
    }

    /** Creates and opens. The handle is chosen here. */
    public CompletableFuture<Opened> create(Credentials caller, Create.Builder create) {
        long handle = session.nextHandle();
        return session.opens()
                .open(making(caller).setCreate(create.setHandle(handle)), handle, create.getWrite(), origin);
    }

    /** Creates without a name and opens to write. The handle is chosen here. */
    public CompletableFuture<Opened> createUnnamed(Credentials caller, CreateUnnamed.Builder create) {
        long handle = session.nextHandle();
        return session.opens().open(making(caller).setCreateUnnamed(create.setHandle(handle)), handle, true, origin);
    }

    /** Opens. The handle is chosen here. */
    public CompletableFuture<Opened> open(Credentials caller, Open.Builder open) {
        long handle = session.nextHandle();
        return session.opens().open(requestOf(caller).setOpen(open.setHandle(handle)), handle, open.getWrite(), origin);
    }

    /**
     * Opens to read what is known well enough here; null when the queen-bee has to be asked. The handle is chosen here.
     */
    public @Nullable Opened openKnown(Credentials caller, Open.Builder open, Predicate<Layout> isAtHand) {
        int mask = open.getExecute() ? AccessRights.EXECUTE : AccessRights.READ;
        return session.opens()
                .openKnown(requestOf(caller).setOpen(open.setHandle(session.nextHandle())), caller, mask, isAtHand);
    }

    /** The right to change contents. */
    public WriteRight writeRight() {
        return session.writeRight();
    }

    /** As {@link QueenSession#isConnected}. */
    public boolean isConnected() {
        return session.isConnected();
    }

    /**
     * While this number is unchanged, the layout of an open file is valid. For one that is open to be written it is the
     * session: until its end no other replica becomes the primary. For others see
     * {@link MetadataCache#layoutsGeneration}.
     */
    public long layoutValidity(boolean write) {
        return session.opens().layoutValidity(write);
    }

    /** What is open, as it is now, with the rights that it was opened with. */
    public CompletableFuture<Node> openAgain(OpenRecord open) {
        return session.opens().openAgain(open);
    }

    /** Ends an open, with the state of the replica after the last write through it, if that is known. */
    public CompletableFuture<Void> release(OpenRecord open, @Nullable ReplicaStatus status) {
        Release.Builder release = Release.newBuilder().setInode(open.inode()).setHandle(open.handle());
        if (status != null) {
            release.setStatus(status);
        }
        return session.opens().release(release.build());
    }

    /**
     * Ends an open of who only read.
     *
     * @param readWhole whether as many bytes as the file has came from other desktops for him
     */
    public CompletableFuture<Void> releaseReader(OpenRecord open, boolean readWhole) {
        return session.opens()
                .release(Release.newBuilder()
                        .setInode(open.inode())
                        .setHandle(open.handle())
                        .setReadWhole(readWhole)
                        .build());
    }

    public CompletableFuture<Node> makeNode(Credentials caller, MakeNode make) {
        return change(making(caller).setMakeNode(make)).thenApply(QueenReply::getNode);
    }

    public CompletableFuture<Node> makeDirectory(Credentials caller, MakeDirectory make) {
        return change(requestOf(caller).setMakeDirectory(make)).thenApply(QueenReply::getNode);
    }

    public CompletableFuture<Node> makeSymbolicLink(Credentials caller, MakeSymbolicLink make) {
        return change(requestOf(caller).setMakeSymbolicLink(make)).thenApply(QueenReply::getNode);
    }

    public CompletableFuture<ByteString> readSymbolicLink(Credentials caller, long inode) {
        ReadSymbolicLink read = ReadSymbolicLink.newBuilder().setInode(inode).build();
        return session.ask(requestOf(caller).setReadSymbolicLink(read)).thenApply(QueenReply::getTarget);
    }

    public CompletableFuture<Node> link(Credentials caller, Link link) {
        return change(requestOf(caller).setLink(link)).thenApply(QueenReply::getNode);
    }

    public CompletableFuture<Void> unlink(Credentials caller, long parent, ByteString name) {
        Unlink unlink = Unlink.newBuilder().setParent(parent).setName(name).build();
        return change(requestOf(caller).setUnlink(unlink)).thenApply(QueenProxy::nothing);
    }

    public CompletableFuture<Void> removeDirectory(Credentials caller, long parent, ByteString name) {
        RemoveDirectory remove =
                RemoveDirectory.newBuilder().setParent(parent).setName(name).build();
        return change(requestOf(caller).setRemoveDirectory(remove)).thenApply(QueenProxy::nothing);
    }

    public CompletableFuture<Void> rename(Credentials caller, Rename rename) {
        return change(requestOf(caller).setRename(rename)).thenApply(QueenProxy::nothing);
    }

    CompletableFuture<DirectoryPage> list(ListDirectory list) {
        return session.ask(QueenRequest.newBuilder().setListDirectory(list)).thenApply(QueenReply::getDirectoryPage);
    }

    public CompletableFuture<FileSystemSpace> space() {
        return session.ask(QueenRequest.newBuilder().setFileSystemStatus(FileSystemStatus.getDefaultInstance()))
                .thenApply(QueenReply::getFileSystemSpace);
    }

    public CompletableFuture<ByteString> getXattr(Credentials caller, long inode, ByteString name) {
        GetXattr get = GetXattr.newBuilder().setInode(inode).setName(name).build();
        return session.ask(requestOf(caller).setGetXattr(get)).thenApply(QueenReply::getXattr);
    }

    public CompletableFuture<Void> setXattr(Credentials caller, SetXattr set) {
        return change(requestOf(caller).setSetXattr(set)).thenApply(QueenProxy::nothing);
    }

    public CompletableFuture<List<ByteString>> listXattrs(Credentials caller, long inode) {
        ListXattrs list = ListXattrs.newBuilder().setInode(inode).build();
        return session.ask(requestOf(caller).setListXattrs(list))
                .thenApply(reply -> reply.getXattrNames().getNamesList());
    }

    public CompletableFuture<Void> removeXattr(Credentials caller, long inode, ByteString name) {
        RemoveXattr remove =
                RemoveXattr.newBuilder().setInode(inode).setName(name).build();
        return change(requestOf(caller).setRemoveXattr(remove)).thenApply(QueenProxy::nothing);
    }

    /** A number for a mount of this session, never used before. */
    public long newMount() {
        return session.nextMount();
    }

    /** Locks on files. */
    public LockRequests locks() {
        return session.locks();
    }

    /** Done when every change answered before is on the queen-bee's disk. */
    public CompletableFuture<Void> sync() {
        return session.askHerDisk(QueenRequest.newBuilder().setSync(Sync.getDefaultInstance()))
                .thenApply(QueenProxy::nothing);
    }

    /**
     * Done when as many honeycombs as the file's P-factor says have on disk what its primary has now. Fails with EIO,
     * and says which desktops are missing, when the queen-bee gives that up.
     */
    public CompletableFuture<Void> secure(long inode) {
        SecureContent secure = SecureContent.newBuilder()
                .setInode(inode)
                .setNumber(session.nextHandle())
                .build();
        return session.askOtherDesktops(QueenRequest.newBuilder().setSecureContent(secure))
                .thenApply(QueenProxy::nothing);
    }

    /**
     * Done when a replica has left the honeycomb of the file's primary, which was full; fails with ENOSPC when none
     * can, or none has in time.
     */
    public CompletableFuture<Void> makeRoom(long inode, long bytes) {
        MakeRoom room = MakeRoom.newBuilder()
                .setInode(inode)
                .setNumber(session.nextHandle())
                .setBytes(bytes)
                .build();
        return session.askOtherDesktops(QueenRequest.newBuilder().setMakeRoom(room))
                .thenApply(QueenProxy::nothing);
    }

    private CompletableFuture<QueenReply> change(QueenRequest.Builder request) {
        return session.changes().make(request, origin);
    }

    private static QueenRequest.Builder requestOf(Credentials caller) {
        return QueenRequest.newBuilder().setCredentials(caller);
    }

    /** A request that makes a file, with the space that there is for it here. */
    private QueenRequest.Builder making(Credentials caller) {
        QueenRequest.Builder request = requestOf(caller);
        session.ownSpace().ifPresent(request::setAvailable);
        return request;
    }

    @SuppressWarnings("NullAway") // a Void has no other value
    private static Void nothing(QueenReply reply) {
        return null;
    }
}
