package org.beefs.simulator.kernel;

import static org.beefs.simulator.kernel.PathWalk.require;

import com.google.protobuf.ByteString;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.filesystem.FileSystem.RenameMode;
import org.beefs.honeybee.fuse.notification.KeptPages;

/** System calls that change directories, or list them: under the directories' locks, as Linux makes them. */
final class NameCalls {
    private static final int CHANGE = Permissions.WRITE | Permissions.EXECUTE;

    private final SimKernel kernel;
    private final PathWalk walk;
    private final FileCalls files;

    NameCalls(SimKernel kernel, PathWalk walk, FileCalls files) {
        this.kernel = kernel;
        this.walk = walk;
        this.files = files;
    }

    /** What makes an inode: mkdir, mknod, symlink. */
    CompletableFuture<Attributes> make(
            Credentials caller,
            long directory,
            ByteString name,
            Function<FileSystem, CompletableFuture<Attributes>> request) {
        return name(
                caller,
                directory,
                name,
                () -> kernel.ask(request, named(directory, name, kernel.lifetimes()::madeAttributes)));
    }

    CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name) {
        return name(
                caller,
                directory,
                name,
                () -> underLockOfFile(
                        inode,
                        () -> kernel.ask(
                                fileSystem -> fileSystem.link(caller, inode, directory, name),
                                named(directory, name, kernel.lifetimes()::changedAttributes))));
    }

    private CompletableFuture<Attributes> name(
            Credentials caller, long directory, ByteString name, Supplier<CompletableFuture<Attributes>> request) {
        return walk.permit(caller, directory, Permissions.EXECUTE)
                .thenCompose(_ -> kernel.locks()
                        .exclusive(
                                directory,
                                () -> absent(caller, directory, name)
                                        .thenCompose(__ -> walk.permit(caller, directory, CHANGE))
                                        .thenCompose(__ -> request.get())));
    }

    private CompletableFuture<Void> absent(Credentials caller, long directory, ByteString name) {
        return walk.search(caller, directory, name, true).thenAccept(found -> require(found.isEmpty(), Errno.EEXIST));
    }

    private Answer<Attributes, Attributes> named(
            long directory, ByteString name, ToLongFunction<Attributes> lifetimes) {
        long epoch = kernel.dentries().epoch();
        return attributes -> {
            long lifetime = kernel.lifetimes().entry(directory, name, attributes.getInode());
            long attributesLifetime = lifetimes.applyAsLong(attributes);
            return () -> {
                kernel.dentries().link(directory, name, attributes.getInode(), lifetime, epoch);
                kernel.inodes().learnMade(attributes, attributesLifetime);
                kernel.inodes().stale(directory);
                return attributes;
            };
        };
    }

    /** What takes a name away: unlink, rmdir. */
    CompletableFuture<Void> remove(
            Credentials caller,
            long directory,
            ByteString name,
            Function<FileSystem, CompletableFuture<Void>> request) {
        return walk.permit(caller, directory, Permissions.EXECUTE)
                .thenCompose(_ -> kernel.locks()
                        .exclusive(
                                directory,
                                () -> walk.findLocked(caller, directory, name, false)
                                        .thenCompose(inode -> walk.permit(caller, directory, CHANGE)
                                                .thenCompose(__ -> underLockOfFile(
                                                        inode,
                                                        () -> kernel.ask(request, removed(directory, name, inode)))))));
    }

    /** Directories are locked by their parents' locks as far as it matters here. */
    private <T> CompletableFuture<T> underLockOfFile(long inode, Supplier<CompletableFuture<T>> work) {
        return kernel.inodes().isKnownFile(inode) ? kernel.locks().exclusive(inode, work) : work.get();
    }

    private <T> CompletableFuture<T> underLocksOfFiles(long one, long other, Supplier<CompletableFuture<T>> work) {
        return one == other
                ? underLockOfFile(one, work)
                : underLockOfFile(Math.min(one, other), () -> underLockOfFile(Math.max(one, other), work));
    }

    private Answer<Void, Void> removed(long directory, ByteString name, long inode) {
        return new Changed<>(() -> {
            kernel.dentries().forget(directory, name);
            kernel.inodes().stale(directory);
            kernel.inodes().invalidate(inode);
        }) {
            @Override
            void doubt() {
                kernel.dentries().forget(directory, name);
            }
        };
    }

    /** When the daemon says that there is no such entry, the kernel asks for it when it is used next. */
    private abstract static class Changed<T> implements Answer<T, T> {
        private final Runnable change;

        Changed(Runnable change) {
            this.change = change;
        }

        abstract void doubt();

        @Override
        public Supplier<T> written(T result) {
            return Answer.<T>then(change).written(result);
        }

        @Override
        public Runnable failed(Errno errno) {
            return errno == Errno.ENOENT ? this::doubt : () -> {};
        }
    }

    CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        return walk.permit(caller, oldDirectory, Permissions.EXECUTE)
                .thenCompose(_ -> walk.permit(caller, newDirectory, Permissions.EXECUTE))
                .thenCompose(_ -> kernel.locks()
                        .exclusive(
                                oldDirectory,
                                newDirectory,
                                () -> walk.findLocked(caller, oldDirectory, oldName, false)
                                        .thenCompose(moved -> walk.search(caller, newDirectory, newName, true)
                                                .thenCompose(replaced -> move(
                                                        caller,
                                                        oldDirectory,
                                                        oldName,
                                                        moved,
                                                        newDirectory,
                                                        newName,
                                                        replaced,
                                                        mode)))));
    }

    private CompletableFuture<Void> move(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long moved,
            long newDirectory,
            ByteString newName,
            Optional<Long> replaced,
            RenameMode mode) {
        require(mode != RenameMode.NO_REPLACE || replaced.isEmpty(), Errno.EEXIST);
        require(mode != RenameMode.EXCHANGE || replaced.isPresent(), Errno.ENOENT);
        Runnable change = () -> {
            if (mode == RenameMode.EXCHANGE) {
                kernel.dentries().exchange(oldDirectory, oldName, newDirectory, newName);
            } else {
                kernel.dentries().move(oldDirectory, oldName, newDirectory, newName);
            }
            kernel.inodes().stale(moved);
            replaced.ifPresent(kernel.inodes()::invalidate);
            kernel.inodes().stale(oldDirectory);
            kernel.inodes().stale(newDirectory);
        };
        return walk.permit(caller, oldDirectory, CHANGE)
                .thenCompose(_ -> walk.permit(caller, newDirectory, CHANGE))
                .thenCompose(_ -> underLocksOfFiles(
                        moved,
                        replaced.orElse(moved),
                        () -> kernel.ask(
                                fileSystem ->
                                        fileSystem.rename(caller, oldDirectory, oldName, newDirectory, newName, mode),
                                new Changed<>(change) {
                                    @Override
                                    void doubt() {
                                        kernel.dentries().forget(oldDirectory, oldName);
                                        kernel.dentries().forget(newDirectory, newName);
                                    }
                                })));
    }

    /**
     * As open(2) with O_CREAT. What is remembered decides only while nothing is under way that could have changed it:
     * an open of what a name meant before would have consequences.
     */
    CompletableFuture<OpenedFile> create(
            Credentials caller, long directory, ByteString name, int mode, OpenFlags flags) {
        return walk.permit(caller, directory, Permissions.EXECUTE)
                .thenCompose(_ -> kernel.locks().exclusive(directory, () -> {
                    boolean anew = flags.exclusive() || !kernel.isQuiet();
                    return walk.search(caller, directory, name, anew)
                            .thenCompose(found -> found.isPresent()
                                    ? openFound(caller, found.orElseThrow(), directory, name, flags)
                                    : make(caller, directory, name, mode, flags));
                }));
    }

    private CompletableFuture<OpenedFile> openFound(
            Credentials caller, long inode, long directory, ByteString name, OpenFlags flags) {
        require(!flags.exclusive(), Errno.EEXIST);
        return files.open(caller, inode, flags)
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.ESTALE
                        ? walk.findLocked(caller, directory, name, true)
                                .thenCompose(present -> files.open(caller, present, flags))
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<OpenedFile> make(
            Credentials caller, long directory, ByteString name, int mode, OpenFlags flags) {
        long epoch = kernel.dentries().epoch();
        return walk.permit(caller, directory, CHANGE)
                .thenCompose(_ ->
                        kernel.ask(fileSystem -> fileSystem.create(caller, directory, name, mode, 0, flags), file -> {
                            long inode = file.attributes().getInode();
                            KeptPages.Use use = kernel.files()
                                    .enter(inode, file, () -> kernel.lifetimes().pages(inode));
                            Attributes attributes = file.attributes();
                            long lifetime = kernel.lifetimes().entry(directory, name, attributes.getInode());
                            long attributesLifetime =
                                    file.isNew() ? kernel.lifetimes().madeAttributes(attributes) : 0;
                            return () -> {
                                kernel.dentries().link(directory, name, attributes.getInode(), lifetime, epoch);
                                kernel.inodes().learnMade(attributes, attributesLifetime);
                                kernel.inodes().stale(directory);
                                kernel.files().take(inode, file.handle(), flags, use);
                                return file;
                            };
                        }));
    }

    /** READDIRPLUS: entries that come with attributes are remembered, from the moment at which they are linked. */
    CompletableFuture<Listing> list(long directory, long after, int limit, boolean withAttributes) {
        long asked = kernel.inodes().version();
        return kernel.locks()
                .shared(
                        directory,
                        () -> kernel.ask(
                                fileSystem -> fileSystem.listDirectory(directory, after, limit, withAttributes),
                                listing -> {
                                    Runnable[] links = listing.entries().stream()
                                            .map(entry -> link(directory, entry, asked))
                                            .toArray(Runnable[]::new);
                                    return () -> {
                                        for (Runnable link : links) {
                                            link.run();
                                        }
                                        return listing;
                                    };
                                }));
    }

    private Runnable link(long directory, Entry entry, long asked) {
        Attributes attributes = entry.attributes();
        if (attributes == null) {
            return () -> {};
        }
        long lifetime = kernel.lifetimes().listedEntry(directory, entry.name(), entry.inode());
        long attributesLifetime = kernel.lifetimes().attributes(attributes);
        return () -> {
            long now = kernel.dentries().epoch();
            kernel.dentries().link(directory, entry.name(), entry.inode(), lifetime, now);
            kernel.inodes().learn(attributes, attributesLifetime, asked);
        };
    }
}
