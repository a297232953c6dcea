package org.beefs.queenbee.namespace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names of each inode. Most have one, which is kept in the inode itself; only further ones take objects of their
 * own.
 */
final class Links {
    /** Further names by inode, without the one that is in the inode. */
    private final Map<Long, List<Link>> further = new HashMap<>();

    void add(Inode inode, Inode parent, Dentry entry) {
        if (inode.entry == null) {
            keep(inode, new Link(parent, entry));
        } else {
            further.computeIfAbsent(inode.number, _ -> new ArrayList<>(1)).add(new Link(parent, entry));
        }
    }

    void remove(Inode inode, Dentry entry) {
        List<Link> others = further.getOrDefault(inode.number, List.of());
        if (inode.entry != entry) {
            others.removeIf(link -> link.entry() == entry);
        } else if (others.isEmpty()) {
            inode.parent = null;
            inode.entry = null;
        } else {
            keep(inode, others.removeLast());
        }
        if (others.isEmpty()) {
            further.remove(inode.number);
        }
    }

    /** The names of an inode, in no particular order. */
    List<Link> of(Inode inode) {
        Inode parent = inode.parent;
        Dentry entry = inode.entry;
        if (parent == null || entry == null) {
            return List.of();
        }
        Link first = new Link(parent, entry);
        List<Link> others = further.get(inode.number);
        if (others == null) {
            return List.of(first);
        }
        List<Link> all = new ArrayList<>(others);
        all.add(first);
        return all;
    }

    private static void keep(Inode inode, Link link) {
        inode.parent = link.parent();
        inode.entry = link.entry();
    }
}
