package org.beefs.honeybee.cache;

import org.jspecify.annotations.Nullable;

/**
 * One step in which the cache changes.
 *
 * @param now in nanoseconds of the boot clock
 * @param origin the view through which this desktop itself made the change, if it did
 * @param invalidation collects what kernels must be told because of it
 */
record Update(long now, @Nullable CacheView origin, Invalidation invalidation) {
    static Update at(long now) {
        return new Update(now, null, new Invalidation());
    }

    /** All of these views but the one whose kernel made the change itself. */
    long others(long views) {
        return origin == null ? views : views & ~origin.bit();
    }
}
