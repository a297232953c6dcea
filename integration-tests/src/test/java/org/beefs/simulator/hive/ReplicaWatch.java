package org.beefs.simulator.hive;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.model.Invariant;

/**
 * Looks at the replicas on all disks behind the honeycombs' backs. Content that changes under a version shows at once,
 * as it is not on disk then. Times are no content: who has a file open may set them while it carries a version.
 */
final class ReplicaWatch {
    private record Version(ReplicaId replica, long number) {}

    private final WireWatch wire;
    private final List<MemoryDisk> disks;

    /** Fingerprints of what was first seen under each version. */
    private final Map<Version, Integer> contents = new HashMap<>();

    ReplicaWatch(WireWatch wire, List<MemoryDisk> disks) {
        this.wire = wire;
        this.disks = disks;
    }

    /** What is wrong with what is written on replicas now. */
    Set<Breach> contradictions() {
        Set<Breach> wrong = new LinkedHashSet<>();
        disks.forEach(disk -> disk.look().forEach(replica -> check(replica, wrong)));
        return wrong;
    }

    private void check(MemoryDisk.Lying replica, Set<Breach> wrong) {
        if (replica.description() == null
                || replica.description().getVersion() == 0
                || replica.description().getRotten()) {
            return;
        }
        if (!replica.synced()) {
            wrong.add(new Breach(
                    Invariant.WHOLE_VERSIONS, replica.id() + " carries a version, and its content is not on disk"));
        }
        if (!wire.isContentOf(replica.description(), replica.size())) {
            wrong.add(new Breach(
                    Invariant.WHOLE_VERSIONS, replica.id() + " carries a version, and its content is another one's"));
        }
        Version version = new Version(replica.id(), replica.description().getVersion());
        if (!contents.computeIfAbsent(version, _ -> replica.fingerprint()).equals(replica.fingerprint())) {
            wrong.add(new Breach(
                    Invariant.WHOLE_VERSIONS,
                    replica.id() + " carries version " + version.number() + ", which had another content"));
        }
        boolean secondary = replica.description().getKind() == ReplicaKind.REPLICA_KIND_SECONDARY;
        if (secondary && disks.stream().noneMatch(disk -> disk.hasHeld(replica.id(), replica.fingerprint()))) {
            wrong.add(new Breach(
                    Invariant.WHOLE_VERSIONS,
                    replica.id() + " is a secondary, and no primary was ever like that when it was synced"));
        }
    }
}
