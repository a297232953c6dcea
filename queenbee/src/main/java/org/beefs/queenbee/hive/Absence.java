package org.beefs.queenbee.hive;

import java.time.Duration;
import org.beefs.queenbee.state.HoneycombRecord;
import org.jspecify.annotations.Nullable;

/**
 * How long a honeycomb has been away, and what that means. It is over, whatever it has come to, when the honeycomb
 * connects again; while that is there, it is in none of these states. Belongs to the namespace thread.
 *
 * <pre>
 * state         | since when                     | who may write there   | what others do
 * --------------|--------------------------------|-----------------------|----------------------------------------
 * asleep        | its session has ended          | whom its daemon lets, | wait for it, or read another replica
 *               |                                | for the lease         |
 * asleep,       | its authority is over: a lease | nobody                | likewise; who opens a clean file to
 * and fenced    | after it was heard last        |                       | write gets another primary, and what
 *               |                                |                       | has yet to come there is made elsewhere
 * lost          | it was away for longer than    | whom its daemon lets, | likewise; its catalog need not hear that
 *               | the grace time, or somebody    | for the lease         | what was made later is gone
 *               | has said so                    |                       |
 * given up      | it is lost and fenced          | nobody                | its replicas do not count: others are
 *               |                                |                       | made, and clean files' primaries move
 * declared lost | it is given up, and somebody   | nobody                | likewise; what was being written goes on
 *               | has said that it is lost       |                       | without the changes that only it has
 * forgotten     | an administrator has had it    | nobody                | likewise, for good: nothing is kept for
 *               | forgotten                      |                       | it, and it is not taken in again
 * </pre>
 *
 * <p>{@link Absences} makes it go on; {@link Honeycomb#isForgotten} tells of the last. Whether others keep records in
 * its place ({@link Honeycomb#isRetired}) follows from an absence as well, but outlives it.
 */
public final class Absence {
    /** When its daemon certainly lets no program write any more (boot clock, ns). */
    private final long authorityEnd;

    /** As long as there was a queen-bee to see it: what she has missed herself counts for nobody. */
    private Duration length = Duration.ZERO;

    private boolean lost;
    private boolean declared;
    private boolean fenced;
    private boolean givenUp;
    private @Nullable HighestKnown highestKnown;

    /** @param authorityEnd when its daemon certainly lets nobody write any more, by the boot clock */
    Absence(long authorityEnd) {
        this.authorityEnd = authorityEnd;
    }

    /** The absence of a honeycomb that is there, which is none. */
    static Absence none() {
        return new Absence(0);
    }

    /** How long the honeycomb has been away, as far as the queen-bee has seen. */
    public Duration length() {
        return length;
    }

    /** Whether nobody can write to the honeycomb any more. */
    public boolean isFenced() {
        return fenced;
    }

    /**
     * Whether the honeycomb is lost, and nobody can write to it any more: other replicas take the place of those that
     * it holds.
     */
    public boolean isGivenUp() {
        return givenUp;
    }

    /** Whether it is given up, and somebody accepts that changes which only it has are given up as well. */
    public boolean isDeclaredLost() {
        return givenUp && declared;
    }

    /** The highest inodes that its catalog may know, which learns nothing more; null while it is not lost. */
    public @Nullable HighestKnown highestKnown() {
        return highestKnown;
    }

    /** Whether what it held is to be had elsewhere. */
    boolean isLost() {
        return lost;
    }

    /**
     * Whether somebody has said that it does not come back, and accepts that changes which only it has are given up
     * until it does.
     */
    boolean isDeclared() {
        return declared;
    }

    /**
     * Whether it is lost and will hardly come back: somebody has said so, or its desktop has another folder. That it is
     * away for longer than the grace time alone says little: half a hive may be, in the holidays.
     *
     * @param replaced whether its desktop has another folder
     */
    boolean isForGood(boolean replaced) {
        return lost && (declared || replaced);
    }

    /** Whether its daemon may let programs write. */
    boolean mayHaveAuthority(long now) {
        return now - authorityEnd <= 0;
    }

    void lengthen(Duration more) {
        length = length.plus(more);
    }

    /** What it held is to be had elsewhere. True if that changes anything. */
    boolean becomeLost(boolean bySomebody) {
        boolean news = !lost || (bySomebody && !declared);
        lost = true;
        declared |= bySomebody;
        return news;
    }

    /** Sees whether its authority is over, and gives it up then if it is lost. True if it has now. */
    boolean fenceWhenOver(long now) {
        boolean before = givenUp;
        fenced = !mayHaveAuthority(now);
        givenUp = lost && fenced;
        return givenUp && !before;
    }

    /** It is not going to end: what a file may still have there is lost, whatever became of it before. */
    void becomeFinal() {
        lost = true;
        declared = true;
        fenced = true;
        givenUp = true;
    }

    void setHighestKnown(HighestKnown highest) {
        highestKnown = highest;
    }

    /** What has to be known of it again after a restart. */
    void writeTo(HoneycombRecord.Builder record) {
        record.setAwaySeconds(length.toSeconds()).setLost(lost).setDeclared(declared);
        if (highestKnown != null) {
            record.setHighestTold(highestKnown.told())
                    .setHighestGiven(highestKnown.given())
                    .setHighestChange(highestKnown.change());
        }
    }

    static Absence of(HoneycombRecord record, long authorityEnd) {
        Absence absence = new Absence(authorityEnd);
        absence.length = Duration.ofSeconds(record.getAwaySeconds());
        absence.lost = record.getLost();
        absence.declared = record.getDeclared();
        if (record.getHighestTold() != 0) {
            absence.highestKnown =
                    new HighestKnown(record.getHighestTold(), record.getHighestGiven(), record.getHighestChange());
        }
        return absence;
    }
}
