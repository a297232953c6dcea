package org.beefs.queenbee.replication.departure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.replication.placement.RefusedVersions;
import org.beefs.queenbee.replication.placement.Settings;
import org.beefs.queenbee.replication.placement.Targets;
import org.beefs.queenbee.replication.placement.Unreached;
import org.beefs.queenbee.replication.primary.Heirs;
import org.beefs.queenbee.replication.primary.Promotion;

/**
 * Replicas that are to leave their honeycombs: all from a honeycomb that is being emptied, the chosen ones from one
 * that is short of space, those in whose place somebody wants one elsewhere, and outdated ones from one that cannot
 * reach the newest version, or whose disk does not take it. A replica that is to leave does not count as one of its
 * file's: so another one is made. It goes when all others are current that the hive has room for, also if that is only
 * later, at least one of them on a desktop that is awake, and the primary is neither rotten nor missing; and never
 * while anybody uses the file. Belongs to the namespace thread.
 */
public final class Departures {
    private final Honeycombs honeycombs;
    private final Settings settings;
    private final Targets targets;
    private final Promotion promotion;
    private final Mutator mutator;
    private final Unreached unreached;
    private final RefusedVersions refusedVersions;
    private final Relief relief;
    private final ChosenReplicas forRoom = new ChosenReplicas();

    /** Those of {@link #forRoom} that make the room for which somebody waits. */
    private final ChosenReplicas forWriters = new ChosenReplicas();

    private final ChosenReplicas forWishes = new ChosenReplicas();

    public Departures(
            Honeycombs honeycombs,
            Settings settings,
            Targets targets,
            Promotion promotion,
            Mutator mutator,
            Unreached unreached,
            RefusedVersions refusedVersions,
            Relief relief) {
        this.honeycombs = honeycombs;
        this.settings = settings;
        this.targets = targets;
        this.promotion = promotion;
        this.mutator = mutator;
        this.unreached = unreached;
        this.refusedVersions = refusedVersions;
        this.relief = relief;
    }

    /** Replicas that leave because their honeycombs are short of space. */
    ChosenReplicas forRoom() {
        return forRoom;
    }

    /** Of those that leave to make room what somebody waits for. */
    ChosenReplicas forWriters() {
        return forWriters;
    }

    /** Replicas that leave because a user wants one of the file elsewhere. */
    ChosenReplicas forWishes() {
        return forWishes;
    }

    /** How many replicas are to leave a honeycomb because it is short of space. */
    public int leavingForRoom(Honeycomb honeycomb) {
        return forRoom.of(honeycomb).size();
    }

    public boolean primaryLeaves(Inode inode) {
        return leaves(inode, honeycombs.of(inode));
    }

    /** Its secondaries that do not leave; without the extra ones. */
    public List<Honeycomb> staying(Inode inode) {
        return staying(inode, inode.secondaries().proper());
    }

    /** Its extra replicas that do not leave. */
    public List<Honeycomb> extras(Inode inode) {
        return staying(inode, inode.secondaries().extra());
    }

    private List<Honeycomb> staying(Inode inode, IntStream numbers) {
        return numbers.mapToObj(honeycombs::numbered)
                .filter(honeycomb -> !leaves(inode, honeycomb))
                .toList();
    }

    /** Its extra replicas that can become some that it should have, without a copy. */
    public List<Honeycomb> spare(Inode inode) {
        return extras(inode).stream()
                .filter(honeycomb ->
                        honeycomb.isConnected() && inode.secondaries().isCurrent(honeycomb.number()))
                .toList();
    }

    /** Its secondaries that are to leave. */
    List<Honeycomb> leaving(Inode inode) {
        return secondaries(inode).stream()
                .filter(honeycomb -> leaves(inode, honeycomb))
                .toList();
    }

    /** Its secondaries on desktops that were given up; none without a sound primary: then they may be what is left. */
    public List<Honeycomb> lost(Inode inode) {
        return honeycombs.of(inode).isSound(inode.number())
                ? secondaries(inode).stream()
                        .filter(honeycomb -> honeycomb.absence().isGivenUp())
                        .toList()
                : List.of();
    }

    /**
     * Its secondaries that have yet to get the content, on desktops that went before they had it, if another one has
     * room; likewise none without a sound primary. Nobody knows when these come back. If the content did come there
     * after all, and only the answer was lost, an inventory shows it.
     */
    public List<Honeycomb> missed(Inode inode) {
        List<Honeycomb> missed = secondaries(inode).stream()
                .filter(honeycomb -> honeycomb.absence().isFenced() && inode.versionIn(honeycomb.number()) == 0)
                .toList();
        boolean replaceable =
                !missed.isEmpty() && honeycombs.of(inode).isSound(inode.number()) && targets.haveRoomFor(inode);
        return replaceable ? missed : List.of();
    }

