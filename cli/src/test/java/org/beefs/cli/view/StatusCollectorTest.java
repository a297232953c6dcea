package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.cli.view.StatusReport.MountStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCollectorTest {
    /** More than a machine has processors. */
    private static final int DAEMONS = 100;

    @TempDir
    private Path temporary;

    /** It lives, and nobody answers at its control socket. */
    @Test
    void shouldKnowFromTheKernelWhatADaemonHasMountedThatDoesNotAnswer() throws IOException {
        ProcessFolder desktop = new HiveFolder(temporary).desktop("desktop1");
        FakeHive.showAsLiving(desktop);
        MountMemory memory = new MountMemory(desktop.mounts());
        memory.add(WantedMount.at("/mnt/hive"));
        memory.add(WantedMount.at("/mnt/other"));

        StatusReport report = StatusCollector.collect(new HiveFolder(temporary), MountTable.parse("""
                22 21 0:40 / /mnt/hive rw - fuse.beefs beefs rw
                23 21 0:41 / /mnt/other rw - tmpfs tmpfs rw
                """));

        assertThat(report.isUnresponsive("desktop1")).isTrue();
        assertThat(report.mounts())
                .containsExactly(
                        new MountStatus("/mnt/hive", "desktop1", false, Map.of(), false, true),
                        new MountStatus("/mnt/other", "desktop1", false, Map.of(), false, false));
    }

    /** None of them waits until others have answered, however many there are. */
    @Test
    void shouldAskAllDaemonsAtOnce() throws IOException {
        CountDownLatch asked = new CountDownLatch(DAEMONS);
        try (FakeHive hive = new FakeHive(temporary)) {
            for (int i = 1; i <= DAEMONS; i++) {
                hive.desktop("desktop" + i).whenTold("status", () -> awaitAll(asked));
            }

            StatusReport report = StatusCollector.collect(new HiveFolder(temporary), MountTable.parse(""));

            assertThat(report.processes())
                    .hasSize(DAEMONS)
                    .allSatisfy(process -> assertThat(process.condition()).isEqualTo("running"));
        }
    }

    private static void awaitAll(CountDownLatch asked) {
        asked.countDown();
        try {
            asked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
