package org.beefs.simulator.client;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.simulator.kernel.SystemCalls;
import org.beefs.simulator.model.Actor;
import org.beefs.simulator.model.Creation;
import org.beefs.simulator.model.Expected;
import org.beefs.simulator.model.Inspection;
import org.beefs.simulator.model.Removal;
import org.beefs.simulator.model.Renaming;
import org.beefs.simulator.model.Step;

/** Operations on names. */
final class NamespaceRequests {
    private NamespaceRequests() {}

    private static String at(long directory, ByteString name) {
        return directory + "/" + name.toStringUtf8();
    }

    static Request lookup(Actor actor, long directory, ByteString name) {
        return new Request(
                        "lookup " + at(directory, name),
                        List.of(
                                Inspection.search(actor, directory),
                                Inspection.resolve(actor, directory, name),
                                Inspection.attributesFound(),
                                Inspection.contentAttributes()),
                        system -> system.lookup(actor.credentials(), directory, name)
                                .thenApply(attributes ->
                                        List.of(Expected.UNSEEN, attributes.getInode(), attributes, attributes)))
                .looking();
    }

    static Request attributes(long inode) {
        return withContent("stat " + inode, Inspection.attributes(inode), system -> system.getAttributes(inode))
                .looking();
    }

    /**
     * One whose answer shows attributes: those of the inode as of one moment, those of the content as of a later one.
     */
    static Request withContent(
            String description,
            Step step,
            java.util.function.Function<SystemCalls, CompletableFuture<Attributes>> call) {
        return new Request(
                description,
                List.of(step, Inspection.contentAttributes()),
                system -> call.apply(system).thenApply(attributes -> List.of(attributes, attributes)));
    }

    static Request makeDirectory(Actor actor, long directory, ByteString name, int mode) {
        return Request.seeing(
                "mkdir %s %o".formatted(at(directory, name), mode),
                Creation.make(actor, directory, name, FileMode.DIRECTORY | mode, ByteString.EMPTY),
                system -> system.makeDirectory(actor.credentials(), directory, name, mode, 0));
    }

    static Request makeNode(Actor actor, long directory, ByteString name, int mode) {
        return Request.seeing(
                "mknod %s %o".formatted(at(directory, name), mode),
                Creation.make(actor, directory, name, mode, ByteString.EMPTY),
                system -> system.makeNode(actor.credentials(), directory, name, mode, 0, 0));
    }

    static Request makeSymbolicLink(Actor actor, long directory, ByteString name, ByteString target) {
        return Request.seeing(
                "symlink %s -> %s".formatted(at(directory, name), target.toStringUtf8()),
                Creation.make(actor, directory, name, FileMode.SYMBOLIC_LINK | 0777, target),
                system -> system.makeSymbolicLink(actor.credentials(), directory, name, target));
    }

    static Request readLink(Actor actor, long inode) {
        return Request.seeing(
                        "readlink " + inode,
                        Inspection.readLink(inode),
                        system -> system.readSymbolicLink(actor.credentials(), inode))
                .looking();
    }

    static Request link(Actor actor, long inode, long directory, ByteString name) {
        return Request.seeing(
                "link %d %s".formatted(inode, at(directory, name)),
                Creation.link(actor, inode, directory, name),
                system -> system.link(actor.credentials(), inode, directory, name));
    }

    static Request unlink(Actor actor, long directory, ByteString name) {
        return Request.of(
                "unlink " + at(directory, name),
                Removal.unlink(actor, directory, name),
                system -> system.unlink(actor.credentials(), directory, name));
    }

    static Request removeDirectory(Actor actor, long directory, ByteString name) {
        return Request.of(
                "rmdir " + at(directory, name),
                Removal.removeDirectory(actor, directory, name),
                system -> system.removeDirectory(actor.credentials(), directory, name));
    }

    static Request rename(
            Actor actor,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            FileSystem.RenameMode mode) {
        return Request.of(
                "rename %s -> %s %s".formatted(at(oldDirectory, oldName), at(newDirectory, newName), mode),
                new Renaming(
                        actor,
                        oldDirectory,
                        oldName,
                        newDirectory,
                        newName,
                        mode == FileSystem.RenameMode.NO_REPLACE,
                        mode == FileSystem.RenameMode.EXCHANGE),
                system -> system.rename(actor.credentials(), oldDirectory, oldName, newDirectory, newName, mode));
    }

    static Request access(Actor actor, long inode, int mask) {
        return Request.of(
                        "access %d %d".formatted(inode, mask),
                        Inspection.access(actor, inode, mask),
                        system -> system.checkAccess(actor.credentials(), inode, mask))
                .looking();
    }

    /** Opens and lists a directory in pages of a size. */
    static Request list(Actor actor, long directory, int limit, boolean withAttributes) {
        return Request.seeing(
                        "list %d by %d".formatted(directory, limit),
                        Inspection.list(actor, directory),
                        system -> system.openDirectory(actor.credentials(), directory)
                                .thenCompose(
                                        _ -> page(system, directory, 0, limit, withAttributes, new LinkedHashMap<>())))
                .looking();
    }

    private static CompletableFuture<Map<ByteString, Long>> page(
            FileSystem system,
            long directory,
            long after,
            int limit,
            boolean withAttributes,
            Map<ByteString, Long> found) {
        return system.listDirectory(directory, after, limit, withAttributes).thenCompose(listing -> {
            long last = after;
            for (Entry entry : listing.entries()) {
                if (entry.cookie() <= last || found.put(entry.name(), entry.inode()) != null) {
                    throw new IllegalStateException("entry %s comes twice or out of order".formatted(entry));
                }
                Attributes attributes = entry.attributes();
                if (attributes != null && attributes.getInode() != entry.inode()) {
                    throw new IllegalStateException("entry %s has another inode's attributes".formatted(entry));
                }
                last = entry.cookie();
            }
            if (!listing.end() && listing.entries().isEmpty()) {
                throw new IllegalStateException(
                        "an empty page of directory %d that is not the last".formatted(directory));
            }
            return listing.end()
                    ? CompletableFuture.completedFuture(found)
                    : page(system, directory, last, limit, withAttributes, found);
        });
    }

    static Request getXattr(Actor actor, long inode, ByteString name) {
        return Request.seeing(
                "getxattr %d %s".formatted(inode, name.toStringUtf8()),
                Inspection.getXattr(actor, inode, name),
                system -> system.getXattr(actor.credentials(), inode, name));
    }

    static Request listXattrs(Actor actor, long inode) {
        return Request.seeing(
                "listxattr " + inode,
                Inspection.listXattrs(inode),
                system -> system.listXattrs(actor.credentials(), inode).thenApply(Set::copyOf));
    }

    static Request setXattr(
            Actor actor, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return Request.of(
                "setxattr %d %s=%s%s%s"
                        .formatted(
                                inode,
                                name.toStringUtf8(),
                                value.toStringUtf8(),
                                create ? " create" : "",
                                replace ? " replace" : ""),
                Inspection.setXattr(actor, inode, name, value, create, replace),
                system -> system.setXattr(actor.credentials(), inode, name, value, create, replace));
    }

    static Request removeXattr(Actor actor, long inode, ByteString name) {
        return Request.of(
                "removexattr %d %s".formatted(inode, name.toStringUtf8()),
                Inspection.removeXattr(actor, inode, name),
                system -> system.removeXattr(actor.credentials(), inode, name));
    }
}
