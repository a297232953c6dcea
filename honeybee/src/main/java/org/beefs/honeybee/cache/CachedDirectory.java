package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the entries of one directory under its lease: single names, the absence of single names, and, when
 * all of its pages were seen, the absence of all other names. Guarded by the cache's lock.
 */
final class CachedDirectory extends Told {
    /** Others than a kernel that keeps names have changed some twice within this time: they will do so again. */
    static final Duration BUSY_WITHIN = Duration.ofSeconds(10);

    /**
     * For so long kernels then get no lifetimes for entries: each recall would take all entries of the mount from them.
     */
    static final Duration BUSY_FOR = Duration.ofMinutes(1);

    /** Recalled names in a directory of which all else is known. */
    private static final int MOST_DOUBTFUL = 1024;

    private static final long NEVER = Long.MIN_VALUE;

    /** By name; the eldest first. Of these the present ones count. */
    private final LinkedHashMap<NameKey, CachedEntry> entries = new LinkedHashMap<>();

    /** Names of which nothing is known although the directory is complete. */
    private final Set<NameKey> doubtful = new HashSet<>();

    private boolean complete;
    private @Nullable CachedListing listing;

    private boolean used = true;
    private long changedAt = NEVER;
    private long busyUntil = NEVER;
    private long listedAt = NEVER;

    /** A directory that was just made. */
    static CachedDirectory empty(long parent) {
        CachedDirectory made = new CachedDirectory();
        made.complete = true;
        made.listing = new CachedListing(parent);
        made.listing.complete();
        return made;
    }

    int size() {
        return entries.size();
    }

    /** What is known of a name; null when nothing. */
    @Nullable
    CachedEntry find(ByteString name) {
        NameKey key = new NameKey(name);
        CachedEntry known = entries.get(key);
        return known == null && complete && !doubtful.contains(key) ? CachedEntry.absent(name) : known;
    }

    /** Names with their inodes. A copy. */
    List<Map.Entry<ByteString, Long>> inodes() {
        return entries.values().stream()
                .filter(entry -> !entry.isAbsent())
                .map(entry -> Map.entry(entry.name(), entry.inode()))
                .toList();
    }

    /** The name stands for the entry's inode from now on, or is absent; the entry's own name may differ. */
    void set(ByteString name, CachedEntry found) {
        NameKey key = new NameKey(name);
        CachedEntry known = find(name);
        doubtful.remove(key);
        if (known != null && known.inode() == found.inode()) {
            return;
        }
        if (found.isAbsent() && complete) {
            entries.remove(key);
            purge();
            return;
        }
        CachedEntry entry = found.named(name);
        entries.put(key, entry);
        if (!entry.isAbsent() && listing != null) {
            list(listing, entry, known != null && !known.isAbsent());
        }
    }

    /**
     * Lists a new entry. In a complete listing it comes behind all others. In another one a later page tells of it,
     * unless it takes the place of another entry: it may keep that one's cookie, so the order is not known any more.
     * One that was only looked up comes without a cookie: a page has told already that the directory goes so far.
     *
     * @param replaces whether the name named something else before
     */
    private void list(CachedListing known, CachedEntry entry, boolean replaces) {
        if (known.isComplete()) {
            addLast(known, entry);
        } else if (replaces) {
            listing = null;
        } else if (entry.cookie() != 0) {
            known.endBefore(entry.cookie() + 1);
        }
    }

    /**
     * As {@link #set} for a name that was made or moved here: {@link #place} tells its place in listings, before
     * anybody may read one.
     */
    void setUnplaced(ByteString name, CachedEntry made) {
        NameKey key = new NameKey(name);
        CachedEntry known = entries.get(key);
        if (known != null && !known.isAbsent()) {
            interruptListing(); // no later page tells of what has the cookie of another
        }
        doubtful.remove(key);
        entries.put(key, made.named(name));
    }

    /**
     * Says where the name of an inode is in listings, unless it is not there any more. A cookie of 0 says that this
     * will never be known.
     */
    void place(ByteString name, long inode, long cookie) {
        NameKey key = new NameKey(name);
        CachedEntry known = entries.get(key);
        if (known == null || known.inode() != inode || known.cookie() != 0) {
            return;
        }
        CachedEntry placed = known.at(cookie);
        entries.put(key, placed);
        if (listing == null) {
            return;
        }
        if (listing.isComplete()) {
            addLast(listing, placed);
        } else if (cookie == 0) {
            listing = null; // it may have its place behind what counts as the end
        } else {
            listing.endBefore(cookie + 1);
        }
    }

