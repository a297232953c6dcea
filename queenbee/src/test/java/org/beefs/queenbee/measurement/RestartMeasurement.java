package org.beefs.queenbee.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.server.QueenBee;
import org.beefs.queenbee.server.QueenBeeEnvironment;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a start takes, and how much heap a file: each time in a new JVM, with the flags of a queen-bee. The figures
 * are printed; of them only the memory is the same on each machine, and so is checked.
 *
 * <p>{@code -Dtest=RestartMeasurement -Dbeefs.inodes=1000000}; {@code -Dbeefs.flags=…} adds a flag, such as a flight
 * recording.
 */
@EnabledIfSystemProperty(named = "beefs.inodes", matches = "\\d+")
class RestartMeasurement {
    private static final int STARTS = 5;
    private static final Path FLAGS = Path.of("../cli/src/main/distribution");
    private static final int MAX_BYTES_OF_INODE = 250;
    private static final int MAX_BYTES_OF_REMOVED_FILE = 400;

    @TempDir
    private Path temporary;

    @Test
    void shouldStartFastAndBeSmall() throws IOException, InterruptedException {
        int inodes = Integer.getInteger("beefs.inodes");
        Path folder = temporary.resolve("queenbee");
        LargeHive.fill(folder, inodes);
        for (int i = 0; i < STARTS; i++) {
            assertThat(bytesOfInode(folder)).isLessThanOrEqualTo(MAX_BYTES_OF_INODE);
        }
    }

    /**
     * Each start waits for all of them to confirm that the files are gone, so the figure is the highest. A tenth of the
     * files, as the desktops take time.
     */
    @Test
    void shouldBeSmallWhenFilesAreRemovedWhileADesktopIsAway() throws IOException, InterruptedException {
        Path folder = temporary.resolve("queenbee");
        LargeHive.fill(folder, Integer.getInteger("beefs.inodes") / 10);
        LargeHive.removeFiles(folder);
        assertThat(bytesOfInode(folder)).isLessThanOrEqualTo(MAX_BYTES_OF_REMOVED_FILE);
    }

    private static int bytesOfInode(Path folder) throws IOException, InterruptedException {
        Process start = new ProcessBuilder(command(folder))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String figures = new String(start.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(start.waitFor()).isZero();
        System.out.print(figures);
        return Integer.parseInt(figures.replaceFirst("(?s).* (\\d+) bytes of heap.*", "$1"));
    }

    private static List<String> command(Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        for (String file : List.of("common.options", "queenbee.options")) {
            Files.readAllLines(FLAGS.resolve(file)).stream()
                    .filter(line -> line.startsWith("-"))
                    .forEach(command::add);
        }
        if (System.getProperty("beefs.flags") != null) {
            command.add(System.getProperty("beefs.flags"));
        }
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), RestartMeasurement.class.getName(), folder.toString()));
        return command;
    }

    /** One start: loads the folder and prints what it took. */
    public static void main(String[] arguments) throws IOException {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ManualTime time = new ManualTime();
        QueenBeeEnvironment world = new QueenBeeEnvironment(
                time, time, new Random(), "", new MemoryRoom(Long.MAX_VALUE, () -> 0), Runnable::run, (what, why) -> {
                    throw new IllegalStateException(what, why);
                });
        long cpu = system.getProcessCpuTime();
        long began = System.nanoTime();
        Path folder = Path.of(arguments[0]);
        try (RocksStateStore store = RocksStateStore.open(folder);
                QueenBee queenBee = new QueenBee(
                        QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, folder), store, world, () -> {}, "")) {
            long wall = System.nanoTime() - began;
            cpu = system.getProcessCpuTime() - cpu;
            int inodes = queenBee.state().namespace().size()
                    + queenBee.state().records().tombstones();
            System.out.printf(
                    "%d inodes, living or remembered: %d ms, %d ms of CPU, %d bytes of heap for each, load average %.1f%n",
                    inodes, wall / 1_000_000, cpu / 1_000_000, heap() / inodes, system.getSystemLoadAverage());
        }
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
