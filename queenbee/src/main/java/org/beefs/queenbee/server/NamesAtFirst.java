package org.beefs.queenbee.server;

import com.google.protobuf.ByteString;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a lost change which removes or moves what has a name concerns the same as at first. Another lost
 * change, of which nobody has heard, may have taken the name from a file that is on disk. Belongs to the namespace
 * thread.
 */
final class NamesAtFirst {
    private record Name(long directory, ByteString name) {}

    private final Namespace namespace;

    NamesAtFirst(Namespace namespace) {
        this.namespace = namespace;
    }

    /** @throws PosixException ESTALE when it would concern something else, or take the last name of what had others */
    void check(AnsweredChange change) {
        List<Name> names = names(change.getRequest());
        for (int i = 0; i < names.size(); i++) {
            check(names.get(i), i < change.getNamedCount() ? change.getNamed(i) : 0);
        }
        if (change.getStillNamed()) {
            checkOthers(names.getLast()); // of a renaming what is replaced
        }
    }

    private void check(Name name, long atFirst) {
        Inode now = find(name);
        if (now != null && now.number() != atFirst) {
            throw new PosixException(
                    Errno.ESTALE,
                    "%s is inode %d now, and was %s"
                            .formatted(name.name.toStringUtf8(), now.number(), atFirst == 0 ? "free" : atFirst));
        }
    }

    private void checkOthers(Name name) {
        Inode now = find(name);
        if (now != null && now.links() == 1) {
            throw new PosixException(
                    Errno.ESTALE,
                    "%s is the last name of inode %d now".formatted(name.name.toStringUtf8(), now.number()));
        }
    }

    private @Nullable Inode find(Name name) {
        Inode directory = namespace.find(name.directory);
        Dentry entry = directory == null || !directory.isDirectory()
                ? null
                : directory.directory().find(name.name);
        return entry == null ? null : entry.inode();
    }

    /** Of which it removes or moves what they stand for, in the order of {@code AnsweredChange.named}. */
    private static List<Name> names(QueenRequest body) {
        return switch (body.getOperationCase()) {
            case UNLINK ->
                List.of(new Name(body.getUnlink().getParent(), body.getUnlink().getName()));
            case REMOVE_DIRECTORY ->
                List.of(new Name(
                        body.getRemoveDirectory().getParent(),
                        body.getRemoveDirectory().getName()));
            case RENAME ->
                List.of(
                        new Name(
                                body.getRename().getOldParent(),
                                body.getRename().getOldName()),
                        new Name(
                                body.getRename().getNewParent(),
                                body.getRename().getNewName()));
            default -> List.of();
        };
    }
}
