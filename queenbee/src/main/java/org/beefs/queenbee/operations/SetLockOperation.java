package org.beefs.queenbee.operations;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.SetLock;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.lock.LockTable.Outcome;
import org.beefs.queenbee.lock.Locks;
import org.beefs.queenbee.lock.Owner;
import org.beefs.queenbee.lock.Range;
import org.beefs.queenbee.lock.Wanted;
import org.beefs.queenbee.namespace.Inode;

/**
 * As F_SETLK and F_SETLKW of fcntl(2), and flock(2). A refusal is no exception here, because a lock of flock(2) that was to be
 * converted is lost with it.
 */
final class SetLockOperation implements Operation {
    private final Resolver resolver;
    private final Locks locks;
    private final Leases leases;

    SetLockOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        locks = state.locks();
        leases = state.leases();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        SetLock set = request.body().getSetLock();
        Owner owner = LockRequests.owner(request.session(), set.getOwner());
        Range range = LockRequests.range(set.getRange());
        Outcome outcome = Outcome.GRANTED;
        if (set.getMode() == LockMode.UNLOCKED) {
            unlock(set, request, owner, range);
        } else {
            Inode inode = resolver.existing(set.getInode());
            LockRequests.checkType(inode);
            leases.requireNoGrace(request.clearance());
            Wanted wanted = new Wanted(inode.number(), owner, LockRequests.mode(set.getMode()), range, set.getPid());
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
     * Also of a file that is gone: it may have been removed and closed in the meantime. What undoes a request, by its ticket, comes
     * behind it, though that may be parked.
     */
    private void unlock(SetLock set, Request request, Owner owner, Range range) {
        if (set.getTicket() != 0) {
            leases.requireNoGrace(request.clearance());
            locks.endWaiting(request.session(), set.getTicket());
        }
        locks.unlock(set.getInode(), owner, range);
    }

    private static void refuse(QueenReply.Builder reply, Errno errno, String why) {
        reply.setFailure(new PosixException(errno, why).toFailure());
    }
}
