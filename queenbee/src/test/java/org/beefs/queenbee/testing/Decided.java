package org.beefs.queenbee.testing;

import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.wire.Decision;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.Timestamp;

/** Changes that a desktop has made under delegations, with what it was given to make inodes with. */
public final class Decided {
    /** When all of them are made, in seconds; no time of the hive. */
    public static final long TIME = 1_700_000_000L;

    private final NewInodes given;
    /** No two decisions have the same time. */
    private static final AtomicInteger LATER = new AtomicInteger();

    private long next;

    /** @param registered what the desktop was answered */
    public Decided(Registered registered) {
        given = registered.getNewInodes();
        next = given.getFirst();
    }

    /** Registers a desktop with an empty honeycomb. */
    public static Decided register(TestDesktop desktop) {
        Decided decided = new Decided(desktop.register(desktop.register()));
        desktop.inventoried();
        return decided;
    }

    public NewInodes given() {
        return given;
    }

    /** A number that was given and not used yet. */
    public long number() {
        return next++;
    }

    public QueenRequest.Builder create(long parent, String name, long inode, long handle) {
        QueenRequest.Builder create = of(
                Ask.create(parent, name, 0644, handle), inode, given.getLayout().getEpoch());
        if (given.getElsewhere()) {
            create.getDecisionBuilder().setHoneycomb(given.getLayout().getHoneycomb());
        }
        return create;
    }

    public static QueenRequest.Builder mkdir(long parent, String name, long inode) {
        return of(Ask.mkdir(parent, name, 0755), inode, 0);
    }

    public static QueenRequest.Builder unlink(long parent, String name, long inode) {
        return of(Ask.unlink(parent, name), inode, 0);
    }

    public static QueenRequest.Builder rmdir(long parent, String name, long inode) {
        return of(Ask.rmdir(parent, name), inode, 0);
    }

    /**
     * Within a directory.
     *
     * @param replaced 0 when the new name is free
     */
    public static QueenRequest.Builder rename(long parent, String from, String to, long inode, long replaced) {
        QueenRequest.Builder rename = of(Ask.rename(parent, from, parent, to), inode, 0);
        rename.getDecisionBuilder().setReplaced(replaced);
        return rename;
    }

    public static QueenRequest.Builder chmod(long inode, int mode) {
        return of(Ask.chmod(inode, mode), inode, 0);
    }

    private static QueenRequest.Builder of(QueenRequest.Builder change, long inode, long epoch) {
        return change.setDecision(Decision.newBuilder()
                .setTime(Timestamp.newBuilder().setSeconds(TIME).setNanos(LATER.getAndIncrement()))
                .setInode(inode)
                .setEpoch(epoch));
    }
}
