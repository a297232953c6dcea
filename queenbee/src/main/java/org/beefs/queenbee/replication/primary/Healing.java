package org.beefs.queenbee.replication.primary;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ScrubReport;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.UnsoundReplicas;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has rotten replicas replaced by current ones, and missing ones. Honeycombs tell with their heartbeats what is rotten
 * there, all of it again and again, so each is looked at until it is replaced. A secondary holds nothing from now on,
 * and is fetched again; a primary becomes such a secondary, when a current one can take its place. Nothing is removed:
 * without another current replica it stays as it is. Belongs to the namespace thread.
 */
public final class Healing {
    private static final Logger LOG = LoggerFactory.getLogger(Healing.class);

    /** Missing replicas of one honeycomb that are looked at in a pass. */
    private static final int MOST_MISSING = 4096;

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Mutator mutator;
    private final Promotion promotion;
    private final Consumer<Inode> changed;

    /**
     * Primaries that honeycombs do not have, by the inventories that they have told last; each until its file has
     * another one.
     */
    private final Map<Honeycomb, Queue<ReplicaName>> missing = new HashMap<>();

    /** @param changed hears of files that have a secondary now which is to be fetched */
    public Healing(
            Namespace namespace, Honeycombs honeycombs, Mutator mutator, Promotion promotion, Consumer<Inode> changed) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.mutator = mutator;
        this.promotion = promotion;
        this.changed = changed;
    }

    /** A honeycomb reports its rotten replicas: all there are among those that the report is about. */
    public void reported(Honeycomb honeycomb, ScrubReport report) {
        Map<Long, String> left = new LinkedHashMap<>();
        List<ReplicaName> rotten = report.getRottenList().stream()
                .filter(replica -> namespace.find(replica.getInode()) != null)
                .toList();
        honeycomb
                .unsound()
                .report(report, rotten.stream().map(ReplicaName::getInode).toList());
        for (ReplicaName replica : rotten) {
            heal(replica, honeycomb).ifPresent(why -> left.put(replica.getInode(), why));
        }
        tell(honeycomb, report, left);
    }

    /** A complete inventory shows that these replicas are missing in the honeycomb, and no others. */
    public void missing(Honeycomb honeycomb, List<ReplicaName> replicas) {
        honeycomb.unsound().forgetMissing();
        missing.put(honeycomb, new ArrayDeque<>(replicas));
        look(honeycomb, missing.get(honeycomb));
    }

    /** Called now and then. Who has connected anew tells anew what he has. */
    public void tick() {
        missing.keySet()
                .removeIf(honeycomb ->
                        !honeycomb.isConnected() || !honeycomb.inventory().isComplete());
        missing.forEach(this::look);
        missing.values().removeIf(Queue::isEmpty);
    }

    /** Looks at some, so that it takes no longer than a pass may. */
    private void look(Honeycomb honeycomb, Queue<ReplicaName> replicas) {
        for (int left = Math.min(replicas.size(), MOST_MISSING); left > 0; left--) {
            ReplicaName replica = replicas.remove();
            Optional<String> why = replaceMissing(replica, honeycomb);
            why.ifPresent(_ -> replicas.add(replica));
            boolean isNews = honeycomb.unsound().setMissing(replica.getInode(), why.orElse(null));
            if (isNews && why.filter(UnsoundReplicas.ALONE::equals).isPresent()) {
                LOG.error(
                        "the primary replica of inode {} is missing on {}: {}",
                        replica.getInode(),
                        honeycomb.desktop(),
                        UnsoundReplicas.ALONE);
            }
        }
    }

    /**
     * A honeycomb cannot make a replica there the primary, or seal a version, as it should: its disk takes nothing any
     * more, or the replica is gone. Another current one becomes the primary. If the file is moving, nobody reads or
     * writes there before that is confirmed: who only reads, or waits for it, goes on elsewhere, and only who has it
     * open for writing stands against another move. A desktop that came back may have told meanwhile that it has; it
     * could write nothing.
     */
    public void refused(Inode inode, Honeycomb honeycomb) {
        if (inode.honeycomb() != honeycomb.number()) {
            return;
        }
        if (inode.moving()) {
            replacePrimary(
                    inode, honeycomb, _ -> true, () -> promotion.openFiles().mayBeWritten(inode));
        } else if (inode.unsealed() && !inode.dirty()) {
            replacePrimary(inode, honeycomb, _ -> true, () -> isOpen(inode, () -> refused(inode.number(), honeycomb)));
        }
    }

    private void refused(long number, Honeycomb honeycomb) {
        Inode inode = namespace.find(number);
        if (inode != null) {
            refused(inode, honeycomb);
        }
    }

    /**
     * Replaces a missing primary. Whoever opens it to write fails, and changes nothing: so neither an open, nor that
     * the file waits to be sealed again then, stands against a move. After a loss of power several honeycombs may lack
     * it, so it goes only where it was listed.
     */
    private Optional<String> replaceMissing(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = namespace.find(replica.getInode());
        boolean counts = inode != null
                && isOf(replica, inode)
                && honeycomb.isConnected()
                && inode.epoch() == replica.getEpoch()
                && inode.version() == replica.getVersion();
        if (inode == null || !counts) {
            return Optional.empty();
        }
        if (inode.honeycomb() != honeycomb.number()) {
            if (inode.secondaries().has(honeycomb.number())) {
                beginAnew(inode, honeycomb);
            }
            return Optional.empty();
        }
        return inode.dirty()
                ? Optional.of(UnsoundReplicas.IN_USE)
                : replacePrimary(
                        inode,
                        honeycomb,
                        place -> place.inventory().isComplete(),
                        () -> isOpen(inode, () -> replaceMissing(replica, honeycomb)));
    }

    private static boolean isOf(ReplicaName replica, Inode inode) {
        return inode.isRegular() && inode.generation() == replica.getGeneration() && replica.getVersion() != 0;
    }

    /**
     * Heals a replica. The answer is what is in the way, for people; empty when it is being healed, or there is nothing
     * to heal: the file is gone, has moved or another version, or is written or not sealed yet.
     */
    private Optional<String> heal(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = namespace.find(replica.getInode());
        if (inode == null || !isOf(replica, inode)) {
            return Optional.empty();
        }
        if (inode.honeycomb() == honeycomb.number()) {
            return healPrimary(replica, inode, honeycomb);
        }
        boolean counts = inode.secondaries().has(honeycomb.number())
                && inode.versionIn(honeycomb.number()) == replica.getVersion();
        return counts ? healSecondary(inode, honeycomb) : Optional.empty();
    }

    private Optional<String> healPrimary(ReplicaName replica, Inode inode, Honeycomb honeycomb) {
        boolean counts = inode.version() == replica.getVersion() && !inode.dirty() && !inode.unsealed();
        return counts
                ? replacePrimary(inode, honeycomb, _ -> true, () -> isOpen(inode, () -> heal(replica, honeycomb)))
                : Optional.empty();
    }

    /**
     * Has a current secondary take the place of a primary; of a dirty one only if nothing was written to it.
     *
     * @param heirs honeycombs that may get the primary
     * @param inUse whether somebody uses the file so that its primary must stay
     */
    private Optional<String> replacePrimary(
            Inode inode, Honeycomb honeycomb, Predicate<Honeycomb> heirs, BooleanSupplier inUse) {
        Optional<Honeycomb> heir = Heirs.current(
                inode,
                inode.secondaries().current().mapToObj(honeycombs::numbered).filter(heirs));
        if (heir.isEmpty()) {
            return Optional.of(UnsoundReplicas.ALONE);
        } else if (inUse.getAsBoolean()
                || (inode.dirty() && !promotion.openFiles().giveUp(inode))) {
            return Optional.of(UnsoundReplicas.IN_USE);
        }
        LOG.warn(
                "the primary replica of inode {} on {} is rotten, missing, or cannot be changed; that on {} takes its place",
                inode.number(),
                honeycomb.desktop(),
                heir.get().desktop());
        promotion.replaceUnsound(inode, heir.get());
        beginAnew(inode, honeycomb);
        return Optional.empty();
    }

    /** @param again to be done when the primary's desktop has told whether it has the file open */
    private boolean isOpen(Inode inode, Runnable again) {
        return !promotion.openFiles().isCertainlyClosed(inode, again);
    }

    private Optional<String> healSecondary(Inode inode, Honeycomb honeycomb) {
        boolean others = honeycombs.of(inode).isSound(inode.number())
                || inode.secondaries()
                        .current()
                        .mapToObj(honeycombs::numbered)
                        .anyMatch(other -> other.isSound(inode.number()));
        if (!others) {
            return Optional.of(UnsoundReplicas.ALONE);
        }
        LOG.warn(
                "a secondary replica of inode {} on {} is rotten; it is fetched again",
                inode.number(),
                honeycomb.desktop());
        beginAnew(inode, honeycomb);
        return Optional.empty();
    }

    /** Makes a secondary count as empty; its file stays until another one has come. */
    private void beginAnew(Inode inode, Honeycomb honeycomb) {
        honeycombs.errandQueues().keep(honeycomb, inode.number());
        mutator.apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), 0));
        changed.accept(inode);
    }

    private static void tell(Honeycomb honeycomb, ScrubReport report, Map<Long, String> left) {
        Map<Long, String> before = honeycomb.unsound().unhealed();
        left.forEach((inode, why) -> {
            if (!why.equals(before.get(inode))) {
                LOG.error(
                        "the replica of inode {} on {} is rotten, and is kept as it is: {}",
                        inode,
                        honeycomb.desktop(),
                        why);
            }
        });
        honeycomb.unsound().setUnhealed(report, left);
    }
}
