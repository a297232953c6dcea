package org.beefs.simulator.hive;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.honeycomb.memory.MemoryRecords;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.recovery.HiveRecovery;
import org.beefs.queenbee.recovery.RecordSource;
import org.beefs.queenbee.state.EntryRecord;
import org.beefs.queenbee.state.InodeRecord;

/** Rebuilds the queen-bee of a hive at rest from its honeycombs' catalogs, and compares the namespace with hers. */
final class RecoveryCheck {
    private static final int PAGE_RECORDS = 3;
    private static final int PAGE_BYTES = 1 << 20;

    private RecoveryCheck() {}

    /** What differs, a sentence for each. */
    static List<String> differences(StateStore living, List<SimDesktop> desktops, Clock clock, Sabotage sabotage) {
        try {
            StateStore rebuilt = new SimStateDisk(Sabotage.NONE).open();
            List<Catalog> catalogs = desktops.stream()
                    .filter(desktop -> desktop.disk().isPresent())
                    .map(desktop -> new Catalog(desktop.host().name(), desktop.records(), sabotage))
                    .toList();
            HiveRecovery.run(rebuilt, clock, catalogs);
            return compare(namespace(living), namespace(rebuilt));
        } catch (IOException e) {
            return List.of("the hive cannot be recovered: " + e.getMessage());
        }
    }

    private static List<String> compare(Map<StateKey, Message> expected, Map<StateKey, Message> is) {
        List<String> differences = new ArrayList<>();
        TreeSet<StateKey> keys = new TreeSet<>(expected.keySet());
        keys.addAll(is.keySet());
        for (StateKey key : keys) {
            if (!Objects.equals(expected.get(key), is.get(key))) {
                differences.add(
                        "a recovery would make %s %s instead of %s".formatted(key, is.get(key), expected.get(key)));
            }
        }
        return differences;
    }

    /** All but when an inode was changed last, and files that have no name. */
    private static Map<StateKey, Message> namespace(StateStore store) throws IOException {
        Map<StateKey, Message> namespace = new TreeMap<>();
        store.load((key, value) -> {
            if (key.kind() == StateKey.Kind.INODE) {
                InodeRecord inode = InodeRecord.parseFrom(value);
                if (inode.getLinks() > 0 || FileMode.isDirectory(inode.getMode())) {
                    namespace.put(key, inode.toBuilder().clearChanged().build());
                }
            } else if (key.kind() == StateKey.Kind.ENTRY) {
                namespace.put(key, EntryRecord.parseFrom(value));
            }
        });
        return namespace;
    }

    private record Catalog(String name, MemoryRecords records, Sabotage sabotage) implements RecordSource {
        /** Above all sequences of a run. */
        private static final long HIGHEST = 1L << 60;

        @Override
        public CompletableFuture<RecordPage> page(long from) {
            return CompletableFuture.completedFuture(RecordPage.newBuilder()
                    .setHoneycomb(ByteString.copyFromUtf8(name))
                    .setState(records.state())
                    .addAllRecords(records.page(from, PAGE_RECORDS, PAGE_BYTES).stream()
                            .map(this::spoiled)
                            .toList())
                    .build());
        }

        private Record spoiled(Record record) {
            return switch (sabotage) {
                case RECOVERS_OLDER_RECORDS ->
                    record.toBuilder()
                            .setSequence(HIGHEST - record.getSequence())
                            .build();
                // In the place of a tombstone something that loses against every other record.
                case IGNORES_TOMBSTONES ->
                    record.getRemoved() ? record.toBuilder().setSequence(0).build() : record;
                default -> record;
            };
        }
    }
}
