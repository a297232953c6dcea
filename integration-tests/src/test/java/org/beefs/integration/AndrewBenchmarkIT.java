package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code beefs bench andrew} compares a hive with an ordinary folder. */
@InHive
class AndrewBenchmarkIT {
    private static final List<String> PHASES =
            List.of("Mkdir", "Copy", "Stat cold", "Grep cold", "Stat", "Grep", "Compile", "Total");
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    @Test
    void shouldMeasureAllPhasesInAHiveAndInAnOrdinaryFolder(Hive hive) throws IOException {
        Path source = source(hive.scratch());
        Path plain = Files.createDirectory(hive.scratch().resolve("plain"));

        Result result = hive.beefs(
                        "bench",
                        "andrew",
                        source.toString(),
                        plain.toString(),
                        hive.mount().toString(),
                        "--rounds",
                        "2",
                        "--compile",
                        "cc -o program sub/main.c && ./program",
                        "--json")
                .run();

        JsonNode report = JsonMapper.shared().readTree(result.output());
        assertThat(report.get("files").asInt()).isEqualTo(2);
        assertThat(directories(report))
                .containsExactly(plain.toString(), hive.mount().toString());
        for (JsonNode directory : report.get("directories")) {
            List<JsonNode> phases = elements(directory.get("phases"));
            assertThat(phases.stream().map(phase -> phase.get("phase").asString()))
                    .containsExactlyElementsOf(possiblePhases());
            assertThat(phases).allMatch(phase -> phase.get("seconds").size() == 2);
        }
        assertThat(copy(report, 0).get("cpuSeconds").asDouble()).isZero();
        assertThat(copy(report, 1).get("cpuSeconds").asDouble()).isPositive();
        assertThat(result.errors()).contains("round 2 of 2, " + hive.mount() + ": Compile");
        Result names = hive.beefs(
                        "bench",
                        "smallfiles",
                        plain.toString(),
                        hive.mount().toString(),
                        "--rounds",
                        "1",
                        "--files",
                        "20")
                .run();
        assertThat(names.output())
                .contains("empty files: 0 folders, 20 files")
                .containsPattern("Unlink +" + Pattern.quote(hive.mount().toString()));
        assertThat(plain).isEmptyDirectory();
        assertThat(hive.mount()).isEmptyDirectory();
    }

    /** Only root can make the kernel forget. */
    private static List<String> possiblePhases() {
        return PHASES.stream()
                .filter(phase -> Files.isWritable(DROP_CACHES) || !phase.endsWith("cold"))
                .toList();
    }

    private static JsonNode copy(JsonNode report, int directory) {
        return report.get("directories").get(directory).get("phases").get(PHASES.indexOf("Copy"));
    }

    private static Path source(Path scratch) throws IOException {
        Path source = scratch.resolve("source");
        Files.createDirectories(source.resolve("sub"));
        Files.writeString(source.resolve("sub/main.c"), "int main(void) { return 0; }\n");
        Files.writeString(source.resolve("README"), "A program that does nothing.\n");
        return source;
    }

    private static List<String> directories(JsonNode report) {
        return elements(report.get("directories")).stream()
                .map(directory -> directory.get("directory").asString())
                .toList();
    }

    private static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }
}
