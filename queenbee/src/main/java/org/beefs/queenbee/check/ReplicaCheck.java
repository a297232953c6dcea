package org.beefs.queenbee.check;

import java.util.List;
import org.beefs.common.wire.ContentVerdict;
import org.beefs.common.wire.Remedy;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.replication.Replication;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a honeycomb says of a replica with what the queen-bee knows. Belongs to the namespace thread.
 *
 * <p>Both move on while the answer travels. But when a replica goes, the queen-bee changes first, and when one comes,
 * the honeycomb does. So a fault is real if the file did not change during the look, as its stamp shows.
 */
final class ReplicaCheck {
    /** The stamp of an inode that does not exist, which it will not do again. */
    private static final long GONE = -1;

    private final Namespace namespace;
    private final Numbering numbering;
    private final Honeycombs honeycombs;
    private final LeftFiles leftFiles;
    private final Mutator mutator;
    private final Replication replication;

    ReplicaCheck(
            Namespace namespace,
            Numbering numbering,
            Honeycombs honeycombs,
            LeftFiles leftFiles,
            Mutator mutator,
            Replication replication) {
        this.namespace = namespace;
        this.numbering = numbering;
        this.honeycombs = honeycombs;
        this.leftFiles = leftFiles;
        this.mutator = mutator;
        this.replication = replication;
    }

    /** Something wrong with a replica; {@code repair} is null when nothing can be done without a person. */
    private record Problem(
            Damage damage, String sentence, @Nullable Runnable repair) {}

    /** As {@link #judge}, but leaves a replica alone that its file has there. */
    long judgeStray(ReplicaLook look, Honeycomb honeycomb, Findings findings) {
        Inode inode = namespace.find(look.getReplica().getInode());
        return inode != null && isHolder(look, inode, honeycomb) ? 0 : judge(look, honeycomb, findings);
    }

    /**
     * Judges a replica. The answer is the stamp under which it is to be looked at again before a fault is believed; 0
     * when it need not be.
     */
    long judge(ReplicaLook look, Honeycomb honeycomb, Findings findings) {
        Inode inode = namespace.find(look.getReplica().getInode());
        if (look.getCatalogDiffers() && look.getStamp() == 0) {
            findings.add(
                    Damage.CATALOG,
                    inode,
                    honeycomb.desktop(),
                    "The honeycomb's catalog says something else of replica %x than its folder"
                            .formatted(look.getReplica().getInode()),
                    look.getCatalogRepaired() ? Remedy.REMEDY_DONE : Remedy.REMEDY_POSSIBLE);
        }
        Problem problem = problem(look, inode, honeycomb);
        if (problem == null) {
            return 0;
        }
        long stamp = inode == null ? GONE : inode.changed();
        if (look.getStamp() != stamp) {
            return stamp;
        }
        if (problem.repair == null) {
            findings.add(problem.damage, inode, honeycomb.desktop(), problem.sentence);
        } else {
            findings.add(problem.damage, inode, honeycomb.desktop(), problem.sentence, problem.repair);
        }
        return 0;
    }

    private @Nullable Problem problem(ReplicaLook look, @Nullable Inode inode, Honeycomb honeycomb) {
        boolean isThere = look.getStatus().getExists() || look.hasFailure();
        if (honeycomb.errandQueue().drops().has(look.getReplica().getInode())) {
            return null;
        }
        if (inode == null || !isHolder(look, inode, honeycomb)) {
            return isThere ? stray(look, inode, honeycomb) : null;
        }
        if (!FileCheck.mustHold(inode, honeycomb)) {
            return null;
        }
        return inode.honeycomb() == honeycomb.number()
                ? primary(look, inode, honeycomb)
                : secondary(look, inode, honeycomb);
    }

    private static boolean isHolder(ReplicaLook look, Inode inode, Honeycomb honeycomb) {
        return inode.isRegular()
                && inode.generation() == look.getReplica().getGeneration()
                && inode.isIn(honeycomb.number());
    }

