package org.beefs.simulator.hive;

import com.google.protobuf.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.beefs.common.posix.FileMode;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Record;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.recovery.HiveRecovery;
import org.beefs.queenbee.state.EntryRecord;
import org.beefs.queenbee.state.InodeRecord;

/** Rebuilds the queen-bee of a hive at rest from its honeycombs' catalogs, and compares the namespace with hers. */
final class RecoveryCheck {
    /** Above all sequences of a run. */
    private static final long HIGHEST = 1L << 60;

    /** In the place of what only the lagging catalog has. */
    private static final Record GONE = Record.newBuilder().setRemoved(true).build();

    private final List<SimDesktop> honeycombs;
    private final Optional<String> lagging;
    private final Sabotage sabotage;

    /** Inodes that some catalog which does not lag behind says something of. */
    private final Set<Long> known;

    /** @param lagging whose catalog may be outdated: what only that should have is not looked at */
    RecoveryCheck(List<SimDesktop> desktops, Optional<String> lagging, Sabotage sabotage) {
        this.honeycombs =
                desktops.stream().filter(desktop -> desktop.disk().isPresent()).toList();
        this.lagging = lagging;
        this.sabotage = sabotage;
        this.known = honeycombs.stream()
                .filter(honeycomb -> !isLagging(honeycomb))
                .flatMap(honeycomb -> honeycomb.records().all().stream())
                .map(Record::getInode)
                .collect(Collectors.toSet());
    }

    /** What differs from the living queen-bee's state, a sentence for each. */
    List<String> differences(StateStore living, Clock clock) {
        try {
            StateStore rebuilt = new SimStateDisk(Sabotage.NONE).open();
            HiveRecovery.run(
                    rebuilt,
                    clock,
                    honeycombs.stream()
                            .map(honeycomb -> new CatalogPages(honeycomb, record -> spoiled(honeycomb, record)))
                            .toList(),
                    0);
            return compare(namespace(living), namespace(rebuilt));
        } catch (IOException e) {
            return List.of("the hive cannot be recovered: " + e.getMessage());
        }
    }

    private boolean isLagging(SimDesktop honeycomb) {
        return lagging.equals(Optional.of(honeycomb.host().name()));
    }

    private boolean isLookedAt(long inode) {
        return lagging.isEmpty() || known.contains(inode);
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
    private Map<StateKey, Message> namespace(StateStore store) throws IOException {
        Map<StateKey, Message> namespace = new TreeMap<>();
        store.load((key, value) -> {
            if (key.kind() == StateKey.Kind.INODE) {
                InodeRecord inode = InodeRecord.parseFrom(value);
                boolean named = inode.getLinks() > 0 || FileMode.isDirectory(inode.getMode());
                if (named && isLookedAt(key.a())) {
                    namespace.put(key, inode.toBuilder().clearChanged().build());
                }
            } else if (key.kind() == StateKey.Kind.ENTRY) {
                EntryRecord entry = EntryRecord.parseFrom(value);
                if (isLookedAt(entry.getInode())) {
                    namespace.put(key, entry);
                }
            }
        });
        return namespace;
    }

    private Record spoiled(SimDesktop honeycomb, Record record) {
        if (isLagging(honeycomb) && !known.contains(record.getInode())) {
            return GONE.toBuilder().setInode(record.getInode()).build();
        }
        return switch (sabotage) {
            case RECOVERS_OLDER_RECORDS ->
                record.toBuilder().setSequence(HIGHEST - record.getSequence()).build();
            // In the place of a tombstone something that loses against every other record.
            case IGNORES_TOMBSTONES ->
                record.getRemoved() ? record.toBuilder().setSequence(0).build() : record;
            default -> record;
        };
    }
}
