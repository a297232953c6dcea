package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.List;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.ConflictCopy;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.LostAndFound;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Resolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives names to replicas that were adopted: beside the file that they are of, with its owner, mode and access control
 * list. What others have cached of the directory is recalled behind that: nobody was told of the new name before.
 */
public final class ConflictCopies {
    private static final int SET_ID = 06000;
    private static final Logger LOG = LoggerFactory.getLogger(ConflictCopies.class);

    private final QueenState state;

    public ConflictCopies(QueenState state) {
        this.state = state;
    }

    /**
     * A honeycomb has adopted its replicas of these files.
     *
     * @param statuses what they look like, in the same order
     */
    public void adopted(Honeycomb honeycomb, List<Long> inodes, List<ReplicaStatus> statuses) {
        for (int i = 0; i < inodes.size(); i++) {
            ConflictCopy copy = honeycomb.errandQueue().conflicts().find(inodes.get(i));
            if (copy != null && statuses.get(i).getExists()) {
                make(honeycomb, copy, statuses.get(i), state.namespace().find(copy.inode()));
            }
            state.honeycombs().errandQueues().adopted(honeycomb, inodes.get(i));
        }
    }

    /** Null when the file is gone, or has no name any more. */
    private @Nullable Link anyName(@Nullable Inode file) {
        List<Link> names = file == null ? List.of() : state.namespace().links(file);
        return names.isEmpty() ? null : names.getFirst();
    }

    /** @param file whose replica it is; null when it is gone */
    private void make(Honeycomb honeycomb, ConflictCopy copy, ReplicaStatus status, @Nullable Inode file) {
        Instant now = state.clock().now();
        long time = PackedTime.of(now);
        Link original = anyName(file);
        Inode directory = original == null ? lostAndFound(time) : original.parent();
        ByteString base = original == null
                ? ByteString.copyFromUtf8("inode-%x".formatted(copy.inode()))
                : original.entry().name();
        ByteString name = ConflictName.in(directory.directory(), base, honeycomb.desktop(), now);
        make(
                directory,
                name,
                copy.copy(),
                birth(copy, file, time),
                new Mutation.FirstReplica(honeycomb.number(), copy.copyEpoch(), true));
        setAccessList(copy.copy(), file == null ? ByteString.EMPTY : file.accessList(), time);
        state.leftFiles().examined(copy.copy(), status);
        setAtime(copy.copy(), PackedTime.of(status.getAtime()));
        LOG.warn(
                "{} had changes of inode {} that could not be placed; they are kept as {}",
                honeycomb.desktop(),
                copy.inode(),
                name.toStringUtf8());
    }

    /** The attributes of the copy. It has no set-id bits, because a write takes them away. */
    private static Mutation.Birth birth(ConflictCopy copy, @Nullable Inode file, long now) {
        return file == null
                ? new Mutation.Birth(copy.mode() & ~SET_ID, copy.uid(), copy.gid(), 0, now)
                : new Mutation.Birth(file.mode() & ~SET_ID, file.uid(), file.gid(), 0, now);
    }

    /** Sets the file's access control list, in place of one that the directory gives to what is made in it. */
    private void setAccessList(long number, ByteString list, long now) {
        Inode inode = new Resolver(state.namespace()).existing(number);
        if (!list.isEmpty()) {
            state.mutator().changeAtOnce(null, new Mutation.SetXattr(number, AccessControlList.ACCESS, list, now));
        } else if (!inode.accessList().isEmpty()) {
            state.mutator().changeAtOnce(null, new Mutation.RemoveXattr(number, AccessControlList.ACCESS, now));
        }
    }

    private void setAtime(long number, long atime) {
        if (state.namespace().find(number) != null) {
            state.mutator().changeAtOnce(null, new Mutation.Access(number, atime));
        }
    }

    /** The lost+found directory, which is made when it is needed. */
    private Inode lostAndFound(long now) {
        Namespace namespace = state.namespace();
        Inode root = new Resolver(namespace).existing(Namespace.ROOT);
        ByteString name = LostAndFound.nameIn(root);
        Dentry present = root.directory().find(name);
        if (present != null) {
            return present.inode();
        }
        long number = state.numbering().after(namespace.highestOwn());
        make(root, name, number, LostAndFound.birth(root, now), Mutation.FirstReplica.NONE);
        return new Resolver(namespace).existing(number);
    }

    private void make(
            Inode directory, ByteString name, long number, Mutation.Birth birth, Mutation.FirstReplica replica) {
        state.mutator()
                .changeAtOnce(
                        null,
                        new Mutation.MakeInode(
                                directory.number(),
                                name,
                                directory.directory().nextCookie(),
                                number,
                                birth,
                                ByteString.EMPTY,
                                replica));
    }
}
