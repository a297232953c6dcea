package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JDK's HTTP server takes connections without a bound, and waits for ever, unless it is told otherwise. */
class HttpOptionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"queenbee", "desktop"})
    void shouldBoundWhatAnHttpServerTakes(String kind) throws IOException {
        assertThat(Files.readAllLines(Path.of("src/main/distribution", kind + ".options")))
                .anyMatch(line -> line.matches("-Djdk\\.httpserver\\.maxConnections=\\d+"))
                .anyMatch(line -> line.matches("-Dsun\\.net\\.httpserver\\.maxReqTime=\\d+"))
                .anyMatch(line -> line.matches("-Dsun\\.net\\.httpserver\\.maxRspTime=\\d+"));
    }
}
