package org.beefs.queenbee.testing;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.CheckAccess;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Drain;
import org.beefs.common.wire.FindLock;
import org.beefs.common.wire.Forget;
import org.beefs.common.wire.GetAttributes;
import org.beefs.common.wire.GetXattr;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockOwner;
import org.beefs.common.wire.LockRange;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.MakeNode;
import org.beefs.common.wire.MakeSymbolicLink;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.common.wire.RemoveXattr;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetLock;
import org.beefs.common.wire.SetXattr;
import org.beefs.common.wire.Sync;
import org.beefs.common.wire.Timestamp;
import org.beefs.common.wire.Unlink;

/** Requests in short. */
public final class Ask {
    private Ask() {}

    public static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }

    public static QueenRequest.Builder lookup(long parent, String name) {
        return request().setLookup(Lookup.newBuilder().setParent(parent).setName(bytes(name)));
    }

    public static QueenRequest.Builder attributes(long inode) {
        return request().setGetAttributes(GetAttributes.newBuilder().setInode(inode));
    }

    public static QueenRequest.Builder access(long inode, int mask) {
        return request().setCheckAccess(CheckAccess.newBuilder().setInode(inode).setMask(mask));
    }

    public static QueenRequest.Builder change(SetAttributes.Builder change) {
        return request().setSetAttributes(change);
    }

    public static QueenRequest.Builder chmod(long inode, int mode) {
        return change(SetAttributes.newBuilder().setInode(inode).setMode(mode));
    }

    public static QueenRequest.Builder chown(long inode, int uid, int gid) {
        return change(SetAttributes.newBuilder().setInode(inode).setUid(uid).setGid(gid));
    }

    public static QueenRequest.Builder create(long parent, String name, int mode, long handle) {
        return request()
                .setCreate(Create.newBuilder()
                        .setParent(parent)
                        .setName(bytes(name))
                        .setMode(mode)
                        .setHandle(handle)
                        .setRead(true)
                        .setWrite(true));
    }

    public static QueenRequest.Builder mknod(long parent, String name, int mode) {
        return request()
                .setMakeNode(MakeNode.newBuilder()
                        .setParent(parent)
                        .setName(bytes(name))
                        .setMode(mode));
    }

    public static QueenRequest.Builder mkdir(long parent, String name, int mode) {
        return request()
                .setMakeDirectory(MakeDirectory.newBuilder()
                        .setParent(parent)
                        .setName(bytes(name))
                        .setMode(mode));
    }

    public static QueenRequest.Builder symlink(long parent, String name, String target) {
        return request()
                .setMakeSymbolicLink(MakeSymbolicLink.newBuilder()
                        .setParent(parent)
                        .setName(bytes(name))
                        .setTarget(bytes(target)));
    }

    public static QueenRequest.Builder link(long inode, long parent, String name) {
        return request()
                .setLink(Link.newBuilder().setInode(inode).setParent(parent).setName(bytes(name)));
    }

    public static QueenRequest.Builder unlink(long parent, String name) {
        return request().setUnlink(Unlink.newBuilder().setParent(parent).setName(bytes(name)));
    }

    public static QueenRequest.Builder rmdir(long parent, String name) {
        return request()
                .setRemoveDirectory(
                        RemoveDirectory.newBuilder().setParent(parent).setName(bytes(name)));
    }

    public static QueenRequest.Builder rename(long from, String oldName, long to, String newName) {
        return request()
                .setRename(Rename.newBuilder()
                        .setOldParent(from)
                        .setOldName(bytes(oldName))
                        .setNewParent(to)
                        .setNewName(bytes(newName)));
    }

    public static QueenRequest.Builder exchange(long from, String oldName, long to, String newName) {
        QueenRequest.Builder request = rename(from, oldName, to, newName);
        request.getRenameBuilder().setExchange(true);
        return request;
    }

    public static QueenRequest.Builder open(long inode, long handle, boolean read, boolean write) {
        return request()
                .setOpen(Open.newBuilder()
                        .setInode(inode)
                        .setHandle(handle)
                        .setRead(read)
                        .setWrite(write));
    }

    public static QueenRequest.Builder release(long inode, long handle) {
        return request().setRelease(Release.newBuilder().setInode(inode).setHandle(handle));
    }

    public static QueenRequest.Builder release(long inode, long handle, ReplicaStatus status) {
        QueenRequest.Builder request = release(inode, handle);
        request.getReleaseBuilder().setStatus(status);
        return request;
    }

    /** Of a handle through which all of the file came from elsewhere. */
    public static QueenRequest.Builder releaseReadWhole(long inode, long handle) {
        QueenRequest.Builder request = release(inode, handle);
        request.getReleaseBuilder().setReadWhole(true);
        return request;
    }

    public static QueenRequest.Builder list(long inode, long after, int limit) {
        return request()
                .setListDirectory(ListDirectory.newBuilder()
                        .setInode(inode)
                        .setAfter(after)
                        .setLimit(limit));
    }

    public static QueenRequest.Builder setXattr(long inode, String name, String value) {
        return request()
                .setSetXattr(SetXattr.newBuilder()
                        .setInode(inode)
                        .setName(bytes(name))
                        .setValue(bytes(value)));
    }

    public static QueenRequest.Builder getXattr(long inode, String name) {
        return request().setGetXattr(GetXattr.newBuilder().setInode(inode).setName(bytes(name)));
    }

    public static QueenRequest.Builder removeXattr(long inode, String name) {
        return request().setRemoveXattr(RemoveXattr.newBuilder().setInode(inode).setName(bytes(name)));
    }

    /** Of the owner with that number on the session's first mount. */
    public static SetLock.Builder lock(long inode, long owner, LockMode mode, long start, long end) {
        return SetLock.newBuilder()
                .setInode(inode)
                .setOwner(LockOwner.newBuilder().setMount(1).setId(owner))
                .setMode(mode)
                .setRange(LockRange.newBuilder().setStart(start).setEnd(end))
                .setPid((int) (1000 + owner));
    }

    public static QueenRequest.Builder set(SetLock.Builder lock) {
        return request().setSetLock(lock);
    }

    /** What is in the way of such a lock. */
    public static QueenRequest.Builder find(SetLock.Builder lock) {
        return request()
                .setFindLock(FindLock.newBuilder()
                        .setInode(lock.getInode())
                        .setOwner(lock.getOwner())
                        .setMode(lock.getMode())
                        .setRange(lock.getRange()));
    }

    public static QueenRequest.Builder drain(String desktop, boolean cancel) {
        return request().setDrain(Drain.newBuilder().setDesktop(desktop).setCancel(cancel));
    }

    public static QueenRequest.Builder forget(String desktop) {
        return request().setForget(Forget.newBuilder().setDesktop(desktop));
    }

    public static QueenRequest.Builder status() {
        return request().setHiveStatus(HiveStatus.getDefaultInstance());
    }

    public static QueenRequest.Builder sync() {
        return request().setSync(Sync.getDefaultInstance());
    }

    /** What a replica is like that was written; the size also numbers the observation, and the time in seconds. */
    public static ReplicaStatus written(long inode, long size) {
        return written(inode, size, size);
    }

    /** Likewise, where the time in seconds also numbers the observation. */
    public static ReplicaStatus written(long inode, long size, long time) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setObservation(time)
                .setSize(size)
                .setMtime(Timestamp.newBuilder().setSeconds(time))
                .build();
    }

    private static QueenRequest.Builder request() {
        return QueenRequest.newBuilder();
    }
}
