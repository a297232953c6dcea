package org.beefs.simulator.kernel;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The names that a mount's kernel remembers, and absent ones. An entry is used while its lifetime lasts and no epoch
 * has begun since it was asked for.
 */
final class Dentries {
    /** In place of an inode: there is no such entry. */
    static final long ABSENT = 0;

    private record Name(long directory, ByteString name) {}

    private record Dentry(long inode, long until, long epoch) {}

    private final LongSupplier clock;
    private final Map<Name, Dentry> entries = new HashMap<>();
    private long epoch;

    /** @param clock in nanoseconds; stands still while the machine sleeps */
    Dentries(LongSupplier clock) {
        this.clock = clock;
    }

    long epoch() {
        return epoch;
    }

    /** FUSE_NOTIFY_INC_EPOCH. */
    void beginEpoch() {
        epoch++;
    }

    /** What a name is remembered to name; null when the daemon must be asked. */
    @Nullable
    Long valid(long directory, ByteString name) {
        Dentry known = entries.get(new Name(directory, name));
        return known == null || known.until() <= clock.getAsLong() || known.epoch() < epoch ? null : known.inode();
    }

    /** An answer tells what a name names. */
    void link(long directory, ByteString name, long inode, long lifetime, long inEpoch) {
        entries.put(new Name(directory, name), new Dentry(inode, clock.getAsLong() + lifetime, inEpoch));
    }

    void forget(long directory, ByteString name) {
        entries.remove(new Name(directory, name));
    }

    /** A rename has succeeded: the entry keeps its lifetime at its new place. */
    void move(long oldDirectory, ByteString oldName, long newDirectory, ByteString newName) {
        put(newDirectory, newName, entries.remove(new Name(oldDirectory, oldName)));
    }

    void exchange(long oldDirectory, ByteString oldName, long newDirectory, ByteString newName) {
        Dentry one = entries.get(new Name(oldDirectory, oldName));
        put(oldDirectory, oldName, entries.get(new Name(newDirectory, newName)));
        put(newDirectory, newName, one);
    }

    private void put(long directory, ByteString name, @Nullable Dentry entry) {
        if (entry == null) {
            forget(directory, name);
        } else {
            entries.put(new Name(directory, name), entry);
        }
    }

    /** Memory is short: an inode goes, and with it what leads to it. */
    void evict(long inode) {
        entries.values().removeIf(entry -> entry.inode() == inode);
    }
}
