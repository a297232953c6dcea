package org.beefs.queenbee.operations;

import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.hive.Honeycomb;

/** As statvfs(3): the space of all honeycombs that are connected. */
final class FileSystemStatusOperation implements Operation {
    /** Inodes that a hive is said to have room for; only the queen-bee's memory really bounds them. */
    private static final long INODES = 1L << 32;

    private final QueenState state;

    FileSystemStatusOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        FileSystemSpace.Builder space = FileSystemSpace.newBuilder()
                .setInodes(INODES)
                .setInodesAvailable(INODES - state.namespace().size());
        for (Honeycomb honeycomb : state.honeycombs().all()) {
            if (honeycomb.isConnected()) {
                space.setCapacity(space.getCapacity() + honeycomb.usable());
                space.setAvailable(space.getAvailable() + honeycomb.available());
            }
        }
        reply.setFileSystemSpace(space);
    }
}
