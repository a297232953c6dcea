package org.beefs.queenbee.hive;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.state.HoneycombRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All honeycombs that were ever registered. Those that are forgotten are among them for their numbers and UUIDs only,
 * some hundred bytes each, which no hive has enough of to matter. Belongs to the namespace thread.
 */
public final class Honeycombs {
    private static final Logger LOG = LoggerFactory.getLogger(Honeycombs.class);

    /** Honeycombs that a desktop may name at a time. */
    private static final int MOST_NAMED = 64;

    private final Journal journal;
    private final Clock clock;
    private final Duration lease;

    /** Honeycomb n is at index n − 1. */
    private final List<Honeycomb> registered = new ArrayList<>();

    /** Honeycombs that are not forgotten, in the same order. */
    private final List<Honeycomb> all = new ArrayList<>();

    private final Map<ByteString, Honeycomb> byUuid = new HashMap<>();

    /** Connected honeycombs, each by the session that serves it: asked for with most requests. */
    private final Map<Session, Honeycomb> served = new HashMap<>();

    private final ErrandQueues errandQueues;

    private long changes;

    /** @param lease for how long a daemon that is not heard lets programs write at most */
    public Honeycombs(Journal journal, Clock clock, Duration lease) {
        this.journal = journal;
        this.clock = clock;
        this.lease = lease;
        this.errandQueues = new ErrandQueues(journal, clock, this);
    }

    /** What they have yet to be told. */
    public ErrandQueues errandQueues() {
        return errandQueues;
    }

    /** Without those that are forgotten. */
    public List<Honeycomb> all() {
        return Collections.unmodifiableList(all);
    }

    /** With those that are forgotten; the one with number n at n − 1. */
    public List<Honeycomb> everRegistered() {
        return Collections.unmodifiableList(registered);
    }

    public @Nullable Honeycomb find(ByteString uuid) {
        return byUuid.get(uuid);
    }

