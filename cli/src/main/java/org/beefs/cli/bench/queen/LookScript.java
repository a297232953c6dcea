package org.beefs.cli.bench.queen;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.GetAttributes;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;

/** Looks a name up and asks for the attributes of what it stands for, in turn. */
final class LookScript implements Script {
    private final long folder;
    private final ByteString name;
    private final long inode;
    private boolean lookedUp;

    LookScript(long folder, ByteString name, long inode) {
        this.folder = folder;
        this.name = name;
        this.inode = inode;
    }

    @Override
    public QueenRequest.Builder next() {
        return lookedUp
                ? QueenRequest.newBuilder()
                        .setGetAttributes(GetAttributes.newBuilder().setInode(inode))
                : QueenRequest.newBuilder()
                        .setLookup(Lookup.newBuilder().setParent(folder).setName(name));
    }

    @Override
    public void answered(QueenReply reply) {
        lookedUp = !lookedUp;
    }

    @Override
    public boolean isAtRest() {
        return true;
    }
}
