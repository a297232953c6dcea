package org.beefs.queenbee.hive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Examine;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.Seals;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of what has to be told to honeycombs. For each honeycomb at most one request of each kind is under way; what
 * it names is told again until it is answered. A request that failed is followed by one half as long, and what it named goes
 * to the end of the queue: so one replica that always fails does not keep others waiting for ever. Belongs to the namespace
 * thread.
 */
public final class Errands {
    /** What a request is about. */
    public enum Kind {
        DROP,
        EXAMINE,
        SEAL
    }

    /**
     * A request under way.
     *
     * @param number tells it from others that name the same
     * @param inodes in the order of the request's replicas
     * @param versions for seals, in the same order
     */
    public record Errand(
            long number,
            Honeycomb honeycomb,
            Kind kind,
            DesktopRequest request,
            List<Long> inodes,
            List<Long> versions) {}

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Clock clock;
    private final int batch;
    private final Duration sealDelay;
    private final Map<Honeycomb, Map<Kind, Errand>> underWay = new HashMap<>();
    private final List<Errand> failed = new ArrayList<>();

    /** How many replicas the next request names where that is not the whole batch, because one has failed. */
    private final Map<Honeycomb, Map<Kind, Integer>> shortened = new HashMap<>();

    private long lastNumber;

    /**
     * @param batch replicas that one request names
     * @param sealDelay how long a version may wait before it is sealed, and others with it
     */
    public Errands(Namespace namespace, Honeycombs honeycombs, Clock clock, int batch, Duration sealDelay) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.clock = clock;
        this.batch = batch;
        this.sealDelay = sealDelay;
    }

    /** Requests to be sent now; they count as under way. */
    public List<Errand> begin() {
        List<Errand> begun = new ArrayList<>();
        for (Honeycomb honeycomb : honeycombs.all()) {
            if (honeycomb.isConnected()) {
                begin(honeycomb, begun);
            }
        }
        return begun;
    }

    /** The request was answered. False when it no longer counts, because the honeycomb has connected again since. */
    public boolean answered(Errand errand) {
        boolean counts = end(errand);
        if (counts) {
            lengthen(errand);
        }
        return counts;
    }

    private boolean end(Errand errand) {
        Map<Kind, Errand> mine = underWay.get(errand.honeycomb);
        return mine != null && mine.remove(errand.kind, errand);
    }

    private void lengthen(Errand errand) {
        Map<Kind, Integer> lengths = shortened.get(errand.honeycomb);
        if (lengths != null) {
            lengths.computeIfPresent(errand.kind, (kind, length) -> 2 * length < batch ? 2 * length : null);
        }
    }

    private void shorten(Errand errand) {
        shortened
                .computeIfAbsent(errand.honeycomb, h -> new EnumMap<>(Kind.class))
                .put(errand.kind, Math.max(1, errand.inodes.size() / 2));
    }

    private int length(Honeycomb honeycomb, Kind kind) {
        return shortened.getOrDefault(honeycomb, Map.of()).getOrDefault(kind, batch);
    }

    /** The request failed: it is made again after {@link #retry}. */
    public void failed(Errand errand) {
        Map<Kind, Errand> mine = underWay.getOrDefault(errand.honeycomb, Map.of());
        if (errand.equals(mine.get(errand.kind))) {
            failed.add(errand);
        }
    }

    /** Lets what has failed be made again. Called now and then, so that a honeycomb that only refuses is asked seldom. */
    public void retry() {
        failed.forEach(errand -> {
            if (end(errand)) {
                shorten(errand);
                takeBack(errand);
            }
        });
        failed.clear();
    }

    /** The session's honeycomb has connected anew: what was under way will not be answered. */
    public void restart(Honeycomb honeycomb) {
        Map<Kind, Errand> lost = underWay.remove(honeycomb);
        if (lost != null) {
            lost.values().forEach(this::takeBack);
        }
    }

    /** To the end of the queue. */
    private void takeBack(Errand errand) {
        Honeycomb honeycomb = errand.honeycomb;
        switch (errand.kind) {
            case DROP ->
                errand.inodes.forEach(inode -> {
                    Drop drop = honeycomb.drops.remove(inode);
                    if (drop != null) {
                        honeycomb.drops.put(inode, drop);
                    }
                });
            case EXAMINE -> honeycomb.examinations.addAll(errand.inodes);
            case SEAL ->
                existing(errand.inodes).stream().filter(Inode::unsealed).forEach(honeycombs::seal);
        }
    }

    private void begin(Honeycomb honeycomb, List<Errand> begun) {
        Map<Kind, Errand> mine = underWay.computeIfAbsent(honeycomb, h -> new EnumMap<>(Kind.class));
        for (Kind kind : Kind.values()) {
            if (!mine.containsKey(kind)) {
                Errand errand = make(honeycomb, kind);
                if (errand != null) {
                    mine.put(kind, errand);
                    begun.add(errand);
                }
            }
        }
    }

    private @Nullable Errand make(Honeycomb honeycomb, Kind kind) {
        return switch (kind) {
            case DROP -> makeDrop(honeycomb);
            case EXAMINE -> makeExamine(honeycomb);
            case SEAL -> makeSeal(honeycomb);
        };
    }

    private @Nullable Errand makeDrop(Honeycomb honeycomb) {
        List<Drop> drops = honeycomb.drops.values().stream()
                .limit(length(honeycomb, Kind.DROP))
                .toList();
        if (drops.isEmpty()) {
            return null;
        }
        ReplicaNames names = ReplicaNames.newBuilder()
                .addAllReplicas(drops.stream().map(Drop::toName).toList())
                .build();
        return new Errand(
                ++lastNumber,
                honeycomb,
                Kind.DROP,
                DesktopRequest.newBuilder().setDrop(names).build(),
                drops.stream().map(Drop::inode).toList(),
                List.of());
    }

    private @Nullable Errand makeExamine(Honeycomb honeycomb) {
        List<Long> wanted = honeycomb.examinations.stream()
                .limit(length(honeycomb, Kind.EXAMINE))
                .toList();
        // Whoever wants one of them again while the request is under way wants a later look than this one.
        honeycomb.examinations.removeAll(Set.copyOf(wanted));
        List<Inode> inodes = existing(wanted);
        if (inodes.isEmpty()) {
            return null;
        }
        Examine examine = Examine.newBuilder()
                .addAllReplicas(inodes.stream().map(Errands::name).toList())
                .build();
        return new Errand(
                ++lastNumber,
                honeycomb,
                Kind.EXAMINE,
                DesktopRequest.newBuilder().setExamine(examine).build(),
                inodes.stream().map(Inode::number).toList(),
                List.of());
    }

    private @Nullable Errand makeSeal(Honeycomb honeycomb) {
        // Whoever commits one of them again while the request is under way puts it back into the queue.
        List<Inode> inodes =
                existing(honeycomb.seals.take(clock.bootNanos(), sealDelay.toNanos(), length(honeycomb, Kind.SEAL)));
        if (inodes.isEmpty()) {
            return null;
        }
        Seals seals = Seals.newBuilder()
                .addAllSeals(inodes.stream().map(Errands::seal).toList())
                .build();
        return new Errand(
                ++lastNumber,
                honeycomb,
                Kind.SEAL,
                DesktopRequest.newBuilder().setSeal(seals).build(),
                inodes.stream().map(Inode::number).toList(),
                inodes.stream().map(Inode::version).toList());
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

    private static ReplicaName name(Inode inode) {
        return new Drop(inode.number(), inode.generation(), inode.epoch()).toName();
    }

    private static Seal seal(Inode inode) {
        return Seal.newBuilder()
                .setReplica(name(inode))
                .setVersion(inode.version())
                .setSize(inode.size())
                .setMtime(PackedTime.toWire(inode.committedMtime()))
                .build();
    }
}