    /**
     * The order in which a file's secondaries go: those first that hold nothing, or the oldest version, or are not
     * there.
     */
    public static Comparator<Honeycomb> firstToGo(Inode inode) {
        return Comparator.comparingLong((Honeycomb honeycomb) -> inode.versionIn(honeycomb.number()))
                .thenComparing(Honeycomb::isConnected);
    }

    /** Whether any of its replicas is to leave. */
    public boolean concerns(Inode inode) {
        return primaryLeaves(inode) || !leaving(inode).isEmpty();
    }

    /** Whether something is to leave and can go now: all is made that takes its place, and nobody uses the file. */
    public boolean mayGo(Inode inode) {
        boolean any = primaryLeaves(inode)
                ? heir(inode).isPresent() && (inode.isBlank() || isReplaced(inode, honeycombs.of(inode)))
                : leaving(inode).stream().anyMatch(honeycomb -> isReplaced(inode, honeycomb));
        return any && mayLose(inode);
    }

    /**
     * Whether nobody uses the file, and it loses nothing with what does not stay. The primary has to be sound: if it is
     * not, what leaves may be all that is left.
     */
    private boolean mayLose(Inode inode) {
        return !isInUse(inode)
                && honeycombs.of(inode).isSound(inode.number())
                && (inode.isBlank() || isInAllThatStay(inode));
    }

    private boolean isInAllThatStay(Inode inode) {
        return staying(inode).stream()
                        .allMatch(honeycomb ->
                                !honeycomb.isConnected() || inode.secondaries().isCurrent(honeycomb.number()))
                && keepsPromise(inode);
    }

    /** Whether what stays is on as many disks as close was promised. */
    private boolean keepsPromise(Inode inode) {
        return !inode.promises() || currentStaying(inode) >= settings.pFactor(inode);
    }

    /** How many of its replicas that do not leave are the newest version, with the primary. */
    private long currentStaying(Inode inode) {
        long secondaries = staying(inode).stream()
                .filter(honeycomb -> inode.secondaries().isCurrent(honeycomb.number()))
                .count();
        return secondaries + (primaryLeaves(inode) ? 0 : 1);
    }

    /**
     * Whether a replica that leaves need not wait for one in its place. An old version whose disk does not take the
     * next one does, whatever room there is: it is in nobody's way, and better than none.
     */
    private boolean isReplaced(Inode inode, Honeycomb honeycomb) {
        return currentStaying(inode) >= settings.replicas(inode)
                || (mustLeave(inode, honeycomb) && !waitsForAnother(inode, honeycomb))
                || (forWriters.has(honeycomb, inode.number()) && isRoomAwaited(honeycomb));
    }

    /** Whether a replica stays until there is a place for another one. */
    private boolean waitsForAnother(Inode inode, Honeycomb honeycomb) {
        return places(inode, honeycomb) < settings.replicas(inode) && targets.willHaveRoomFor(inode);
    }

    /**
     * Whether somebody waits to write in a honeycomb: for him what is chosen leaves before there is a place for another
     * one. Not from one that is being emptied, which would lose everything so, nor where nothing can be removed now.
     */
    private boolean isRoomAwaited(Honeycomb honeycomb) {
        return honeycomb.isConnected()
                && !honeycomb.isDraining()
                && !honeycomb.isReadOnly()
                && relief.lack(honeycomb) > 0;
    }

    /**
     * Replicas that it has without the one there and those that leave, and those that come. What is to come to a
     * desktop that is away is neither.
     */
    private long places(Inode inode, Honeycomb without) {
        long secondaries = staying(inode).stream()
                .filter(other -> other != without && (other.isConnected() || inode.versionIn(other.number()) != 0))
                .count();
        return secondaries + (primaryStays(inode, without) ? 1 : 0);
    }

    private boolean primaryStays(Inode inode, Honeycomb without) {
        return !primaryLeaves(inode) && without.number() != inode.honeycomb();
    }

    /** Lets go what can. A primary becomes a secondary first, which goes when the move is confirmed. */
    public void letGo(Inode inode) {
        if (!mayGo(inode)) {
            return;
        }
        if (primaryLeaves(inode)) {
            promotion.handOver(inode, heir(inode).orElseThrow());
        } else {
            leaving(inode).stream()
                    .filter(honeycomb -> isReplaced(inode, honeycomb))
                    .toList()
                    .forEach(honeycomb -> remove(inode, honeycomb));
        }
    }

    /** Lets an extra replica go; false if it cannot now. */
    boolean letGoExtra(Inode inode, Honeycomb honeycomb) {
        boolean goes = mayLose(inode);
        if (goes) {
            remove(inode, honeycomb);
        }
        return goes;
    }

    /** A secondary is none of the file's any more, and its honeycomb is told to remove it. */
    public void remove(Inode inode, Honeycomb honeycomb) {
        honeycombs.errandQueues().drop(inode, honeycomb);
        targets.promises().forget(honeycomb, inode.number());
        refusedVersions.forget(honeycomb, inode.number());
        mutator.apply(new Mutation.RemoveSecondary(inode.number(), honeycomb.number()));
    }

