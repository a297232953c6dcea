package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.process.ProcessIdentity;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.cli.view.StatusReport.MountStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCollectorTest {
    @TempDir
    private Path temporary;

    /** It lives, and nobody answers at its control socket. */
    @Test
    void shouldKnowFromTheKernelWhatADaemonHasMountedThatDoesNotAnswer() throws IOException {
        ProcessFolder desktop = new HiveFolder(temporary).desktop("desktop1");
        desktop.create();
        Files.writeString(desktop.pid(), ProcessIdentity.current().toString());
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
}
