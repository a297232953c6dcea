package org.beefs.honeybee.filesystem.hive;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.content.Content;
import org.beefs.honeybee.filesystem.content.OpenHandle;
import org.beefs.honeybee.filesystem.content.OpenHandles;
import org.beefs.honeybee.queen.Opened;
import org.beefs.honeybee.queen.QueenProxy;
import org.jspecify.annotations.Nullable;

/**
 * setattr in parts: mode and owner at the queen-bee, size at the primary replica, times at both when the file is dirty.
 * Each part answers the attributes after it; the last answer counts.
 */
final class AttributeChanges {
    private final QueenProxy queen;
    private final OpenHandles handles;
    private final CurrentAttributes current;
    private final Content content;
    private final AccessTimes accesses;

    AttributeChanges(
            QueenProxy queen, OpenHandles handles, CurrentAttributes current, Content content, AccessTimes accesses) {
        this.queen = queen;
        this.handles = handles;
        this.current = current;
        this.content = content;
        this.accesses = accesses;
    }

    CompletableFuture<Attributes> apply(Credentials caller, long inode, AttributeChange change) {
        CompletableFuture<Attributes> last = null;
        if (change.mode() != null || change.uid() != null || change.gid() != null || isOnlyClearing(change)) {
            last = setModeAndOwner(caller, inode, change);
        }
        Long size = change.size();
        if (size != null) {
            last = last == null
                    ? setSize(caller, inode, size, change)
                    : last.thenCompose(_ -> setSize(caller, inode, size, change));
        }
        if (change.atime() != null || change.mtime() != null) {
            last = last == null
                    ? setTimes(caller, inode, change)
                    : last.thenCompose(_ -> setTimes(caller, inode, change));
        }
        return last == null ? current.get(inode) : last;
    }

    private CompletableFuture<Attributes> setModeAndOwner(Credentials caller, long inode, AttributeChange change) {
        SetAttributes.Builder set = SetAttributes.newBuilder().setInode(inode);
        if (change.mode() != null) {
            set.setMode(change.mode());
        }
        if (change.uid() != null) {
            set.setUid(change.uid());
        }
        if (change.gid() != null) {
            set.setGid(change.gid());
        }
        set.setClearPrivileges(change.clearPrivileges() && change.size() == null);
        return queen.setAttributes(caller, set.build()).thenCompose(current::changed);
    }

    private CompletableFuture<Attributes> setSize(Credentials caller, long inode, long size, AttributeChange change) {
        OpenHandle open = writer(change.handle());
        if (open != null) {
            return truncate(open, inode, size, change.clearPrivileges());
        }
        return queen.open(caller, Open.newBuilder().setInode(inode).setWrite(true))
                .thenApply(handles::add)
                .thenCompose(handle -> truncate(handle, inode, size, change.clearPrivileges())
                        .whenComplete((attributes, failure) -> handles.release(handle.number())));
    }

    private CompletableFuture<Attributes> truncate(OpenHandle handle, long inode, long size, boolean clearPrivileges) {
        return content.truncate(handle, size, clearPrivileges).thenCompose(status -> current.with(inode, status));
    }

    /**
     * The queen-bee sets the times and, if the file is dirty, makes us one of its writers: then the replica gets them
     * too.
     */
    private CompletableFuture<Attributes> setTimes(Credentials caller, long inode, AttributeChange change) {
        if (change.atime() != null) {
            accesses.forget(inode);
        }
        SetAttributes.Builder set = times(inode, change);
        OpenHandle writer = handles.writer(inode);
        CompletableFuture<Attributes> decided =
                writer == null || !writer.hold() ? null : setTimesThrough(writer, caller, set, change);
        return decided != null
                ? decided
                : queen.setTimes(caller, set)
                        .thenCompose(opened ->
                                opened.open() == null ? current.of(opened.node()) : setReplicaTimes(opened, change));
    }

    /**
     * Sets the times through the handle of a program here that writes the file, so that there is nothing to open and to
     * release; null when the queen-bee has to be asked.
     */
    private @Nullable CompletableFuture<Attributes> setTimesThrough(
            OpenHandle held, Credentials caller, SetAttributes.Builder set, AttributeChange change) {
        CompletableFuture<Node> decided = queen.decideTimes(caller, set, held.number());
        if (decided == null) {
            held.letGo();
            return null;
        }
        return decided.thenCompose(node -> content.setTimes(held, replicaTimes(node, change))
                        .thenApply(status -> current.with(node, status)))
                .whenComplete((attributes, failure) -> held.letGo());
    }

    private static SetAttributes.Builder times(long inode, AttributeChange change) {
        SetAttributes.Builder set = SetAttributes.newBuilder().setInode(inode);
        TimeChange atime = change.atime();
        TimeChange mtime = change.mtime();
        set.setAtimeNow(atime instanceof TimeChange.Now).setMtimeNow(mtime instanceof TimeChange.Now);
        if (atime != null && atime.time() != null) {
            set.setAtime(Timestamps.toWire(atime.time()));
        }
        if (mtime != null && mtime.time() != null) {
            set.setMtime(Timestamps.toWire(mtime.time()));
        }
        return set;
    }

    /**
     * Sets the times of the replica too. Nobody waits for the release: it commits what the queen-bee and the replica
     * agree about already.
     */
    private CompletableFuture<Attributes> setReplicaTimes(Opened opened, AttributeChange change) {
        OpenHandle handle = handles.add(opened);
        CompletableFuture<ReplicaStatus> set = content.setTimes(handle, replicaTimes(opened.node(), change));
        return set.whenComplete((status, failure) -> handles.release(handle.number()))
                .thenApply(status -> current.with(opened.node(), status));
    }

    /** The times that the queen-bee has decided, so that "now" is the same moment in both places. */
    private static SetTimes replicaTimes(Node node, AttributeChange change) {
        SetTimes.Builder times = SetTimes.newBuilder();
        if (change.atime() != null) {
            times.setAtime(node.getAttributes().getAtime());
        }
        if (change.mtime() != null) {
            times.setMtime(node.getAttributes().getMtime());
        }
        return times.build();
    }

    private @Nullable OpenHandle writer(@Nullable Long number) {
        OpenHandle handle = number == null ? null : handles.get(number);
        return handle != null && handle.open().write() ? handle : null;
    }

    private static boolean isOnlyClearing(AttributeChange change) {
        return change.clearPrivileges() && change.size() == null;
    }
}
