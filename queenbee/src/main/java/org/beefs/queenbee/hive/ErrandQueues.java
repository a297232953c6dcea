package org.beefs.queenbee.hive;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.state.ConflictRecord;
import org.beefs.queenbee.state.DropRecord;
import org.beefs.queenbee.state.PendingConflict;

/**
 * What honeycombs have yet to be told: replicas to remove, to adopt, to seal and to examine. The first two are written
 * down; the others follow from the inodes. {@link ErrandRequests} makes requests of it. Belongs to the namespace
 * thread.
 */
public final class ErrandQueues {
    private final Journal journal;
    private final Clock clock;
    private final Honeycombs honeycombs;
    private final Owing owing = new Owing();

    /** Whether some are to become conflict copies, or have, of which catalogs are yet to hear. */
    private boolean conflictsChanged;

    /** By inode: the changes that have moved primaries, which have not arrived, and of which none was seen on disk. */
    private final Map<Long, Long> moves = new HashMap<>();

    /** Inodes that have taken the names of others while they were open for writing, until they are committed. */
    private final Set<Long> replacing = new HashSet<>();

    ErrandQueues(Journal journal, Clock clock, Honeycombs honeycombs) {
        this.journal = journal;
        this.clock = clock;
        this.honeycombs = honeycombs;
    }

    /** Honeycombs that have yet to remove a replica of an inode, or to forget its record. */
    public List<Honeycomb> owing(long inode) {
        return owing.of(inode);
    }

    /** Which honeycombs still owe the removal of which inodes; the {@link Drops} of each keep it up to date. */
    Owing owing() {
        return owing;
    }

    /** All replicas of the inode have to go, now or when their honeycombs come back. */
    public void drop(Inode inode) {
        forget(inode);
        drop(inode, honeycombs.of(inode));
        inode.secondaries().honeycombs().forEach(number -> drop(inode, honeycombs.numbered(number)));
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
        honeycomb.errandQueue().drops().add(drop);
        write(
                StateKey.drop(honeycomb.number(), drop.inode()),
                DropRecord.newBuilder()
                        .setGeneration(drop.generation())
                        .setEpoch(drop.epoch())
                        .build());
    }

    /** The honeycomb has removed a replica. That is not owed any more when its catalog has forgotten the record too. */
    public void dropped(Honeycomb honeycomb, long inode) {
        honeycomb.errandQueue().drops().removed(inode);
    }

    /**
     * The honeycomb's catalog has no record of an inode any more whose replica it has removed, or knows that the inode
     * is gone.
     */
    public void recordForgotten(Honeycomb honeycomb, long inode) {
        if (honeycomb.errandQueue().drops().forgotten(inode)) {
            erase(StateKey.drop(honeycomb.number(), inode));
        }
    }

    /** The honeycomb may keep a replica that it was to remove. */
    public void keep(Honeycomb honeycomb, long inode) {
        if (honeycomb.errandQueue().drops().cancel(inode)) {
            erase(StateKey.drop(honeycomb.number(), inode));
        }
    }

    /**
     * So many of the replicas that a forgotten honeycomb was to remove are not owed any more; called until there are
     * none.
     */
    public void discardDrops(Honeycomb honeycomb, int most) {
        honeycomb.errandQueue().drops().discard(most).forEach(inode -> erase(StateKey.drop(honeycomb.number(), inode)));
    }

    /**
     * Replicas that are to be removed and are not yet. Those on a honeycomb that is lost are no work until it comes.
     */
    public long pendingDrops() {
        return honeycombs.all().stream()
                .filter(honeycomb -> honeycomb.presence() != Presence.LOST)
                .mapToLong(honeycomb -> honeycomb.errandQueue().drops().pending())
                .sum();
    }

