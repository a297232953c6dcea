package org.beefs.honeybee.filesystem.content;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.FileCapabilities;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.SetAttributes;
import org.beefs.honeybee.queen.Metadata;
import org.beefs.honeybee.queen.QueenProxy;

/**
 * What a file gives to those who execute it, and loses when somebody changes its content: set-id bits and file
 * capabilities. Thread-safe.
 */
public final class Privileges {
    private static final Credentials DAEMON = Credentials.getDefaultInstance();

    private final QueenProxy queen;
    private final Metadata metadata;

    public Privileges(QueenProxy queen, Metadata metadata) {
        this.queen = queen;
        this.metadata = metadata;
    }

    /**
     * Whether a change of the content may have to take something away.
     *
     * @param clearPrivileges the writer lacks CAP_FSETID: set-uid and set-gid bits go
     */
    boolean mayBeLost(OpenInode inode, boolean clearPrivileges) {
        return clearPrivileges ? mayHaveSetId(inode) : inode.mayHaveFileCapabilities();
    }

    /**
     * Whether the inode may have set-id bits or file capabilities, also such as it got through another mount of this
     * desktop.
     */
    private boolean mayHaveSetId(OpenInode inode) {
        Node known = metadata.knownRights(inode.number());
        if (known == null) {
            return true;
        }
        inode.observe(known);
        return inode.givesPrivileges();
    }

    /**
     * Takes privileges away before the content is changed, as the kernel does with local files: file capabilities
     * always, set-id bits if the writer lacks CAP_FSETID.
     *
     * @param clearPrivileges as in {@link #mayBeLost}
     */
    CompletableFuture<Void> clear(OpenInode inode, boolean clearPrivileges) {
        return clearPrivileges ? clear(inode) : clearFileCapabilities(inode);
    }

    private CompletableFuture<Void> clearFileCapabilities(OpenInode inode) {
        return inode.mayHaveFileCapabilities()
                ? forgetting(
                        inode,
                        () -> queen.removeXattr(DAEMON, inode.number(), FileCapabilities.XATTR)
                                .exceptionallyCompose(
                                        failure -> Failures.toPosix(failure).errno() == Errno.ENODATA
                                                ? Futures.DONE
                                                : CompletableFuture.failedFuture(failure)))
                : Futures.DONE;
    }

    /** Forgets file capabilities before they are taken away: those that somebody gives meanwhile stay known. */
    private static <T> CompletableFuture<T> forgetting(OpenInode inode, Supplier<CompletableFuture<T>> removal) {
        boolean had = inode.forgetFileCapabilities();
        return Futures.attempt(removal).whenComplete((removed, failure) -> {
            if (had && failure != null) {
                inode.observeFileCapabilities();
            }
        });
    }

    /** Takes all privileges away, also those that the file got through another mount since it was opened. */
    public CompletableFuture<Void> clear(OpenInode inode) {
        return metadata.rights(inode.number()).thenCompose(node -> {
            inode.observe(node);
            return inode.givesPrivileges() ? clearAll(inode) : Futures.DONE;
        });
    }

    private CompletableFuture<Void> clearAll(OpenInode inode) {
        SetAttributes change = SetAttributes.newBuilder()
                .setInode(inode.number())
                .setClearPrivileges(true)
                .build();
        return forgetting(inode, () -> queen.setAttributes(DAEMON, change))
                .thenAccept(node -> inode.observeMode(node.getAttributes().getMode()));
    }
}
