package org.beefs.integration.walk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/** What the model knows about one inode. Times and the inode number are learnt at the first look and then held against. */
abstract sealed class Node {
    final List<Place> places = new ArrayList<>();
    final TreeMap<String, byte[]> attributes = new TreeMap<>();
    int permissions;
    int owner;
    int group;

    /** 0 until it was seen. */
    long inode;

    /** Null while it is not known: it was changed and nobody has looked yet. */
    @Nullable
    Instant modified;

    /** The latest ctime seen: the next one may not lie before it. */
    Instant changed = Instant.MIN;

    abstract int type();

    int mode() {
        return type() | permissions;
    }

    int links() {
        return places.size();
    }

    /** Where a link to the inode is. */
    record Place(Folder folder, String name) {}

    static final class Folder extends Node {
        final TreeMap<String, Node> entries = new TreeMap<>();

        @Nullable
        Folder parent;

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

    static final class Content extends Node {
        byte[] bytes = new byte[0];

        /** Whether somebody compared the bytes since they were changed. */
        boolean seen;

        @Override
        int type() {
            return FileMode.REGULAR;
        }
    }

    static final class Link extends Node {
        final String target;

        Link(String target) {
            this.target = target;
            this.permissions = 0777;
        }

        @Override
        int type() {
            return FileMode.SYMBOLIC_LINK;
        }
    }

    static final class Fifo extends Node {
        @Override
        int type() {
            return FileMode.FIFO;
        }
    }
}
