package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Set;
import org.beefs.common.collection.EldestFirst;

/**
 * What this desktop may change before it asks the queen-bee, and what of that has not been answered yet: of this the
 * cache knows more than any answer that comes meanwhile. Guarded by the cache's lock.
 */
final class Delegations {
    /** Delegated inodes, the eldest first. When there are too many the eldest is forgotten, and asked for again. */
    private final Set<Long> held;

    /** Files of which only the names may be changed here, likewise the eldest first. */
    private final Set<Long> nameOnly;

    /**
     * Effects of what was decided here and is not answered: the cache knows more of these than the queen-bee says
     * meanwhile.
     */
    private final EffectsUnderWay unanswered = new EffectsUnderWay();

    /** @param most inodes at a time */
    Delegations(int most) {
        this.held = EldestFirst.set(most);
        this.nameOnly = EldestFirst.set(most);
    }

    void add(long inode) {
        held.add(inode);
    }

    /** Only the names of these files may be changed here. */
    void addNames(List<Long> files) {
        files.forEach(nameOnly::add);
    }

    void remove(long inode) {
        held.remove(inode);
        nameOnly.remove(inode);
    }

    void removeAll(List<Long> inodes) {
        inodes.forEach(this::remove);
    }

    void clear() {
        held.clear();
        nameOnly.clear();
    }

    boolean isEmpty() {
        return held.isEmpty() && nameOnly.isEmpty();
    }

    /** Whether an inode's only name may be removed or changed, in a directory of which this can be said too. */
    boolean hasName(long inode) {
        return has(inode) || nameOnly.contains(inode);
    }

    boolean has(long inode) {
        return held.contains(inode);
    }

    /** A change was decided here, and the queen-bee is going to be asked. */
    void begin(Effects effects) {
        unanswered.begin(effects);
    }

    void end(Effects effects) {
        unanswered.end(effects);
    }

    /** Whether a name was changed here, so that an answer that comes may be older. */
    boolean isAhead(long directory, ByteString name) {
        return unanswered.concernsName(directory, name);
    }

    /** As above for an inode's attributes. */
    boolean isAhead(long inode) {
        return unanswered.concernsInode(inode);
    }

    /** As above for any name in a directory: the places of new ones in its listings are not known yet. */
    boolean isListingAhead(long directory) {
        return unanswered.concernsListing(directory);
    }
}
