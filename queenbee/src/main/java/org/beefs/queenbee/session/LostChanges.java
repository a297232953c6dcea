package org.beefs.queenbee.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.linux.MachineStart;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes that were answered, and that a loss of power has taken from the queen-bee's state. Desktops bring them when
 * they register. One desktop's changes may build on another's, so they wait until all sessions from before the start
 * have come back, or their grace is over. Then they are made again in the order in which they were made at first, and
 * brought to disk; and only then are the desktops answered that brought them. Until then nobody is served, so that
 * nobody sees less than was there before: from the start on when it may follow a loss of power, else from the first
 * that comes. Belongs to the namespace thread.
 */
public final class LostChanges {
    private static final Logger LOG = LoggerFactory.getLogger(LostChanges.class);

    /**
     * A lost change.
     *
     * @param broughtBy the registration of whoever made it
     */
    public record Lost(Register broughtBy, AnsweredChange change) {}

    private final Journal journal;
    private final Numbering numbering;
    private final Sessions sessions;
    private final String formerStart;
    private final String presentStart;

    /** Registrations that have brought changes, by desktop, until these are taken. */
    private final Map<String, Register> brought = new LinkedHashMap<>();

    /** The desktops that have brought some, or have, or had, a file open that others may bring. */
    private final Set<String> waiting = new HashSet<>();

    /** Whether it is too late to bring any more. */
    private boolean taken;

    /** The last change when all were made again. */
    private long madeAgain;

    /**
     * @param formerStart the start of her machine, as {@link MachineStart} has it, after which all was made again that
     *     desktops brought; empty where that is not known
     * @param presentStart likewise, at which she runs
     */
    public LostChanges(
            Journal journal, Numbering numbering, Sessions sessions, String formerStart, String presentStart) {
        this.journal = journal;
        this.numbering = numbering;
        this.sessions = sessions;
        this.formerStart = formerStart;
        this.presentStart = presentStart;
    }

    /**
     * Takes what a registration brings. True when it must wait until {@link #isOver}.
     *
     * @param namesUnknown whether it has, or had, a file open that is not there, or not yet
     */
    public boolean take(Register register, boolean namesUnknown) {
        boolean brings = hasLost(register);
        if (taken) {
            boolean late = brings && !waiting.contains(register.getDesktop());
            if (late) {
                LOG.warn(
                        "{} comes too late with changes that were lost with the queen-bee's power: they are not made again",
                        register.getDesktop());
            }
        } else if (brings) {
            brought.put(register.getDesktop(), register);
            waiting.add(register.getDesktop());
        } else if (namesUnknown && isMade(register.getDurable())) {
            waiting.add(register.getDesktop());
        }
        return waiting.contains(register.getDesktop()) && !isOver();
    }

    /** Whether her machine was started since her last start, so that what was not synced then may be gone. */
    public boolean mayHaveLostPower() {
        return !formerStart.isEmpty() && !MachineStart.isSame(formerStart, presentStart);
    }

    /** What her state is to say of the start of her machine: a present one only when nothing lost is waited for. */
    public String machineStart() {
        return taken ? presentStart : formerStart;
    }

    /** Whether there may be lost changes that are not on disk again, so that nothing may be shown. */
    public boolean isPending() {
        return (mayHaveLostPower() || !waiting.isEmpty()) && !isOver();
    }

    /** Whether there is nothing left to be made again, and all that was is on disk. */
    public boolean isOver() {
        return taken && journal.durable() >= madeAgain;
    }

    /** Whether everybody waits until those that were made again are on disk. */
    public boolean awaitsDisk() {
        return taken && !isOver();
    }

    /**
     * Whether the time has come to make them again.
     *
     * @param graceIsOver whether nobody is waited for any longer
     */
    public boolean isComplete(boolean graceIsOver) {
        return !taken && (graceIsOver || haveAllCome());
    }

    /** All of them, in the order in which they were made at first; none can be brought any more. */
    public List<Lost> takeAll() {
        taken = true;
        List<Lost> all = new ArrayList<>();
        for (Register register : brought.values()) {
            register.getChangesList().stream()
                    .filter(this::isLost)
                    .forEach(change -> all.add(new Lost(register, change)));
        }
        brought.clear(); // with all opens of their desktops
        all.sort(Comparator.comparingLong(lost -> lost.change.getChange()));
        return all;
    }

    /** They were made again, as far as they could be. */
    public void madeAgain() {
        madeAgain = journal.applied();
    }

    private boolean haveAllCome() {
        return sessions.size() > 0 && sessions.all().stream().allMatch(this::hasCome);
    }

    private boolean hasCome(Session session) {
        return session.hasReturned() || waiting.contains(session.desktop());
    }

    /**
     * Whether a registration brings changes that were lost with the power. On an older copy of the state much more is
     * lost than what desktops still know, and these changes do not fit it.
     */
    private boolean hasLost(Register register) {
        return isMade(register.getDurable())
                && register.getChangesList().stream().anyMatch(this::isLost);
    }

    private boolean isLost(AnsweredChange change) {
        return !isMade(change.getChange());
    }

    private boolean isMade(long change) {
        return numbering.hasMade(change, journal.applied());
    }
}
