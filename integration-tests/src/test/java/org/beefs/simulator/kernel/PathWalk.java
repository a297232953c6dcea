package org.beefs.simulator.kernel;

import com.google.protobuf.ByteString;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.jspecify.annotations.Nullable;

/** How the kernel gets from names to inodes and judges rights: from memory as far as it may, else by asking. */
final class PathWalk {
    private final SimKernel kernel;
    private final Trust trust;

    PathWalk(SimKernel kernel, Trust trust) {
        this.kernel = kernel;
        this.trust = trust;
    }

    /** What is known of an inode, or GETATTR. */
    CompletableFuture<Attributes> attributes(long inode) {
        Attributes known = kernel.inodes().valid(inode);
        if (known == null) {
            return fresh(inode);
        }
        trust.remembers(kernel.isWatched());
        return CompletableFuture.completedFuture(known);
    }

    private CompletableFuture<Attributes> fresh(long inode) {
        long asked = kernel.inodes().version();
        return kernel.ask(fileSystem -> fileSystem.getAttributes(inode), attributes -> {
            long lifetime = kernel.lifetimes().attributes(attributes);
            return () -> {
                kernel.inodes().learn(attributes, lifetime, asked);
                return attributes;
            };
        });
    }

    /** Fails with EACCES; what is remembered forbids nothing before it was asked for anew. */
    CompletableFuture<Void> permit(Credentials caller, long inode, int mask) {
        boolean remembered = kernel.inodes().valid(inode) != null;
        return attributes(inode)
                .thenCompose(known -> remembered && !Permissions.allow(known, caller, mask)
                        ? fresh(inode)
                        : CompletableFuture.completedFuture(known))
                .thenAccept(attributes -> require(Permissions.allow(attributes, caller, mask), Errno.EACCES));
    }

    /**
     * What a name names; fails with ENOENT. Waits for others who change the directory only if the daemon must be asked.
     */
    CompletableFuture<Long> find(Credentials caller, long directory, ByteString name) {
        Long known = remembered(directory, name);
        return known != null
                ? found(known)
                : kernel.locks().shared(directory, () -> findLocked(caller, directory, name, false));
    }

    /** As {@link #find} for whoever has locked the directory; {@code anew} trusts no memory. */
    CompletableFuture<Long> findLocked(Credentials caller, long directory, ByteString name, boolean anew) {
        Long known = anew ? null : remembered(directory, name);
        return known != null ? found(known) : lookup(caller, directory, name);
    }

    /** As {@link #findLocked}, with nothing for what is not there. */
    CompletableFuture<Optional<Long>> search(Credentials caller, long directory, ByteString name, boolean anew) {
        return findLocked(caller, directory, name, anew)
                .thenApply(Optional::of)
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.ENOENT
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    private @Nullable Long remembered(long directory, ByteString name) {
        Long known = kernel.dentries().valid(directory, name);
        if (known != null) {
            trust.remembers(kernel.isWatched());
        }
        return known;
    }

    private static CompletableFuture<Long> found(long inode) {
        return inode == Dentries.ABSENT
                ? CompletableFuture.failedFuture(new PosixException(Errno.ENOENT, "the kernel remembers no such entry"))
                : CompletableFuture.completedFuture(inode);
    }

    private CompletableFuture<Long> lookup(Credentials caller, long directory, ByteString name) {
        long asked = kernel.inodes().version();
        long epoch = kernel.dentries().epoch();
        return kernel.ask(fileSystem -> fileSystem.lookupEntry(caller, directory, name), new Answer<>() {
            @Override
            public Supplier<Long> written(Attributes attributes) {
                long inode = attributes.getInode();
                long lifetime = kernel.lifetimes().entry(directory, name, inode);
                long attributesLifetime = kernel.lifetimes().attributes(attributes);
                return () -> {
                    kernel.dentries().link(directory, name, inode, lifetime, epoch);
                    kernel.inodes().learn(attributes, attributesLifetime, asked);
                    return inode;
                };
            }

            @Override
            public Runnable failed(Errno errno) {
                long lifetime = errno == Errno.ENOENT ? kernel.lifetimes().entry(directory, name, Dentries.ABSENT) : 0;
                return () -> kernel.dentries().link(directory, name, Dentries.ABSENT, lifetime, epoch);
            }
        });
    }

    static void require(boolean fulfilled, Errno otherwise) {
        if (!fulfilled) {
            throw new PosixException(otherwise, "the kernel itself says so");
        }
    }
}
