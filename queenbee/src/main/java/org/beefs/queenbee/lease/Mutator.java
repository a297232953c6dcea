package org.beefs.queenbee.lease;

import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * The one way to change the namespace: to memory and to the journal in one step, after everybody else has let go of
 * what it touches. Of a removed inode that somebody has open it changes what is remembered in memory, without a record.
 * Not through here come a new hive's root, and numbers that are reserved. Belongs to the namespace thread.
 */
public final class Mutator {
    private final Namespace namespace;
    private final Journal journal;
    private final Leases leases;
    private final String readOnly;

    /** @param readOnly why nothing may be changed; empty if it may */
    public Mutator(Namespace namespace, Journal journal, Leases leases, String readOnly) {
        this.namespace = namespace;
        this.journal = journal;
        this.leases = leases;
        this.readOnly = readOnly;
    }

    public boolean isReadOnly() {
        return !readOnly.isEmpty();
    }

    /** Empty if something may be changed. */
    public String whyReadOnly() {
        return readOnly;
    }

    /** Fails with EROFS when nothing may be changed. */
    public void requireWritable() {
        if (isReadOnly()) {
            throw new PosixException(Errno.EROFS, "the hive is read-only: " + readOnly);
        }
    }

    /**
     * Makes all of the changes for a request. Fails with {@link ParkedException}, having changed nothing, as long as
     * other sessions hold leases on what they touch; these are recalled.
     */
    public void change(Clearance by, Mutation... mutations) {
        requireWritable();
        Touched touched = Touched.by(namespace, mutations);
        leases.requireCleared(by, touched);
        make(by, touched, mutations);
        leases.over(by);
    }

    /**
     * As {@link #change}, of one inode that may have been removed: nobody caches those, and what is remembered of them
     * is on no disk.
     */
    public void change(Clearance by, Inode inode, List<Mutation> mutations) {
        if (namespace.find(inode.number()) != null) {
            change(by, mutations.toArray(Mutation[]::new));
        } else {
            requireWritable();
            mutations.forEach(mutation -> Namespace.changeRemoved(inode, mutation));
        }
    }

    /**
     * Makes a change that cannot wait; what others hold on it is recalled nevertheless.
     *
     * @param by whose own leases need not be recalled; null when nobody's
     */
    public void changeAtOnce(@Nullable Session by, Mutation mutation) {
        requireWritable();
        Touched touched = Touched.by(namespace, mutation);
        Clearance late = new Clearance(by);
        leases.recall(late, touched);
        make(late, touched, mutation);
    }

    /** Makes a change of what nobody caches. */
    public void apply(Mutation mutation) {
        if (!Touched.by(namespace, mutation).isEmpty()) {
            throw new IllegalArgumentException("others may have cached what this changes: " + mutation);
        }
        make(mutation);
        if (mutation instanceof Mutation.Reap reap) {
            leases.forget(reap.inode());
        }
    }

    private void make(Clearance by, Touched touched, Mutation... mutations) {
        for (Mutation mutation : mutations) {
            make(mutation);
        }
        touched.inodes().forEach(this::forgetIfGone);
        by.setTouched(touched);
    }

    private void make(Mutation mutation) {
        requireWritable();
        namespace.apply(mutation, journal.next(), journal.batch());
        journal.advance();
    }

    private void forgetIfGone(Inode inode) {
        if (namespace.find(inode.number()) == null) {
            leases.forget(inode.number());
        }
    }
}