    /** The numbers of those of some UUIDs that there are; of the first {@link #MOST_NAMED}. */
    public Set<Integer> numbersOf(List<ByteString> uuids) {
        return uuids.stream()
                .limit(MOST_NAMED)
                .map(byUuid::get)
                .filter(Objects::nonNull)
                .map(Honeycomb::number)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The honeycomb with an inode's primary replica. */
    public Honeycomb of(Inode inode) {
        return numbered(inode.honeycomb());
    }

    /** The honeycomb to which inodes refer with that number. */
    public Honeycomb numbered(int number) {
        return registered.get(number - 1);
    }

    public Optional<Honeycomb> servedBy(Session session) {
        return Optional.ofNullable(served.get(session));
    }

    /** The honeycomb that the session's daemon serves, or has served last. */
    public Optional<Honeycomb> lastServedBy(Session session) {
        return all.stream()
                .filter(honeycomb -> honeycomb.lastStart().process() == session.process()
                        && honeycomb.desktop().equals(session.desktop()))
                .findFirst();
    }

    /** A checked offer comes with a session: its honeycomb can be used. Another session that has served it is over. */
    public void connect(HoneycombOffer offer, Session session) {
        Honeycomb honeycomb = byUuid.get(offer.getUuid());
        if (honeycomb == null) {
            honeycomb = new Honeycomb(registered.size() + 1, offer.getUuid(), errandQueues.owing());
            add(honeycomb);
        }
        HoneycombRecord before = honeycomb.toRecord();
        if (!before.getDesktop().isEmpty() && !before.getDesktop().equals(session.desktop())) {
            LOG.warn(
                    "the honeycomb that was on {} is on {} now: its folder was moved there, and so were its files' replicas",
                    before.getDesktop(),
                    session.desktop());
        }
        if (served.get(session) != honeycomb) {
            disconnect(session);
        }
        honeycomb.connected(offer, session, journal.applied());
        served.put(session, honeycomb);
        all.forEach(other ->
                other.errandQueue().drops().lookAgain()); // files whose primaries are there may lose other replicas
        HoneycombRecord after = honeycomb.toRecord();
        if (!before.equals(after)) {
            write(honeycomb);
        }
        if (!lasting(before).equals(lasting(after))) {
            changes++;
        }
    }

    /**
     * The record without what each start or absence changes, or another network that the desktop is in. When a
     * honeycomb registers, its own catalog is told of that, and so are those that register later.
     */
    private static HoneycombRecord lasting(HoneycombRecord record) {
        return record.toBuilder()
                .clearBoot()
                .clearProcess()
                .clearStart()
                .clearLock()
                .clearMarked()
                .clearAwaySeconds()
                .clearAttendance()
                .clearCards()
                .clearBroadcasts()
                .build();
    }

    public void disconnect(Session session) {
        Honeycomb honeycomb = served.remove(session);
        if (honeycomb != null) {
            honeycomb.disconnected(session.heardNanos() + lease.toNanos());
        }
    }

    /**
     * Whether the daemon of one that is away may live, because it was heard less than a lease ago or the queen-bee runs
     * for less than that: it will probably connect again.
     */
    public boolean isSomeExpected() {
        long now = clock.bootNanos();
        return all.stream()
                .anyMatch(honeycomb ->
                        !honeycomb.isConnected() && honeycomb.absence().mayHaveAuthority(now));
    }

    /** The honeycomb on a desktop of that name; while none is connected, that of the folder that was made last. */
    public Honeycomb lastOn(String desktop) {
        return last(all.stream()
                        .filter(honeycomb -> honeycomb.desktop().equals(desktop))
                        .toList())
                .orElseThrow(() -> new PosixException(
                        Errno.ENODEV,
                        "there never was a honeycomb on a desktop named %s, or it was forgotten".formatted(desktop)));
    }

    /** Whether a honeycomb on a desktop of that name is connected. */
    public boolean isThere(String desktop) {
        return all.stream()
                .anyMatch(honeycomb ->
                        honeycomb.isConnected() && honeycomb.desktop().equals(desktop));
    }

    /** As {@link #lastOn}, of all honeycombs that a desktop has had, by their numbers. */
    public static Optional<Honeycomb> last(List<Honeycomb> ofDesktop) {
        return ofDesktop.stream().reduce((first, second) -> first.isConnected() ? first : second);
    }

    /** All replicas are to leave it from now on, or not any more. */
    public void setDraining(Honeycomb honeycomb, boolean draining) {
        honeycomb.setDraining(draining);
        changes++;
        write(honeycomb);
    }

    /**
     * Counts changes of what every catalog must know, so that it outlives the queen-bee's disk: which honeycombs there
     * are, on which desktops, which of them are lost or draining, and what is to become conflict copies.
     */
    public long changes() {
        return changes;
    }

    /** What every catalog must know is another now. */
    void changed() {
        changes++;
    }

    /** Writes down what the catalog of a lost honeycomb may know at most, so that it is known after a restart. */
    public void setHighestKnown(Honeycomb honeycomb, HighestKnown highest) {
        honeycomb.absence().setHighestKnown(highest);
        write(honeycomb);
    }

    /**
     * Others keep records in the place of those that were newly lost for good or are to be emptied; called when any of
     * that may have changed.
     *
     * @return those that are newly retired
     */
    public List<Honeycomb> retire() {
        Set<Honeycomb> last = all.stream().collect(Collectors.groupingBy(Honeycomb::desktop)).values().stream()
                .flatMap(ofDesktop -> last(ofDesktop).stream())
                .collect(Collectors.toSet());
        List<Honeycomb> retired = all.stream()
                .filter(honeycomb -> !honeycomb.isRetired())
                .filter(honeycomb ->
                        honeycomb.isDraining() || honeycomb.absence().isForGood(!last.contains(honeycomb)))
                .toList();
        for (Honeycomb honeycomb : retired) {
            honeycomb.setRetired(journal.next());
            write(honeycomb);
        }
        return retired;
    }

    /** Nobody waits for one that is away any more, and it is not taken in again. */
    public void forget(Honeycomb honeycomb) {
        honeycomb.setForgotten(journal.next());
        all.remove(honeycomb);
        changes++;
        write(honeycomb);
        String desktop = honeycomb.desktop();
        LOG.info("{} is forgotten", isThere(desktop) ? "what " + desktop + " had in another folder" : desktop);
    }

    /** One that is away becomes lost. */
    void lose(Honeycomb honeycomb, boolean bySomebody) {
        if (honeycomb.absence().becomeLost(bySomebody)) {
            changes++;
        }
        write(honeycomb);
    }

    /** Writes down for how long a honeycomb has been away, so that it is known after a restart. */
    void writeAbsence(Honeycomb honeycomb) {
        write(honeycomb);
    }

    /** Writes down when a honeycomb's folder was marked as in use, so that earlier copies of it are known. */
    public void setMarked(Honeycomb honeycomb, long marked) {
        if (marked > honeycomb.lastStart().marked()) {
            honeycomb.setMarked(marked);
            write(honeycomb);
        }
    }

    /** Writes down what was seen of a honeycomb's attendance, so that it is known after a restart. */
    void setAttendance(Honeycomb honeycomb, Attendance attendance) {
        honeycomb.setAttendance(attendance);
        write(honeycomb);
    }

    private void write(Honeycomb honeycomb) {
        HoneycombRecord record = honeycomb.toRecord();
        journal.batch().put(StateKey.honeycomb(honeycomb.number()), () -> record);
        journal.advance();
    }

    public void load(int number, CodedInputStream record) throws IOException {
        if (number != registered.size() + 1) {
            throw new IllegalStateException("honeycomb " + (registered.size() + 1) + " is missing");
        }
        add(Honeycomb.of(
                number, HoneycombRecord.parseFrom(record), clock.bootNanos() + lease.toNanos(), errandQueues.owing()));
    }

    private void add(Honeycomb honeycomb) {
        registered.add(honeycomb);
        if (!honeycomb.isForgotten()) {
            all.add(honeycomb);
        }
        byUuid.put(honeycomb.uuid(), honeycomb);
    }
}
