package org.beefs.queenbee.hive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Adoptions;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Examine;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.Seals;
import org.beefs.queenbee.hive.ErrandRequests.Errand;
import org.beefs.queenbee.hive.ErrandRequests.Kind;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.jspecify.annotations.Nullable;

/** Makes a request of what waits to be told to a honeycomb. Belongs to the namespace thread. */
final class ErrandMaker {
    /** Replicas in one request: they are copied before it is answered. */
    private static final int MOST_ADOPTIONS = 16;

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Clock clock;
    private final Duration sealDelay;
    private long lastNumber;
    private boolean moveAwaitsDisk;
    private boolean adoptionAwaitsDisk;
    private boolean dropAwaitsDisk;

    ErrandMaker(Namespace namespace, Honeycombs honeycombs, Clock clock, Duration sealDelay) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.clock = clock;
        this.sealDelay = sealDelay;
    }

    /** All that waits is looked at anew. */
    void beginPass() {
        moveAwaitsDisk = false;
        adoptionAwaitsDisk = false;
        dropAwaitsDisk = false;
    }

    /** Whether somebody waits for a primary to move, which is told only when it is on disk. */
    boolean moveAwaitsDisk() {
        return moveAwaitsDisk;
    }

    /** Whether a replica would become a conflict copy if that were on disk. */
    boolean adoptionAwaitsDisk() {
        return adoptionAwaitsDisk;
    }

    /** Whether a replica would be removed if that were on disk. */
    boolean dropAwaitsDisk() {
        return dropAwaitsDisk;
    }

    /** A request of a kind that names at most {@code limit} replicas; null when there is nothing to tell now. */
    @Nullable
    Errand make(Honeycomb honeycomb, Kind kind, int limit) {
        return switch (kind) {
            case DROP -> makeDrop(honeycomb, limit);
            case EXAMINE -> makeExamine(honeycomb, limit);
            case SEAL -> makeSeal(honeycomb, limit);
            case ADOPT -> makeAdopt(honeycomb, Math.min(limit, MOST_ADOPTIONS));
        };
    }

    /**
     * A request to remove replicas. None goes before the honeycomb has told all that it has, because that may be what a
     * file lacks: a replica that was to go because its desktop was lost is current still if nobody has written
     * meanwhile. Nor before the decision is on disk: a loss of power would bring back a file without its content.
     */
    private @Nullable Errand makeDrop(Honeycomb honeycomb, int limit) {
        if (!honeycomb.inventory().isComplete()) {
            return null;
        }
        Map<Boolean, List<Drop>> next = honeycomb.errandQueue().drops().next(limit, this::isOnDisk).stream()
                .collect(Collectors.partitioningBy(drop -> mayGo(drop, honeycomb)));
        next.getOrDefault(false, List.of())
                .forEach(drop -> honeycomb.errandQueue().drops().rest(drop.inode()));
        List<Drop> drops = next.getOrDefault(true, List.of());
        if (drops.isEmpty()) {
            return null;
        }
        ReplicaNames names = ReplicaNames.newBuilder()
                .addAllReplicas(drops.stream().map(Drop::toName).toList())
                .build();
        List<Long> inodes = drops.stream().map(Drop::inode).toList();
        honeycomb.errandQueue().drops().ask(inodes);
        return new Errand(
                ++lastNumber,
                honeycomb,
                Kind.DROP,
                DesktopRequest.newBuilder().setDrop(names).build(),
                inodes);
    }

    private boolean isOnDisk(Drop drop) {
        boolean onDisk = honeycombs.errandQueues().isOnDisk(drop.change());
        dropAwaitsDisk |= !onDisk;
        return onDisk;
    }

    /**
     * A replica of a file that lives goes only while its primary is there and sound: with that away it may be all that
     * is left. What is to become a conflict copy stays until it is one.
     */
    private boolean mayGo(Drop drop, Honeycomb honeycomb) {
        Inode inode = namespace.find(drop.inode());
        boolean isMissedByNobody = inode == null || honeycombs.of(inode).isSound(inode.number());
        return isMissedByNobody && !honeycomb.errandQueue().conflicts().has(drop.inode());
    }

    /**
     * A request to adopt replicas. It is made only when the honeycomb has told all that it has: before, it may show a
     * replica as it was earlier. Nor before the copies' numbers are on disk: after a loss of power nobody would know
     * under which the honeycomb has the changes.
     */
    private @Nullable Errand makeAdopt(Honeycomb honeycomb, int limit) {
        if (!honeycomb.inventory().isComplete()) {
            return null;
        }
        List<ConflictCopy> conflicts = honeycomb.errandQueue().conflicts().next(limit, this::isOnDisk);
        if (conflicts.isEmpty()) {
            return null;
        }
        Adoptions adoptions = Adoptions.newBuilder()
                .addAllAdoptions(
                        conflicts.stream().map(ConflictCopy::toAdoption).toList())
                .build();
        return new Errand(
                ++lastNumber,
                honeycomb,
                Kind.ADOPT,
                DesktopRequest.newBuilder().setAdopt(adoptions).build(),
                conflicts.stream().map(ConflictCopy::inode).toList());
    }

    private boolean isOnDisk(ConflictCopy conflict) {
        boolean onDisk = honeycombs.errandQueues().isOnDisk(conflict.change());
        adoptionAwaitsDisk |= !onDisk;
        return onDisk;
    }

    private @Nullable Errand makeExamine(Honeycomb honeycomb, int limit) {
        List<Long> wanted = honeycomb.errandQueue().examinations().stream()
                .filter(number -> !isMoving(number))
                .limit(limit)
                .toList();
        // Whoever wants one of them again while the request is under way wants a later look than this one.
        honeycomb.errandQueue().examinations().removeAll(Set.copyOf(wanted));
        List<Inode> inodes = existing(wanted);
        if (inodes.isEmpty()) {
            return null;
        }
        Examine examine = Examine.newBuilder()
                .addAllReplicas(inodes.stream()
                        .map(inode -> inode.replicaName().build())
                        .toList())
                .build();
        return new Errand(
                ++lastNumber,
                honeycomb,
                Kind.EXAMINE,
                DesktopRequest.newBuilder().setExamine(examine).build(),
                inodes.stream().map(Inode::number).toList());
    }

    /** Whether the inode's primary is still moving: there it does not look like a primary yet. */
    private boolean isMoving(long number) {
        Inode inode = namespace.find(number);
        return inode != null && inode.moving();
    }

    private @Nullable Errand makeSeal(Honeycomb honeycomb, int limit) {
        // Whoever commits one of them again while the request is under way puts it back into the queue.
        Map<Boolean, List<Inode>> taken =
                existing(honeycomb.errandQueue().seals().take(clock.bootNanos(), sealDelay.toNanos(), limit)).stream()
                        .collect(Collectors.partitioningBy(this::mayBeTold));
        List<Inode> undecided = taken.getOrDefault(false, List.of());
        moveAwaitsDisk |= !undecided.isEmpty();
        undecided.forEach(honeycombs.errandQueues()::seal);
        List<Inode> inodes = taken.getOrDefault(true, List.of());
        if (inodes.isEmpty()) {
            return null;
        }
        Seals seals = Seals.newBuilder()
                .addAllSeals(inodes.stream().map(ErrandMaker::seal).toList())
                .build();
        return new Errand(
                ++lastNumber,
                honeycomb,
                Kind.SEAL,
                DesktopRequest.newBuilder().setSeal(seals).build(),
                inodes.stream().map(Inode::number).toList());
    }

    /**
     * Whether a honeycomb may be told of the version. By that one that gets the primary becomes it, so such a decision
     * has to be on disk: after a loss of power there would be two primaries.
     */
    private boolean mayBeTold(Inode inode) {
        return !inode.moving() || honeycombs.errandQueues().isMoveOnDisk(inode);
    }

    private List<Inode> existing(List<Long> numbers) {
        List<Inode> inodes = new ArrayList<>(numbers.size());
        for (Long number : numbers) {
            Inode inode = namespace.find(number);
            if (inode != null) {
                inodes.add(inode);
            }
        }
        return inodes;
    }

    private static Seal seal(Inode inode) {
        return Seal.newBuilder()
                .setReplica(inode.replicaName())
                .setVersion(inode.version())
                .setSize(inode.size())
                .setMtime(PackedTime.toWire(inode.committedMtime()))
                .setMoved(inode.moving())
                .build();
    }
}
