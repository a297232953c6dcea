package org.beefs.cli.bench.queen;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Unlink;

/**
 * Makes a file, closes it and removes it, over and over. The replica that it tells of is empty, as after open(2) and
 * close(2).
 */
final class ChangeScript implements Script {
    private enum Step {
        CREATE,
        RELEASE,
        UNLINK
    }

    private final QueenSession session;
    private final long folder;
    private final ByteString name;
    private Step step = Step.CREATE;
    private long inode;
    private long handle;

    ChangeScript(QueenSession session, long folder, ByteString name) {
        this.session = session;
        this.folder = folder;
        this.name = name;
    }

    @Override
    public QueenRequest.Builder next() {
        return switch (step) {
            case CREATE -> create();
            case RELEASE -> QueenRequest.newBuilder().setRelease(release());
            case UNLINK ->
                QueenRequest.newBuilder()
                        .setUnlink(Unlink.newBuilder().setParent(folder).setName(name));
        };
    }

    @Override
    public void answered(QueenReply reply) {
        step = switch (step) {
            case CREATE -> {
                inode = reply.getNode().getAttributes().getInode();
                yield Step.RELEASE;
            }
            case RELEASE -> Step.UNLINK;
            case UNLINK -> Step.CREATE;
        };
    }

    @Override
    public boolean isAtRest() {
        return step == Step.CREATE;
    }

    private QueenRequest.Builder create() {
        handle = session.newHandle();
        return QueenRequest.newBuilder()
                .setCreate(Create.newBuilder()
                        .setParent(folder)
                        .setName(name)
                        .setMode(0600)
                        .setExclusive(true)
                        .setHandle(handle)
                        .setWrite(true));
    }

    private Release release() {
        return Release.newBuilder()
                .setInode(inode)
                .setHandle(handle)
                .setStatus(ReplicaStatus.newBuilder()
                        .setInode(inode)
                        .setExists(true)
                        .setUntouched(true)
                        .setObservation(1))
                .build();
    }
}
