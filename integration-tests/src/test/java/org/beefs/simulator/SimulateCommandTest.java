package org.beefs.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.beefs.simulator.hive.Sabotage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    /** The order of sets and the like may differ from process to process: a seed would mean something else then. */
    @ParameterizedTest
    @ValueSource(strings = {"concurrent", "recovery"})
    void shouldDoTheSameForTheSameSeedInAnotherProcess(String scenario) throws Exception {
        String trace = trace(scenario);

        assertThat(trace).contains("asks create").isEqualTo(trace(scenario));
    }

    private static String trace(String scenario) throws Exception {
        Process simulator = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SimulateCommand.class.getName(),
                        "--scenario",
                        scenario,
                        "--seed",
                        "7",
                        "--trace")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream out = simulator.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            simulator.destroyForcibly().waitFor();
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
