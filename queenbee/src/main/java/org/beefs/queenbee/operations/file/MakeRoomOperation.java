package org.beefs.queenbee.operations;

import org.beefs.common.wire.MakeRoom;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;

/** Waits until replicas have left the honeycomb of a file's primary, which a writer has found full. */
final class MakeRoomOperation implements Operation {
    private final QueenState state;

    MakeRoomOperation(QueenState state) {
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
