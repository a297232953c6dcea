package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.SoftAssertions;
import org.beefs.cli.posixtest.Fsx;
import org.beefs.cli.posixtest.Outcome;
import org.beefs.cli.posixtest.Outcome.Verdict;
import org.beefs.cli.posixtest.Places;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Cleanup;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** stress-ng, fio and fsx: through one mount, and through two at the same time in one directory. */
@InHive
class StressIT {
    private static final int SECONDS = Length.of(1, 10);
    private static final Duration SETTLING = Duration.ofSeconds(60);

    private static final List<String> STRESSORS = List.of(
            "chmod",
            "chown",
            "copy-file",
            "dentry",
            "dir",
            "dirdeep",
            "dirmany",
            "fallocate",
            "fcntl",
            "flock",
            "fpunch",
            "getdent",
            "hdd",
            "iomix",
            "link",
            "locka",
            "lockf",
            "lockofd",
            "mknod",
            "mmap",
            "msync",
            "open",
            "rename",
            "revio",
            "seek",
            "sendfile",
            "splice",
            "symlink",
            "sync-file",
            "touch",
            "utime",
            "xattr");

    @AfterAll
    static void shouldBeSound(Mounts mounts) {
        mounts.assertSound();
    }

    /** It can end well although it has printed a failure. */
    @Test
    @Requires(programs = "stress-ng")
    void shouldWithstandStressThroughTwoMounts(Mounts mounts) throws IOException {
        Path here = Files.createTempDirectory(mounts.local(), "stress");
        Path there = mounts.otherDesktop().resolve(here.getFileName());
        SoftAssertions failures = new SoftAssertions();
        for (String stressor : STRESSORS) {
            try (RunningProgram one = stress(stressor, here).start();
                    RunningProgram other = stress(stressor, there).start()) {
                for (RunningProgram program : List.of(one, other)) {
                    Result end = program.await(SETTLING.plusSeconds(SECONDS));
                    failures.assertThat(end.exitCode()).as(end.toString()).isZero();
                    failures.assertThat(end.output() + end.errors())
                            .contains("successful run completed")
                            .doesNotContain("fail:", "error:", "warn:");
                }
            }
            failures.assertThat(here).as("what %s leaves", stressor).isEmptyDirectory();
        }
        failures.assertAll();
    }

    /** What was written is read again and compared, by fio, while other jobs write. */
    @ParameterizedTest
    @CsvSource({"psync, 0", "psync, 1", "libaio, 0", "libaio, 1", "io_uring, 0", "io_uring, 1", "mmap, 0"})
    @Requires(programs = "fio")
    void shouldReadWhatWasWritten(String engine, int direct, Mounts mounts) throws IOException {
        Path here = Files.createTempDirectory(mounts.local(), "fio");
        List<Path> places = List.of(
                here,
                mounts.otherDesktop().resolve(here.getFileName()),
                Files.createTempDirectory(mounts.withoutHoneycomb(), "fio"));
        List<RunningProgram> running = new ArrayList<>();
        for (Path place : places) {
            running.add(verified(engine, direct, place, running.size()).start());
        }
        try {
            for (RunningProgram program : running) {
                Result end = program.await(SETTLING.multipliedBy(Length.of(1, 10)));
                if (end.errors().contains("Operation not permitted") && engine.equals("io_uring")) {
                    throw Requirements.skip("this machine does not allow io_uring");
                }
                end.mustSucceed();
                assertThat(end.output()).contains("err= 0").doesNotContain("verify:");
                assertThat(end.errors()).isEmpty();
            }
        } finally {
            Cleanup.close(running);
        }
    }

    @Test
    @Requires(programs = "fsx")
    void shouldKeepDataThroughTwoMountsOfOneDirectory(Mounts mounts) throws Exception {
        Path here = Files.createTempDirectory(mounts.local(), "fsx");
        Path there = mounts.otherDesktop().resolve(here.getFileName());
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            List<Callable<List<Outcome>>> runs = List.of(
                    () -> fsx(Files.createDirectory(here.resolve("one")), mounts),
                    () -> fsx(Files.createDirectory(there.resolve("other")), mounts));
            for (Future<List<Outcome>> run : both.invokeAll(runs)) {
                assertThat(run.get()).isNotEmpty().allMatch(outcome -> outcome.verdict() == Verdict.PASSED);
            }
        }
    }

    private static List<Outcome> fsx(Path folder, Mounts mounts) throws Exception {
        return new Fsx(Length.of(2, 20), 10_000).run(new Places(folder, mounts.scratch()), () -> {});
    }

    private static Program stress(String stressor, Path folder) {
        List<String> command = new ArrayList<>(List.of(
                "stress-ng", "--temp-path", folder.toString(), "--" + stressor, "1", "-t", SECONDS + "s", "--verify"));
        if (stressor.equals("mmap")) {
            command.add("--mmap-file");
        }
        return Program.of(command).in(folder);
    }

    private static Program verified(String engine, int direct, Path folder, int number) {
        return Program.of(
                "fio",
                "--name=place" + number,
                "--directory=" + folder,
                "--rw=randrw",
                "--bs=4k-64k",
                "--bs_unaligned=" + (1 - direct),
                "--size=" + Length.of(6, 24) + "M",
                "--numjobs=2",
                "--ioengine=" + engine,
                "--direct=" + direct,
                "--verify=crc32c",
                "--verify_fatal=1",
                "--do_verify=1",
                "--fallocate=none");
    }
}