    /** A replica is to become another file's content, now or when its honeycomb has told all that it has. */
    public void adopt(Honeycomb honeycomb, ConflictCopy conflict) {
        honeycomb.errandQueue().conflicts().add(conflict.decidedBy(journal.next()));
        write(StateKey.conflict(honeycomb.number(), conflict.inode()), conflict.toRecord());
        conflictsChanged = true;
    }

    /**
     * Replicas that are to become other files, in the form in which catalogs keep them; few, and never more than so
     * many.
     */
    public List<PendingConflict> pendingConflicts(int most) {
        return honeycombs.all().stream()
                .flatMap(honeycomb -> honeycomb.errandQueue().conflicts().records(honeycomb.number()))
                .limit(most)
                .toList();
    }

    /** The honeycomb has made the replica another file's content. */
    public void adopted(Honeycomb honeycomb, long inode) {
        if (honeycomb.errandQueue().conflicts().remove(inode)) {
            erase(StateKey.conflict(honeycomb.number(), inode));
            conflictsChanged = true;
        }
    }

    /**
     * Called now and then. Catalogs hear of many conflict copies at once, because all desktops get the whole record of
     * the hive each time.
     */
    public void tick() {
        if (conflictsChanged) {
            conflictsChanged = false;
            honeycombs.changed();
        }
    }

    /** The state of the inode's replica is wanted. */
    public void examine(Inode inode) {
        of(inode).examinations().add(inode.number());
    }

    /** Whether the state of the inode's replica is wanted, and nobody was asked for it yet. */
    public boolean isExaminationWanted(Inode inode) {
        return of(inode).examinations().contains(inode.number());
    }

    /**
     * The inode's newest version is to be sealed, in a while; at once if its primary has yet to move there, which opens
     * wait for.
     */
    public void seal(Inode inode) {
        of(inode).seals().add(inode.number(), clock.bootNanos());
        if (inode.moving()) {
            of(inode).hurrySeals();
        }
        if (!inode.dirty() && replacing.remove(inode.number())) {
            of(inode).seals().hurry(inode.number());
        }
    }

    /**
     * The inode has taken the name of another one, whose replicas go: what it has is brought to disk without the usual
     * delay, as a loss of its desktop's power would take both. What is still open for writing follows its commit.
     */
    public void replacing(Inode inode) {
        if (inode.dirty()) {
            replacing.add(inode.number());
        } else if (inode.unsealed()) {
            of(inode).seals().hurry(inode.number());
        }
    }

    /** Whether the inode's newest version is to be sealed, and nobody was asked for that yet. */
    public boolean isSealWanted(Inode inode) {
        return of(inode).seals().has(inode.number());
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

    /** Whether a loss of power cannot take a change any more. */
    boolean isOnDisk(long change) {
        return change <= journal.durable();
    }

    /** Nothing but a drop is to be told about the inode any more. */
    public void forget(Inode inode) {
        of(inode).examinations().remove(inode.number());
        of(inode).seals().remove(inode.number());
        moves.remove(inode.number());
        replacing.remove(inode.number());
    }

    /** What is to be told to the honeycomb with the inode's primary replica. */
    private ErrandQueue of(Inode inode) {
        return honeycombs.of(inode).errandQueue();
    }

    private void write(StateKey key, MessageLite record) {
        journal.batch().put(key, () -> record);
        journal.advance();
    }

    private void erase(StateKey key) {
        journal.batch().delete(key);
        journal.advance();
    }

    public void loadDrop(int number, long inode, CodedInputStream encoded) throws IOException {
        DropRecord record = DropRecord.parseFrom(encoded);
        Drop drop = new Drop(inode, record.getGeneration(), record.getEpoch(), 0);
        honeycombs.numbered(number).errandQueue().drops().add(drop);
    }

    public void loadConflict(int number, long inode, CodedInputStream encoded) throws IOException {
        ConflictCopy conflict = ConflictCopy.of(inode, ConflictRecord.parseFrom(encoded));
        honeycombs.numbered(number).errandQueue().conflicts().add(conflict);
    }
}
