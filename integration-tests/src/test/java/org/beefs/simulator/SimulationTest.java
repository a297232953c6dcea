package org.beefs.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.beefs.simulator.Marks.Consequence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        Marks marks = new Marks();
        long decided = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .filter(seed -> run(seed, scenario, marks))
                .count();
        assertThat(decided).as("runs that could be checked to their end").isGreaterThanOrEqualTo(SEEDS * 9L / 10);
        assertHappened(scenario, marks);
    }

    private static boolean run(long seed, Scenario scenario, Marks marks) {
        Simulation simulation = new Simulation(seed, scenario);
        boolean decided = simulation.run();
        marks.addAll(simulation.marks());
        return decided;
    }

    /** What is never seen to happen tests nothing. */
    private static void assertHappened(Scenario scenario, Marks marks) {
        assertThat(scenario.faults())
                .allSatisfy(fault -> assertThat(marks.times(fault))
                        .as("%s happens, of %s", fault, marks)
                        .isPositive());
        if (scenario.recovers()) {
            assertThat(marks.times(Consequence.RECOVERED_WITHOUT_ONE)).isGreaterThan(SEEDS / 4);
        }
        assertThat(marks.times(Consequence.FAILED))
                .as("operations that fail for no reason of their own, of %s", marks)
                .isLessThanOrEqualTo(marks.times(Consequence.ANSWERED) / 40);
        if (scenario.losesPower()) {
            assertThat(PowerCut.Outage.values())
                    .allSatisfy(outage -> assertThat(marks.times(outage))
                            .as("%s, of %s", outage, marks)
                            .isGreaterThan(SEEDS / 12));
            assertThat(marks.times(Consequence.SYNCED_AND_READ)).isGreaterThan(SEEDS / 2);
            assertThat(marks.times(Consequence.KEPT_AND_READ)).isGreaterThan(SEEDS / 8);
        }
        if (scenario.keepsWhatIsRead()) {
            assertThat(marks.times(Consequence.KEPT_WHERE_READ)).isGreaterThan(SEEDS / 4);
        }
        if (scenario.losesADesktop()) {
            assertThat(marks.times(Consequence.MOVED_ON)).isGreaterThan(SEEDS / 4);
            assertThat(marks.times(Consequence.KEPT_AS_COPY)).isGreaterThan(SEEDS / 4);
        }
        if (scenario.promisesCopies()) {
            assertThat(marks.times(Consequence.PROMISED)).isGreaterThan(SEEDS);
            assertThat(marks.times(Consequence.SURVIVED)).isGreaterThan(SEEDS);
            assertThat(marks.times(Consequence.FORGOTTEN)).isGreaterThan(SEEDS / 2);
        }
        if (scenario.losesDesktops()) {
            assertThat(marks.times(Consequence.LOST)).as("desktops are lost").isGreaterThan(SEEDS / 2);
            assertThat(marks.times(Consequence.RETURNED)).as("desktops return").isGreaterThan(SEEDS / 4);
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldDoTheSameForTheSameSeed(Scenario scenario) {
        assertThat(digest(7, scenario)).isEqualTo(digest(7, scenario));
    }

    /** Runs that have found defects. */
    @ParameterizedTest
    @CsvSource({"failing-disks, 53000000", "failing-disks, 61000014"})
    void shouldBehaveUnderSeedsThatHaveFoundSomething(String scenario, long seed) {
        assertThat(new Simulation(seed, Scenario.named(scenario)).run()).isTrue();
    }

    private static long digest(long seed, Scenario scenario) {
        Simulation simulation = new Simulation(seed, scenario);
        simulation.run();
        return simulation.digest();
    }
}
