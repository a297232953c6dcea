package org.beefs.simulator;

import org.jspecify.annotations.Nullable;

/** A run that went wrong, with what is needed to see it again. */
final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    SimulationFailure(long seed, Scenario scenario, int step, String what, String trace, @Nullable Throwable cause) {
        super("""
                seed %d of scenario %s, step %d: %s
                Replay: mvn test -pl integration-tests -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false \
                -Dbeefs.scenario=%s -Dbeefs.seed=%d -Dbeefs.trace=true
                The last that happened (virtual seconds):
                %s""".formatted(seed, scenario.name(), step, what, scenario.name(), seed, trace), cause);
    }
}
