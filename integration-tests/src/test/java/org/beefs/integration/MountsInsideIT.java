package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.program.Cleanup;
import org.beefs.integration.program.Program;
import org.junit.jupiter.api.Test;

/** What is mounted inside of a hive, as containers do with their volumes, and overlays over it. */
@InHive
class MountsInsideIT {
    @Test
    void shouldOutliveOthersChangesWhereADesktopIsToldTo(Hive hive) throws IOException {
        hive.desktop(1)
                .restartWith(
                        settings -> settings.replace("patience = \"60s\"", "patience = \"60s\"\nkeep-mounts = true"));
        hive.up();
        Path project = Files.createDirectory(hive.mount().resolve("project"));
        Path inside = Files.createDirectory(project.resolve("volume"));
        Files.writeString(project.resolve("file"), "content");
        Path others = hive.mountOn("other").resolve("project");
        Path merged = Files.createDirectory(hive.scratch().resolve("merged"));
        try {
            Program.of("mount", "-t", "tmpfs", "none", inside.toString()).run();
            mountOverlay(project, hive.scratch(), merged);
            Files.writeString(inside.resolve("own"), "of the volume");
            assertThat(merged.resolve("file")).hasContent("content");

            Files.createFile(others.resolve("theirs"));
            Files.delete(others.resolve("theirs"));

            assertThat(inside.resolve("own")).hasContent("of the volume");
            assertThat(merged.resolve("file")).hasContent("content");
        } finally {
            Cleanup.run(List.of(() -> unmount(merged), () -> unmount(inside)));
        }
    }

    private static void mountOverlay(Path lower, Path scratch, Path merged) throws IOException {
        Path upper = Files.createDirectory(scratch.resolve("upper"));
        Path work = Files.createDirectory(scratch.resolve("work"));
        String layers = "lowerdir=%s,upperdir=%s,workdir=%s".formatted(lower, upper, work);
        Program.of("mount", "-t", "overlay", "overlay", "-o", layers, merged.toString())
                .run();
    }

    private static void unmount(Path mount) {
        if (MountPoints.isMounted(mount)) {
            Program.of("umount", mount.toString()).run();
        }
    }
}
