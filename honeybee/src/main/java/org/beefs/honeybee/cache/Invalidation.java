package org.beefs.honeybee.cache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What kernels must forget: collected under the cache's lock, sent without it. */
final class Invalidation {
    /**
     * An inode whose attributes the views of these bits may keep.
     *
     * @param toldAt when they were told last
     * @param changedToldAt when they were told last in the answer to a change
     */
    record Inode(long inode, long views, long toldAt, long changedToldAt) {
        /** What is to be said once more to some of the views. */
        Inode onlyFor(long some) {
            return new Inode(inode, some, toldAt, NEVER);
        }

        /** What both say of the same inode. */
        Inode and(Inode other) {
            return new Inode(
                    inode,
                    views | other.views,
                    Math.max(toldAt, other.toldAt),
                    Math.max(changedToldAt, other.changedToldAt));
        }
    }

    static final long NEVER = Long.MIN_VALUE;

    private final Map<Long, Inode> inodes = new LinkedHashMap<>();
    private final List<Inode> repeated = new ArrayList<>();
    private final Set<Long> files = new HashSet<>();
    private boolean allFiles;
    private long entryViews;
    private long listingViews;

    void addInode(Inode told) {
        if (told.views != 0) {
            inodes.merge(told.inode, told, Inode::and);
        }
    }

    /** The views of these bits are to be told again after a while, for which nobody waits. */
    void repeat(long inode, long views) {
        if (views != 0) {
            repeated.add(new Inode(inode, views, NEVER, NEVER));
        }
    }

    /** Content of the file is kept by nobody any more. */
    void addPages(long inode) {
        files.add(inode);
    }

    /** Nobody keeps content of any file any more. */
    void addAllPages() {
        allFiles = true;
    }

    /** @param justListed whether the kernel may still be taking over a listing */
    void addEntries(long views, boolean justListed) {
        entryViews |= views;
        listingViews |= justListed ? views : 0;
    }

    boolean isEmpty() {
        return inodes.isEmpty() && entryViews == 0 && files.isEmpty() && !allFiles;
    }

    Collection<Inode> inodes() {
        return inodes.values();
    }

    List<Inode> repeated() {
        return repeated;
    }

    /** Files whose content ends. */
    Set<Long> files() {
        return files;
    }

    /** Whether the content of all files ends. */
    boolean hasAllFiles() {
        return allFiles;
    }

    /** Views whose entries end. */
    long entryViews() {
        return entryViews;
    }

    /** Views of {@link #entryViews} that were given a listing a moment ago. */
    long listingViews() {
        return listingViews;
    }
}
