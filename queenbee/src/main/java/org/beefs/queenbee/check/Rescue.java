package org.beefs.queenbee.check;

import com.google.protobuf.ByteString;
import java.util.Objects;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.LostAndFound;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;

/**
 * Gives names in {@code /lost+found} to what cannot be reached, which nobody has cached and so nobody waits for.
 * Belongs to the namespace thread.
 */
final class Rescue {
    private final Namespace namespace;
    private final Mutator mutator;
    private final Numbering numbering;

    Rescue(Namespace namespace, Mutator mutator, Numbering numbering) {
        this.namespace = namespace;
        this.mutator = mutator;
        this.numbering = numbering;
    }

    /** Something that has no name. */
    void name(Inode inode, long now) {
        Inode into = directory(now);
        mutator.changeAtOnce(
                null,
                new Mutation.Rescue(
                        inode.number(),
                        into.number(),
                        LostAndFound.nameOf(inode, ""),
                        into.directory().nextCookie(),
                        now));
    }

    /** A directory that is inside itself, by one of the names in the loop. */
    void move(Inode directory, Link from, long now) {
        Inode into = directory(now);
        mutator.changeAtOnce(
                null,
                new Mutation.Move(
                        from.parent().number(),
                        from.entry().name(),
                        into.number(),
                        LostAndFound.nameOf(directory, from.entry().name().toStringUtf8()),
                        into.directory().nextCookie(),
                        now));
    }

    private Inode directory(long now) {
        Inode root = Objects.requireNonNull(namespace.find(Namespace.ROOT), "there is always a root");
        ByteString name = LostAndFound.nameIn(root);
        Dentry there = root.directory().find(name);
        return there == null ? make(root, name, now) : there.inode();
    }

    private Inode make(Inode root, ByteString name, long now) {
        long number = numbering.after(namespace.highestOwn());
        mutator.changeAtOnce(
                null,
                new Mutation.MakeInode(
                        root.number(),
                        name,
                        root.directory().nextCookie(),
                        number,
                        LostAndFound.birth(root, now),
                        ByteString.EMPTY,
                        Mutation.FirstReplica.NONE));
        return Objects.requireNonNull(namespace.find(number), "it was just made");
    }
}
