package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Fetched;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.ParkedQuestions;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.InodeListener;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.replication.fetch.FetchErrand;
import org.beefs.queenbee.replication.placement.Settings;

/**
 * Requests to have a file's content on several honeycombs' disks before the program that asks goes on. What was synced
 * at the primary when a request came is in the version that a later look at the primary shows, or in the newest when
 * nobody writes the file. The request is answered when enough secondaries hold that version or a later one. A file is
 * looked at when somebody asks, when its inode has changed, when a copy of it has ended, and with each tick, but not in
 * each pass: so requests that wait do not slow down others. In memory only: who asked a queen-bee that died asks again.
 * Times are nanoseconds of the boot clock. Belongs to the namespace thread.
 */
public final class Securing implements InodeListener {
    private static final class Asked extends ParkedQuestions.Asked {
        private final long inode;

        /** The lowest version that has all that was asked for, if it is known. */
        private long version;

        private boolean known;

        /** Whether its patience was over at the last tick. If it is so at the next one, its request has gone. */
        private boolean wasOver;

        Asked(long inode, long since) {
            super(since);
            this.inode = inode;
        }
    }

    /** However much progress there is, it fails after so many times the patience. */
    private static final int LONGEST_IN_PATIENCES = 360;

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Settings settings;
    private final SecuringCopies copies;
    private final Occasions occasions;
    private final Clock clock;
    private final Duration patience;
    private final ParkedQuestions<Asked> questions;

    /** Questions by file. */
    private final Map<Long, Set<Asked>> files = new LinkedHashMap<>();

    /** Files of these for which something could be done that was not possible when they were looked at. */
    private final Set<Long> toLookAt = new LinkedHashSet<>();

    /** When something of a file was last copied, by file. */
    private final Map<Long, Long> progress = new HashMap<>();

    /** Why a copy of a file could not be had last, by file. */
    private final Map<Long, String> troubles = new HashMap<>();

