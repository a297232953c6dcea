package org.beefs.queenbee.operations.hive;

import java.util.List;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/**
 * As statvfs(3): the space of all honeycombs that are connected, as users see it, for whom a file takes as much as it
 * is long.
 */
public final class FileSystemStatusOperation implements Operation {
    /** Inodes that a hive is said to have room for; only the queen-bee's memory really bounds them. */
    private static final long INODES = 1L << 32;

    private final QueenState state;

    public FileSystemStatusOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        reply.setFileSystemSpace(space(state));
    }

    static FileSystemSpace space(QueenState state) {
        List<Honeycomb> connected =
                state.honeycombs().all().stream().filter(Honeycomb::isConnected).toList();
        int replicas = Math.max(1, Math.min(state.config().replicas(), connected.size()));
        return FileSystemSpace.newBuilder()
                .setCapacity(connected.stream().mapToLong(Honeycomb::usable).sum() / replicas)
                .setAvailable(connected.stream().mapToLong(Honeycomb::available).sum() / replicas)
                .setInodes(INODES)
                .setInodesAvailable(
                        state.memory().isScarce()
                                ? 0
                                : INODES - state.namespace().size())
                .build();
    }
}
