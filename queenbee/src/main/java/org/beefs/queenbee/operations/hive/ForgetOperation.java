package org.beefs.queenbee.operations.hive;

import java.util.List;
import org.beefs.common.config.Count;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.replication.departure.Remains;

/**
 * An administrator wants a desktop forgotten that was given up or emptied: all folders that it has had and that are
 * away. Refused while one of these folders has anything that somebody may miss.
 */
public final class ForgetOperation implements Operation {
    private final QueenState state;

    public ForgetOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        String desktop = request.body().getForget().getDesktop();
        List<Honeycomb> away = away(desktop);
        away.forEach(this::requireGone);
        away.forEach(this::requireNothingOwed);
        requireEmpty(desktop, away);
        for (Honeycomb honeycomb : away) {
            state.honeycombs().forget(honeycomb);
            state.records().forget(honeycomb);
        }
    }

    private List<Honeycomb> away(String desktop) {
        Honeycombs honeycombs = state.honeycombs();
        Honeycomb last = honeycombs.lastOn(desktop);
        List<Honeycomb> away = honeycombs.all().stream()
                .filter(honeycomb -> honeycomb.desktop().equals(last.desktop()) && !honeycomb.isConnected())
                .toList();
        if (away.isEmpty()) {
            throw refusal("%s is connected, and has no earlier folder that is away; stop its daemon first"
                    .formatted(desktop));
        }
        return away;
    }

    /** Refuses unless nobody expects the honeycomb back and its daemon certainly lets nobody write any more. */
    private void requireGone(Honeycomb honeycomb) {
        String desktop = honeycomb.desktop();
        if (honeycomb.mayComeBack() && !honeycomb.isDraining()) {
            requireNoEarlier(honeycomb);
            throw refusal("nobody has said that %s does not come back; if that is so, first give it up: beefs lost %s"
                    .formatted(desktop, desktop));
        }
        if (!honeycomb.absence().isFenced()) {
            throw refusal(
                    "the daemon of %s may be running still: it was heard, or the queen-bee was started, less than %d s ago; wait for that long"
                            .formatted(desktop, state.config().lease().toSeconds()));
        }
    }

    /**
     * Refuses with a better advice than to give up a present folder, if there is an earlier one that can be forgotten.
     */
    private void requireNoEarlier(Honeycomb asleep) {
        boolean hasEarlier = state.honeycombs().all().stream()
                .anyMatch(other -> other.desktop().equals(asleep.desktop())
                        && other.number() < asleep.number()
                        && !other.mayComeBack());
        if (hasEarlier) {
            throw refusal("the present folder of %s is only asleep: wake it, and the earlier ones can be forgotten"
                    .formatted(asleep.desktop()));
        }
    }

    private void requireEmpty(String desktop, List<Honeycomb> away) {
        Remains held = state.replication().remains().take(away);
        if (held == null) {
            throw new ParkedException(Wait.Occasion.SEARCHED, "all files are looked through");
        }
        if (!held.isNothing()) {
            throw refusal(
                    "%s still has %s and %s that the hive counts on, such as %s. Switch on the desktops that have these files too (beefs ls names them) and wait until they are copied; remove what is nowhere else, and then put it back from the backup: it cannot be written over"
                            .formatted(
                                    desktop,
                                    Count.of(held.primaries(), "primary replica", "primary replicas"),
                                    Count.of(held.copies(), "copy", "copies"),
                                    String.join(", ", held.examples())));
        }
    }

    /** What only it has need not be a file's: changes that are to become files, and records. */
    private void requireNothingOwed(Honeycomb honeycomb) {
        String desktop = honeycomb.desktop();
        int conflicts = honeycomb.errandQueue().conflicts().copies().size();
        if (conflicts > 0) {
            throw refusal(
                    "%s has changes of %s that are nowhere else; start its daemon, so that they are kept as conflict copies"
                            .formatted(desktop, Count.of(conflicts, "file", "files")));
        }
        if (!honeycomb.isRetired() || !state.records().isTakenOver(honeycomb)) {
            throw refusal(
                    "other desktops have yet to be told the records that %s has; try again in a minute, and switch desktops on if that does not help (beefs status shows who is asleep)"
                            .formatted(desktop));
        }
    }

    private static PosixException refusal(String sentence) {
        return new PosixException(Errno.EBUSY, sentence);
    }
}
