package org.beefs.cli.daemon;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.queen.QueenProxy;
import org.beefs.honeybee.trace.Names;

/** Names as the queen-bee has them, and as this desktop knows them. Thread-safe. */
record KnownNames(QueenProxy queen) implements Names {
    @Override
    public CompletableFuture<Long> inode(long directory, ByteString name) {
        return known(directory).stream()
                .filter(child -> child.getKey().equals(name))
                .findAny()
                .map(child -> CompletableFuture.completedFuture(child.getValue()))
                .orElseGet(() -> queen.lookup(Credentials.getDefaultInstance(), directory, name)
                        .thenApply(node -> node.getAttributes().getInode()));
    }

    @Override
    public List<Map.Entry<ByteString, Long>> known(long directory) {
        return queen.cache().children(directory);
    }
}
