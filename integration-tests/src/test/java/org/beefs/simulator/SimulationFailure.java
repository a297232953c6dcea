package org.beefs.simulator;

import org.beefs.simulator.hive.Sabotage;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.model.Invariant;
import org.jspecify.annotations.Nullable;

/** A run that went wrong, with what is needed to see it again. */
final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final Invariant invariant;

    SimulationFailure(long seed, Scenario scenario, int step, Breach breach, String trace, @Nullable Throwable cause) {
        super(
                """
                seed %d of scenario %s, step %d: %s
                Replay: ./beefs simulate --scenario %s --seed %d%s --trace
                The last that happened (virtual seconds):
                %s""".formatted(seed, scenario.name(), step, breach, scenario.name(), seed, planted(scenario), trace),
                cause);
        this.invariant = breach.invariant();
    }

    /** What did not hold. */
    Invariant invariant() {
        return invariant;
    }

    private static String planted(Scenario scenario) {
        return scenario.sabotage() == Sabotage.NONE ? "" : " --sabotage " + scenario.sabotage();
    }
}
