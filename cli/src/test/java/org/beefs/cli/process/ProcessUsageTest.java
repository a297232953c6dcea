package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessUsageTest {
    @TempDir
    Path proc = Path.of("");

    @Test
    void shouldAddUpWhatThreadsHaveUsed() throws IOException {
        process(7, 2048);
        thread(7, 7, "main", 1000, 5);
        thread(7, 8, "beefs-net-1-1", 500, 3);

        ProcessUsage usage = ProcessUsage.of(proc, 7);

        assertThat(usage.cpuNanos()).isEqualTo(1500);
        assertThat(usage.cpuNanos(name -> name.startsWith("beefs-net"))).isEqualTo(500);
        assertThat(usage.switches()).isEqualTo(2 * (5 + 3));
        assertThat(usage.residentBytes()).isEqualTo(2048 * 1024);
    }

    @Test
    void shouldTellWhatCameSinceAnEarlierLookThoughThreadsComeAndGo() throws IOException {
        process(7, 2048);
        thread(7, 7, "main", 1000, 5);
        thread(7, 8, "compiler", 900_000, 9);
        ProcessUsage earlier = ProcessUsage.of(proc, 7);
        Files.delete(proc.resolve("7/task/8/comm"));
        thread(7, 7, "main", 1200, 6);
        thread(7, 9, "collector", 30, 1);

        ProcessUsage since = ProcessUsage.of(proc, 7).since(earlier);

        assertThat(since.cpuNanos()).isEqualTo(200 + 30);
        assertThat(since.switches()).isEqualTo(2 * (1 + 1));
    }

    @Test
    void shouldFailForAProcessThatHasEnded() {
        assertThatThrownBy(() -> ProcessUsage.of(proc, 7)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldReadWhatTheKernelSaysOfThisProcess() throws IOException {
        ProcessUsage usage = ProcessUsage.of(ProcessHandle.current().pid());
        assertThat(usage.cpuNanos()).isPositive();
        assertThat(usage.residentBytes()).isPositive();
    }

    private void process(long pid, long residentKilobytes) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(folder.resolve("status"), "VmRSS:\t    " + residentKilobytes + " kB\n");
    }

    private void thread(long pid, long number, String name, long nanos, long switches) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(pid + "/task/" + number));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), nanos + " 565564013 255\n");
        Files.writeString(
                folder.resolve("status"),
                "voluntary_ctxt_switches:\t" + switches + "\nnonvoluntary_ctxt_switches:\t" + switches + "\n");
    }
}
