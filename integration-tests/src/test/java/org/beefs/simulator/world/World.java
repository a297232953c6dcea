package org.beefs.simulator.world;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Time, chance, hosts and the network between them. */
public final class World {
    private static final long SECOND = 1_000_000_000;

    /** Microseconds that a clock may gain or lose in a second, as cheap quartz does. */
    private static final int MAX_DRIFT = 100;

    private final SplittableRandom random;
    private final SimScheduler scheduler;
    private final SimNetwork network;
    private int hosts;

    public World(SplittableRandom random) {
        this.random = random;
        this.scheduler = new SimScheduler(random.split());
        this.network = new SimNetwork(scheduler, random.split());
    }

    /** A new host, whose clock is off by up to two seconds. */
    public SimHost host(String name) {
        long offset = random.nextLong(-2 * SECOND, 2 * SECOND);
        return new SimHost(name, ++hosts, scheduler, offset, random.nextInt(-MAX_DRIFT, MAX_DRIFT));
    }

    /** A new process on a host. */
    public SimProcess process(String name, SimHost host) {
        return new SimProcess(name, host, scheduler, random.split());
    }

    /** Chance for one user, so that what one draws changes nothing for others. */
    public RandomGenerator random() {
        return random.split();
    }

    public SimScheduler scheduler() {
        return scheduler;
    }

    public SimNetwork network() {
        return network;
    }
}
