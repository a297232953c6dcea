package org.beefs.queenbee.content;

import java.util.Optional;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.replication.primary.Promotion;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.session.Sessions;

/**
 * Lets opens wait until a file's primary is where it is to be used, and has it come there. Belongs to the namespace
 * thread.
 */
final class PrimaryWait {
    private final OpenInodes open;
    private final Honeycombs honeycombs;
    private final Promotion promotion;
    private final Leases leases;
    private final Sessions sessions;

    PrimaryWait(OpenInodes open, Honeycombs honeycombs, Promotion promotion, Leases leases, Sessions sessions) {
        this.open = open;
        this.honeycombs = honeycombs;
        this.promotion = promotion;
        this.leases = leases;
        this.sessions = sessions;
    }

    /**
     * Waits until a file can be opened: while its primary moves, and, to write it, until that is there. If nobody has
     * it open, its primary moves to the desktop that opens it to write, provided that this has a current secondary.
     * While the primary is away another replica becomes it. Where none can, a clean file stays clean: nobody could
     * write it, and it could be read nowhere else.
     */
    void awaitPrimary(Clearance by, Session session, Inode inode, boolean write) {
        boolean alone = write && !open.isOpen(inode) && !sessions.areSomeAwaited();
        Optional<Honeycomb> own = alone ? honeycombs.servedBy(session) : Optional.empty();
        if (own.isPresent() && !own.get().isDraining() && promotion.isPossible(inode, own.get())) {
            leases.requireOpensToBeTold(by, inode);
            promotion.want(inode, own.get());
            throw new ParkedException(Wait.Occasion.MOVE, "its primary comes to this desktop");
        }
        if (promotion.isUnderWay(inode)) {
            throw new ParkedException(Wait.Occasion.MOVE, "its primary is on its way to another desktop");
        }
        if (write && promotion.isReplaceable(inode)) {
            awaitReplacement(inode);
        }
        if (write && !inode.dirty() && !by.waitsForNobody()) {
            awaitHoneycomb(inode);
        }
    }

    /**
     * Parks an open on a desktop whose kernel reads the replica there by itself, for programs that have had the file
     * open since before the desktop was lost: until it has told whether that is the file still, and until the primary
     * is back if it can be.
     */
    void awaitReturn(Clearance by, Session session, Inode inode) {
        Optional<Honeycomb> own = honeycombs.servedBy(session);
        if (own.isEmpty() || honeycombs.of(inode) == own.get()) {
            return;
        }
        if (!own.get().inventory().isComplete()) {
            throw new ParkedException(Wait.Occasion.MOVE, "this desktop tells what replicas it has");
        }
        if (open.isOpenOnlyBy(session, inode) && !sessions.areSomeAwaited() && promotion.isPossible(inode, own.get())) {
            leases.requireOpensToBeTold(by, inode);
            promotion.wantBack(inode, own.get());
            throw new ParkedException(Wait.Occasion.MOVE, "its primary comes back to this desktop");
        }
    }

    private void awaitHoneycomb(Inode inode) {
        Honeycomb honeycomb = honeycombs.of(inode);
        if (promotion.canStandIn(inode)) {
            promotion.wantReplaced(inode);
            throw new ParkedException(
                    Wait.Occasion.MOVE,
                    "another replica becomes the primary, as %s is away".formatted(honeycomb.desktop()));
        }
        if (!honeycomb.isConnected()) {
            throw new ParkedException(
                    Wait.Occasion.PRIMARY,
                    "%s must come back: the file can be written only there".formatted(honeycomb.desktop()));
        }
    }

    /**
     * Nobody begins to write where nothing can be written any more: as long as anybody has it open for that, the file
     * cannot go on elsewhere.
     */
    private void awaitReplacement(Inode inode) {
        if (open.isBeingWritten(inode)) {
            throw new PosixException(
                    Errno.EIO,
                    "%s is lost: the file goes on elsewhere when all have closed it who were writing it"
                            .formatted(honeycombs.of(inode).desktop()));
        }
        promotion.wantReplaced(inode);
        throw new ParkedException(Wait.Occasion.MOVE, "another replica takes the place of its lost primary");
    }
}