    /** A replica that no file says to have there. */
    private @Nullable Problem stray(ReplicaLook look, @Nullable Inode inode, Honeycomb honeycomb) {
        long number = look.getReplica().getInode();
        if (honeycomb.errandQueue().conflicts().has(number)
                || honeycomb.errandQueue().conflicts().copies().contains(number)) {
            return null; // it is about to become the content of another file
        }
        if (inode == null && numbering.hasIssued(number, namespace.highestOwn())) {
            return new Problem(
                    Damage.LEFTOVER,
                    "Replica %x belongs to a file that was removed".formatted(number),
                    () -> honeycombs.errandQueues().drop(name(look), honeycomb));
        }
        if (inode != null && isEarlier(look, inode)) {
            return new Problem(
                    Damage.SUPERFLUOUS,
                    "It has an earlier version there that it knows nothing of",
                    () -> honeycombs.errandQueues().drop(name(look), honeycomb));
        }
        if (inode != null && isCurrent(look, inode)) {
            return new Problem(
                    Damage.SUPERFLUOUS,
                    "It has a current replica there that it knows nothing of; it is taken in",
                    () -> mutator.apply(
                            new Mutation.SetSecondary(inode.number(), honeycomb.number(), inode.version())));
        }
        return new Problem(
                Damage.UNKNOWN,
                "Replica %x belongs to no file of this hive as it is; it is kept, because it may be all that is left of one"
                        .formatted(number),
                null);
    }

    private static boolean isEarlier(ReplicaLook look, Inode inode) {
        long version = look.getStatus().getVersion();
        return look.getSecondary() && inode.isRegular() && version != 0 && version < inode.version();
    }

    private static boolean isCurrent(ReplicaLook look, Inode inode) {
        return look.getSecondary()
                && inode.isRegular()
                && !inode.dirty()
                && look.getStatus().getVersion() == inode.version()
                && look.getStatus().getSize() == inode.size()
                && look.getEpoch() == inode.epoch();
    }

    private @Nullable Problem primary(ReplicaLook look, Inode inode, Honeycomb honeycomb) {
        String others = inode.dirty() ? "" : others(inode, honeycomb);
        if (look.hasFailure() || look.getContent() == ContentVerdict.CONTENT_UNREADABLE) {
            return new Problem(Damage.UNREADABLE, "Its primary replica cannot be read" + why(look) + others, null);
        }
        if (!look.getStatus().getExists()) {
            return new Problem(Damage.MISSING, "Its primary replica is not in the honeycomb's folder" + others, null);
        }
        boolean isMoving = inode.moving(); // then it says so only when its honeycomb has made it the primary
        if (!isMoving && (look.getEpoch() != inode.epoch() || look.getSecondary())) {
            return new Problem(
                    Damage.IDENTITY,
                    "Its primary replica says that it is %s of epoch %d, and must be the primary of epoch %d%s"
                            .formatted(
                                    look.getSecondary() ? "a secondary" : "the primary",
                                    look.getEpoch(),
                                    inode.epoch(),
                                    others),
                    null);
        }
        return inode.dirty() ? null : content(look, inode, others);
    }

    /**
     * What is wrong with the content of a clean file's primary. A writer in the hive takes the version off the replica
     * first: a replica that still has one was not written in the hive.
     */
    private @Nullable Problem content(ReplicaLook look, Inode inode, String others) {
        boolean marked = look.getStatus().getVersion() != 0;
        boolean same = look.getStatus().getSize() == inode.size()
                && PackedTime.of(look.getStatus().getMtime()) == inode.committedMtime();
        boolean older = marked && look.getStatus().getVersion() < inode.version() && !inode.unsealed();
        if (marked && (older || (look.getStatus().getVersion() == inode.version() && !same))) {
            return new Problem(
                    Damage.ALTERED,
                    "Its primary replica was changed behind the hive's back, or its disk has lost something: it has %d bytes where version %d has %d%s"
                            .formatted(look.getStatus().getSize(), inode.version(), inode.size(), others),
                    null);
        }
        boolean unmarked = !inode.unsealed() && look.getStatus().getVersion() != inode.version();
        if (unmarked || !same) {
            return new Problem(
                    Damage.UNNOTICED,
                    "Its content was written without the queen-bee's knowledge; what the honeycomb has becomes its next version",
                    () -> leftFiles.suspect(inode));
        }
        return differing(look, others, null);
    }

