package org.beefs.simulator.hive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;

/**
 * The queen-bee's disk, as write-ahead logging makes it: what was written survives the process, and after a power failure a
 * prefix of it is there that contains all that was synced.
 */
final class SimStateDisk {
    /** Changes of one batch; a null value deletes. */
    private static final class WrittenBatch extends TreeMap<StateKey, byte[]> {
        private static final long serialVersionUID = 1L;
    }

    private final Map<StateKey, byte[]> onDisk = new TreeMap<>();
    private final List<WrittenBatch> inCache = new ArrayList<>();

    /** The disk as one process of the queen-bee uses it. */
    StateStore open() {
        return new StateStore() {
            private boolean closed;

            @Override
            public void load(Visitor visitor) throws java.io.IOException {
                for (Map.Entry<StateKey, byte[]> entry : contents().entrySet()) {
                    visitor.record(entry.getKey(), entry.getValue().clone());
                }
            }

            @Override
            public void write(StateBatch batch) {
                check();
                WrittenBatch written = new WrittenBatch();
                batch.forEach(written::put);
                inCache.add(written);
            }

            @Override
            public void sync() {
                check();
                inCache.forEach(SimStateDisk.this::apply);
                inCache.clear();
            }

            @Override
            public void close() {
                closed = true;
            }

            private void check() {
                if (closed) {
                    throw new IllegalStateException("the store is closed");
                }
            }
        };
    }

    /** The power fails: some of what was not synced is gone, from some batch on. */
    void losePower(RandomGenerator random) {
        inCache.subList(0, random.nextInt(inCache.size() + 1)).forEach(this::apply);
        inCache.clear();
    }

    /** All records as a process finds them. */
    Map<StateKey, byte[]> contents() {
        Map<StateKey, byte[]> contents = new TreeMap<>(onDisk);
        inCache.forEach(batch -> apply(batch, contents));
        return contents;
    }

    private void apply(WrittenBatch batch) {
        apply(batch, onDisk);
    }

    private static void apply(WrittenBatch batch, Map<StateKey, byte[]> to) {
        batch.forEach((key, value) -> {
            if (value == null) {
                to.remove(key);
            } else {
                to.put(key, value);
            }
        });
    }
}
