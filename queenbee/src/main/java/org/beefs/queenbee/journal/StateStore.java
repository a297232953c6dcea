package org.beefs.queenbee.journal;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/**
 * Where the queen-bee's records are kept. {@link #sync} is called on another thread than the rest, at most one at a
 * time; everything else by the namespace thread.
 */
public interface StateStore extends AutoCloseable {
    /** Hands over every record in the order of the keys. */
    void load(Visitor visitor) throws IOException;

    /** Whom the state belongs to; a new hive's root directory is his too. */
    default Owner owner() throws IOException {
        return new Owner(0, 0);
    }

    /** Writes the whole batch or nothing of it. Afterwards it survives the death of this process. */
    void write(StateBatch batch) throws IOException;

    /** Afterwards everything written before the call survives a power failure. What survives one is always a prefix. */
    void sync() throws IOException;

    @Override
    void close();

    /** A user and his group, by their numbers. */
    record Owner(int user, int group) {}

    /** Takes records. The stream ends with the record, and is the visitor's only until it returns. */
    @FunctionalInterface
    interface Visitor {
        void record(StateKey key, CodedInputStream value) throws IOException;
    }
}
