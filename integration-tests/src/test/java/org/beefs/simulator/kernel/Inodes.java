package org.beefs.simulator.kernel;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * The inodes that a mount's kernel knows, with their attributes. A number that rises with each change orders them: an
 * answer to what was asked before a later change, or notification, is not taken over.
 */
final class Inodes {
    private static final class Known {
        private Attributes attributes = Attributes.getDefaultInstance();
        private long until;
        private long version;
        private @Nullable ByteString target;
    }

    private final LongSupplier clock;
    private final LongConsumer contentChanged;
    private final TreeMap<Long, Known> inodes = new TreeMap<>();
    private long version = 1;

    /**
     * @param clock in nanoseconds; stands still while the machine sleeps
     * @param contentChanged hears of files whose size or mtime are not what they were
     */
    Inodes(LongSupplier clock, LongConsumer contentChanged) {
        this.clock = clock;
        this.contentChanged = contentChanged;
    }

    /** Whether it is known, and no directory. */
    boolean isKnownFile(long inode) {
        Known known = inodes.get(inode);
        return known != null && !FileMode.isDirectory(known.attributes.getMode());
    }

    /** To be remembered when something is asked. */
    long version() {
        return version;
    }

    /** Attributes that may be used without asking. */
    @Nullable
    Attributes valid(long inode) {
        Known known = inodes.get(inode);
        return known == null || known.until <= clock.getAsLong() ? null : known.attributes;
    }

    /** GETATTR, LOOKUP or READDIRPLUS has answered. An inode that was not known takes over whatever comes. */
    void learn(Attributes attributes, long lifetime, long asked) {
        Known known = inodes.get(attributes.getInode());
        if (known == null || known.version <= asked) {
            learnMade(attributes, lifetime);
        }
    }

    /** What makes a name has answered: taken over whatever has happened since it was asked. */
    void learnMade(Attributes attributes, long lifetime) {
        Known known = inodes.get(attributes.getInode());
        boolean rewritten = known != null && !known.attributes.getMtime().equals(attributes.getMtime());
        take(attributes, lifetime);
        if (rewritten) {
            contentChanged.accept(attributes.getInode());
        }
    }

    /**
     * SETATTR has answered: taken over whatever has happened since it was asked, and whatever was read with another
     * mtime.
     */
    void take(Attributes attributes, long lifetime) {
        Known known = inodes.computeIfAbsent(attributes.getInode(), fresh -> new Known());
        if (known.attributes.getSize() != attributes.getSize()) {
            contentChanged.accept(attributes.getInode());
        }
        known.attributes = attributes;
        known.until = clock.getAsLong() + lifetime;
        known.version = ++version;
    }

    /** FUSE_NOTIFY_INVAL_INODE; false when it is not known. */
    boolean invalidate(long inode) {
        Known known = inodes.get(inode);
        if (known == null) {
            return false;
        }
        known.until = 0;
        known.version = ++version;
        return true;
    }

    /**
     * The kernel itself has written up to there: an answer that is on its way does not count, and the file ends there
     * at least.
     */
    void written(long inode, long end) {
        Known known = inodes.get(inode);
        if (known != null && end > known.attributes.getSize()) {
            known.attributes = known.attributes.toBuilder().setSize(end).build();
        }
        invalidate(inode);
    }

    /** The kernel itself has done what changes them. An answer that is on its way is still taken over. */
    void stale(long inode) {
        Known known = inodes.get(inode);
        if (known != null) {
            known.until = 0;
        }
    }

    /** The size that reads end at, whether it may still be told to others or not. */
    long size(long inode) {
        Known known = inodes.get(inode);
        return known == null ? 0 : known.attributes.getSize();
    }

    /** A READ has met the end of the file; counts unless something has changed since it was asked. */
    void cut(long inode, long size, long asked) {
        Known known = inodes.get(inode);
        if (known != null && known.version <= asked && size < known.attributes.getSize()) {
            known.attributes = known.attributes.toBuilder().setSize(size).build();
            known.version = ++version;
        }
    }

    void keepTarget(long inode, ByteString target) {
        Known known = inodes.get(inode);
        if (known != null) {
            known.target = target;
        }
    }

    /** Where a symbolic link leads, if it was read before: that never changes. */
    @Nullable
    ByteString target(long inode) {
        Known known = inodes.get(inode);
        return known == null ? null : known.target;
    }

    List<Long> numbers() {
        return List.copyOf(inodes.keySet());
    }

    /** Memory is short. */
    void evict(long inode) {
        inodes.remove(inode);
    }
}