    /** Whether somebody uses the file, or has just done so. */
    public boolean isInUse(Inode inode) {
        return inode.dirty() || inode.unsealed() || promotion.mayBeOpen(inode);
    }

    /** Whether a replica in that honeycomb could leave, sooner or later: the file lies elsewhere too, or can. */
    public boolean canLeave(Inode inode, Honeycomb honeycomb) {
        return mayBeMoved(inode)
                && (needsNoOther(inode, honeycomb) || !spare(inode).isEmpty() || targets.willHaveRoomFor(inode));
    }

    /** Whether a replica in that honeycomb could leave now, or as soon as a copy that can be begun now is made. */
    boolean canLeaveSoon(Inode inode, Honeycomb honeycomb) {
        return mayBeMoved(inode)
                && (targets.haveRoomFor(inode)
                        || !spare(inode).isEmpty()
                        || (needsNoOther(inode, honeycomb)
                                && (!waitsForAnother(inode, honeycomb) || isRoomAwaited(honeycomb))));
    }

    /** Whether a copy that takes the place of one of its replicas is yet to come, also if its desktop is paused. */
    boolean isBeingReplaced(Inode inode) {
        return staying(inode).stream()
                .anyMatch(honeycomb ->
                        honeycomb.isConnected() && !inode.secondaries().isCurrent(honeycomb.number()));
    }

    /** Whether nothing but a copy that can be made now is in the way of what is to leave, or not even that. */
    boolean isOnItsWay(Inode inode) {
        return mayGo(inode)
                || inode.moving()
                || staying(inode).stream()
                        .anyMatch(honeycomb ->
                                honeycomb.canCopy() && !inode.secondaries().isCurrent(honeycomb.number()));
    }

    private boolean mayBeMoved(Inode inode) {
        return !isInUse(inode) && honeycombs.of(inode).isSound(inode.number());
    }

    /** Whether the file needs no further replica should it have none in that honeycomb. */
    private boolean needsNoOther(Inode inode, Honeycomb honeycomb) {
        boolean isPrimary = honeycomb.number() == inode.honeycomb();
        return (!isPrimary || heir(inode).isPresent()) && (!inode.promises() || isPromiseKept(inode, honeycomb));
    }

    /** Whether enough others hold what was promised, or are about to. */
    private boolean isPromiseKept(Inode inode, Honeycomb without) {
        long secondaries = staying(inode).stream()
                .filter(other -> other != without
                        && (other.isConnected() || inode.secondaries().isCurrent(other.number())))
                .count();
        return secondaries + (primaryStays(inode, without) ? 1 : 0) >= settings.pFactor(inode);
    }

    /** The best place for a primary that leaves. */
    private Optional<Honeycomb> heir(Inode inode) {
        return Heirs.of(inode, staying(inode).stream(), honeycombs);
    }

    /** Whether its secondary there is not to stay, or was given up with its desktop. */
    public boolean isLostOrLeaves(Inode inode, Honeycomb honeycomb) {
        return honeycomb.absence().isGivenUp() || leaves(inode, honeycomb);
    }

    private boolean leaves(Inode inode, Honeycomb honeycomb) {
        return mustLeave(inode, honeycomb) || staysOld(inode, honeycomb);
    }

    private boolean mustLeave(Inode inode, Honeycomb honeycomb) {
        return honeycomb.isDraining()
                || forRoom.has(honeycomb, inode.number())
                || forWishes.has(honeycomb, inode.number())
                || unreached.keepsApart(honeycomb, inode);
    }

    /**
     * Whether a secondary's disk does not take the file's next version. After a while it is tried again, but not while
     * the file is copied elsewhere instead, which may take longer.
     */
    private boolean staysOld(Inode inode, Honeycomb honeycomb) {
        return refusedVersions.has(honeycomb, inode.number())
                && inode.secondaries().has(honeycomb.number())
                && (inode.dirty() || !inode.secondaries().isCurrent(honeycomb.number()))
                && (refusedVersions.hasLately(honeycomb, inode.number()) || hasOthersInstead(inode));
    }

    private boolean hasOthersInstead(Inode inode) {
        long others = inode.secondaries()
                .proper()
                .mapToObj(honeycombs::numbered)
                .filter(other -> takesItsPlace(inode, other))
                .count();
        return others + 1 >= settings.replicas(inode);
    }

    private boolean takesItsPlace(Inode inode, Honeycomb other) {
        return !refusedVersions.has(other, inode.number())
                && !mustLeave(inode, other)
                && !other.absence().isGivenUp()
                && (other.isConnected() || inode.secondaries().isCurrent(other.number()));
    }

    private List<Honeycomb> secondaries(Inode inode) {
        return inode.secondaries().honeycombs().mapToObj(honeycombs::numbered).toList();
    }
}
