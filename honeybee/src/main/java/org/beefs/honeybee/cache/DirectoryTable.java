package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.wire.DirectoryPage;
import org.jspecify.annotations.Nullable;

/**
 * Entries under directory leases, up to a bound: those that came first into the directory that was not used for longest
 * go first. A kernel keeps entries only of directories that are here: when one leaves, all entries are taken from it,
 * as a kernel cannot forget some. Guarded by the cache's lock.
 */
final class DirectoryTable {
    /**
     * For each view, when it was found last that its kernel had to forget all entries, and was told so: entries that it
     * was told before are gone.
     */
    private final long[] forgottenAt = new long[Kernels.MOST];

    private final int most;
    private final LinkedHashMap<Long, CachedDirectory> directories = new LinkedHashMap<>(16, 0.75f, true);
    private int entries;

    /** @param most entries, and likewise directories */
    DirectoryTable(int most) {
        this.most = most;
        Arrays.fill(forgottenAt, Long.MIN_VALUE);
    }

    /** What is known of a directory; null when nothing. Asking counts as use. */
    @Nullable
    CachedDirectory find(long directory) {
        return directories.get(directory);
    }

    /** What is known of a name; null when nothing. */
    @Nullable
    CachedEntry find(long directory, ByteString name) {
        CachedDirectory known = directories.get(directory);
        return known == null ? null : known.find(name);
    }

    /** What is known of the entries in a directory: names with their inodes. A copy. */
    List<Map.Entry<ByteString, Long>> children(long directory) {
        CachedDirectory known = directories.get(directory);
        return known == null ? List.of() : known.inodes();
    }

    /** The name stands for the entry's inode from now on, or is absent; the entry's own name may differ. */
    void set(long directory, ByteString name, CachedEntry entry, Update update) {
        CachedDirectory known = directories.computeIfAbsent(directory, fresh -> new CachedDirectory());
        int before = known.size();
        known.use();
        known.set(name, entry);
        entries += known.size() - before;
        evict(update);
    }

    /** As {@link #set} of a name that was made here, whose place in listings is told later. */
    void setUnplaced(long directory, ByteString name, CachedEntry entry, Update update) {
        CachedDirectory known = directories.get(directory);
        if (known == null) {
            return;
        }
        int before = known.size();
        known.use();
        known.setUnplaced(name, entry);
        entries += known.size() - before;
        evict(update);
    }

    /** As {@link CachedDirectory#place}. */
    void place(long directory, ByteString name, long inode, long cookie) {
        CachedDirectory known = directories.get(directory);
        if (known != null) {
            known.place(name, inode, cookie);
        }
    }

    /** Takes over a page that was asked for with the entries after this cookie. */
    void addPage(long directory, long after, DirectoryPage page, Update update) {
        CachedDirectory known = directories.computeIfAbsent(directory, fresh -> new CachedDirectory());
        int before = known.size();
        known.use();
        known.addPage(after, page);
        entries += known.size() - before;
        evict(update);
    }

    /** A directory that was just made and is empty. */
    void addEmpty(long directory, long parent, Update update) {
        remove(directory, update);
        directories.put(directory, CachedDirectory.empty(parent));
        evict(update);
    }

    /** A name is not what it was. Kernels that do not know it by their own doing must ask again. */
    void changed(long directory, Update update) {
        CachedDirectory known = directories.get(directory);
        if (known != null) {
            long keepers = update.others(keepers(known, update));
            takeFromKernels(keepers, known, update);
            if (keepers != 0) {
                known.noteBusy(update.now());
            }
        }
    }

    /** A rename has moved an entry: the kernel that made it keeps it there for as long as it was told here. */
    void moved(long from, long to, Update update) {
        CachedDirectory source = directories.get(from);
        CachedDirectory target = directories.get(to);
        if (source != null && target != null) {
            target.inherit(source);
        } else if (source != null) {
            takeFromKernels(keepers(source, update), source, update);
        }
    }

    void forget(long directory, ByteString name) {
        CachedDirectory known = directories.get(directory);
        if (known != null) {
            int before = known.size();
            known.forget(name);
            entries += known.size() - before;
        }
    }

    /** A directory that is moved gets another parent, which its listing tells. */
    void forgetListing(long directory) {
        CachedDirectory known = directories.get(directory);
        if (known != null) {
            known.forgetListing();
        }
    }

    /**
     * Another desktop is going to change names in the directory. Until then nobody is granted a lease on it, so there
     * is none on its way that giving it up would end.
     *
     * @return whether nothing is kept of it any more, because nobody uses it
     */
    boolean changedByOthers(long directory, Update update) {
        CachedDirectory known = directories.get(directory);
        if (known == null) {
            return false;
        }
        known.noteBusy(update.now());
        boolean useless = !known.takeUsed();
        takeFromKernels(keepers(known, update), known, update);
        if (useless) {
            remove(directory, update);
        }
        return useless;
    }

    /**
     * A directory does not exist any more. What kernels keep of it they may: it was empty, and nothing will be made in
     * it, so no name in it will ever name anything. What was in it before was taken from them when that was removed.
     */
    void gone(long directory) {
        CachedDirectory known = directories.remove(directory);
        if (known != null) {
            entries -= known.size();
        }
    }

    private void remove(long directory, Update update) {
        CachedDirectory known = directories.remove(directory);
        if (known != null) {
            entries -= known.size();
            takeFromKernels(keepers(known, update), known, update);
        }
    }

    /** Forgets all of them, perhaps after a sleep of unknown length. */
    void clear(Update update) {
        directories.values().forEach(known -> takeFromKernels(known.everKeepers(), known, update));
        directories.clear();
        entries = 0;
    }

    boolean isEmpty() {
        return directories.isEmpty();
    }

    private void evict(Update update) {
        while (entries > most || directories.size() > most) {
            Map.Entry<Long, CachedDirectory> eldest = directories.firstEntry();
            CachedDirectory known = eldest.getValue();
            if (entries > most && known.size() > 1) {
                known.forgetEldest();
                entries--;
            } else {
                remove(eldest.getKey(), update);
            }
        }
    }

    /** The views whose kernels may keep entries of the directory. */
    private long keepers(CachedDirectory known, Update update) {
        long keepers = 0;
        for (long left = known.keepers(update.now()); left != 0; left &= left - 1) {
            long view = Long.lowestOneBit(left);
            boolean isBeingTold = (update.invalidation().entryViews() & view) != 0;
            long forgotten = isBeingTold ? update.now() : forgottenAt[Long.numberOfTrailingZeros(view)];
            if (known.toldAt() >= forgotten) {
                keepers |= view;
            }
        }
        return keepers;
    }

    private static void takeFromKernels(long views, CachedDirectory from, Update update) {
        if (views != 0) {
            update.invalidation().addEntries(views, from.isJustListed(update.now()));
        }
    }

    /** Kernels were told what this update has found. */
    void told(Update update) {
        for (long left = update.invalidation().entryViews(); left != 0; left &= left - 1) {
            int view = Long.numberOfTrailingZeros(left);
            forgottenAt[view] = Math.max(forgottenAt[view], update.now());
        }
    }
}
