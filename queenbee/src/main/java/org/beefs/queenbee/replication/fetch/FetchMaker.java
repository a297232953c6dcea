package org.beefs.queenbee.replication.fetch;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.namespace.Secondaries;
import org.jspecify.annotations.Nullable;

/** Tells what a honeycomb is to copy of a file, and from where. Belongs to the namespace thread. */
public final class FetchMaker {
    private final Honeycombs honeycombs;
    private final Checkpoints checkpoints;
    private final Predicate<Honeycomb> usable;
    private final Duration quiet;

    /**
     * @param usable which honeycombs may be copied from
     * @param quiet for how long nobody may have changed an open file before it is copied
     */
    public FetchMaker(Honeycombs honeycombs, Checkpoints checkpoints, Predicate<Honeycomb> usable, Duration quiet) {
        this.honeycombs = honeycombs;
        this.checkpoints = checkpoints;
        this.usable = usable;
        this.quiet = quiet;
    }

    /** A fetch of the file; null when it is not wanted there any more, or no honeycomb that has it is there. */
    @Nullable
    Fetch make(Inode inode, Honeycomb honeycomb) {
        if (inode.dirty() && checkpoints.isWanted(inode.number(), honeycomb)) {
            return checkpoint(inode);
        }
        List<ReplicaPlace> sources = isWanted(inode, honeycomb) ? sources(inode, honeycomb) : List.of();
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
                        ? checkpoints.isKept(inode, honeycomb) || secondaries.countCurrent() > 0
                        : !inode.unsealed());
    }

    /**
     * The places to copy from, the primary first: others use it least for reading. A dirty file's primary holds no
     * version, and comes last. A honeycomb that keeps a finished checkpoint is named as its own source; otherwise it
     * would give up when it cannot reach the others.
     */
    private List<ReplicaPlace> sources(Inode inode, Honeycomb honeycomb) {
        if (inode.dirty() && checkpoints.isKept(inode, honeycomb)) {
            return List.of(honeycomb.toPlace());
        }
        IntStream primary = IntStream.of(inode.honeycomb());
        IntStream secondaries = inode.secondaries().current();
        return (inode.dirty() ? IntStream.concat(secondaries, primary) : IntStream.concat(primary, secondaries))
                .mapToObj(honeycombs::numbered)
                .filter(usable)
                .map(Honeycomb::toPlace)
                .toList();
    }

    /**
     * A fetch of the file's present content; null while the primary's desktop is away. As long as nobody else has the
     * newest version, that is copied also if it was not changed.
     */
    private @Nullable Fetch checkpoint(Inode inode) {
        Honeycomb primary = honeycombs.of(inode);
        if (!usable.test(primary)) {
            return null;
        }
        Fetch.Builder fetch = fetch(inode, checkpoints.promiseVersion(inode), List.of(primary.toPlace()))
                .setCheckpoint(true)
                .setQuietMillis((int) quiet.toMillis());
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
                .setReplica(inode.replicaName())
                .setVersion(version)
                .addAllSources(sources)
                .setCapability(capability.toByteString());
    }
}
