package org.beefs.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.beefs.simulator.hive.Sabotage;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final CommandLine command = SimulateCommand.command().setOut(new PrintWriter(out));

    @Test
    void shouldExplainEachScenarioAndEachSabotageInItsHelp() {
        command.execute("--help");

        assertThat(out.toString())
                .contains(Scenario.ALL.stream()
                        .map(scenario -> "  " + scenario.name() + " ")
                        .toList());
        for (Sabotage sabotage : Sabotage.values()) {
            if (sabotage != Sabotage.NONE) {
                assertThat(out.toString()).contains("  " + sabotage + " ", sabotage.text());
            }
        }
    }

    @Test
    void shouldPrintHowARunThatWentWrongIsReplayed() {
        int code = command.execute("--scenario", "one-at-a-time", "--seeds", "20", "--sabotage", "no_recall");

        assertThat(code).isEqualTo(1);
        assertThat(out.toString())
                .containsPattern("seed \\d+ of scenario one-at-a-time, step \\d+: ")
                .containsPattern("Invariant \\d+: |Broken: ")
                .containsPattern(
                        "Replay: ./beefs simulate --scenario one-at-a-time --seed \\d+ --sabotage NO_RECALL --trace");
    }
}
