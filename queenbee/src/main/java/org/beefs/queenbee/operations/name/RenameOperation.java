package org.beefs.queenbee.operations.name;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.Rename;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.jspecify.annotations.Nullable;

/** As renameat2(2); the checks come in the order of Linux. */
public final class RenameOperation implements Operation {
    private final QueenState state;
    private final Resolver resolver;
    private final Mutator mutator;
    private final LeftFiles leftFiles;

    public RenameOperation(QueenState state) {
        this.state = state;
        resolver = new Resolver(state.namespace());
        mutator = state.mutator();
        leftFiles = state.leftFiles();
    }

    /** Both ends, as they are before. */
    private record Ends(
            Inode from, Inode source, Inode to, @Nullable Inode target) {}

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Rename rename = request.body().getRename();
        Ends ends = resolve(rename, request.caller());
        checkDescent(ends, rename.getExchange());
        if (ends.source == ends.target) {
            return;
        }
        checkEntries(ends, rename.getExchange(), request.caller());
        checkParentChanges(ends, rename.getExchange(), request.caller());
        if (rename.getExchange()) {
            exchange(rename, request);
        } else {
            requireMemory(rename, ends, request);
            move(rename, ends, request);
        }
        reply.addNamed(ends.source.number());
        if (ends.target != null) {
            reply.addNamed(ends.target.number()).setStillNamed(!rename.getExchange() && ends.target.links() > 0);
        }
    }

    private Ends resolve(Rename rename, Caller caller) {
        if (rename.getNoReplace() && rename.getExchange()) {
            throw new PosixException(Errno.EINVAL, "a rename cannot both exchange and not replace");
        }
        if (FileName.isDots(rename.getOldName()) || FileName.isDots(rename.getNewName())) {
            throw new PosixException(Errno.EBUSY, "'.' and '..' cannot be renamed");
        }
        Inode from = resolver.directory(rename.getOldParent());
        Inode to = resolver.directory(rename.getNewParent());
        Permissions.check(from, caller, Permissions.EXECUTE);
        Permissions.check(to, caller, Permissions.EXECUTE);
        Inode source = resolver.entry(from, rename.getOldName()).inode();
        Dentry target = resolver.find(to, rename.getNewName());
        if (rename.getNoReplace() && target != null) {
            throw new PosixException(Errno.EEXIST, "the new name exists");
        }
        if (rename.getExchange() && target == null) {
            throw new PosixException(Errno.ENOENT, "the name to exchange with does not exist");
        }
        return new Ends(from, source, to, target == null ? null : target.inode());
    }

    /** Within one directory nothing can be above an end, nor can what is no directory: the way up may be long. */
    private static void checkDescent(Ends ends, boolean exchange) {
        if (ends.from == ends.to) {
            return;
        }
        if (isAbove(ends.source, ends.to)) {
            throw new PosixException(Errno.EINVAL, "a directory cannot be moved into itself");
        }
        if (ends.target != null && isAbove(ends.target, ends.from)) {
            Errno errno = exchange ? Errno.EINVAL : Errno.ENOTEMPTY;
            throw new PosixException(errno, "the new name is above the old one");
        }
    }

    /** Whether the inode is the directory or one above it. */
    private static boolean isAbove(Inode inode, Inode directory) {
        if (!inode.isDirectory()) {
            return false;
        }
        Inode current = directory;
        while (current != inode && current.number() != Namespace.ROOT) {
            Inode parent = current.directory().parent();
            if (parent == current) {
                return false;
            }
            current = parent;
        }
        return current == inode;
    }

    private static void checkEntries(Ends ends, boolean exchange, Caller caller) {
        RemovalChecks.checkEntry(ends.from, ends.source, caller);
        Inode target = ends.target;
        if (target == null) {
            Resolver.checkAlive(ends.to);
            Permissions.checkChange(ends.to, caller);
        } else if (exchange) {
            RemovalChecks.checkEntry(ends.to, target, caller);
        } else if (ends.source.isDirectory()) {
            RemovalChecks.checkDirectory(ends.to, target, caller);
        } else {
            RemovalChecks.checkFile(ends.to, target, caller);
        }
    }

    /** A directory that gets another parent is changed itself: its ".." is. */
    private static void checkParentChanges(Ends ends, boolean exchange, Caller caller) {
        if (ends.from != ends.to && ends.source.isDirectory()) {
            Permissions.check(ends.source, caller, Permissions.WRITE);
        }
        Inode target = ends.target;
        if (target != null && target.isDirectory()) {
            if (!exchange) {
                RemovalChecks.checkEmpty(target);
            } else if (ends.from != ends.to) {
                Permissions.check(target, caller, Permissions.WRITE);
            }
        }
    }

    /** A longer name takes more memory, unless it takes the place of the same. */
    private void requireMemory(Rename rename, Ends ends, Request request) {
        if (ends.target == null
                && rename.getNewName().size() > rename.getOldName().size()) {
            state.requireMemory(request);
        }
    }

    private void exchange(Rename rename, Request request) {
        mutator.change(
                request.clearance(),
                new Mutation.Exchange(
                        rename.getOldParent(),
                        rename.getOldName(),
                        rename.getNewParent(),
                        rename.getNewName(),
                        request.now()));
    }

    private void move(Rename rename, Ends ends, Request request) {
        mutator.change(
                request.clearance(),
                new Mutation.Move(
                        rename.getOldParent(),
                        rename.getOldName(),
                        rename.getNewParent(),
                        rename.getNewName(),
                        ends.to.directory().nextCookie(),
                        request.now()));
        if (ends.target != null && !ends.target.isDirectory()) {
            leftFiles.replaced(ends.target, ends.source);
        }
    }
}
