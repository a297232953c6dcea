package org.beefs.queenbee.replication.departure;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.replication.placement.Targets;

/**
 * Files of which somebody wants a replica on a certain desktop. A file has no more replicas for that: where it has as
 * many as it should have, another one leaves when the wished one is current. Until then the wish has to be told again
 * from time to time, or the file stays where it was. In memory only. Belongs to the namespace thread.
 */
public final class Wishes {
    /** Files that are on their way to one honeycomb. */
    static final int MOST = 1024;

    /** A wish that nobody has told again for so long is over. */
    static final Duration LIFETIME = Duration.ofMinutes(10);

    /** @param until by the boot clock */
    private record Replaced(Honeycomb honeycomb, long until) {}

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Targets targets;
    private final Departures departures;
    private final Clock clock;
    private final Consumer<Inode> look;

    /** Replicas that leave for a wish, by the wished place and the file; only for wishes for which one has to. */
    private final Map<Honeycomb, Map<Long, Replaced>> leaving = new HashMap<>();

    /** @param look has done soon what can be done about a file's replicas */
    public Wishes(
            Namespace namespace,
            Honeycombs honeycombs,
            Targets targets,
            Departures departures,
            Clock clock,
            Consumer<Inode> look) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.targets = targets;
        this.departures = departures;
        this.clock = clock;
        this.look = look;
    }

    /** Fails when a file that has no replica there, or only an extra one, cannot get one now. */
    public void check(Inode inode, Honeycomb place) {
        if (inode.dirty()) {
            throw new PosixException(Errno.ETXTBSY, "the file is being written");
        }
        if (!inode.secondaries().has(place.number()) && !targets.canTake(place, inode)) {
            throw new PosixException(Errno.ENOSPC, place.desktop() + " has no room, is paused or is being emptied");
        }
        if (leaving.getOrDefault(place, Map.of()).size() >= MOST) {
            throw new PosixException(Errno.EBUSY, "%d files are on their way to %s".formatted(MOST, place.desktop()));
        }
    }

    /** The file has as many replicas as it should have: one leaves when that in the new place is current. */
    public void replaceFor(Inode inode, Honeycomb place) {
        Honeycomb replaced = leastUseful(inode).orElseGet(() -> honeycombs.of(inode));
        departures.forWishes().add(replaced, inode.number());
        leaving.computeIfAbsent(place, first -> new HashMap<>()).put(inode.number(), new Replaced(replaced, until()));
    }

    /** The secondary that goes first; without secondaries the primary has to move. */
    private Optional<Honeycomb> leastUseful(Inode inode) {
        return departures.staying(inode).stream().min(Departures.firstToGo(inode));
    }

    /** Somebody still wants it. */
    public void renew(Inode inode, Honeycomb place) {
        leaving.computeIfPresent(place, (_, files) -> {
            files.computeIfPresent(inode.number(), (_, replaced) -> new Replaced(replaced.honeycomb(), until()));
            return files;
        });
    }

    /** Called now and then. */
    public void tick() {
        leaving.forEach(
                (place, files) -> files.entrySet().removeIf(file -> !goesOn(place, file.getKey(), file.getValue())));
        leaving.values().removeIf(Map::isEmpty);
    }

    /** False when the wish is over. */
    private boolean goesOn(Honeycomb place, long number, Replaced replaced) {
        Inode inode = namespace.find(number);
        boolean goesOn = inode != null
                && inode.isIn(place.number())
                && inode.isIn(replaced.honeycomb().number())
                && clock.bootNanos() <= replaced.until();
        if (!goesOn) {
            departures.forWishes().remove(replaced.honeycomb(), number);
        }
        if (inode != null) {
            look.accept(inode);
        }
        return goesOn;
    }

    private long until() {
        return clock.bootNanos() + LIFETIME.toNanos();
    }
}
