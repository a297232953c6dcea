package org.beefs.simulator;

import java.util.HashSet;
import java.util.Set;
import org.beefs.queenbee.hive.Presence;
import org.beefs.simulator.Marks.Consequence;
import org.beefs.simulator.hive.Hive;

/** Counts desktops that the queen-bee gives up and meets again. */
final class AbsenceMarks {
    private final Hive hive;
    private final Marks marks;
    private final Set<String> lost = new HashSet<>();

    AbsenceMarks(Hive hive, Marks marks) {
        this.hive = hive;
        this.marks = marks;
    }

    /** To be called often enough to see each. */
    void mark() {
        if (!hive.queenBee().process().alive()) {
            return;
        }
        hive.queenBee().presences().forEach((desktop, presence) -> {
            if (presence == Presence.LOST && lost.add(desktop)) {
                marks.add(Consequence.LOST);
            } else if (presence == Presence.AWAKE && lost.remove(desktop)) {
                marks.add(Consequence.RETURNED);
            }
        });
    }
}
