package org.beefs.honeybee.cache;

/** To which kernels something was told, and until when they may keep it. Guarded by the cache's lock. */
abstract class Told {
    /**
     * A kernel's clock for lifetimes stands still while the machine sleeps, ours does not. A sleep that leases outlive
     * lasts some seconds at most, so twice the lifetime is on the safe side.
     */
    private static final int KERNEL_CLOCK = 2;

    private long views;
    private long until;
    private long at;

    /** Tells it to a view, as a bit, for so many nanoseconds. */
    final void tell(long view, long now, long lifetime) {
        views |= view;
        until = Math.max(until, now + KERNEL_CLOCK * lifetime);
        at = Math.max(at, now);
    }

    /** What was told last takes effect at this time at the latest. */
    final void settlesBy(long time) {
        at = Math.max(at, time);
    }

    /**
     * Kernels have moved an entry from the other directory into this one: those that were told of entries there may
     * keep one here.
     */
    final void inherit(Told other) {
        views |= other.views;
        until = Math.max(until, other.until);
        at = Math.max(at, other.at);
    }

    /** All kernels that were told are made to forget it: it counts as told to nobody. */
    final void untell() {
        views = 0;
        until = 0;
    }

    /** The views, as bits, that may keep it now. */
    final long keepers(long now) {
        return now < until ? views : 0;
    }

    /** The views, as bits, that were told of it, also if they may not keep it any more. */
    final long everKeepers() {
        return views;
    }

    /** When it was told last, or at the latest took effect. */
    final long toldAt() {
        return at;
    }
}
