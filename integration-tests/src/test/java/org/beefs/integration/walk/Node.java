package org.beefs.integration.walk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.beefs.common.posix.FileMode;
import org.beefs.integration.linux.FileStatus;
import org.jspecify.annotations.Nullable;

/**
 * What the model knows about one inode. Times and the inode number are learnt at the first look and then held against.
 * Who changes something says so with {@link #changed}, so that it is looked at.
 */
abstract sealed class Node permits Node.Folder, Node.Link, Node.Fifo, Content {
    final List<Place> places = new ArrayList<>();
    final TreeMap<String, byte[]> xattrs = new TreeMap<>();
    int permissions;
    int owner;
    int group;

    /** 0 until it was seen. */
    long inode;

    /** Null while it is not known: it was changed and nobody has looked yet. */
    @Nullable
    Instant modified;

    /** The latest ctime seen: the next one may not lie before it. */
    Instant lastChange = Instant.MIN;

    private final Changes changes;

    Node(Changes changes) {
        this.changes = changes;
    }

    abstract int type();

    final Change changed() {
        return changes.of(this);
    }

    int mode() {
        return type() | permissions;
    }

    int links() {
        return places.size();
    }

    /** Whether times that were seen stay, as long as nobody does anything. */
    boolean keepsTimes() {
        return true;
    }

    final void learn(FileStatus status) {
        inode = status.inode();
        modified = keepsTimes() ? status.modified() : null;
        lastChange = status.changed();
    }

    /** Where a link to the inode is. */
    record Place(Folder folder, String name) {}

    static final class Folder extends Node {
        final TreeMap<String, Node> entries = new TreeMap<>();

        @Nullable
        Folder parent;

        Folder(Changes changes) {
            super(changes);
        }

        @Override
        int type() {
            return FileMode.DIRECTORY;
        }

        @Override
        int links() {
            long folders =
                    entries.values().stream().filter(Folder.class::isInstance).count();
            return 2 + (int) folders;
        }
    }

    static final class Link extends Node {
        final String target;

        Link(Changes changes, String target) {
            super(changes);
            this.target = target;
        }

        @Override
        int type() {
            return FileMode.SYMBOLIC_LINK;
        }
    }

    static final class Fifo extends Node {
        Fifo(Changes changes) {
            super(changes);
        }

        @Override
        int type() {
            return FileMode.FIFO;
        }
    }
}
