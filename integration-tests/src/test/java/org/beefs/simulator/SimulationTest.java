package org.beefs.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lets hives run under some seeds; {@link SimulateCommand} is the tool for more of them, and for looking at one. */
class SimulationTest {
    private static final int SEEDS = Boolean.getBoolean("beefs.long") ? 3000 : 60;

    static Stream<Scenario> scenarios() {
        return Scenario.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldBehaveAsAFileSystemUnderEverySeed(Scenario scenario) {
        long decided = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .filter(seed -> new Simulation(seed, scenario).run())
                .count();
        assertThat(decided).as("runs that could be checked to their end").isGreaterThanOrEqualTo(SEEDS * 9L / 10);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldDoTheSameForTheSameSeed(Scenario scenario) {
        assertThat(digest(7, scenario)).isEqualTo(digest(7, scenario));
    }

    private static long digest(long seed, Scenario scenario) {
        Simulation simulation = new Simulation(seed, scenario);
        simulation.run();
        return simulation.digest();
    }
}
