package org.beefs.cli.fsck;

import com.google.protobuf.ByteString;
import java.util.List;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.CheckedFile;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.GetChecksums;
import org.beefs.common.wire.InspectReplicas;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaNumber;
import org.beefs.common.wire.ReplicaTarget;
import org.jspecify.annotations.Nullable;

/**
 * A honeycomb, as a check asks it. Methods fail with {@link HoneycombFailure}.
 *
 * @param uuid of its folder
 * @param repair whether it is to put its catalog right
 */
@ProductionOnly
record HoneycombPeer(ByteString uuid, String desktop, Peer peer, boolean repair) implements AutoCloseable {
    /** How the named replicas are, in the same order. */
    List<ReplicaLook> inspect(List<ReplicaNumber> replicas) {
        return replicas.isEmpty()
                ? List.of()
                : inspect(InspectReplicas.newBuilder().addAllReplicas(replicas));
    }

    /** How the next replicas of its catalog are; none when there are no more. */
    List<ReplicaLook> next(@Nullable ReplicaNumber after, int limit) {
        InspectReplicas.Builder asked = InspectReplicas.newBuilder().setLimit(limit);
        return inspect(after == null ? asked : asked.setAfter(after));
    }

    private List<ReplicaLook> inspect(InspectReplicas.Builder asked) {
        return ask(DataRequest.newBuilder().setInspectReplicas(asked.setRepair(repair)))
                .getInspectedReplicas()
                .getLooksList();
    }

    /** Checksums of blocks of the version that the file has. */
    ByteString checksums(CheckedFile file, long offset, int blocks) {
        return ask(DataRequest.newBuilder()
                        .setTarget(ReplicaTarget.newBuilder()
                                .setInode(file.getReplica().getInode())
                                .setGeneration(file.getReplica().getGeneration())
                                .setEpoch(file.getEpoch())
                                .setVersion(file.getVersion())
                                .setExactVersion(file.getVersion())
                                .setCapability(file.getCapability()))
                        .setGetChecksums(
                                GetChecksums.newBuilder().setOffset(offset).setBlocks(blocks)))
                .getChecksums();
    }

    private DataReply ask(DataRequest.Builder request) {
        try {
            DataReply reply = peer.ask(request.build(), DataReply.parser());
            if (reply.hasFailure()) {
                throw PosixException.of(reply.getFailure());
            }
            return reply;
        } catch (PosixException e) {
            throw new HoneycombFailure(uuid, e);
        }
    }

    @Override
    public void close() {
        peer.close();
    }
}
