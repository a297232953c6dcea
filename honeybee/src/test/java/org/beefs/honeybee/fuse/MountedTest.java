package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What tests on real mounts share. Needs root and /dev/fuse; without them its tests are skipped, and say so. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class MountedTest {
    private static final Logger LOG = LoggerFactory.getLogger(MountedTest.class);

    /** Whether the kernel can hand requests to rings. */
    private static final boolean RINGS = Files.exists(Path.of("/sys/module/fuse/parameters/enable_uring"));

    /** Of parameterized classes: through which mounts that name none are served. */
    @Parameter
    Driver driver = Driver.AUTOMATIC;

    @TempDir
    protected Path folder;

    protected final TestTimers timers = new TestTimers();
    protected final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final List<Mount> mounts = new ArrayList<>();
    private final List<Path> targets = new ArrayList<>();

    @BeforeEach
    void requireRootAndFuse() {
        boolean possible = Files.isWritable(Path.of("/dev/fuse")) && "root".equals(System.getProperty("user.name"));
        if (!possible) {
            LOG.warn("SKIPPED: tests on real mounts need root and /dev/fuse");
        }
        assumeTrue(possible, "needs root and /dev/fuse");
        assumeTrue(driver != Driver.RINGS || RINGS, "needs FUSE over io_uring");
    }

    @AfterEach
    void unmountEverything() throws IOException, InterruptedException {
        try {
            mounts.forEach(Mount::close);
        } finally {
            for (Path target : targets) {
                new ProcessBuilder("umount", "-l", target.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            }
            executor.shutdownNow();
            timers.close();
        }
    }

    /** Mounts at a new directory of that name. */
    protected Mount mount(String name, FileSystem fileSystem, MountOptions options) throws IOException {
        return mountAt(Files.createDirectories(folder.resolve(name)), fileSystem, options);
    }

    Mount mountAt(Path target, FileSystem fileSystem, MountOptions options) throws IOException {
        targets.add(target);
        Mount mount = mountThere(target, fileSystem, options);
        mounts.add(mount);
        return mount;
    }

    /** By the driver that is tested. */
    protected Mount mountThere(Path target, FileSystem fileSystem, MountOptions options) throws IOException {
        MountOptions chosen = options.driver() == Driver.AUTOMATIC ? options.withDriver(driver) : options;
        return FuseMount.mount(target, fileSystem, chosen, mountTimers());
    }

    /** In whose time mounts live. */
    Timers mountTimers() {
        return timers;
    }

    /** Unmounts it at the end of the test, whatever happens. */
    void cleanUp(Path target) {
        targets.add(target);
    }

    /** Runs a shell script, which must succeed within a minute, and answers what it prints. */
    protected String shell(String script) throws IOException, InterruptedException {
        Process process = start(script);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of %s%n%s", script, output).isZero();
        return output;
    }

    /** Starts a shell script that is killed after a minute at the latest. */
    protected static Process start(String script) throws IOException {
        return new ProcessBuilder("timeout", "-s", "KILL", "60", "bash", "-euc", script)
                .redirectErrorStream(true)
                .start();
    }
}
