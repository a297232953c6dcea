package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.beefs.common.config.ByteSize;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.namespace.Secondaries;
import org.jspecify.annotations.Nullable;

/** What honeycombs are told to copy: for each at most one request is under way. Belongs to the namespace thread. */
final class Fetches {
    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Checkpoints checkpoints;
    private final Clock clock;
    private final Pauses pauses;
    private final int batch;
    private final ByteSize budget;
    private final Duration patience;
    private final Map<Honeycomb, FetchQueue> queues = new HashMap<>();
    private long lastNumber;
    private int lastServed;

    /**
     * @param batch files that one request names
     * @param budget what is copied at the same time in the whole hive; a single file may be larger
     * @param patience after which a honeycomb answers with what it has done
     */
    Fetches(
            Namespace namespace,
            Honeycombs honeycombs,
            Checkpoints checkpoints,
            Clock clock,
            Pauses pauses,
            int batch,
            ByteSize budget,
            Duration patience) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.checkpoints = checkpoints;
        this.clock = clock;
        this.pauses = pauses;
        this.batch = batch;
        this.budget = budget;
        this.patience = patience;
    }

    /** The honeycomb is to hold the file's newest version. */
    void add(Honeycomb honeycomb, long inode) {
        of(honeycomb).add(inode);
    }

    /** Requests to be sent now; they count as under way. Asked in each pass. */
    List<FetchErrand> begin() {
        List<FetchErrand> begun = new ArrayList<>();
        long left = budget.bytes() - bytesUnderWay();
        List<Honeycomb> ready = queues.keySet().stream()
                .filter(honeycomb -> honeycomb.canCopy() && of(honeycomb).isReady(clock.bootNanos()))
                .toList();
        for (Honeycomb honeycomb : inTurn(ready)) {
            FetchErrand errand = left > 0 ? make(honeycomb, of(honeycomb), left) : null;
            if (errand != null) {
                of(honeycomb).begun(errand);
                begun.add(errand);
                left -= errand.bytes();
                lastServed = honeycomb.number();
            }
        }
        return begun;
    }

    /** After the one that was served last: where the budget does not suffice for all, all get their share. */
    private List<Honeycomb> inTurn(List<Honeycomb> ready) {
        return ready.stream()
                .sorted(Comparator.comparing((Honeycomb honeycomb) -> honeycomb.number() <= lastServed)
                        .thenComparingInt(Honeycomb::number))
                .toList();
    }

    private long bytesUnderWay() {
        return queues.values().stream().mapToLong(FetchQueue::bytesUnderWay).sum();
    }

    boolean answered(FetchErrand errand) {
        return of(errand.honeycomb()).answered(errand);
    }

    void failed(FetchErrand errand) {
        of(errand.honeycomb()).failed(errand, clock.bootNanos());
    }

    void restart(Honeycomb honeycomb) {
        of(honeycomb).restart();
    }

    /** What those are to copy that can do so now. */
    int waiting() {
        return queues.entrySet().stream()
                .filter(queue -> queue.getKey().canCopy())
                .mapToInt(queue -> queue.getValue().waiting())
                .sum();
    }

    int underWay() {
        return queues.values().stream().mapToInt(FetchQueue::underWay).sum();
    }

    private FetchQueue of(Honeycomb honeycomb) {
        return queues.computeIfAbsent(honeycomb, unknown -> new FetchQueue(pauses));
    }

    /** What cannot be copied now is forgotten here: it is looked at again when it is sealed, or when a source comes. */
    private @Nullable FetchErrand make(Honeycomb honeycomb, FetchQueue queue, long most) {
        org.beefs.common.wire.Fetches.Builder fetches =
                org.beefs.common.wire.Fetches.newBuilder().setPatienceMillis((int) patience.toMillis());
        List<Long> inodes = new ArrayList<>();
        List<Long> versions = new ArrayList<>();
        long bytes = 0;
        while (inodes.size() < batch && bytes < most && queue.waiting() > 0) {
            long number = queue.take();
            Inode inode = namespace.find(number);
            Fetch fetch = inode == null ? null : wanted(inode, honeycomb);
            if (inode != null && fetch != null) {
                fetches.addFetches(fetch);
                inodes.add(number);
                versions.add(fetch.getVersion());
                bytes += inode.size();
            }
        }
        return inodes.isEmpty()
                ? null
                : new FetchErrand(++lastNumber, honeycomb, fetches.build(), inodes, versions, bytes);
    }

    /** Null when it is not wanted there any more, or nobody is there who has it. */
    private @Nullable Fetch wanted(Inode inode, Honeycomb honeycomb) {
        if (inode.dirty() && checkpoints.isWanted(inode.number(), honeycomb)) {
            return checkpoint(inode);
        }
        List<ReplicaPlace> sources = isWanted(inode, honeycomb) ? sources(inode) : List.of();
        return sources.isEmpty()
                ? null
                : fetch(inode, inode.version(), sources).setSize(inode.size()).build();
    }

    private boolean isWanted(Inode inode, Honeycomb honeycomb) {
        Secondaries secondaries = inode.secondaries();
        return inode.version() != 0
                && secondaries.has(honeycomb.number())
                && !secondaries.isCurrent(honeycomb.number())
                && (inode.dirty()
                        ? checkpoints.isKept(inode, honeycomb)
                                || inode.secondaries().countCurrent() > 0
                        : !inode.unsealed());
    }

    /** The primary first: it is the one that others use least for reading. That of a dirty file is no version, and comes last. */
    private List<ReplicaPlace> sources(Inode inode) {
        IntStream primary = IntStream.of(inode.honeycomb());
        IntStream secondaries = inode.secondaries().current();
        return (inode.dirty() ? IntStream.concat(secondaries, primary) : IntStream.concat(primary, secondaries))
                .mapToObj(honeycombs::numbered)
                .filter(Honeycomb::canCopy)
                .map(Honeycomb::toPlace)
                .toList();
    }

    /** Null while the primary's desktop is away. As long as nobody else has the newest version it is copied also where it was not changed. */
    private @Nullable Fetch checkpoint(Inode inode) {
        Honeycomb primary = honeycombs.of(inode);
        if (!primary.canCopy()) {
            return null;
        }
        Fetch.Builder fetch = fetch(inode, checkpoints.promiseVersion(inode), List.of(primary.toPlace()))
                .setCheckpoint(true);
        if (inode.secondaries().countCurrent() > 0) {
            fetch.setSize(inode.size()).setKnownMtime(PackedTime.toWire(inode.committedMtime()));
        }
        return fetch.build();
    }

    private static Fetch.Builder fetch(Inode inode, long version, List<ReplicaPlace> sources) {
        Capability capability = Capability.newBuilder()
                .setInode(inode.number())
                .setEpoch(inode.epoch())
                .setRead(true)
                .build();
        return Fetch.newBuilder()
                .setReplica(ReplicaName.newBuilder()
                        .setInode(inode.number())
                        .setGeneration(inode.generation())
                        .setEpoch(inode.epoch()))
                .setVersion(version)
                .addAllSources(sources)
                .setCapability(capability.toByteString());
    }
}
