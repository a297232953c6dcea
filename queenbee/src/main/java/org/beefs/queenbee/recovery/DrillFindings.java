package org.beefs.queenbee.recovery;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How a rebuilt namespace compares with the living one. Its JSON is an interface: fields are added, never renamed.
 *
 * @param compared files, folders and all else that has a name and was not changed during the drill
 * @param there how many of the compared would be back as they are
 * @param changedMeanwhile what was changed during the drill, which says nothing
 * @param gaps how many would not be back as they are, by what is wrong with them; see {@link DrillGap#what}
 * @param reasons the same by {@link DrillGap#why}, and what was not compared because it is {@link DrillGap#GONE} or
 *     {@link DrillGap#UNKNOWN}
 * @param examples some of them
 * @param waitingFor desktops that are away and know better, and are late
 * @param unknown what some of those are called in records that are {@link DrillGap#UNKNOWN}
 */
public record DrillFindings(
        long compared,
        long there,
        long changedMeanwhile,
        Map<String, Long> gaps,
        Map<String, Long> reasons,
        List<DrillGap> examples,
        List<String> waitingFor,
        List<String> unknown) {
    /** Results that were kept by earlier programs have no {@code unknown}. */
    public DrillFindings {
        unknown = Objects.requireNonNullElse(unknown, List.of());
    }

    /** Whether all would be back. */
    public boolean complete() {
        return gaps.isEmpty();
    }

    /** Whether all would be back if desktops were asked that are away. */
    public boolean completeButForAway() {
        return because(DrillGap.LATE) == 0 && because(DrillGap.LOST) == 0;
    }

    /** How many are so. */
    public long count(String what) {
        return gaps.getOrDefault(what, 0L);
    }

    /** How many are so for that reason. */
    public long because(String why) {
        return reasons.getOrDefault(why, 0L);
    }
}
