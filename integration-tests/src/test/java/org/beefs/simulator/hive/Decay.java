package org.beefs.simulator.hive;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.memory.MemoryDisk.Lying;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Flips bits in replicas on disks, each time so that the hive can know and heal it: the honeycomb has a checksum of the
 * version, which is the file's, and another disk has the version as well, which no bit was flipped in on any disk.
 */
final class Decay {
    private record Version(ReplicaId id, long version) {}

    private final Set<Version> struck = new HashSet<>();

    /**
     * Flips a bit in one of a desktop's replicas, if there is one that may be struck.
     *
     * @param isSealed whether the newest version of an inode's content has a checksum
     * @return whether there was such a replica
     */
    boolean strike(SimDesktop desktop, List<SimDesktop> all, LongPredicate isSealed) {
        Optional<MemoryDisk> disk = desktop.disk();
        Optional<Lying> replica = disk.stream()
                .flatMap(lying -> lying.look().stream())
                .filter(lying -> lying.size() > 0 && isSealed.test(lying.id().inode()))
                .filter(lying -> isKnown(lying, desktop) && isElsewhere(lying, desktop, all))
                .findFirst();
        replica.ifPresent(chosen -> {
            struck.add(version(chosen));
            disk.orElseThrow().flipABit(chosen.id());
        });
        return replica.isPresent();
    }

    private static boolean isKnown(Lying replica, SimDesktop desktop) {
        ReplicaDescription says = replica.description();
        return says != null && isSound(says) && desktop.checksums().has(replica.id(), says.getVersion());
    }

    private boolean isElsewhere(Lying replica, SimDesktop desktop, List<SimDesktop> all) {
        return !struck.contains(version(replica))
                && all.stream()
                        .filter(other -> other != desktop)
                        .flatMap(other -> other.disk().stream())
                        .flatMap(disk -> disk.look().stream())
                        .anyMatch(other -> isSoundCopy(other, replica));
    }

    private static boolean isSoundCopy(Lying other, Lying replica) {
        ReplicaDescription says = other.description();
        return says != null && isSound(says) && version(other).equals(version(replica));
    }

    private static boolean isSound(ReplicaDescription says) {
        return says.getVersion() != 0 && !says.getRotten();
    }

    private static Version version(Lying replica) {
        ReplicaDescription says = replica.description();
        return new Version(replica.id(), says == null ? 0 : says.getVersion());
    }
}
