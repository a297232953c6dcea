package org.beefs.queenbee.hive;

/**
 * How much content other desktops exchange with a honeycomb, by what its last two heartbeats have told. Belongs to the
 * namespace thread.
 */
public final class TrafficRate {
    private static final double NANOS = 1e9;

    private long bytes = -1;
    private long at;
    private long perSecond;

    /**
     * A heartbeat has come.
     *
     * @param total bytes since the daemon's start; less than before when another one has started
     * @param now by the boot clock
     */
    public void told(long total, long now) {
        boolean goesOn = bytes >= 0 && total >= bytes && now > at;
        perSecond = goesOn ? Math.round((total - bytes) / ((now - at) / NANOS)) : 0;
        bytes = total;
        at = now;
    }

    /** Nothing is told for now. */
    void stop() {
        bytes = -1;
        perSecond = 0;
    }

    /** Bytes. */
    public long perSecond() {
        return perSecond;
    }
}
