package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.source.DebianSource;
import org.beefs.integration.source.Trees;
import org.junit.jupiter.api.Test;

/** A real C source package lives its life in a hive, and leaves nothing behind. */
@InHive
@Requires(programs = {"git", "make", "gcc", "tar", "apt-get"})
class RealSourceIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration BUILD = Duration.ofMinutes(5);
    private static final String IDENTITY = "-c user.name=tester -c user.email=tester@example.org";

    @Test
    void shouldHoldBuildAndVersionARealSourcePackage(Mounts mounts) throws IOException {
        live(mounts.local(), mounts.scratch());
    }

    @Test
    void shouldLeaveNothingBehindWhenAllIsRemoved(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        long usedInodes = Posix.statvfs(hive.mount()).usedInodes();
        Path source = unpack(hive.mount());
        Program.shell("git init -q . && git add -A && git %s commit -qm all".formatted(IDENTITY))
                .in(source)
                .run();
        assertThat(replicas(hive)).isNotEmpty();

        Program.of("rm", "-rf", source.toString()).run();

        assertThat(hive.mount()).isEmptyDirectory();
        Await.until(
                SOON,
                "nothing is counted any more",
                () -> Posix.statvfs(hive.mount()).usedInodes() == usedInodes);
        Await.until(
                SOON,
                () -> "no replica file is left: " + replicas(hive),
                () -> replicas(hive).isEmpty());
    }

    private static void live(Path mount, Path scratch) throws IOException {
        Path original = unpack(scratch);
        Path source = unpack(mount);
        assertThat(Trees.differences(original, source)).isEmpty();

        Program.shell("./configure && make -j2 && make check")
                .in(source)
                .within(BUILD)
                .run();
        assertThat(Program.of(source.resolve("hello").toString()).run().output())
                .isEqualTo("Hello, world!\n");

        Program.shell("git init -q . && git add -A -f && git %s commit -qm all".formatted(IDENTITY))
                .in(source)
                .run();
        Path clone = mount.resolve("clone");
        Program.of("git", "clone", "-q", "--no-hardlinks", source.toString(), clone.toString())
                .run();
        Program.of("git", "fsck", "--full", "--strict").in(source).run();
        Program.of("git", "fsck", "--full", "--strict").in(clone).run();
        assertThat(Program.of("git", "status", "--porcelain").in(clone).run().output())
                .isEmpty();
        Program.shell("diff -r --exclude=.git source clone")
                .in(rename(source, mount))
                .run();

        Program.of("rm", "-rf", mount.resolve("source").toString(), clone.toString())
                .run();
        assertThat(mount).isEmptyDirectory();
    }

    /** Gives the source the name that the comparison uses, and returns the folder that holds it. */
    private static Path rename(Path source, Path mount) {
        Posix.rename(source, mount.resolve("source"));
        return mount;
    }

    private static Path unpack(Path folder) throws IOException {
        Path archive = DebianSource.archive("hello");
        Program.of("tar", "xf", archive.toString()).in(folder).run();
        try (Stream<Path> unpacked = Files.list(folder)) {
            return unpacked.filter(path -> path.getFileName().toString().startsWith("hello-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** All files in the honeycombs' replica folders. */
    private static List<Path> replicas(Hive hive) {
        return Program.of("find", hive.state().toString(), "-path", "*/replicas/*", "-type", "f")
                .runToAnyEnd()
                .output()
                .lines()
                .map(Path::of)
                .toList();
    }
}