    private @Nullable Problem secondary(ReplicaLook look, Inode inode, Honeycomb honeycomb) {
        long believed = inode.versionIn(honeycomb.number());
        Runnable replace = () -> replace(inode, honeycomb);
        if (look.hasFailure() || look.getContent() == ContentVerdict.CONTENT_UNREADABLE) {
            boolean alone = !isElsewhere(inode, honeycomb);
            return new Problem(
                    Damage.UNREADABLE,
                    "A secondary replica cannot be read" + why(look)
                            + (alone
                                    ? "; it is kept, because no other current one can be reached"
                                    : "; it is made anew"),
                    alone ? null : replace);
        }
        if (!look.getStatus().getExists()) {
            return new Problem(
                    Damage.MISSING, "A secondary replica is not in the honeycomb's folder; it is made anew", replace);
        }
        if (look.getStatus().getVersion() < believed) {
            return new Problem(
                    Damage.OUTDATED,
                    "A secondary replica is version %d, where version %d should be; it is brought up to date"
                            .formatted(look.getStatus().getVersion(), believed),
                    () -> outdated(inode, honeycomb, look.getStatus().getVersion()));
        }
        boolean current = look.getStatus().getVersion() == inode.version() && !inode.dirty();
        if (current && look.getStatus().getSize() != inode.size()) {
            return new Problem(
                    Damage.ALTERED,
                    "A secondary replica of version %d has %d bytes instead of %d; it is made anew"
                            .formatted(inode.version(), look.getStatus().getSize(), inode.size()),
                    replace);
        }
        return current ? differing(look, "", replace) : null;
    }

    /** Whether another replica has the newest version, and can be reached. */
    private boolean isElsewhere(Inode inode, Honeycomb except) {
        return honeycombs.of(inode).isConnected()
                || inode.secondaries()
                        .current()
                        .mapToObj(honeycombs::numbered)
                        .anyMatch(honeycomb -> honeycomb != except && honeycomb.isConnected());
    }

    private static @Nullable Problem differing(ReplicaLook look, String others, @Nullable Runnable replace) {
        return switch (look.getContent()) {
            case CONTENT_ODD ->
                new Problem(
                        Damage.CONTENT,
                        "Most replicas of its version have another content than this one" + others,
                        replace);
            case CONTENT_UNDECIDED ->
                new Problem(
                        Damage.CONTENT,
                        "Replicas of one version have different contents, and nothing tells which is right; look at both, and write the right one again",
                        null);
            case CONTENT_FINE, CONTENT_UNREADABLE, UNRECOGNIZED -> null;
        };
    }

    private void outdated(Inode inode, Honeycomb honeycomb, long version) {
        mutator.apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), version));
        replication.upkeep().changed(inode);
    }

    /**
     * Removes a replica, which others must not read any more. Another one is made: elsewhere at once, or there when
     * this one is gone for certain.
     */
    private void replace(Inode inode, Honeycomb honeycomb) {
        replication.sets().remove(inode, honeycomb);
        replication.upkeep().changed(inode);
    }

    /** Where the content still is, for who has to decide about a broken primary. */
    private String others(Inode inode, Honeycomb except) {
        List<String> desktops = inode.secondaries()
                .current()
                .mapToObj(honeycombs::numbered)
                .filter(honeycomb -> honeycomb != except)
                .map(Honeycomb::desktop)
                .toList();
        return desktops.isEmpty()
                ? "; there is no other current replica"
                : "; its content is still at " + String.join(", ", desktops);
    }

    private static String why(ReplicaLook look) {
        return look.hasFailure() ? " (%s)".formatted(look.getFailure().getReason()) : "";
    }

    private static ReplicaName name(ReplicaLook look) {
        return ReplicaName.newBuilder()
                .setInode(look.getReplica().getInode())
                .setGeneration(look.getReplica().getGeneration())
                .setEpoch(look.getEpoch())
                .build();
    }
}
