package org.beefs.queenbee.operations.file;

import org.beefs.common.wire.FindLock;
import org.beefs.common.wire.FoundLock;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockRange;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lock.Lock;
import org.beefs.queenbee.lock.Locks;
import org.beefs.queenbee.lock.Mode;
import org.beefs.queenbee.lock.Wanted;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.session.Session;

/** As F_GETLK of fcntl(2). */
public final class FindLockOperation implements Operation {
    private final Resolver resolver;
    private final Locks locks;

    public FindLockOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        locks = state.locks();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        FindLock find = request.body().getFindLock();
        Inode inode = resolver.existing(find.getInode());
        LockMessages.checkType(inode);
        Wanted wanted = new Wanted(
                inode.number(),
                LockMessages.owner(request.session(), find.getOwner()),
                LockMessages.mode(find.getMode()),
                LockMessages.range(find.getRange()),
                0);
        locks.conflict(wanted).ifPresent(lock -> reply.setFoundLock(toWire(lock, request.session())));
    }

    private static FoundLock toWire(Lock lock, Session asking) {
        return FoundLock.newBuilder()
                .setMode(lock.mode() == Mode.SHARED ? LockMode.SHARED : LockMode.EXCLUSIVE)
                .setRange(LockRange.newBuilder()
                        .setStart(lock.range().start())
                        .setEnd(lock.range().end()))
                .setPid(lock.owner().session() == asking.number() ? lock.pid() : 0)
                .build();
    }
}
