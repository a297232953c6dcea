package org.beefs.queenbee.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Namespace;

/**
 * The entries by which inodes know that they are named, for one part of a check. A file may have 65,000 names, so these
 * are looked through once for all its entries in that part. Belongs to the namespace thread.
 */
final class KnownNames {
    private final Namespace namespace;
    private final Map<Inode, Set<Dentry>> further = new HashMap<>();

    KnownNames(Namespace namespace) {
        this.namespace = namespace;
    }

    boolean has(Inode inode, Dentry entry) {
        return namespace.isFirstName(inode, entry)
                || further.computeIfAbsent(inode, this::all).contains(entry);
    }

    private Set<Dentry> all(Inode inode) {
        return namespace.links(inode).stream().map(Link::entry).collect(Collectors.toSet());
    }
}
