package org.beefs.honeybee.fuse.operations;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.protocol.HiveRoot;

/**
 * The directory in which the hive's root is an entry ({@link HiveRoot#ENTRY}). Only {@code Stage} ever looks into it.
 * It waits for nobody, so that a hive can be mounted whose queen-bee is away.
 */
final class OuterRoot {
    /**
     * The attributes of itself and of the entry; the kernel asks about the hive's root as soon as anybody wants to
     * know.
     */
    private static final CompletableFuture<Attributes> DIRECTORY =
            CompletableFuture.completedFuture(Attributes.newBuilder()
                    .setInode(HiveRoot.ENTRY.node(FileSystem.ROOT))
                    .setMode(FileMode.DIRECTORY | 0755)
                    .setLinks(2)
                    .build());

    private OuterRoot() {}

    static void lookup(Exchange exchange) {
        exchange.answer(DIRECTORY, (reply, directory) -> reply.entry(directory, 0, 0));
    }

    static void getattr(Exchange exchange) {
        exchange.answer(DIRECTORY, (reply, directory) -> reply.attributes(directory, 0));
    }
}
