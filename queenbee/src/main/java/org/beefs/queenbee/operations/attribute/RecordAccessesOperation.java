package org.beefs.queenbee.operations.attribute;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.Access;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.RecordAccesses;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** Takes accesses that desktops tell some time after. An inode that has got another atime meanwhile keeps that. */
public final class RecordAccessesOperation implements Operation {
    private final Namespace namespace;
    private final Mutator mutator;

    public RecordAccessesOperation(QueenState state) {
        namespace = state.namespace();
        mutator = state.mutator();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        RecordAccesses record = request.body().getRecordAccesses();
        if (record.getAccessesCount() > ProtocolBounds.ACCESSES) {
            throw new PosixException(Errno.EINVAL, "at most " + ProtocolBounds.ACCESSES + " accesses are told at once");
        }
        List<Mutation> changes = new ArrayList<>();
        for (Access access : record.getAccessesList()) {
            Inode inode = namespace.find(access.getInode());
            if (inode != null && inode.atime() == PackedTime.of(access.getSeen())) {
                changes.add(new Mutation.Access(inode.number(), PackedTime.of(access.getTime())));
            }
        }
        if (!changes.isEmpty()) {
            mutator.change(request.clearance(), changes.toArray(Mutation[]::new));
        }
    }
}
