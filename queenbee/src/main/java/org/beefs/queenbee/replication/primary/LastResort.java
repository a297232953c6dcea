package org.beefs.queenbee.replication.primary;

import java.util.Objects;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.beefs.queenbee.hive.ConflictCopy;
import org.beefs.queenbee.hive.ErrandQueues;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.SecuredVersion;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.fetch.UnansweredCopies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a file go on as the last version that close or fsync waited for, or the one before a checkpoint, when all
 * desktops are declared lost that have the newest. What the primary's desktop has of that becomes a conflict copy
 * should it come back. Belongs to the namespace thread.
 */
public final class LastResort {
    private static final Logger LOG = LoggerFactory.getLogger(LastResort.class);

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final ErrandQueues errandQueues;
    private final Mutator mutator;
    private final Numbering numbering;
    private final Checkpoints checkpoints;
    private final LongPredicate copying;
    private final UnansweredCopies unanswered;

    /** @param copying whether honeycombs have been asked for copies of an inode, and have not answered */
    public LastResort(
            Namespace namespace,
            Honeycombs honeycombs,
            Mutator mutator,
            Numbering numbering,
            Checkpoints checkpoints,
            LongPredicate copying,
            UnansweredCopies unanswered) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.errandQueues = honeycombs.errandQueues();
        this.mutator = mutator;
        this.numbering = numbering;
        this.checkpoints = checkpoints;
        this.copying = copying;
        this.unanswered = unanswered;
    }

    /**
     * The honeycomb that can have the primary of a file whose newest version is lost; empty as long as somebody may
     * come back who has that, or may have just copied it: he would not have the older version any more, and the file
     * loses nothing.
     */
    Optional<Honeycomb> heir(Inode inode) {
        SecuredVersion secured = inode.secondaries().secured();
        if (secured == null || !honeycombs.of(inode).absence().isDeclaredLost() || mayHaveNewest(inode)) {
            return Optional.empty();
        }
        return Heirs.sound(
                inode,
                inode.secondaries()
                        .honeycombs()
                        .filter(number -> inode.versionIn(number) == secured.version())
                        .mapToObj(honeycombs::numbered));
    }

    /**
     * What is between the secured version and the newest helps nobody: only of these two it is known what they are
     * like.
     */
    private boolean mayHaveNewest(Inode inode) {
        return inode.secondaries()
                        .honeycombs()
                        .filter(number -> inode.secondaries().isCurrent(number) || isUnheard(number, inode))
                        .mapToObj(honeycombs::numbered)
                        .anyMatch(honeycomb -> !honeycomb.absence().isDeclaredLost())
                || isKept(inode)
                || copying.test(inode.number()); // last, because it looks through all that is under way
    }

    /** Whether somebody has the newest version, which is yet to become his replica. */
    private boolean isKept(Inode inode) {
        Honeycomb keeper = checkpoints.keeper(inode);
        return keeper != null && !keeper.absence().isDeclaredLost();
    }

    /**
     * Whether it has connected, and has yet to tell what it has, or went away without having answered: an answer may
     * have been lost with its connection.
     */
    private boolean isUnheard(int number, Inode inode) {
        Honeycomb honeycomb = honeycombs.numbered(number);
        return (honeycomb.isConnected() && !honeycomb.inventory().isComplete())
                || unanswered.mayHave(honeycomb, inode.number());
    }

    /** The file is clean. */
    void goBack(Inode inode, Honeycomb heir) {
        SecuredVersion secured = Objects.requireNonNull(inode.secondaries().secured());
        Honeycomb lost = honeycombs.of(inode);
        LOG.warn(
                "inode {} goes back to version {} on {}; later changes are on {} only, and become a conflict copy should it come back",
                inode.number(),
                secured.version(),
                heir.desktop(),
                lost.desktop());
        checkpoints.lost(inode);
        errandQueues.forget(inode);
        keepApart(inode, lost);
        dropNewer(inode, secured);
        mutator.changeAtOnce(null, new Mutation.GoBack(inode.number(), heir.number(), numbering.after(inode.epoch())));
        errandQueues.move(inode);
        errandQueues.drop(inode, lost); // when that is a conflict copy: its catalog has a record of the file as well
    }

    private void keepApart(Inode inode, Honeycomb lost) {
        errandQueues.adopt(lost, ConflictCopy.reserve(inode.replicaName().build(), inode, namespace, numbering));
    }

    /** Drops secondaries of later versions, which are lost too or of no use: the primary's desktop has the same. */
    private void dropNewer(Inode inode, SecuredVersion secured) {
        int[] numbers = inode.secondaries().honeycombs().toArray();
        for (int number : numbers) {
            if (inode.versionIn(number) > secured.version()) {
                errandQueues.drop(inode, honeycombs.numbered(number));
                mutator.apply(new Mutation.RemoveSecondary(inode.number(), number));
            }
        }
    }
}
