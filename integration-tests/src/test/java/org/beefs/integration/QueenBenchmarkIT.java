package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code beefs bench queen} loads the queen-bee of a hive, and leaves nothing with her. */
@InHive
class QueenBenchmarkIT {
    @Test
    void shouldMeasureTheQueenBeeAndLeaveNothingBehind(Hive hive) {
        Result result = hive.beefs(
                        "bench",
                        "queen",
                        "--rounds",
                        "1",
                        "--seconds",
                        "1",
                        "--sessions",
                        "2",
                        "--depth",
                        "8",
                        "--json")
                .run();

        JsonNode report = JsonMapper.shared().readTree(result.output());
        List<JsonNode> phases =
                StreamSupport.stream(report.get("phases").spliterator(), false).toList();
        assertThat(phases.stream().map(phase -> phase.get("phase").asString()))
                .containsExactly("Round trip", "Look", "Look, paced", "Change", "Change, paced");
        for (JsonNode phase : phases) {
            JsonNode round = phase.get("rounds").get(0);
            assertThat(round.get("perSecond").asDouble()).isPositive();
            assertThat(round.get("p99Micros").asDouble())
                    .isGreaterThanOrEqualTo(round.get("p50Micros").asDouble());
            assertThat(round.get("threadMicros").asDouble()).isPositive();
        }
        assertThat(hive.mount()).isEmptyDirectory();
        assertThat(hive.beefs("status", "--json").run().output()).doesNotContain("bench-");
    }
}
