package org.beefs.integration.hive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackTracesTest {
    private static final String DEFECT = """
            2026-11-30 00:00:01.000 ERROR [timers] a timer task failed
            java.lang.IllegalStateException: it cannot be
            \tat java.base/java.util.Objects.check(Objects.java:1)
            \tat org.beefs.common.Defect.happen(Defect.java:7)
            \tat org.beefs.common.Defect.call(Defect.java:3)
            """;

    @TempDir
    private Path folder;

    private Path log;
    private StackTraces traces;

    @BeforeEach
    void createLog() throws IOException {
        log = Files.createDirectory(folder.resolve("queenbee")).resolve("queenbee.log");
        traces = new StackTraces(folder);
    }

    @Test
    void shouldFindATraceOfOurOwnCodeOnce() throws IOException {
        Files.writeString(log, "2026-11-30 00:00:00.000 INFO ready\n" + DEFECT + "2026-11-30 00:00:02.000 INFO on\n");
        assertThat(traces.fresh())
                .singleElement()
                .asString()
                .startsWith("queenbee: 2026-11-30 00:00:01.000 ERROR")
                .contains("it cannot be")
                .endsWith("happen(Defect.java:7)\n");
        assertThat(traces.fresh()).isEmpty();
    }

    @Test
    void shouldFindAgainNothingInALogThatWasRolled() throws IOException {
        Files.writeString(log, DEFECT);
        assertThat(traces.fresh()).hasSize(1);
        Files.move(log, log.resolveSibling("queenbee.log.1"));
        assertThat(traces.fresh()).isEmpty();
    }

    @Test
    void shouldFindNothingThatIsExpected() throws IOException {
        traces.expect("it cannot be");
        Files.writeString(log, DEFECT);
        assertThat(traces.fresh()).isEmpty();
    }

    @Test
    void shouldFindNoTraceOfCodeOfOthersAndNothingWhereNothingIs() throws IOException {
        assertThat(traces.fresh()).isEmpty();
        Files.writeString(log, DEFECT.replace("org.beefs", "org.others"));
        assertThat(traces.fresh()).isEmpty();
        assertThat(new StackTraces(folder.resolve("absent")).fresh()).isEmpty();
    }
}
