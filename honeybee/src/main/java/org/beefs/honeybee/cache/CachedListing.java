package org.beefs.honeybee.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.Node;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory in the order of their cookies, as its pages came. Entries that have gone since are still
 * here: whoever reads says which count. Guarded by the cache's lock.
 */
final class CachedListing {
    private final long parent;
    private final ArrayList<CachedEntry> entries = new ArrayList<>();
    private boolean complete;

    /**
     * What the directory has comes before this cookie, and what is made from now on does not; 0 if that is not known.
     */
    private long next;

    /** @param parent inode of the parent directory */
    CachedListing(long parent) {
        this.parent = parent;
    }

    boolean isComplete() {
        return complete;
    }

    void complete() {
        complete = true;
        endBefore(lastCookie() + 1);
    }

    /** What the directory has comes before this cookie: a page has told so, or an entry was made. */
    void endBefore(long cookie) {
        next = Math.max(next, cookie);
    }

    /** Whether a page with the entries after this cookie is the next one. */
    boolean goesOnAfter(long cookie) {
        return !complete && cookie == lastCookie();
    }

    void add(CachedEntry entry) {
        entries.add(entry);
    }

    /** Adds a new entry if it comes after all others; false if it does not. */
    boolean addLast(CachedEntry entry) {
        endBefore(entry.cookie() + 1);
        return entry.cookie() > lastCookie() && entries.add(entry);
    }

    /** Whether it is known what comes after this cookie, or at least what comes first. */
    boolean goesBeyond(long cookie) {
        return complete || cookie < lastCookie();
    }

    /**
     * The last cookie of a listing of which more pages have to come.
     *
     * @return empty when it is complete, has not come to the cookie, or more entries than these are known after that
     */
    OptionalLong end(long cookie, int enough) {
        if (complete || entries.isEmpty()) {
            return OptionalLong.empty();
        }
        long last = lastCookie();
        return cookie <= last && entries.size() - firstAfter(cookie) <= enough
                ? OptionalLong.of(last)
                : OptionalLong.empty();
    }

    private long lastCookie() {
        return entries.isEmpty() ? 0 : entries.getLast().cookie();
    }

    /** How many entries it has, with those that have gone. */
    int size() {
        return entries.size();
    }

    /** Forgets the entries that are not present any more. */
    void retain(Predicate<CachedEntry> present) {
        entries.removeIf(present.negate());
        entries.trimToSize();
    }

    int count(Predicate<CachedEntry> present) {
        return (int) entries.stream().filter(present).count();
    }

    /** At most so many present entries with a cookie above this one. */
    List<CachedEntry> after(long cookie, int limit, Predicate<CachedEntry> present) {
        List<CachedEntry> page = new ArrayList<>(Math.min(limit, entries.size()));
        for (int i = firstAfter(cookie); i < entries.size() && page.size() < limit; i++) {
            if (present.test(entries.get(i))) {
                page.add(entries.get(i));
            }
        }
        return page;
    }

    private int firstAfter(long cookie) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).cookie() <= cookie) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * A page as the queen-bee would answer it.
     *
     * @param shown its entries
     * @param nodes of the entries; null to leave them out
     * @return null when one of them is not known
     */
    @Nullable
    DirectoryPage page(List<CachedEntry> shown, boolean end, @Nullable LongFunction<@Nullable Node> nodes) {
        DirectoryPage.Builder page =
                DirectoryPage.newBuilder().setParent(parent).setEnd(end).setNextCookie(next);
        for (CachedEntry entry : shown) {
            DirectoryEntry.Builder listed = DirectoryEntry.newBuilder()
                    .setName(entry.name())
                    .setInode(entry.inode())
                    .setType(entry.type())
                    .setCookie(entry.cookie());
            if (nodes != null) {
                Node node = nodes.apply(entry.inode());
                if (node == null) {
                    return null;
                }
                listed.setNode(node);
            }
            page.addEntries(listed);
        }
        return page.build();
    }
}
