package org.beefs.queenbee.operations.session;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryDifferences;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.queenbee.hive.ConflictCopy;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.inventory.InventoryComparison;
import org.beefs.queenbee.hive.inventory.InventoryProgress;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.session.Session;

/**
 * Compares what a honeycomb holds with what it should hold. Only replicas of files that this hive has made and removed
 * are removed. A replica that it does not know may be the only copy of something that it has lost.
 */
public final class InventoryOperation implements Operation {
    private final QueenState state;

    public InventoryOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Inventory inventory = request.body().getInventory();
        if (inventory.getReplicasCount() > ProtocolBounds.INVENTORY_REPLICAS
                || inventory.getRangesCount() > ProtocolBounds.INVENTORY_RANGES) {
            throw new PosixException(
                    Errno.E2BIG,
                    "a page of an inventory has at most %d replicas, and its digest at most %d ranges"
                            .formatted(ProtocolBounds.INVENTORY_REPLICAS, ProtocolBounds.INVENTORY_RANGES));
        }
        Honeycomb honeycomb = state.honeycombs()
                .servedBy(request.session())
                .orElseThrow(() -> new PosixException(Errno.EINVAL, "the session has no honeycomb"));
        if (inventory.getRangesCount() > 0) {
            compare(honeycomb, request, reply);
        } else {
            look(inventory, honeycomb, reply);
        }
    }

    /** Compares digests; answered when the whole namespace has been gone through. */
    private void compare(Honeycomb honeycomb, Request request, QueenReply.Builder reply) {
        InventoryDifferences.Builder differences = reply.getInventoryDifferencesBuilder();
        if (state.isReadOnly()) {
            return; // it is told again to the queen-bee that may do something about it
        }
        InventoryComparison comparison = state.inventories()
                .take(honeycomb.number(), request.connection(), request.body().getInventory());
        if (comparison == null) {
            throw new ParkedException(Wait.Occasion.COMPARED, "an inventory is being compared");
        }
        differences.addAllRanges(comparison.differing());
        honeycomb.inventory().summary().agreed(comparison.agreed());
        honeycomb.inventory().expect(comparison.unlisted());
    }

    private void look(Inventory inventory, Honeycomb honeycomb, QueenReply.Builder reply) {
        ReplicaNames.Builder drop = ReplicaNames.newBuilder();
        if (state.isReadOnly()) {
            reply.setDrop(drop); // it is told again to the queen-bee that may do something about it
            return;
        }
        InventoryProgress progress = honeycomb.inventory();
        Set<Long> unnamed = honeycomb.errandQueue().conflicts().copies();
        for (ReplicaName replica : inventory.getReplicasList()) {
            progress.summary().seen();
            progress.unlisted().listed(replica.getInode());
            if (unnamed.contains(replica.getInode())
                    || honeycomb.errandQueue().conflicts().has(replica.getInode())) {
                continue; // it gets its name when the honeycomb's answer has come
            }
            take(listed(replica, honeycomb), drop);
        }
        if (inventory.getReplicasCount() == 0) {
            List<ReplicaName> missing = missing(honeycomb);
            progress.summary().missing(missing.size());
            state.replication().healing().missing(honeycomb, missing);
            progress.complete(honeycomb.desktop(), state.clock().now());
            state.replication().inventoried(honeycomb);
            state.replication().promotion().lookAgain(); // for those who wait for that
        }
        reply.setDrop(drop);
    }

    /**
     * What the honeycomb does not have, though it had told that, or had the primary. It has told its inventory after it
     * had connected: what has become of a file since may have come or gone there after that look.
     */
    private List<ReplicaName> missing(Honeycomb honeycomb) {
        return honeycomb
                .inventory()
                .unlisted()
                .inodes()
                .mapToObj(state.namespace()::find)
                .filter(Objects::nonNull)
                .filter(inode -> inode.changed() <= honeycomb.inventory().since() && mustBeIn(honeycomb, inode))
                .map(inode -> inode.replicaName().setVersion(inode.version()).build())
                .toList();
    }

    private static boolean mustBeIn(Honeycomb honeycomb, Inode inode) {
        if (inode.honeycomb() != honeycomb.number()) {
            return inode.secondaries().has(honeycomb.number()) && inode.versionIn(honeycomb.number()) != 0;
        }
        return inode.isRegular() && inode.version() != 0 && !inode.dirty();
    }

    private ListedReplica listed(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = state.namespace().find(replica.getInode());
        boolean wasIssued = inode != null
                || honeycomb.errandQueue().drops().has(replica.getInode()) // a recovery has found that it is gone
                || state.numbering()
                        .hasIssued(replica.getInode(), state.namespace().highestOwn());
        return new ListedReplica(replica, inode, wasIssued, honeycomb);
    }

    private void take(ListedReplica listed, ReplicaNames.Builder drop) {
        InventoryProgress progress = listed.honeycomb().inventory();
        switch (listed.judge()) {
            case OF_REMOVED_FILE -> {
                drop.addReplicas(listed.name());
                progress.summary().removed();
            }
            case SUPERFLUOUS -> dropOrKeep(listed, file(listed), drop);
            case SECONDARY -> takeSecondary(listed, file(listed));
            case LATER -> takeLater(listed, file(listed));
            case IN_CONFLICT -> keepAsConflictCopy(listed, file(listed));
            case UNKNOWN -> progress.unknown().add(listed.name());
            case OLDER -> progress.summary().older();
            case UNEXPECTED -> {
                progress.summary().unnoticed();
                state.leftFiles().suspect(file(listed));
            }
            case EXPECTED -> {}
        }
    }

    private static Inode file(ListedReplica listed) {
        return Objects.requireNonNull(listed.inode(), "only what is unknown or removed has no file");
    }

    /**
     * It goes with the primary there and sound only: with that away it may be what is left, unless it is going already.
     * Nor does it go while the file lacks just that: what was made elsewhere instead, and is not current yet, goes
     * then.
     */
    private void dropOrKeep(ListedReplica listed, Inode inode, ReplicaNames.Builder drop) {
        Honeycomb honeycomb = listed.honeycomb();
        boolean lacking = isLacking(inode, listed);
        boolean used = isUsedThere(inode, listed);
        if (state.honeycombs().of(inode).isSound(inode.number()) && !lacking && !used) {
            // By the file's epoch: a former primary that was changed since it was listed stays then.
            drop.addReplicas(listed.name().toBuilder().setEpoch(inode.epoch()));
            // Its catalog may have a record of the file, and has to forget it.
            state.honeycombs().errandQueues().drop(inode, honeycomb);
            honeycomb.inventory().summary().removed();
        } else if (!honeycomb.errandQueue().drops().mayHaveGone(inode.number())) {
            state.honeycombs().errandQueues().keep(honeycomb, inode.number());
            state.mutator().apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), listed.held()));
            if (used) {
                keepForReaders(inode, honeycomb, lacking);
            }
            state.replication().upkeep().changed(inode);
        }
    }

    /** Whether programs there may still be reading it in passthrough, as the file that it is. */
    private boolean isUsedThere(Inode inode, ListedReplica listed) {
        Session session = listed.honeycomb().session();
        return session != null
                && listed.isFormerPrimary(inode)
                && listed.held() == inode.version()
                && !inode.dirty()
                && state.opens().isOpenBy(session, inode);
    }

    /** Keeps the replica as an extra one, or as a proper one if the file lacks one. */
    private void keepForReaders(Inode inode, Honeycomb honeycomb, boolean lacking) {
        if (!lacking) {
            state.mutator().apply(new Mutation.MarkExtra(inode.number(), honeycomb.number(), true));
        }
        state.replication().promotion().bringBack(inode, honeycomb);
    }

    private boolean isLacking(Inode inode, ListedReplica listed) {
        return listed.held() == inode.version() && state.replication().sets().lacksCurrent(inode);
    }

    /** It may hold another version than is known, if a power failure took the end of the state. */
    private void takeSecondary(ListedReplica listed, Inode inode) {
        Honeycomb honeycomb = listed.honeycomb();
        if (inode.versionIn(honeycomb.number()) != listed.held()) {
            honeycomb.inventory().summary().unnoticed();
            state.replication().foundReplica(inode, honeycomb);
            state.mutator().apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), listed.held()));
        }
    }

    /** It is replaced by the file's version; the number of what it holds is used for nothing else. */
    private void takeLater(ListedReplica listed, Inode inode) {
        Honeycomb honeycomb = listed.honeycomb();
        honeycomb.inventory().summary().unnoticed();
        if (inode.versionIn(honeycomb.number()) != 0) {
            state.mutator().apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), 0));
        }
        state.replication().upkeep().changed(inode);
    }

    private void keepAsConflictCopy(ListedReplica listed, Inode inode) {
        listed.honeycomb().inventory().summary().conflict();
        state.honeycombs()
                .errandQueues()
                .adopt(
                        listed.honeycomb(),
                        ConflictCopy.reserve(listed.name(), inode, state.namespace(), state.numbering()));
    }
}
