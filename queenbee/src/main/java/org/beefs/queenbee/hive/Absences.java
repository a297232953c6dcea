package org.beefs.queenbee.hive;

import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells honeycombs that are asleep from those that are lost, and counts how much each is there. Belongs to the
 * namespace thread.
 *
 * <p>Nobody is treated as lost before the lease of its last session has certainly passed: until then its desktop may
 * let programs write. Time in which the queen-bee did not run, or slept, is not counted: on a Monday morning nobody is
 * lost because of the weekend.
 */
public final class Absences {
    /**
     * How often the length of an absence is written down while it grows: a restart forgets at most such a part of the
     * grace time.
     */
    private static final int PARTS = 64;

    /** How often an attendance is written down that goes from nothing to always: some times a day at most. */
    private static final int ATTENDANCE_PARTS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Absences.class);

    private final Honeycombs honeycombs;
    private final Clock clock;
    private final Duration graceTime;
    private final Duration longestStep;
    private long lastTick;

    /**
     * @param graceTime who is away for longer is lost
     * @param longestStep between two ticks of a queen-bee that runs; what is longer she has slept
     */
    public Absences(Honeycombs honeycombs, Clock clock, Duration graceTime, Duration longestStep) {
        this.honeycombs = honeycombs;
        this.clock = clock;
        this.graceTime = graceTime;
        this.longestStep = longestStep;
        this.lastTick = clock.bootNanos();
    }

    /** Lets time pass. True when some honeycomb is newly to be treated as lost. */
    public boolean tick() {
        long now = clock.bootNanos();
        Duration passed = Duration.ofNanos(Math.min(now - lastTick, longestStep.toNanos()));
        lastTick = now;
        boolean news = false;
        for (Honeycomb honeycomb : honeycombs.all()) {
            attend(honeycomb, passed);
            if (!honeycomb.isConnected()) {
                grow(honeycomb, passed);
                news |= honeycomb.absence().fenceWhenOver(now);
            }
        }
        return news;
    }

    private void attend(Honeycomb honeycomb, Duration passed) {
        Attendance before = honeycomb.attendance();
        Attendance after = before.after(passed, honeycomb.isConnected());
        if (part(before) == part(after)) {
            honeycomb.setAttendance(after);
        } else {
            honeycombs.setAttendance(honeycomb, after);
        }
    }

    private static long part(Attendance attendance) {
        return Math.round(attendance.share() * ATTENDANCE_PARTS);
    }

    private void grow(Honeycomb honeycomb, Duration passed) {
        Absence absence = honeycomb.absence();
        long before = part(absence);
        absence.lengthen(passed);
        if (absence.isLost()) {
            return;
        }
        if (absence.length().compareTo(graceTime) > 0) {
            LOG.warn(
                    "{} has been away for {} hours and counts as lost: what it held is made again elsewhere",
                    honeycomb.desktop(),
                    absence.length().toHours());
            honeycombs.lose(honeycomb, false);
        } else if (part(absence) != before) {
            honeycombs.writeAbsence(honeycomb);
        }
    }

    private long part(Absence absence) {
        return absence.length().multipliedBy(PARTS).dividedBy(graceTime);
    }

    /**
     * Somebody says that a desktop does not come back, or not soon. All folders that it has had and that are away
     * become lost: nothing else tells that one is gone which has another in its place.
     */
    public void declareLost(String desktop) {
        Honeycomb last = honeycombs.lastOn(desktop);
        List<Honeycomb> gone = honeycombs.all().stream()
                .filter(honeycomb -> honeycomb.desktop().equals(desktop) && !honeycomb.isConnected())
                .filter(honeycomb -> honeycomb == last || !honeycomb.absence().isDeclared())
                .toList();
        if (gone.isEmpty()) {
            throw new PosixException(
                    Errno.EBUSY, "%s is connected; stop its daemon before you give it up".formatted(desktop));
        }
        LOG.warn("{} is declared lost", last.isConnected() ? "what " + desktop + " had in another folder" : desktop);
        gone.forEach(honeycomb -> honeycombs.lose(honeycomb, true));
    }
}
