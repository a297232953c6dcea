package org.beefs.queenbee.replication.primary;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes current secondaries primaries: of files whose primary is lost, and of those that somebody wants to write where
 * he has a secondary, or while their primary is away. No content is copied. Each move raises the epoch, so that nothing
 * is written any more where the primary was; and it is written down before its honeycomb hears of it, which serves the
 * new epoch only when its own description is on disk. Belongs to the namespace thread.
 */
public final class Promotion {
    private static final Logger LOG = LoggerFactory.getLogger(Promotion.class);

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Mutator mutator;
    private final Occasions occasions;
    private final Numbering numbering;

    private final LastResort lastResort;

    /** Files whose primaries somebody waits for, and where; carried out in the same pass. */
    private final Map<Long, Destination> wanted = new LinkedHashMap<>();

    /**
     * The honeycomb to which a primary is to go.
     *
     * @param open whether the file is open there, and nowhere else; otherwise nobody has it open
     */
    private record Destination(Honeycomb honeycomb, boolean open) {}

    /** Files that somebody would write if their primaries were not away; carried out in the same pass. */
    private final Set<Long> missed = new LinkedHashSet<>();

    private @Nullable OpenFiles openFiles;

    /** Knows which files are open. */
    public interface OpenFiles {
        /** Whether somebody has a file open, as far as can be known now. */
        boolean mayBeOpen(Inode inode);

        /**
         * Whether nobody has a file open, also nobody on its primary's desktop who has not told so yet. If that is not
         * certain the desktop is asked.
         *
         * @param whenKnown then runs when it has answered, and before it can open the file again without telling
         */
        boolean isCertainlyClosed(Inode inode, Runnable whenKnown);

        /** As {@link #isCertainlyClosed}, of all but one session, which has the file open. */
        boolean isCertainlyOpenOnlyBy(Session session, Inode inode, Runnable whenKnown);

        /** Sessions that have the file open are told that its primary has moved before anybody writes it. */
        void primaryMoves(Inode inode);

        /** Whether somebody has a file open for writing, or may say so yet. */
        boolean mayBeWritten(Inode inode);

        /**
         * Gives up what was written to a dirty file since its newest version, because its primary is lost, or never was
         * where it should have moved to. False if that cannot be now: somebody still has it open for writing.
         */
        boolean giveUp(Inode inode);
    }

