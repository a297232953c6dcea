package org.beefs.honeybee.fuse.operations;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.protocol.Arguments;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.Reply;

/** Operations on what stat and statfs show. */
final class AttributeOperations {
    private final FileSystem fileSystem;
    private final KernelState kernel;

    AttributeOperations(FileSystem fileSystem, KernelState kernel) {
        this.fileSystem = fileSystem;
        this.kernel = kernel;
    }

    void getattr(Exchange exchange) {
        exchange.answer(fileSystem.getAttributes(exchange.inode()), kernel::attributes);
    }

    /** Answers statx, by which the kernel asks when somebody wants to know the time of creation. */
    void statx(Exchange exchange) {
        exchange.answer(fileSystem.getAttributes(exchange.inode()), kernel::statx);
    }

    void setattr(Exchange exchange, Body body) {
        long inode = exchange.inode();
        AttributeChange change = new Arguments.Setattr(body).change();
        exchange.answer(
                fileSystem
                        .setAttributes(exchange.caller(), inode, change)
                        .thenCompose(changed -> afterPages(inode, change, changed)),
                kernel::changedAttributes);
    }

    /**
     * A change of size is answered first: the kernel holds back what mappings have written until then, so that waiting
     * here for its pages to go would never end.
     */
    private CompletableFuture<Attributes> afterPages(long inode, AttributeChange change, Attributes changed) {
        CompletableFuture<Void> gone = kernel.pages().beforeChange(inode);
        return change.size() == null ? gone.thenApply(_ -> changed) : CompletableFuture.completedFuture(changed);
    }

    void access(Exchange exchange, Body body) {
        int mask = body.int32(0) & 7;
        if (mask == 0) {
            // Whether it exists: the lookup before this has said so.
            exchange.succeed();
        } else {
            exchange.answer(
                    fileSystem.checkAccess(exchange.caller(), exchange.inode(), mask),
                    (reply, nothing) -> reply.empty());
        }
    }

    void statfs(Exchange exchange) {
        exchange.answer(fileSystem.space(), Reply::space);
    }
}
