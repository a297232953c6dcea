package org.beefs.simulator.world;

import java.util.random.RandomGenerator;

/**
 * How bad the network is. Chances are per frame, from 0 to 1. Greetings are never lost: on a connection that is just
 * being made a loss is a connection that does not come about, which broken links show already.
 *
 * @param maxDelayNanos the longest usual time a frame travels
 * @param loss chance that neither a frame nor what follows it on its link ever comes; the link then breaks
 * @param lateness chance that a frame comes up to {@link #LATE_NANOS} late, and what follows it on its link no sooner
 */
public record NetworkWeather(long maxDelayNanos, double loss, double lateness) {
    /** How late a late frame may be, and how long a broken link may look whole: longer than some deadlines. */
    public static final long LATE_NANOS = 4_000_000_000L;

    private static final long MILLISECOND = 1_000_000;

    /** A network without faults. */
    public static final NetworkWeather FAIR = new NetworkWeather(MILLISECOND, 0, 0);

    /** Each kind of fault is there or not, and more or less of it. */
    public static NetworkWeather draw(RandomGenerator random) {
        return new NetworkWeather((1 + random.nextLong(20)) * MILLISECOND, chance(random, 0.05), chance(random, 0.02));
    }

    private static double chance(RandomGenerator random, double most) {
        return random.nextBoolean() ? 0 : random.nextDouble(most);
    }
}
