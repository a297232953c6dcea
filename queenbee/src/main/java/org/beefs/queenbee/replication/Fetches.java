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
import org.jspecify.annotations.Nullable;

/** What honeycombs are told to copy: for each at most one request is under way. Belongs to the namespace thread. */
final class Fetches {
    private final Namespace namespace;
    private final Honeycombs honeycombs;
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
            Clock clock,
            Pauses pauses,
            int batch,
            ByteSize budget,
            Duration patience) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
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
            List<ReplicaPlace> sources = inode == null || !isWanted(inode, honeycomb) ? List.of() : sources(inode);
            if (inode != null && !sources.isEmpty()) {
                fetches.addFetches(fetch(inode, sources));
                inodes.add(number);
                versions.add(inode.version());
                bytes += inode.size();
            }
        }
        return inodes.isEmpty()
                ? null
                : new FetchErrand(++lastNumber, honeycomb, fetches.build(), inodes, versions, bytes);
    }

    private static boolean isWanted(Inode inode, Honeycomb honeycomb) {
        return !inode.dirty()
                && !inode.unsealed()
                && inode.secondaries().has(honeycomb.number())
                && !inode.secondaries().isCurrent(honeycomb.number());
    }

    /** The primary first: it is the one that others use least for reading. */
    private List<ReplicaPlace> sources(Inode inode) {
        return IntStream.concat(
                        IntStream.of(inode.honeycomb()), inode.secondaries().current())
                .mapToObj(honeycombs::numbered)
                .filter(Honeycomb::canCopy)
                .map(Honeycomb::toPlace)
                .toList();
    }

    private static Fetch fetch(Inode inode, List<ReplicaPlace> sources) {
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
                .setVersion(inode.version())
                .setSize(inode.size())
                .addAllSources(sources)
                .setCapability(capability.toByteString())
                .build();
    }
}
