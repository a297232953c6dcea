package org.beefs.queenbee.records;

import java.util.SortedSet;
import java.util.TreeSet;
import org.beefs.common.wire.RecordsState;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether catalogs know of changes that the queen-bee's state does not have, though only what was on her disk is ever
 * told: then the state is a copy that somebody has put back. Belongs to the namespace thread.
 */
public final class OlderState {
    /** Names that are kept for people. */
    private static final int MOST_NAMES = 100;

    private static final Logger LOG = LoggerFactory.getLogger(OlderState.class);

    private final Journal journal;
    private final Numbering numbering;
    private final SortedSet<String> refused = new TreeSet<>();

    /** What this state does not have and is below this number is given up. */
    private long givenUpBelow;

    public OlderState(Journal journal, Numbering numbering) {
        this.journal = journal;
        this.numbering = numbering;
    }

    /** While loading. */
    public void load(long below) {
        givenUpBelow = below;
    }

    /** Changes below this number are given up where this state does not have them. */
    public long givenUpBelow() {
        return givenUpBelow;
    }

    /** Whether a catalog knows of changes that would be lost if it were told what this state says. */
    public boolean isAhead(RecordsState catalog) {
        return catalog.getComplete() >= givenUpBelow && !journal.hasMade(catalog.getComplete());
    }

    /** Whether a change that a catalog knows of was certainly made in this state, and is not among those given up. */
    public boolean isOurs(long change) {
        return change >= givenUpBelow && numbering.hasCertainlyMade(change, journal.applied());
    }

    /** A desktop is not let in because its catalog is ahead. */
    public void refused(String desktop) {
        if (refused.size() < MOST_NAMES && refused.add(desktop)) {
            LOG.error(
                    "the catalog on {} knows of changes that are not in the queen-bee's state, which must be an older copy; nothing is told to it."
                            + " Either {};  or give up these changes: {}",
                    desktop,
                    StateException.RESTORE,
                    StateException.GIVE_UP);
        }
    }

    /** A desktop is let in. */
    public void accepted(String desktop) {
        refused.remove(desktop);
    }

    /** Desktops that were not let in. */
    public SortedSet<String> refused() {
        return refused;
    }

    /**
     * Goes on above the numbers of the changes that a catalog knows of, and gives these up, on all catalogs; the caller
     * writes that down.
     */
    public void giveUp(RecordsState catalog) {
        numbering.addLastChange(journal.applied());
        numbering.raiseAbove(catalog.getComplete());
        givenUpBelow = numbering.base();
    }
}
