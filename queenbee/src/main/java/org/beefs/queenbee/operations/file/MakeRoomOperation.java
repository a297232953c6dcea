package org.beefs.queenbee.operations.file;

import org.beefs.common.wire.MakeRoom;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** Waits until replicas have left the honeycomb of a file's primary, which a writer has found full. */
public final class MakeRoomOperation implements Operation {
    private final QueenState state;

    public MakeRoomOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        MakeRoom room = request.body().getMakeRoom();
        Inode inode = new Resolver(state.namespace()).existing(room.getInode());
        state.replication()
                .relief()
                .require(
                        request.session().number(),
                        room.getNumber(),
                        state.honeycombs().of(inode),
                        Math.max(1, room.getBytes()));
    }
}
