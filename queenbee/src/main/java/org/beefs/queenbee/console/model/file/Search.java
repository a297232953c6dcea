package org.beefs.queenbee.console.model.file;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;

/**
 * Gathers files by name. A pattern has * for any characters and ? for one; without these it is found anywhere in a
 * name. Upper and lower case are the same. Used by one thread at a time.
 */
final class Search {
    /** Inodes of a part: fewer than elsewhere, because all of them may be found. */
    static final int PART = 512;

    /** How many names of one inode are shown: it may have 65,000, and an answer has bounds. */
    static final int MOST_NAMES = 32;

    private static final int LONGEST_PATTERN = 255;

    /** A path that programs can use has no more directories. */
    private static final int MOST_LEVELS = 2048;

    private final Glob glob;
    private final long under;
    private final List<FileView> found = new ArrayList<>();

    /** @param under the directory that it is in, at whatever depth */
    Search(String pattern, long under) {
        if (pattern.isEmpty() || pattern.length() > LONGEST_PATTERN) {
            throw new PosixException(
                    Errno.EINVAL, "a name to look for has 1 to %d characters".formatted(LONGEST_PATTERN));
        }
        this.glob = Glob.of(pattern);
        this.under = under;
    }

    /** Takes a part's inodes. Those of the last part may be some more than are wanted. */
    Consumer<Inode> visitor(QueenState state) {
        FileViews views = new FileViews(state);
        return inode -> {
            int shown = 0;
            for (Link link : state.namespace().links(inode)) {
                if (shown < MOST_NAMES && glob.matches(link.entry().name()) && isUnder(link.parent())) {
                    found.add(views.of(link.entry(), views.path(link.parent())));
                    shown++;
                }
            }
        };
    }

    List<FileView> found() {
        return List.copyOf(found);
    }

    int size() {
        return found.size();
    }

    private boolean isUnder(Inode directory) {
        Inode at = directory;
        for (int level = 0; level < MOST_LEVELS && at.number() != under && at.number() != Namespace.ROOT; level++) {
            at = at.directory().parent();
        }
        return at.number() == under || under == Namespace.ROOT;
    }
}
