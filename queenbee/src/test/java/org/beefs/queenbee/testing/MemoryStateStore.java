package org.beefs.queenbee.testing;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that outlives its queen-bee, and loses at a power failure some of what was not synced: what
 * survives is a prefix of the batches. Thread-safe.
 */
public final class MemoryStateStore implements StateStore {
    private record Put(StateKey key, @Nullable ByteString value) {}

    private final NavigableMap<StateKey, ByteString> durable = new TreeMap<>();
    private final List<List<Put>> unsynced = new ArrayList<>();
    private @Nullable IOException nextFailure;
    private Owner owner = new Owner(0, 0);
    private int syncs;

    /** Belongs to this user from now on. */
    public synchronized void setOwner(Owner owner) {
        this.owner = owner;
    }

    @Override
    public synchronized Owner owner() {
        return owner;
    }

    @Override
    public synchronized void load(Visitor visitor) throws IOException {
        NavigableMap<StateKey, ByteString> all = new TreeMap<>(durable);
        unsynced.forEach(batch -> applyTo(all, batch));
        for (var record : all.entrySet()) {
            visitor.record(record.getKey(), record.getValue().newCodedInput());
        }
    }

    @Override
    public synchronized void write(StateBatch batch) throws IOException {
        if (nextFailure != null) {
            throw nextFailure;
        }
        List<Put> puts = new ArrayList<>();
        batch.forEach((key, value) -> puts.add(new Put(key, value == null ? null : ByteString.copyFrom(value))));
        unsynced.add(puts);
    }

    @Override
    public synchronized void sync() {
        unsynced.forEach(batch -> applyTo(durable, batch));
        unsynced.clear();
        syncs++;
    }

    @Override
    public void close() {}

    /**
     * The machine loses its power.
     *
     * @param choose how many of the first batches since the last sync survive, below the given bound
     */
    public synchronized void losePower(IntUnaryOperator choose) {
        int survivors = choose.applyAsInt(unsynced.size() + 1);
        unsynced.subList(0, survivors).forEach(batch -> applyTo(durable, batch));
        unsynced.clear();
    }

    /** What a copy of the folder would hold. */
    public synchronized MemoryStateStore copy() {
        MemoryStateStore copy = new MemoryStateStore();
        copy.durable.putAll(durable);
        unsynced.forEach(batch -> applyTo(copy.durable, batch));
        return copy;
    }

    /** From now on every write fails with this. */
    public synchronized void failWrites(IOException failure) {
        nextFailure = failure;
    }

    /** How often it was synced. */
    public synchronized int syncs() {
        return syncs;
    }

    /** Number of records. */
    public synchronized int size() {
        NavigableMap<StateKey, ByteString> all = new TreeMap<>(durable);
        unsynced.forEach(batch -> applyTo(all, batch));
        return all.size();
    }

    private static void applyTo(NavigableMap<StateKey, ByteString> records, List<Put> batch) {
        for (Put put : batch) {
            if (put.value == null) {
                records.remove(put.key);
            } else {
                records.put(put.key, put.value);
            }
        }
    }
}
