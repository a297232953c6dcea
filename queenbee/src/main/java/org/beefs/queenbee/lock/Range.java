package org.beefs.queenbee.lock;

/**
 * Bytes of a file.
 *
 * @param start the first
 * @param end the last, included; {@link #MAX} for all that there will ever be
 */
public record Range(long start, long end) {
    public static final long MAX = Long.MAX_VALUE;

    public static final Range ALL = new Range(0, MAX);

    public Range {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("no range of bytes: " + start + " to " + end);
        }
    }

    boolean overlaps(Range other) {
        return start <= other.end && other.start <= end;
    }

    /** The bytes that are in both, which overlap. */
    Range within(Range other) {
        return new Range(Math.max(start, other.start), Math.min(end, other.end));
    }

    /** The smallest range that has both. */
    Range and(Range other) {
        return new Range(Math.min(start, other.start), Math.max(end, other.end));
    }
}
