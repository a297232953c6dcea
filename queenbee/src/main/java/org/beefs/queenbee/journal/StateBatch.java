package org.beefs.queenbee.journal;

import com.google.protobuf.MessageLite;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The records that one pass changes, to be written as one. Of several changes to a record the last counts, and a record
 * is encoded when the batch is written: a directory in which a pass makes a hundred files is encoded once. Not
 * thread-safe.
 */
public final class StateBatch {
    private final Map<StateKey, Supplier<byte @Nullable []>> changes = new LinkedHashMap<>();

    /** Writes a record as the supplier shows it when the batch is written. */
    public void put(StateKey key, Supplier<? extends MessageLite> record) {
        changes.put(key, () -> record.get().toByteArray());
    }

    /** As {@link #put}, of a record that encodes itself. */
    public void putEncoded(StateKey key, Supplier<byte[]> record) {
        changes.put(key, record);
    }

    public void delete(StateKey key) {
        changes.put(key, () -> null);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    public void clear() {
        changes.clear();
    }

    /** Encodes and hands over every change, in no order that matters. */
    public void forEach(Visitor visitor) {
        changes.forEach((key, record) -> visitor.change(key, record.get()));
    }

    /** Takes the changes of a batch. */
    @FunctionalInterface
    public interface Visitor {
        /** The record's new value, or null when it is deleted. */
        void change(StateKey key, byte @Nullable [] value);
    }
}
