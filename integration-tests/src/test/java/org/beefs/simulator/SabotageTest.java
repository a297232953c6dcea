package org.beefs.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.beefs.simulator.hive.Sabotage;
import org.beefs.simulator.model.Invariant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simulator must find faults that are known to be there: otherwise a run without findings says nothing. */
class SabotageTest {
    @ParameterizedTest
    @CsvSource({
        "ANSWERS_BEFORE_WRITING, one-at-a-time, 40",
        "FORGETS_ANSWERS, one-at-a-time, 400",
        "REPEATS_CHANGES, one-at-a-time, 40",
        "REPEATS_WRITES, concurrent, 500",
        "NEVER_SYNCS, power, 40",
        "FORGETS_OPENS, one-at-a-time, 200",
        "TRUSTS_LAST_REPORT, one-at-a-time, 80",
        "NEVER_SYNCS_CONTENT, one-at-a-time, 10",
        "NO_RECALL, one-at-a-time, 10",
        "NO_NOTIFICATION, one-at-a-time, 20",
        "NO_LEASE_WAIT, one-at-a-time, 20",
        "NO_LEASE_END, one-at-a-time, 1000",
        "SLEEPS_UNNOTICED, one-at-a-time, 500",
        "LEASES_BY_TIME_OF_DAY, one-at-a-time, 500",
        "SESSIONS_BY_TIME_OF_DAY, one-at-a-time, 300",
        "NO_DIRTY_MARK, one-at-a-time, 10",
        "DIRTY_MARK_NOT_JOURNALED, power, 500",
        "TRUSTS_RELEASE, one-at-a-time, 300",
        "REUSES_NUMBERS, one-at-a-time, 20",
        "NOTHING_MADE_AGAIN, power, 40",
        "NO_GRACE, one-at-a-time, 40",
        "RECOVERS_OLDER_RECORDS, one-at-a-time, 200",
        "IGNORES_TOMBSTONES, one-at-a-time, 100",
        "PAGES_KEPT, one-at-a-time, 300",
        "WRITE_ERRORS_SWALLOWED, failing-disks, 500",
        "LOCKS_SHARED, concurrent, 100",
        "GRANTS_UNTOLD, concurrent, 100",
        "DEADLOCKS_SEEN, concurrent, 100",
        "CONFLICT_COPIES_DROPPED, conflicts, 200",
        "SYNCS_CONTENT_ONLY, power, 400",
        "POWER_CUT_UNNOTICED, power, 2000",
        "COUNTS_BEFORE_SYNC, one-at-a-time, 10",
        "COPIES_NOTHING, one-at-a-time, 10",
        "CTIME_STANDS, concurrent, 300",
        "SWAPS_BEFORE_CHECKSUM, relocation, 10",
        "CONFIRMS_NO_MOVE, overlapping, 200",
        "ANSWERS_BEFORE_COPIES, p-factor, 20",
        "NEVER_SYNCS, p-factor, 300",
        "FORGETS_CHECKSUMS, rot, 100",
        "FAILURES_UNNOTICED, failing-disks, 40",
        "FORGETS_AT_STOP, recovery, 100"
    })
    void shouldFindAPlantedFaultWithinSoManySeeds(Sabotage sabotage, String scenario, int seeds) {
        AtomicLong next = new AtomicLong(1);
        AtomicBoolean found = new AtomicBoolean();
        Runnable worker = () -> {
            for (long seed = next.getAndIncrement(); seed <= seeds && !found.get(); seed = next.getAndIncrement()) {
                if (finds(seed, scenario, sabotage)) {
                    found.set(true);
                }
            }
        };

        inParallel(worker);

        assertThat(found)
                .as("%s is found within %d seeds of %s", sabotage, seeds, scenario)
                .isTrue();
    }

    /** Unlike a parallel stream, of which each part goes on to its end when another has found something. */
    private static void inParallel(Runnable worker) {
        IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .parallel()
                .forEach(number -> worker.run());
    }

    /** What throws is no finding of the checkers, nor is what goes wrong under that seed anyhow. */
    private static boolean finds(long seed, String scenario, Sabotage sabotage) {
        try {
            new Simulation(seed, Scenario.named(scenario).with(sabotage)).run();
            return false;
        } catch (SimulationFailure expected) {
            return expected.invariant() != Invariant.NO_DEFECT && isSound(seed, scenario);
        }
    }

    private static boolean isSound(long seed, String scenario) {
        try {
            new Simulation(seed, Scenario.named(scenario)).run();
            return true;
        } catch (SimulationFailure failure) {
            return false;
        }
    }
}
