package org.beefs.integration.hive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.beefs.integration.program.Program;

/** The kernel's list of mounts. Looking at it never asks the daemon behind a mount. */
public final class MountPoints {
    /**
     * The first line of a shell script in a new mount namespace. There other tests' mounts are copied to, and these
     * would not end when those tests unmount them.
     */
    public static final String WITHOUT_OTHERS = "umount --all --lazy --no-canonicalize --types fuse.beefs || true\n";

    private MountPoints() {}

    public static boolean isMounted(Path path) {
        return all().contains(path);
    }

    /** Mounts at the folder or below it, the innermost first. */
    public static List<Path> below(Path folder) {
        return all().stream().filter(mount -> mount.startsWith(folder)).toList().reversed();
    }

    /**
     * Takes away what is mounted there, at once, whoever uses it and whether anybody answers or not: by force, as a
     * daemon that was killed may be waiting in the kernel for a read that nobody answers any more.
     */
    public static void detachAll(Path folder) {
        for (Path mount : below(folder)) {
            Program.of("umount", "-f", "-l", mount.toString()).runToAnyEnd();
        }
    }

    private static List<Path> all() {
        try {
            String table = new String(Files.readAllBytes(Path.of("/proc/self/mountinfo")), StandardCharsets.UTF_8);
            return table.lines().map(line -> Path.of(line.split(" ", 6)[4])).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
