package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.List;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.ConflictCopy;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Resolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives names to replicas that were adopted: beside the file that they are of, with its owner and mode. What others
 * have cached of the directory is recalled behind that: nobody was told of the new name before.
 */
public final class ConflictCopies {
    private static final ByteString LOST_AND_FOUND = ByteString.copyFromUtf8("lost+found");
    private static final int PRIVATE = 0700;
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
            ConflictCopy copy = honeycomb.conflicts().find(inodes.get(i));
            if (copy != null && statuses.get(i).getExists()) {
                make(honeycomb, copy, statuses.get(i), anyName(copy.inode()));
            }
            state.honeycombs().adopted(honeycomb, inodes.get(i));
        }
    }

    /** Null when the file is gone, or has no name any more. */
    private @Nullable Link anyName(long number) {
        Inode inode = state.namespace().find(number);
        List<Link> names = inode == null ? List.of() : state.namespace().links(inode);
        return names.isEmpty() ? null : names.getFirst();
    }

    private void make(Honeycomb honeycomb, ConflictCopy copy, ReplicaStatus status, @Nullable Link original) {
        Instant now = state.clock().now();
        Inode directory = original == null ? lostAndFound(PackedTime.of(now)) : original.parent();
        ByteString base = original == null
                ? ByteString.copyFromUtf8("inode-%x".formatted(copy.inode()))
                : original.entry().name();
        ByteString name = ConflictName.in(directory.directory(), base, honeycomb.desktop(), now);
        // Whoever wrote it has not asked whether set-id bits are there: they would be gone.
        int mode = copy.mode() & ~SET_ID;
        make(
                directory,
                name,
                copy.copy(),
                new Mutation.Birth(mode, copy.uid(), copy.gid(), 0, PackedTime.of(now)),
                new Mutation.Placement(honeycomb.number(), copy.copyEpoch(), true));
        state.contents().examined(copy.copy(), status);
        setAtime(copy.copy(), PackedTime.of(status.getAtime()));
        LOG.warn(
                "{} had changes of inode {} that could not be placed; they are kept as {}",
                honeycomb.desktop(),
                copy.inode(),
                name.toStringUtf8());
    }

    private void setAtime(long number, long atime) {
        Inode inode = state.namespace().find(number);
        if (inode != null) {
            state.mutator()
                    .changeAtOnce(
                            null,
                            new Mutation.ChangeAttributes(
                                    number,
                                    inode.mode() & FileMode.PERMISSIONS,
                                    inode.uid(),
                                    inode.gid(),
                                    atime,
                                    inode.mtime(),
                                    inode.ctime()));
        }
    }

    /** Made when it is needed; the root itself when somebody else has the name. */
    private Inode lostAndFound(long now) {
        Namespace namespace = state.namespace();
        Inode root = root();
        Dentry present = root.directory().find(LOST_AND_FOUND);
        if (present != null) {
            return present.inode().isDirectory() ? present.inode() : root;
        }
        long number = state.numbering().after(namespace.highestIssued());
        make(
                root,
                LOST_AND_FOUND,
                number,
                new Mutation.Birth(FileMode.DIRECTORY | PRIVATE, 0, 0, 0, now),
                Mutation.Placement.NONE);
        return new Resolver(namespace).existing(number);
    }

    private Inode root() {
        return new Resolver(state.namespace()).existing(Namespace.ROOT);
    }

    private void make(
            Inode directory, ByteString name, long number, Mutation.Birth birth, Mutation.Placement placement) {
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
                                placement));
    }
}
