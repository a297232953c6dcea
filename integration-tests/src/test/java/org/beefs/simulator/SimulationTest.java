package org.beefs.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lets hives run under many seeds. {@code -Dbeefs.seeds=N} runs N seeds of each scenario, {@code -Dbeefs.seed=N} one seed,
 * {@code -Dbeefs.scenario=NAME} one scenario; {@code -Dbeefs.trace=true} prints what happens.
 */
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("beefs.seeds", Boolean.getBoolean("beefs.long") ? 3000 : 60);

    static Stream<Scenario> scenarios() {
        String chosen = System.getProperty("beefs.scenario");
        return Scenario.ALL.stream()
                .filter(scenario -> chosen == null || scenario.name().equals(chosen));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldBehaveAsAFileSystemUnderEverySeed(Scenario scenario) {
        Long one = Long.getLong("beefs.seed");
        LongStream seeds = one == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(one);
        seeds.parallel().forEach(seed -> new Simulation(seed, scenario).run());
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
