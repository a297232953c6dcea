package org.beefs.simulator.hive;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.state.HiveRecord;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.simulator.world.SimProcess;
import org.jspecify.annotations.Nullable;

/**
 * The queen-bee's disk, as write-ahead logging makes it: what was written survives the process, and after a power
 * failure a prefix of it is there that contains all that was synced. The sabotaged kinds do it wrongly.
 */
final class SimStateDisk {
    /** Between an answer and the writing of what it says, when the order is sabotaged. */
    private static final long WRITING_LATE = 30_000_000;

    /** Changes of one batch; a null value deletes. */
    private static final class WrittenBatch extends TreeMap<StateKey, byte[]> {
        private static final long serialVersionUID = 1L;
    }

    /** What a queen-bee forgets who keeps no sessions. */
    private static final Set<StateKey.Kind> OF_SESSIONS =
            EnumSet.of(StateKey.Kind.SESSION, StateKey.Kind.ANSWER, StateKey.Kind.LOCK);

    private final Sabotage sabotage;
    private final Map<StateKey, byte[]> onDisk = new TreeMap<>();
    private final List<WrittenBatch> inCache = new ArrayList<>();

    SimStateDisk(Sabotage sabotage) {
        this.sabotage = sabotage;
    }

    /** The disk as somebody reads or fills it who is no process. */
    StateStore open() {
        return new Store(null);
    }

    /** The disk as one process of the queen-bee uses it. */
    StateStore open(SimProcess process) {
        return new Store(process);
    }

    /** The power fails: some of what was not synced is gone, from some batch on. */
    void losePower(RandomGenerator random) {
        inCache.subList(0, random.nextInt(inCache.size() + 1)).forEach(batch -> apply(batch, onDisk));
        inCache.clear();
    }

    /** An empty disk takes its place. */
    void erase() {
        onDisk.clear();
        inCache.clear();
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

    private final class Store implements StateStore {
        private final @Nullable SimProcess process;

        Store(@Nullable SimProcess process) {
            this.process = process;
        }

        @Override
        public void load(Visitor visitor) throws IOException {
            Map<StateKey, byte[]> contents = new TreeMap<>(onDisk);
            inCache.forEach(batch -> apply(batch, contents));
            if (sabotage == Sabotage.NO_GRACE && process != null) {
                contents.keySet().removeIf(key -> OF_SESSIONS.contains(key.kind()));
            }
            for (Map.Entry<StateKey, byte[]> entry : contents.entrySet()) {
                visitor.record(entry.getKey(), CodedInputStream.newInstance(entry.getValue()));
            }
        }

        @Override
        public void write(StateBatch batch) {
            WrittenBatch written = new WrittenBatch();
            batch.forEach((key, value) -> {
                if (sabotage != Sabotage.FORGETS_ANSWERS || key.kind() != StateKey.Kind.ANSWER) {
                    written.put(key, spoiled(key, value));
                }
            });
            if (sabotage == Sabotage.ANSWERS_BEFORE_WRITING && process != null) {
                process.execute(WRITING_LATE, () -> inCache.add(written));
            } else {
                inCache.add(written);
            }
        }

        private byte @Nullable [] spoiled(StateKey key, byte @Nullable [] value) {
            return switch (sabotage) {
                case DIRTY_MARK_NOT_JOURNALED -> clean(key, value);
                case REUSES_NUMBERS -> firstIncarnation(key, value);
                default -> value;
            };
        }

        /** The hive's own record, as if she had never been started again. */
        private static byte @Nullable [] firstIncarnation(StateKey key, byte @Nullable [] value) {
            if (key.kind() != StateKey.Kind.HIVE || value == null) {
                return value;
            }
            try {
                return HiveRecord.parseFrom(value).toBuilder()
                        .setIncarnation(0)
                        .clearLastInodes()
                        .build()
                        .toByteArray();
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("an unreadable record", e);
            }
        }

        /** An inode's record without the mark that somebody may be writing it. */
        private static byte @Nullable [] clean(StateKey key, byte @Nullable [] value) {
            if (key.kind() != StateKey.Kind.INODE || value == null) {
                return value;
            }
            try {
                return InodeRecord.parseFrom(value).toBuilder()
                        .clearDirty()
                        .build()
                        .toByteArray();
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("an unreadable record", e);
            }
        }

        @Override
        public void sync() {
            if (sabotage != Sabotage.NEVER_SYNCS) {
                inCache.forEach(batch -> apply(batch, onDisk));
                inCache.clear();
            }
        }

        @Override
        public void close() {}
    }
}
