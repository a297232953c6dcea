package org.beefs.simulator;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** Runs many seeds of scenarios, on as many threads as there are processors; each run has one thread. */
final class Runner {
    private Runner() {}

    /** Arguments: name of a scenario, first seed, last seed. */
    public static void main(String[] arguments) {
        Scenario scenario = Scenario.named(arguments[0]);
        AtomicLong failures = new AtomicLong();
        LongStream.rangeClosed(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]))
                .parallel()
                .forEach(seed -> {
                    try {
                        new Simulation(seed, scenario).run();
                    } catch (SimulationFailure failure) {
                        failures.incrementAndGet();
                        System.out.println(failure.getMessage());
                    }
                });
        System.out.println(failures + " failures");
        System.exit(failures.get() == 0 ? 0 : 1);
    }
}
