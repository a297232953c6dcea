package org.beefs.honeybee.fuse.operations;

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
        exchange.answer(
                fileSystem
                        .setAttributes(exchange.caller(), inode, new Arguments.Setattr(body).change())
                        .thenCompose(
                                changed -> kernel.pages().beforeChange(inode).thenApply(_ -> changed)),
                kernel::changedAttributes);
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
