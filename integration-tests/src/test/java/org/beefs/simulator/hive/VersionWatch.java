package org.beefs.simulator.hive;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.model.Invariant;

/**
 * Looks whether a secondary is put back to an earlier version, on its disk or in what the queen-bee knows: somebody may
 * have been told that the later one is safe there. A file that goes back begins a new epoch. Not looked for in a hive
 * that has lost state, in which files go back without one.
 */
final class VersionWatch {
    /** @param knower whose word it is */
    record Replica(String knower, String desktop, ReplicaId id, long epoch) {}

    private final SimQueenBee queenBee;
    private final List<SimDesktop> desktops;

    /** Versions at the last look. */
    private Map<Replica, Long> before = Map.of();

    VersionWatch(SimQueenBee queenBee, List<SimDesktop> desktops) {
        this.queenBee = queenBee;
        this.desktops = desktops;
    }

    /** What was put back since the last look. */
    List<Breach> contradictions() {
        if (queenBee.hasLostState() || desktops.stream().anyMatch(SimDesktop::hasLostPower)) {
            return List.of();
        }
        Map<Replica, Long> now = new LinkedHashMap<>(queenBee.secondaryVersions());
        desktops.forEach(desktop -> now.putAll(onDisk(desktop)));
        List<Breach> fallen = now.entrySet().stream()
                .filter(replica -> replica.getValue() < before.getOrDefault(replica.getKey(), 0L))
                .map(replica -> new Breach(
                        Invariant.SYNCED_SURVIVES,
                        "%s was version %d, and is put back to %d"
                                .formatted(replica.getKey(), before.get(replica.getKey()), replica.getValue())))
                .toList();
        before = now;
        return fallen;
    }

    private static Map<Replica, Long> onDisk(SimDesktop desktop) {
        Map<Replica, Long> versions = new HashMap<>();
        secondaries(desktop)
                .forEach(says -> versions.put(
                        new Replica(
                                "the disk",
                                desktop.host().name(),
                                new ReplicaId(says.getInode(), says.getGeneration()),
                                says.getEpoch()),
                        says.getVersion()));
        return versions;
    }

    private static Stream<ReplicaDescription> secondaries(SimDesktop desktop) {
        return desktop.disk().stream()
                .flatMap(disk -> disk.look().stream())
                .map(MemoryDisk.Lying::description)
                .filter(says -> says != null && says.getKind() == ReplicaKind.REPLICA_KIND_SECONDARY);
    }
}
