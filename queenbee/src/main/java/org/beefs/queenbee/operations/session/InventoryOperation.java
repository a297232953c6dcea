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
import org.beefs.queenbee.hive.InventoryComparison;
import org.beefs.queenbee.hive.InventoryReport;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a honeycomb holds with what it should hold. Removed is only what belongs to a file that this hive has
 * made and removed. What it does not know may be the only copy of something that it has lost.
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

    /** Answered when the whole namespace has been gone through. */
    private void compare(Honeycomb honeycomb, Request request, QueenReply.Builder reply) {
        InventoryDifferences.Builder differences = reply.getInventoryDifferencesBuilder();
        if (state.isReadOnly()) {
            return; // it is told again to the queen-bee that may do something about it
        }
        InventoryComparison comparison = state.inventories()
                .take(honeycomb, request.connection(), request.body().getInventory());
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
        InventoryReport report = honeycomb.inventory();
        Set<Long> unnamed = honeycomb.conflicts().copies();
        for (ReplicaName replica : inventory.getReplicasList()) {
            report.summary().seen();
            report.unlisted().listed(replica.getInode());
            if (unnamed.contains(replica.getInode()) || honeycomb.conflicts().has(replica.getInode())) {
                continue; // it gets its name when the honeycomb's answer has come
            }
            if (isOfRemovedFile(replica)) {
                drop.addReplicas(replica);
                report.summary().removed();
            } else if (isSuperfluous(replica, honeycomb)) {
                dropOrKeep(replica, honeycomb, drop);
            } else if (isSecondary(replica, honeycomb)) {
                take(replica, honeycomb);
            } else if (isInConflict(replica)) {
                keepAsConflictCopy(replica, honeycomb);
            } else if (!belongs(replica, honeycomb)) {
                report.unknown().add(replica);
            } else if (isOlder(replica)) {
                report.summary().older();
            } else if (isUnexpected(replica)) {
                report.summary().unnoticed();
                state.contents().suspect(new Resolver(state.namespace()).existing(replica.getInode()));
            }
        }
        if (inventory.getReplicasCount() == 0) {
            List<ReplicaName> missing = missing(honeycomb);
            report.summary().missing(missing.size());
            state.replication().healing().missing(honeycomb, missing);
            report.complete(honeycomb.desktop(), state.clock().now());
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
                .map(inode -> ReplicaName.newBuilder()
                        .setInode(inode.number())
                        .setGeneration(inode.generation())
                        .setEpoch(inode.epoch())
                        .setVersion(inode.version())
                        .build())
                .toList();
    }

    private static boolean mustBeIn(Honeycomb honeycomb, Inode inode) {
        if (inode.honeycomb() != honeycomb.number()) {
            return inode.secondaries().has(honeycomb.number()) && inode.versionIn(honeycomb.number()) != 0;
        }
        return inode.isRegular() && inode.version() != 0 && !inode.dirty() && !inode.unsealed();
    }

    private boolean isOfRemovedFile(ReplicaName replica) {
        return state.namespace().find(replica.getInode()) == null
                && state.numbering()
                        .hasIssued(replica.getInode(), state.namespace().highestIssued());
    }

    /**
     * Whether the file has gone on without this replica, which was changed since it was last known. Every move raises
     * the epoch, so another place at the same epoch is another file of that number, from a lost state.
     */
    private boolean isInConflict(ReplicaName replica) {
        Inode inode = state.namespace().find(replica.getInode());
        return inode != null
                && inode.isRegular()
                && replica.getVersion() == 0
                && replica.getEpoch() != 0
                && inode.generation() == replica.getGeneration()
                && Long.compareUnsigned(replica.getEpoch(), inode.epoch()) < 0;
    }

    /**
     * Whether it is a secondary that the file does not have there, of a version that it has or had: it was chosen, and
     * a power failure took the end of the state; or the file has enough by now. A later version or epoch is of a state
     * that is lost.
     */
    private boolean isSuperfluous(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = secondaryOf(replica);
        return inode != null
                && inode.honeycomb() != honeycomb.number()
                && !inode.secondaries().has(honeycomb.number())
                && replica.getVersion() <= inode.version()
                && Long.compareUnsigned(replica.getEpoch(), inode.epoch()) <= 0;
    }

    /**
     * It goes with the primary there and sound only: with that away it may be what is left, unless it is going already.
     * Nor does it go while the file lacks just that: what was made elsewhere instead, and is not current yet, goes
     * then.
     */
    private void dropOrKeep(ReplicaName replica, Honeycomb honeycomb, ReplicaNames.Builder drop) {
        Inode inode = new Resolver(state.namespace()).existing(replica.getInode());
        boolean lacking = isLacking(inode, replica);
        boolean used = isUsedThere(inode, replica, honeycomb);
        if (state.honeycombs().of(inode).isSound(inode.number()) && !lacking && !used) {
            // By the file's epoch: a former primary that was changed since it was listed stays then.
            drop.addReplicas(replica.toBuilder().setEpoch(inode.epoch()));
            honeycomb.inventory().summary().removed();
        } else if (!honeycomb.drops().mayHaveGone(inode.number())) {
            state.honeycombs().keep(honeycomb, inode.number());
            state.mutator().apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), held(replica)));
            if (used) {
                keepForReaders(inode, honeycomb, lacking);
            }
            state.replication().changed(inode);
        }
    }

    /** Whether programs there may be reading it past their daemon still, as the file that it is. */
    private boolean isUsedThere(Inode inode, ReplicaName replica, Honeycomb honeycomb) {
        Session session = honeycomb.session();
        return session != null
                && isFormerPrimary(replica, inode)
                && held(replica) == inode.version()
                && !inode.dirty()
                && state.contents().isOpenBy(session, inode);
    }

    /** As one beyond those that the file should have, unless it lacks one, so that it is not the one that goes. */
    private void keepForReaders(Inode inode, Honeycomb honeycomb, boolean lacking) {
        if (!lacking) {
            state.mutator().apply(new Mutation.MarkExtra(inode.number(), honeycomb.number(), true));
        }
        state.replication().promotion().bringBack(inode, honeycomb);
    }

    private boolean isLacking(Inode inode, ReplicaName replica) {
        return held(replica) == inode.version() && state.replication().sets().lacksCurrent(inode);
    }

    /** What is rotten counts as nothing. */
    private static long held(ReplicaName replica) {
        return replica.getRotten() ? 0 : replica.getVersion();
    }

    private boolean isSecondary(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = secondaryOf(replica);
        return inode != null
                && inode.secondaries().has(honeycomb.number())
                && replica.getVersion() <= inode.version()
                && Long.compareUnsigned(replica.getEpoch(), inode.epoch()) <= 0;
    }

    /** The former primary is as good as a secondary of the version that it carries. */
    private @Nullable Inode secondaryOf(ReplicaName replica) {
        Inode inode = state.namespace().find(replica.getInode());
        boolean fits = inode != null
                && inode.isRegular()
                && (replica.getSecondary() || isFormerPrimary(replica, inode))
                && inode.generation() == replica.getGeneration();
        return fits ? inode : null;
    }

    private static boolean isFormerPrimary(ReplicaName replica, Inode inode) {
        return replica.getVersion() != 0 && Long.compareUnsigned(replica.getEpoch(), inode.epoch()) < 0;
    }

    /** It may hold another version than is known, if a power failure took the end of the state. */
    private void take(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = new Resolver(state.namespace()).existing(replica.getInode());
        if (inode.versionIn(honeycomb.number()) != held(replica)) {
            honeycomb.inventory().summary().unnoticed();
            state.replication().foundReplica(inode, honeycomb);
            state.mutator().apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), held(replica)));
        }
    }

    private void keepAsConflictCopy(ReplicaName replica, Honeycomb honeycomb) {
        honeycomb.inventory().summary().conflict();
        Inode inode = new Resolver(state.namespace()).existing(replica.getInode());
        state.honeycombs().adopt(honeycomb, ConflictCopy.reserve(replica, inode, state.namespace(), state.numbering()));
    }

    /**
     * Whether the primary replica says that it is an earlier version than the file has on disk there: no program has
     * written it, it was put back. It must not become the next version.
     */
    private boolean isOlder(ReplicaName replica) {
        Inode inode = state.namespace().find(replica.getInode());
        return inode != null
                && !inode.dirty()
                && !inode.unsealed()
                && replica.getVersion() != 0
                && replica.getVersion() < inode.version();
    }

    /**
     * Whether a file that nobody writes has another content than is known, because that was lost with the queen-bee's
     * power or disk.
     */
    private boolean isUnexpected(ReplicaName replica) {
        Inode inode = state.namespace().find(replica.getInode());
        return inode != null && !inode.dirty() && !inode.unsealed() && replica.getVersion() != inode.version();
    }

    private boolean belongs(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = state.namespace().find(replica.getInode());
        return inode != null
                && inode.isRegular()
                && inode.honeycomb() == honeycomb.number()
                && inode.generation() == replica.getGeneration();
    }
}