    /** Whether there is certainly no name in it. */
    boolean isEmpty() {
        return complete && doubtful.isEmpty() && entries.values().stream().allMatch(CachedEntry::isAbsent);
    }

    /**
     * Adds an entry behind all others. Without a cookie, or with one in between, its place is not known, and the
     * listing is forgotten.
     */
    private void addLast(CachedListing whole, CachedEntry entry) {
        if (whole.addLast(entry)) {
            purge();
        } else {
            listing = null;
        }
    }

    /**
     * Keeps no more entries that have gone than are present, because only these are counted. A growing listing is left
     * as it is: its last entry says which page is the next.
     */
    private void purge() {
        if (listing != null && listing.isComplete() && listing.size() > 2 * entries.size()) {
            listing.retain(this::isPresent);
        }
    }

    /** Nothing is known of the name any more. */
    void forget(ByteString name) {
        NameKey key = new NameKey(name);
        entries.remove(key);
        listing = null;
        if (complete) {
            doubtful.add(key);
            complete = doubtful.size() <= MOST_DOUBTFUL;
        }
    }

    /** Forgets the entry that has been here for longest. */
    void forgetEldest() {
        Iterator<CachedEntry> eldest = entries.values().iterator();
        eldest.next();
        eldest.remove();
        complete = false;
        listing = null;
    }

    /** The order of the entries, or the parent, is not known any more. */
    void forgetListing() {
        listing = null;
    }

    /** Takes over a page that was asked for with the entries after this cookie. */
    void addPage(long after, DirectoryPage page) {
        if (after == 0 && (listing == null || !listing.isComplete())) {
            listing = new CachedListing(page.getParent());
        }
        CachedListing growing = listing != null && listing.goesOnAfter(after) ? listing : null;
        if (growing != null) {
            growing.endBefore(page.getNextCookie());
        }
        for (DirectoryEntry entry : page.getEntriesList()) {
            CachedEntry fresh = new CachedEntry(entry.getName(), entry.getInode(), entry.getType(), entry.getCookie());
            if (growing != null) {
                entries.putLast(new NameKey(fresh.name()), fresh);
                growing.add(fresh);
            } else {
                set(fresh.name(), fresh.at(0));
            }
        }
        if (growing != null && page.getEnd()) {
            end(growing);
        }
    }

    /** All pages were seen. An entry of which no page has told keeps the order from being known. */
    private void end(CachedListing grown) {
        complete = true;
        doubtful.clear();
        entries.values().removeIf(CachedEntry::isAbsent);
        if (grown.count(this::isPresent) == entries.size()) {
            grown.complete();
        } else {
            listing = null;
        }
    }

    /** The pages that were going to be put together do not fit together any more. */
    void interruptListing() {
        if (listing != null && !listing.isComplete()) {
            listing = null;
        }
    }

    /** The whole listing, for reading from anywhere; null when it is not known. */
    @Nullable
    CachedListing listing() {
        return listing != null && listing.isComplete() ? listing : null;
    }

    /** The listing from its beginning, of which more pages may have to come; null when it is not known. */
    @Nullable
    CachedListing begun() {
        return listing;
    }

    List<CachedEntry> page(CachedListing known, long after, int limit) {
        return known.after(after, limit, this::isPresent);
    }

    private boolean isPresent(CachedEntry entry) {
        return entry.equals(entries.get(new NameKey(entry.name())));
    }

    void use() {
        used = true;
    }

    /** Whether anything here was used since this was asked last, which is when other desktops changed a name. */
    boolean takeUsed() {
        boolean usedSince = used;
        used = false;
        return usedSince;
    }

    /** A name changes that kernels may keep, and not by their own doing. */
    void noteBusy(long now) {
        if (changedAt != NEVER && now - changedAt < BUSY_WITHIN.toNanos()) {
            busyUntil = now + BUSY_FOR.toNanos();
        }
        changedAt = now;
    }

    /** Whether names change here again and again that kernels would keep. */
    boolean isBusy(long now) {
        return now < busyUntil;
    }

    /** A kernel was told entries of a listing, which count as new when it links them. */
    void tellListed(long now) {
        listedAt = now;
        settlesBy(now + Kernels.SETTLING.toNanos());
    }

    /** Whether a kernel may still be taking over entries of a listing. */
    boolean isJustListed(long now) {
        return listedAt != NEVER && now - listedAt <= Kernels.SETTLING.toNanos();
    }
}
