package org.beefs.honeybee.stats;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.jnr.JnrMount;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;

/** The same through the second driver. */
class StatsJnrMountTest extends StatsMountTest {
    private static final Path LIBRARY = Path.of("/lib", "x86_64-linux-gnu", "libfuse.so.2");

    @Override
    protected Mount mountThere(Path target, FileSystem fileSystem, MountOptions options) throws IOException {
        assumeTrue(Files.exists(LIBRARY), "SKIPPED: there is no libfuse 2");
        return JnrMount.mount(target, fileSystem, options);
    }
}
