package org.beefs.queenbee.operations.file;

import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockPart;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.SetLock;
import org.beefs.queenbee.lease.Grace;
import org.beefs.queenbee.lock.LockTable.Outcome;
import org.beefs.queenbee.lock.Locks;
import org.beefs.queenbee.lock.Mode;
import org.beefs.queenbee.lock.Owner;
import org.beefs.queenbee.lock.Range;
import org.beefs.queenbee.lock.Wanted;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.jspecify.annotations.Nullable;

/**
 * As F_SETLK and F_SETLKW of fcntl(2), and flock(2). A refusal is no exception here, because a lock of flock(2) that
 * was to be converted is lost with it.
 */
public final class SetLockOperation implements Operation {
    private final Resolver resolver;
    private final Locks locks;
    private final Grace grace;

    public SetLockOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        locks = state.locks();
        grace = state.grace();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        SetLock set = request.body().getSetLock();
        Owner owner = LockMessages.owner(request.session(), set.getOwner());
        Range range = LockMessages.range(set.getRange());
        Outcome outcome = Outcome.GRANTED;
        if (set.getMode() == LockMode.UNLOCKED) {
            unlock(set, request, owner, range);
        } else {
            Inode inode = resolver.existing(set.getInode());
            LockMessages.checkType(inode);
            grace.requireOver(request.clearance());
            Wanted wanted = new Wanted(inode.number(), owner, LockMessages.mode(set.getMode()), range, set.getPid());
            outcome = locks.lock(wanted, set.getTicket(), set.getWait());
        }
        switch (outcome) {
            case GRANTED, WAITING ->
                reply.setLockState(LockState.newBuilder()
                        .setWaiting(outcome == Outcome.WAITING)
                        .setHeld(locks.isHeldBy(set.getInode(), owner)));
            case CONFLICT -> refuse(reply, Errno.EAGAIN, "another owner has a lock there");
            case DEADLOCK -> refuse(reply, Errno.EDEADLK, "whoever has a lock there waits for this owner");
            case FULL -> refuse(reply, Errno.ENOLCK, "there are too many locks on the file or on the desktop");
        }
    }

    /**
     * Unlocks a range, also of a file that is gone: it may have been removed and closed in the meantime. Also ends the
     * waiting of the request with that ticket: an unlock that undoes a request comes behind it, though that may be
     * parked.
     */
    private void unlock(SetLock set, Request request, Owner owner, Range range) {
        List<Part> former = set.getFormerList().stream().map(Part::of).toList();
        if (set.getTicket() != 0) {
            grace.requireOver(request.clearance());
            locks.endWaiting(request.session(), set.getTicket());
        }
        if (former.isEmpty()) {
            locks.unlock(set.getInode(), owner, range);
        } else {
            restore(set, owner, former);
        }
    }

    /** An owner who holds nothing of the file has lost that with a session, and gets nothing back. */
    private void restore(SetLock set, Owner owner, List<Part> former) {
        boolean holds = locks.isHeldBy(set.getInode(), owner);
        for (Part part : former) {
            if (part.mode() == null) {
                locks.unlock(set.getInode(), owner, part.range());
            } else if (holds) {
                locks.lock(new Wanted(set.getInode(), owner, part.mode(), part.range(), set.getPid()), 0, false);
            }
        }
    }

    /** @param mode null for unlocked */
    private record Part(Range range, @Nullable Mode mode) {
        static Part of(LockPart part) {
            Mode mode = part.getMode() == LockMode.UNLOCKED ? null : LockMessages.mode(part.getMode());
            return new Part(LockMessages.range(part.getRange()), mode);
        }
    }

    private static void refuse(QueenReply.Builder reply, Errno errno, String why) {
        reply.setFailure(new PosixException(errno, why).toFailure());
    }
}
