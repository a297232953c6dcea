package org.beefs.honeybee.cache;

/**
 * When a request was sent. Times are in nanoseconds of the boot clock.
 *
 * @param generation of the cache
 * @param sentAt when it was sent last
 * @param begunAt when whoever makes it began to
 */
public record Stamp(long generation, long sentAt, long begunAt) {
    /** The stamp of a request that is begun now, and not sent yet. */
    public static Stamp begun(long now) {
        return new Stamp(LeaseTerm.NONE, now, now);
    }

    /** The stamp of the same request when it is sent once more. */
    public Stamp sentAgain(Stamp now) {
        return new Stamp(generation, now.sentAt, begunAt);
    }

    /** The stamp of the same request when it is sent as if for the first time. */
    public Stamp sentAnew(Stamp now) {
        return new Stamp(now.generation, now.sentAt, begunAt);
    }
}