    /**
     * @param patience without any progress after which it fails
     * @param mostQuestions at a time
     */
    Securing(
            Namespace namespace,
            Honeycombs honeycombs,
            Settings settings,
            SecuringCopies copies,
            Occasions occasions,
            Clock clock,
            Duration patience,
            int mostQuestions) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.settings = settings;
        this.copies = copies;
        this.occasions = occasions;
        this.clock = clock;
        this.patience = patience;
        questions = new ParkedQuestions<>(clock, patience, mostQuestions, "too many wait for copies already");
    }

    /**
     * Parks the request until enough honeycombs hold what the primary had on disk when it first came. Fails with EIO
     * when there is no progress in that for too long.
     */
    public void require(long session, long number, Inode inode) {
        if (settings.pFactor(inode) < 2) {
            return;
        }
        Asked asked = questions.find(session, number);
        if (asked == null) {
            asked = questions.ask(session, number, now -> new Asked(inode.number(), now));
            files.computeIfAbsent(asked.inode, first -> new LinkedHashSet<>()).add(asked);
            toLookAt.add(asked.inode);
        }
        settleOnNewest(inode, asked);
        if (isSecured(inode, asked)) {
            questions.forget(session, number);
            forget(asked);
            return;
        }
        if (isOver(asked)) {
            PosixException failure = new PosixException(Errno.EIO, why(inode, asked));
            questions.forget(session, number);
            forget(asked);
            throw failure;
        }
        throw new ParkedException(Wait.Occasion.SECURED, "its content is copied to other desktops");
    }

    /** Takes the newest version as the one that is wanted, if nobody writes the file. */
    private static void settleOnNewest(Inode inode, Asked asked) {
        if (!asked.known && !inode.dirty()) {
            asked.known = true;
            asked.version = inode.version();
        }
    }

    private boolean isSecured(Inode inode, Asked asked) {
        return asked.known && copies.areEnough(inode, asked.version);
    }

    private boolean isOver(Asked asked) {
        return questions.isOver(asked.since(), LONGEST_IN_PATIENCES)
                || (questions.isOver(lastProgress(asked), 1) && !copies.areBroughtToDisk(asked.inode));
    }

    /**
     * How long a request waits at most, up to the next look; also when the queen-bee herself was stopped meanwhile,
     * because the desktop that asked counts on it.
     */
    public Duration longest() {
        return patience.multipliedBy(LONGEST_IN_PATIENCES);
    }

    private long lastProgress(Asked asked) {
        long since = questions.waitingSince(asked);
        return Math.max(since, progress.getOrDefault(asked.inode, since));
    }

    /** All who wait have their patience from now on. */
    void forgiveWaiting() {
        questions.forgiveWaiting();
    }

    /** A question is there no more. */
    private void forget(Asked asked) {
        Set<Asked> others = files.get(asked.inode);
        if (others != null && others.remove(asked) && others.isEmpty()) {
            files.remove(asked.inode);
            toLookAt.remove(asked.inode);
            progress.remove(asked.inode);
            troubles.remove(asked.inode);
        }
    }

    private String why(Inode inode, Asked asked) {
        List<Honeycomb> holders = asked.known && asked.version != 0 ? copies.holders(inode, asked.version) : List.of();
        String missing = inode.secondaries()
                .proper()
                .mapToObj(honeycombs::numbered)
                .filter(honeycomb -> !holders.contains(honeycomb))
                .map(honeycomb ->
                        honeycomb.desktop() + " (" + honeycomb.presence().word() + ")")
                .collect(Collectors.joining(", "));
        String trouble = troubles.get(inode.number());
        return "%s is on the disks of %d desktops, and must be on %d; missing: %s%s"
                .formatted(
                        inode.links() == 0 ? "inode " + inode.number() : inode.path(),
                        copies.onDisks(inode, holders),
                        settings.pFactor(inode),
                        missing.isEmpty() ? "a further desktop with room for it" : missing,
                        trouble == null ? "" : "; " + trouble);
    }

    /** Whether somebody waits for copies of the file. */
    boolean isAwaited(long inode) {
        return files.containsKey(inode);
    }

    /** Something has come or gone that somebody may wait for. */
    @Override
    public void changed(Inode inode, long before) {
        lookAgain(inode.number());
    }

    @Override
    public void gone(Inode inode) {
        lookAgain(inode.number());
    }

    private void lookAgain(long inode) {
        if (isAwaited(inode)) {
            toLookAt.add(inode);
            occasions.arose(Wait.Occasion.SECURED);
        }
    }

    private void lookAgain() {
        toLookAt.addAll(files.keySet());
        occasions.arose(Wait.Occasion.SECURED);
    }

    /** Called now and then. */
    void tick() {
        copies.tick();
        questions.forgetIf(this::isOverAgain).forEach(this::forget);
        lookAgain();
    }

    /** Whether it was over at the last tick, too: whoever asked has had a tick's time to ask again. */
    private boolean isOverAgain(Asked asked) {
        boolean wasOver = asked.wasOver;
        asked.wasOver = isOver(asked);
        return wasOver && asked.wasOver;
    }

    /** A honeycomb has connected anew. */
    void connected(Honeycomb honeycomb) {
        copies.connected(honeycomb);
        lookAgain();
    }

    /** Requests to be sent now; they count as under way. Asked in each pass. */
    List<FetchErrand> begin() {
        List<Long> looked = List.copyOf(toLookAt);
        toLookAt.clear();
        for (long number : looked) {
            Inode inode = namespace.find(number);
            Set<Asked> all = files.get(number);
            if (inode != null && all != null) {
                advance(inode, all);
            }
        }
        return copies.begin();
    }

    private void advance(Inode inode, Set<Asked> all) {
        all.forEach(asked -> settleOnNewest(inode, asked));
        if (all.stream().allMatch(asked -> isSecured(inode, asked))) {
            occasions.arose(Wait.Occasion.SECURED);
        } else if (!inode.dirty() && inode.unsealed()) {
            honeycombs.of(inode).errandQueue().hurrySeals();
        } else {
            copies.make(inode, all.stream().allMatch(asked -> asked.known));
        }
    }

    /** A look that began then has shown that the newest version is what the primary was, or has made it so. */
    void looked(Inode inode, long begun) {
        files.getOrDefault(inode.number(), Set.of()).stream()
                .filter(asked -> !asked.known && asked.since() <= begun)
                .forEach(asked -> {
                    asked.known = true;
                    asked.version = inode.version();
                });
        lookAgain(inode.number());
    }

    /** False when the answer does not count any more. */
    boolean answered(FetchErrand errand, Fetched result) {
        if (!copies.ended(errand, result.hasFailure())) {
            return false;
        }
        long inode = errand.inodes().getFirst();
        lookAgain(inode);
        if (!result.hasFailure()) {
            progressed(inode);
        } else {
            failedFor(inode, result.getFailure().getReason());
        }
        return true;
    }

    /** Something of the file was copied. That matters only while somebody still waits for it. */
    private void progressed(long inode) {
        if (isAwaited(inode)) {
            troubles.remove(inode);
            progress.put(inode, clock.bootNanos());
        }
    }

    private void failedFor(long inode, String reason) {
        if (isAwaited(inode)) {
            troubles.put(inode, reason);
        }
    }

    /** The request has failed as a whole. */
    void failed(FetchErrand errand) {
        if (copies.ended(errand, true)) {
            failedFor(errand.inodes().getFirst(), errand.honeycomb().desktop() + " does not answer");
            lookAgain(errand.inodes().getFirst());
        }
    }
}