    public Promotion(
            Namespace namespace,
            Honeycombs honeycombs,
            Mutator mutator,
            Occasions occasions,
            Numbering numbering,
            LastResort lastResort) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.mutator = mutator;
        this.occasions = occasions;
        this.numbering = numbering;
        this.lastResort = lastResort;
    }

    /** Must be called before anything is asked of this. */
    public void setOpenFiles(OpenFiles files) {
        openFiles = files;
    }

    OpenFiles openFiles() {
        return Objects.requireNonNull(openFiles, "nobody has said who knows which files are open");
    }

    /** Whether somebody has the file open, as far as can be known now. */
    public boolean mayBeOpen(Inode inode) {
        return openFiles().mayBeOpen(inode);
    }

    /**
     * Whether a file can get its primary there without a copy. It must not be open either
     * ({@link OpenFiles#isCertainlyClosed}): who reads it in passthrough on the primary's desktop would not see what is
     * written elsewhere.
     */
    public boolean isPossible(Inode inode, Honeycomb to) {
        return !inode.dirty()
                && !inode.unsealed()
                && inode.secondaries().isCurrent(to.number())
                && to.isConnected()
                && writesNothingUnseen(honeycombs.of(inode));
    }

    /** Whether no program can begin to write there without the queen-bee's knowing. */
    private static boolean writesNothingUnseen(Honeycomb primary) {
        return primary.isConnected() || primary.absence().isFenced();
    }

    /**
     * Moves the primary there in this pass, if that is still possible; requests that wait for it are run again then.
     */
    public void want(Inode inode, Honeycomb there) {
        wanted.put(inode.number(), new Destination(there, false));
    }

    /** As {@link #want}, for {@link #bringBack}. */
    public void wantBack(Inode inode, Honeycomb there) {
        wanted.put(inode.number(), new Destination(there, true));
    }

    /**
     * Has a primary that is away replaced in this pass, if that is possible; requests that wait for it are run again
     * then.
     */
    public void wantReplaced(Inode inode) {
        missed.add(inode.number());
    }

    /** Whether the primary is moving to a connected honeycomb: then its confirmation is worth waiting for. */
    public boolean isUnderWay(Inode inode) {
        return inode.moving() && honeycombs.of(inode).isConnected();
    }

    /** A honeycomb has confirmed a move, or may have gone that was to. */
    public void lookAgain() {
        occasions.arose(Wait.Occasion.MOVE);
    }

    /** Moves the primary, if that is possible, as soon as certainly nobody has the file open. */
    public void handOver(Inode inode, Honeycomb to) {
        moveWhenFree(inode, new Destination(to, false));
    }

    /**
     * Moves the primary back to a desktop that was lost, and whose kernel has gone on reading its replica for those who
     * have the file open there: it shows them what others write only if they write that. Not while others have it open.
     */
    public void bringBack(Inode inode, Honeycomb to) {
        moveWhenFree(inode, new Destination(to, true));
    }

    private void moveWhenFree(Inode inode, Destination to) {
        if (isFree(inode, to, () -> moveWhenFree(inode.number(), to))) {
            move(inode, to.honeycomb(), true);
        }
    }

    private void moveWhenFree(long number, Destination to) {
        Inode inode = namespace.find(number);
        if (inode != null) {
            moveWhenFree(inode, to);
        }
    }

    /** @param whenKnown as {@link OpenFiles#isCertainlyClosed} has it */
    private boolean isFree(Inode inode, Destination to, Runnable whenKnown) {
        Session there = to.honeycomb().session();
        return there != null
                && (inode.isBlank() ? writesNothingUnseen(honeycombs.of(inode)) : isPossible(inode, to.honeycomb()))
                && (to.open()
                        ? openFiles().isCertainlyOpenOnlyBy(there, inode, whenKnown)
                        : openFiles().isCertainlyClosed(inode, whenKnown));
    }

    /**
     * Moves the primary away from a replica that is not sound, and must not count as a secondary; otherwise as
     * {@link #handOver}.
     */
    void replaceUnsound(Inode inode, Honeycomb heir) {
        move(inode, heir, false);
    }

    public void carryOut() {
        wanted.forEach((number, to) -> {
            Inode inode = namespace.find(number);
            if (inode != null && isFree(inode, to, this::lookAgain)) {
                move(inode, to.honeycomb(), true);
            } else {
                lookAgain();
            }
        });
        wanted.clear();
        missed.forEach(number -> {
            Inode inode = namespace.find(number);
            if (inode == null || replaceMissed(inode)) {
                lookAgain();
            }
        });
        missed.clear();
    }

    /** False when that cannot be yet. */
    private boolean replaceMissed(Inode inode) {
        if (isReplaceable(inode)) {
            return replaceLost(inode);
        }
        if (canStandIn(inode)) {
            move(inode, heir(inode).orElseThrow(), true);
        }
        return true;
    }

    /**
     * Whether another replica can be the primary while the file's own is away, be that lost or not: it is the file, and
     * where the primary was nobody writes any more. What was there becomes a secondary, and is current until somebody
     * has written. It may also have been about to come there, and has not said that it has: then it was not written
     * there at all.
     */
    public boolean canStandIn(Inode inode) {
        return !inode.dirty()
                && (!inode.unsealed() || inode.moving())
                && honeycombs.of(inode).absence().isFenced()
                && heir(inode).isPresent();
    }

    /** Whether the file's primary is lost, and another replica can be it. */
    public boolean isReplaceable(Inode inode) {
        Honeycomb primary = honeycombs.of(inode);
        return primary.absence().isGivenUp()
                && (!inode.dirty() || primary.absence().isDeclaredLost())
                && (heir(inode).isPresent() || lastResort.heir(inode).isPresent());
    }

    /** Replaces a lost primary. False when that cannot be yet: somebody still has the file open for writing. */
    public boolean replaceLost(Inode inode) {
        boolean wasDirty = inode.dirty();
        if (wasDirty && !openFiles().giveUp(inode)) {
            return false;
        }
        Optional<Honeycomb> heir = heir(inode);
        if (heir.isPresent()) {
            goOn(inode, heir.get(), wasDirty);
        } else {
            openFiles().primaryMoves(inode);
            lastResort.goBack(inode, lastResort.heir(inode).orElseThrow());
        }
        return true;
    }

    private void goOn(Inode inode, Honeycomb heir, boolean wasDirty) {
        Honeycomb lost = honeycombs.of(inode);
        if (wasDirty) {
            LOG.warn(
                    "inode {} goes on as version {} on {}; later changes are on {} only, and become a conflict copy should it come back",
                    inode.number(),
                    inode.version(),
                    heir.desktop(),
                    lost.desktop());
        }
        move(inode, heir, false);
        honeycombs.errandQueues().drop(inode, lost);
    }

    /**
     * Nothing has to become the primary there. Secondaries that were chosen when it was open for long have nothing of
     * it either, and are chosen anew when there is something.
     */
    private void place(Inode blank, Honeycomb to) {
        Honeycomb former = honeycombs.of(blank);
        openFiles().primaryMoves(blank);
        for (int number : blank.secondaries().honeycombs().toArray()) {
            honeycombs.errandQueues().drop(blank, honeycombs.numbered(number));
            mutator.apply(new Mutation.RemoveSecondary(blank.number(), number));
        }
        mutator.apply(new Mutation.PlaceBlank(blank.number(), to.number(), numbering.after(blank.epoch())));
        honeycombs.errandQueues().keep(to, blank.number());
        honeycombs.errandQueues().drop(blank, former);
    }

    private Optional<Honeycomb> heir(Inode inode) {
        return Heirs.of(inode, inode.secondaries().current().mapToObj(honeycombs::numbered), honeycombs);
    }

    private void move(Inode inode, Honeycomb to, boolean keepsFormer) {
        if (inode.isBlank()) {
            place(inode, to);
            return;
        }
        openFiles().primaryMoves(inode);
        honeycombs.errandQueues().forget(inode);
        mutator.apply(
                new Mutation.MovePrimary(inode.number(), to.number(), numbering.after(inode.epoch()), keepsFormer));
        honeycombs.errandQueues().move(inode);
    }
}
