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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.state.ConflictRecord;
import org.beefs.queenbee.state.DropRecord;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.state.PendingConflict;
import org.beefs.queenbee.wake.MagicPacket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All honeycombs that were ever registered. Those that are forgotten are among them for their numbers and UUIDs only,
 * some hundred bytes each, which no hive has enough of to matter. Belongs to the namespace thread.
 */
public final class Honeycombs {
    private static final int UUID_LENGTH = 16;
    private static final Logger LOG = LoggerFactory.getLogger(Honeycombs.class);

    private final Journal journal;
    private final Clock clock;
    private final Duration lease;

    /** Honeycomb n is at index n − 1. */
    private final List<Honeycomb> registered = new ArrayList<>();

    /** Those that are not forgotten, in the same order. */
    private final List<Honeycomb> all = new ArrayList<>();

    private final Map<ByteString, Honeycomb> byUuid = new HashMap<>();

    /** Those that are connected, each by the session that serves it: asked for with most requests. */
    private final Map<Session, Honeycomb> served = new HashMap<>();

    private final Owing owing = new Owing();

    /** By inode: the changes that have moved primaries, which have not arrived, and of which none was seen on disk. */
    private final Map<Long, Long> moves = new HashMap<>();

    private long changes;

    /** @param lease for how long a daemon that is not heard lets programs write at most */
    public Honeycombs(Journal journal, Clock clock, Duration lease) {
        this.journal = journal;
        this.clock = clock;
        this.lease = lease;
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

    /** Honeycombs that have yet to remove a replica of an inode, or to forget its record. */
    public List<Honeycomb> owing(long inode) {
        return owing.of(inode);
    }

    /** Fails when a folder must not be served by that process, because another one serves it or it is a copy. */
    public void checkOffer(HoneycombOffer offer, long process) {
        if (offer.getUuid().size() != UUID_LENGTH) {
            throw new PosixException(Errno.EINVAL, "a honeycomb's UUID has 16 bytes");
        }
        MagicPacket.check(offer.getWake());
        Honeycomb known = byUuid.get(offer.getUuid());
        if (known == null) {
            return;
        }
        if (known.isForgotten()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder belongs to the desktop %s, which was forgotten (beefs forget): nobody counts on what is in it any more; give this desktop an empty folder, and look into that one by hand for what somebody may miss"
                            .formatted(known.desktop()));
        }
        LastStart last = known.lastStart();
        if (offer.getBoot() < last.boot()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is an old copy: it was started %d times, and %d times on %s; use the newer folder, or an empty one"
                            .formatted(offer.getBoot(), last.boot(), known.desktop()));
        }
        if (offer.getBoot() == last.boot() && process != last.process()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is a copy of the one that was last started on %s; use that one, or an empty one"
                            .formatted(known.desktop()));
        }
        if (!last.isAmong(offer.getStartsList())) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is an old copy that was started on its own: it does not know of start %d, on %s; use the folder that was used there, or an empty one"
                            .formatted(last.boot(), known.desktop()));
        }
        if (last.wasMarkedSince(offer.getStartsList())) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is an old copy: it was in use on %s after it was copied; use the folder that was used there, or an empty one"
                            .formatted(known.desktop()));
        }
    }

    /** A checked offer comes with a session: its honeycomb can be used. Another session that has served it is over. */
    public void connect(HoneycombOffer offer, Session session) {
        Honeycomb honeycomb = byUuid.get(offer.getUuid());
        if (honeycomb == null) {
            honeycomb = new Honeycomb(registered.size() + 1, offer.getUuid(), owing);
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
        all.forEach(other -> other.drops().lookAgain()); // files whose primaries are there may lose other replicas
        HoneycombRecord after = honeycomb.toRecord();
        if (!before.equals(after)) {
            write(honeycomb);
        }
        if (!lasting(before).equals(lasting(after))) {
            changes++;
        }
    }

    /**
     * The record without what each start or absence changes. When a honeycomb registers, its own catalog is told of its
     * starts, and so are those that register later.
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
        return all.stream().anyMatch(honeycomb -> honeycomb.mayHaveAuthority(now));
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

    /** Writes down what the catalog of a lost honeycomb may know at most, so that it is known after a restart. */
    public void setHighestKnown(Honeycomb honeycomb, HighestKnown highest) {
        honeycomb.setHighestKnown(highest);
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
                .filter(honeycomb -> honeycomb.isDraining() || honeycomb.isLostForGood(!last.contains(honeycomb)))
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
        LOG.info("{} is forgotten", honeycomb.desktop());
    }

    /**
     * So many of the replicas that a forgotten honeycomb was to remove are not owed any more; called until there are
     * none.
     */
    public void settleForgotten(Honeycomb honeycomb, int most) {
        honeycomb.drops().discard(most).forEach(inode -> settle(honeycomb, inode));
    }

    /** Writes down an absence, so that it is known after a restart. */
    void setAbsence(Honeycomb honeycomb, Absence absence) {
        Absence before = honeycomb.absence();
        if (absence.lost() != before.lost() || absence.declared() != before.declared()) {
            changes++;
        }
        honeycomb.setAbsence(absence);
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

    /** All replicas of the inode have to go, now or when their honeycombs come back. */
    public void drop(Inode inode) {
        forget(inode);
        drop(inode, of(inode));
        inode.secondaries().honeycombs().forEach(number -> drop(inode, numbered(number)));
    }

    /** The inode's replica in one honeycomb has to go. */
    public void drop(Inode inode, Honeycomb honeycomb) {
        drop(new Drop(inode.number(), inode.generation(), inode.epoch(), journal.next()), honeycomb);
    }

    /** A replica that was found there, and that no file has, is to be removed. */
    public void drop(ReplicaName replica, Honeycomb honeycomb) {
        drop(new Drop(replica.getInode(), replica.getGeneration(), replica.getEpoch(), journal.next()), honeycomb);
    }

    private void drop(Drop drop, Honeycomb honeycomb) {
        if (honeycomb.isForgotten()) {
            return;
        }
        honeycomb.drops().add(drop);
        DropRecord record = DropRecord.newBuilder()
                .setGeneration(drop.generation())
                .setEpoch(drop.epoch())
                .build();
        journal.batch().put(StateKey.drop(honeycomb.number(), drop.inode()), () -> record);
        journal.advance();
    }

    /** Whether a loss of power cannot take a change any more. */
    boolean isOnDisk(long change) {
        return change <= journal.durable();
    }

    /** The honeycomb has removed a replica. That is not owed any more when its catalog has forgotten the record too. */
    public void dropped(Honeycomb honeycomb, long inode) {
        honeycomb.drops().removed(inode);
    }

    /**
     * The honeycomb's catalog has no record of an inode any more whose replica it has removed, or knows that the inode
     * is gone.
     */
    public void forgotten(Honeycomb honeycomb, long inode) {
        if (honeycomb.drops().forgotten(inode)) {
            settle(honeycomb, inode);
        }
    }

    /** The honeycomb may keep a replica that it was to remove. */
    public void keep(Honeycomb honeycomb, long inode) {
        if (honeycomb.drops().cancel(inode)) {
            settle(honeycomb, inode);
        }
    }

    private void settle(Honeycomb honeycomb, long inode) {
        journal.batch().delete(StateKey.drop(honeycomb.number(), inode));
        journal.advance();
    }

    /** A replica is to become another file's content, now or when its honeycomb has told all that it has. */
    public void adopt(Honeycomb honeycomb, ConflictCopy conflict) {
        honeycomb.conflicts().add(conflict);
        ConflictRecord record = conflict.toRecord();
        journal.batch().put(StateKey.conflict(honeycomb.number(), conflict.inode()), () -> record);
        journal.advance();
        changes++;
    }

    /** Replicas that are to become other files, as catalogs know them; few, and never more than so many. */
    public List<PendingConflict> pendingConflicts(int most) {
        return all.stream()
                .flatMap(honeycomb -> honeycomb.conflicts().records(honeycomb.number()))
                .limit(most)
                .toList();
    }

    /** The honeycomb has made the replica another file's content. */
    public void adopted(Honeycomb honeycomb, long inode) {
        if (honeycomb.conflicts().remove(inode)) {
            journal.batch().delete(StateKey.conflict(honeycomb.number(), inode));
            journal.advance();
            changes++;
        }
    }

    /** The state of the inode's replica is wanted. */
    public void examine(Inode inode) {
        of(inode).examinations.add(inode.number());
    }

    /** Whether the state of the inode's replica is wanted, and nobody was asked for it yet. */
    public boolean isExaminationWanted(Inode inode) {
        return of(inode).examinations.contains(inode.number());
    }

    /**
     * The inode's newest version is to be sealed, in a while; at once if its primary has yet to move there, which opens
     * wait for.
     */
    public void seal(Inode inode) {
        of(inode).seals.add(inode.number(), clock.bootNanos());
        if (inode.moving()) {
            sealSoon(inode);
        }
    }

    /** The last change has moved the inode's primary: when that is on disk, its honeycomb is told by a seal. */
    public void move(Inode inode) {
        moves.put(inode.number(), journal.applied());
        seal(inode);
    }

    /** Whether no loss of power can take it any more that the inode's primary moves. */
    boolean isMoveOnDisk(Inode inode) {
        Long change = moves.get(inode.number());
        boolean onDisk = change == null || isOnDisk(change); // what was loaded is on disk
        if (onDisk) {
            moves.remove(inode.number());
        }
        return onDisk;
    }

    /** Whether the inode's newest version is to be sealed, and nobody was asked for that yet. */
    public boolean isSealWanted(Inode inode) {
        return of(inode).seals.has(inode.number());
    }

    /** Somebody waits for the inode's newest version to be sealed. */
    public void sealSoon(Inode inode) {
        of(inode).seals.hurry();
    }

    /** Nothing but a drop is to be told about the inode any more. */
    public void forget(Inode inode) {
        Honeycomb honeycomb = of(inode);
        honeycomb.examinations.remove(inode.number());
        honeycomb.seals.remove(inode.number());
        moves.remove(inode.number());
    }

    /**
     * Replicas that are to be removed and are not yet. Those on a honeycomb that is lost are no work until it comes.
     */
    public long pendingDrops() {
        return all.stream()
                .filter(honeycomb -> honeycomb.presence() != Presence.LOST)
                .mapToLong(honeycomb -> honeycomb.drops().pending())
                .sum();
    }

    public void load(int number, CodedInputStream record) throws IOException {
        if (number != registered.size() + 1) {
            throw new IllegalStateException("honeycomb " + (registered.size() + 1) + " is missing");
        }
        add(Honeycomb.of(number, HoneycombRecord.parseFrom(record), clock.bootNanos() + lease.toNanos(), owing));
    }

    public void loadDrop(int number, long inode, CodedInputStream encoded) throws IOException {
        DropRecord record = DropRecord.parseFrom(encoded);
        numbered(number).drops().add(new Drop(inode, record.getGeneration(), record.getEpoch(), 0));
    }

    public void loadConflict(int number, long inode, CodedInputStream encoded) throws IOException {
        numbered(number).conflicts().add(ConflictCopy.of(inode, ConflictRecord.parseFrom(encoded)));
    }

    private void add(Honeycomb honeycomb) {
        registered.add(honeycomb);
        if (!honeycomb.isForgotten()) {
            all.add(honeycomb);
        }
        byUuid.put(honeycomb.uuid(), honeycomb);
    }
}
