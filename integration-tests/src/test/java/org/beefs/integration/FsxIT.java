package org.beefs.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** fsx: random reads, writes, truncations and mappings of a file, against a model. */
@InHive
@Requires(programs = "fsx")
class FsxIT {
    private static final int SEEDS = Length.of(5, 20);
    private static final String OPERATIONS = "20000";
    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final String CONFIGURATION = """
            [opsize]
            min = 1
            [weights]
            close_open = 1.0
            invalidate = 1.0
            mapread = 5.0
            mapwrite = 5.0
            read = 10.0
            write = 10.0
            truncate = 5.0
            fsync = 1.0
            fdatasync = 1.0
            posix_fallocate = 2.0
            punch_hole = 2.0
            sendfile = 2.0
            copy_file_range = 2.0
            """;

    @Test
    void shouldKeepDataInTheOwnHoneycomb(Mounts mounts) throws IOException {
        exercise(mounts.local(), mounts.scratch());
    }

    @Test
    void shouldKeepDataElsewhere(Mounts mounts) throws IOException {
        exercise(mounts.withoutHoneycomb(), mounts.scratch());
    }

    /** All seeds at once: each waits for the disk most of the time. */
    private static void exercise(Path mount, Path scratch) throws IOException {
        Files.writeString(scratch.resolve("fsx.toml"), CONFIGURATION);
        Path folder = Files.createTempDirectory(mount, "fsx");
        List<RunningProgram> running = IntStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> start(seed, folder, scratch))
                .toList();
        try {
            running.forEach(program -> program.await(DEADLINE).mustSucceed());
        } finally {
            running.forEach(RunningProgram::close);
        }
    }

    private static RunningProgram start(int seed, Path folder, Path scratch) {
        return Program.of(
                        Requirements.path("fsx"),
                        "-N",
                        OPERATIONS,
                        "-S",
                        Integer.toString(seed),
                        "-f",
                        scratch.resolve("fsx.toml").toString(),
                        "-P",
                        scratch.toString(),
                        folder.resolve("file" + seed).toString())
                .start();
    }
}
