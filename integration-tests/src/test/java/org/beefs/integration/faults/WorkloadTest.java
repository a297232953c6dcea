package org.beefs.integration.faults;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload itself, in a plain folder. */
class WorkloadTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void shouldFindAllThatWasAcknowledged() {
        try (Workload workload = workloadThatHasWorked()) {
            assertThatCode(() -> workload.verify(folder)).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldNoticeALostFile() throws IOException {
        try (Workload workload = workloadThatHasWorked()) {
            Files.delete(anyFile());
            assertThatThrownBy(() -> workload.verify(folder)).isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void shouldNoticeALostRecord() throws IOException {
        try (Workload workload = workloadThatHasWorked()) {
            Path log = folder.resolve("worker/log");
            String records = Files.readString(log);
            Files.writeString(log, records.substring(records.indexOf('\n') + 1));
            assertThatThrownBy(() -> workload.verify(folder)).isInstanceOf(AssertionError.class);
        }
    }

    private Workload workloadThatHasWorked() {
        Workload workload = new Workload();
        workload.add(new Worker(folder, "worker", false, 1));
        workload.awaitProgress(100);
        workload.end();
        return workload;
    }

    private Path anyFile() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("worker"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("file-"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
