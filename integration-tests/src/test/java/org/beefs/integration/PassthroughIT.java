package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.MappedFile;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Cleanup;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** On a file's own desktop the kernel moves its content, and nothing gets lost when the daemon does not see it. */
@InHive
@Requires(programs = {"python3", "setpriv"})
class PassthroughIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** What setcap(8) writes: cap_net_raw, permitted and effective. */
    private static final byte[] CAPABILITIES = {1, 0, 0, 2, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    private static final String CAPABILITY = "security.capability";

    private static final String AS_NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups ";

    /** Goes on when there is a file named "go" in its directory, and then says so. */
    private static final String WAIT = """
            import mmap, os, time
            def wait(name):
                open(name + '.reached', 'w').close()
                while not os.path.exists(name): time.sleep(0.01)
            """;

    @Test
    void shouldReadAndWriteWithoutTheDaemon(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path file = Files.writeString(hive.mount().resolve("file"), "text");
        try (RunningProgram program = python(hive, """
                f = os.open('%s', os.O_RDWR | os.O_APPEND)
                m = mmap.mmap(f, 4)
                os.write(f, b' and')
                wait('stopped')
                os.write(f, b' more')
                assert os.pread(f, 100, 0) == b'text and more'
                m[0:4] = b'TEXT'
                wait('written')
                """.formatted(file))) {
            reached(hive, "stopped");
            Role desktop = hive.desktop(1);

            desktop.stop();
            try {
                letGo(hive, "stopped");
                reached(hive, "written");
            } finally {
                desktop.resume();
            }
            letGo(hive, "written");
            program.await(SOON).mustSucceed();
        }
        assertThat(file).hasContent("TEXT and more");
    }

    /** As make(1) relies on: a stamp that is touched, and what is built before and after it. */
    @Test
    void shouldKeepTheOrderOfWhatIsTouchedAndWhatIsWritten(Hives hives) {
        Hive hive = hives.create(1);

        Program.of("python3", "-c", """
                import os, sys
                os.chdir(sys.argv[1])
                def build(name):
                    with open(name, 'w') as out: out.write('built')
                    return os.stat(name).st_mtime_ns
                def touch():
                    os.utime('stamp')
                    return os.stat('stamp').st_mtime_ns
                build('stamp')
                for i in range(300):
                    before, stamp, after = build('before%d' % i), touch(), build('after%d' % i)
                    assert before <= stamp <= after, (i, stamp - before, after - stamp)
                """, hive.mount().toString()).run();
    }

    @Test
    void shouldShowOtherDesktopsAtOnceWhatTheKernelHasWritten(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path file = Files.createFile(hive.mount().resolve("file"));
        Path elsewhere = hive.mountOn("desktop2").resolve("file");
        int fd = Posix.open(file, Posix.O_RDWR, 0);
        try {
            Posix.pwrite(fd, 0, bytes("from here"));
            assertThat(elsewhere).hasContent("from here").hasSize(9);

            Files.writeString(elsewhere, "from there");
            assertThat(new String(Posix.pread(fd, 0, 100), StandardCharsets.UTF_8))
                    .isEqualTo("from there");
            assertThat(Posix.fstat(fd).size()).isEqualTo(10);
        } finally {
            Posix.close(fd);
        }
    }

    @Test
    void shouldLoseNoLineThatIsAppendedHereAndThere(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path file = Files.createFile(hive.mount().resolve("log"));
        List<Path> everywhere = List.of(
                file,
                hive.mountOn("desktop1").resolve("log"),
                hive.mountOn("desktop2").resolve("log"));
        List<RunningProgram> writers = everywhere.stream()
                .map(log -> Program.shell("for i in $(seq 1000); do echo line; done >> " + log)
                        .start())
                .toList();
        try {
            writers.forEach(writer -> writer.await(SOON).mustSucceed());
        } finally {
            Cleanup.close(writers);
        }

        assertThat(Files.readAllLines(file)).hasSize(3000).containsOnly("line");
    }

    @Test
    void shouldCommitAMappedFileOnlyWhenItsMappingIsGone(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path file = Files.write(hive.mount().resolve("mapped"), new byte[8192]);
        Path replica = replica(hive, file);
        awaitVersion(replica);
        try (RunningProgram program = python(hive, """
                f = os.open('%s', os.O_RDWR)
                m = mmap.mmap(f, 8192)
                os.close(f)
                m[0] = 1
                wait('closed')
                m[1] = 2
                """.formatted(file))) {
            reached(hive, "closed");
            Path later = Files.writeString(hive.mount().resolve("later"), "text");
            awaitVersion(replica(hive, later));
            assertThat(version(replica)).as("while it is mapped").isZero();

            letGo(hive, "closed");
            program.await(SOON).mustSucceed();
        }
        awaitVersion(replica);
        assertThat(Files.readAllBytes(hive.mountOn("desktop2").resolve("mapped")))
                .startsWith(1, 2);
    }

    @Test
    void shouldShowInEachMappingWhatIsStoredThroughAnother(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path file = Files.write(hive.mount().resolve("mapped"), bytes("text"));
        try (MappedFile first = map(file)) {
            Posix.chmod(file, 06777); // from now on the daemon prefers to move its content itself
            try (MappedFile second = map(file)) {
                assertThat(second.load(0, 4)).isEqualTo(bytes("text"));

                first.store(0, bytes("T"));
                assertThat(second.load(0, 4)).isEqualTo(bytes("Text"));
                second.store(3, bytes("T"));
                assertThat(first.load(0, 4)).isEqualTo(bytes("TexT"));
            }
            Program.shell(AS_NOBODY + "/bin/sh -c 'echo more >> " + file + "'").run();
            assertThat(Posix.stat(file).permissions()).isEqualTo(0777);
        }
        assertThat(file).hasContent("TexTmore\n");
    }

    @Test
    void shouldSealAgainWhatWasOnlyOpenedForWriting(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path file = Files.writeString(hive.mount().resolve("file"), "text");
        Path replica = replica(hive, file);
        awaitVersion(replica);
        long version = version(replica);

        int fd = Posix.open(file, Posix.O_RDWR, 0);
        assertThat(version(replica)).isZero();
        Posix.close(fd);

        awaitVersion(replica);
        assertThat(version(replica)).isEqualTo(version);
    }

    @Test
    void shouldTakeSetIdBitsAndCapabilitiesAwayWhenSomebodyElseWrites(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path setId = Files.writeString(hive.mount().resolve("setId"), "text");
        Path capable = Files.writeString(hive.mount().resolve("capable"), "text");
        Path open = Files.writeString(hive.mount().resolve("open"), "text");
        Posix.chmod(setId, 06777);
        Posix.chmod(capable, 0777);
        Xattrs.set(capable, CAPABILITY, CAPABILITIES);
        Posix.chmod(open, 0777);
        awaitVersion(replica(hive, open));

        Program.shell(AS_NOBODY + "/bin/sh -c 'echo more | tee -a " + setId + " " + capable + "'")
                .run();
        try (RunningProgram program = Program.shell(AS_NOBODY + "/bin/sh -c 'exec 5>> " + open + "; until test -e "
                        + hive.scratch() + "/go; do sleep .01; done; echo more >&5'")
                .start()) {
            Await.until(SOON, "the file is open", () -> version(replica(hive, open)) == 0);
            Xattrs.set(open, CAPABILITY, CAPABILITIES);
            letGo(hive, "go");
            program.await(SOON).mustSucceed();
        }

        assertThat(Posix.stat(setId).permissions()).isEqualTo(0777);
        assertThat(Xattrs.list(capable)).isEmpty();
        assertThat(Xattrs.list(open)).as("while it was open").isEmpty();
        assertThat(List.of(setId, capable, open))
                .allSatisfy(file -> assertThat(file).hasContent("textmore\n"));
    }

    private static RunningProgram python(Hive hive, String script) {
        return Program.of("python3", "-c", WAIT + script).in(hive.scratch()).start();
    }

    /** Maps a file whose descriptor is closed then. */
    private static MappedFile map(Path file) {
        int fd = Posix.open(file, Posix.O_RDWR, 0);
        try {
            return new MappedFile(fd, (int) Posix.fstat(fd).size());
        } finally {
            Posix.close(fd);
        }
    }

    private static void reached(Hive hive, String point) {
        Path mark = hive.scratch().resolve(point + ".reached");
        Await.until(SOON, "the program reaches " + point, () -> Files.exists(mark));
    }

    private static void letGo(Hive hive, String point) throws IOException {
        Files.createFile(hive.scratch().resolve(point));
    }

    /** The replica of a file in the first desktop's honeycomb. */
    private static Path replica(Hive hive, Path file) {
        String name = "%016x.00000000".formatted(Posix.stat(file).inode());
        try (Stream<Path> files = Files.walk(hive.desktop(1).folder().resolve("honeycomb/replicas"))) {
            return files.filter(path -> path.endsWith(name)).findAny().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitVersion(Path replica) {
        Await.until(SOON, replica + " carries a version", () -> version(replica) != 0);
    }

    private static long version(Path replica) {
        try {
            return ReplicaDescription.parseFrom(Xattrs.get(replica, "user.beefs.replica"))
                    .getVersion();
        } catch (IOException e) {
            throw new AssertionError(replica + " does not say what it is", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
