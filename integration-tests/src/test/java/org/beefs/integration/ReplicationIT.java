package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.MappedFile;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files live on several desktops, and are read where they are current. */
@InHive
class ReplicationIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int LARGE = 5 << 20;

    @Test
    void shouldGoOnReadingWhenThePrimarysDesktopDies(Hives hives) throws IOException {
        Hive hive = hives.create(3);
        set(hive, hive.mount(), "--coherence", "200ms");
        Path elsewhere = hive.mountOn("desktop2");
        byte[] content = random(1);
        Path large = Files.write(hive.mount().resolve("large"), content);
        for (int i = 0; i < 50; i++) {
            Files.writeString(hive.mount().resolve("small" + i), "line " + i);
        }
        awaitCopied(large, 3);
        content[LARGE / 2]++;
        try (SeekableByteChannel file = Files.newByteChannel(large, StandardOpenOption.WRITE)) {
            file.position(LARGE / 2).write(ByteBuffer.wrap(content, LARGE / 2, 1));
        }
        awaitCopied(large, 3);
        for (int i = 0; i < 50; i++) {
            awaitCopied(hive.mount().resolve("small" + i), 3);
        }

        hive.desktop(1).kill();

        assertThat(Files.readAllBytes(elsewhere.resolve("large"))).isEqualTo(content);
        for (int i = 0; i < 50; i++) {
            assertThat(elsewhere.resolve("small" + i)).hasContent("line " + i);
        }
        Path third = hive.mountOn("desktop3");
        assertThat(Files.readAllBytes(third.resolve("large"))).isEqualTo(content);
        assertThat(Files.readAllBytes(hive.mountOn("onlooker").resolve("large")))
                .isEqualTo(content);
    }

    /** As a program that runs while an update replaces it. */
    @Test
    void shouldGoOnReadingAReplacedFileWhenThePrimarysDesktopDies(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        set(hive, hive.mount(), "--coherence", "200ms");
        byte[] content = random(2);
        Path file = Files.write(hive.mount().resolve("program"), content);
        awaitCopied(file, 2);
        Path elsewhere = hive.mountOn("desktop2").resolve("program");

        ByteBuffer read = ByteBuffer.allocate(LARGE);
        try (SeekableByteChannel running = Files.newByteChannel(elsewhere)) {
            running.read(read.limit(1));
            Path update = Files.writeString(hive.mount().resolve("program.new"), "update");
            Files.move(update, file, StandardCopyOption.ATOMIC_MOVE);
            assertThat(elsewhere).hasContent("update");
            hive.desktop(1).kill();

            read.limit(LARGE);
            while (read.hasRemaining() && running.read(read) > 0) {}
        }
        assertThat(read.array()).isEqualTo(content);
    }

    @Test
    void shouldNeverReadAStaleReplica(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        letProgramsWaitForLess(hive.desktop(2));
        set(hive, hive.mount(), "--coherence", "200ms");
        Path elsewhere = hive.mountOn("desktop2").resolve("file");
        Path file = Files.writeString(hive.mount().resolve("file"), "old");
        awaitCopied(file, 2);
        assertThat(elsewhere).hasContent("old");
        set(hive, file, "--coherence", "24h");

        Files.writeString(file, "new");

        assertThat(elsewhere).hasContent("new");
        Await.until(SOON, "the file is clean", () -> states(file).contains("current"));
        assertThat(states(file)).containsExactly("current", "stale");
        assertThat(elsewhere).hasContent("new");
        hive.desktop(1).kill();
        Path uncached = hive.mountOn("desktop2").resolve("file");
        Result failed = Program.of("cat", uncached.toString())
                .within(Duration.ofMinutes(3))
                .runToAnyEnd();
        assertThat(failed.succeeded()).isFalse();
        assertThat(failed.errors()).contains("Input/output error");
        assertThat(hive.beefs("info", elsewhere.toString()).run().output())
                .contains("cannot be read until one of these is back: desktop1");
    }

    @Test
    void shouldHaveCopiesOfAFileThatStaysOpenForWriting(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.queenBee().restartWith(settings -> settings + """
                checkpoint-distance = "2s"
                lease = "7s"
                fence-margin = "3s"
                """);
        letProgramsWaitForLess(hive.desktop(2));
        Path file = hive.mount().resolve("log");
        Path elsewhere = hive.mountOn("desktop2").resolve("log");
        int fd = Posix.open(file, Posix.O_RDWR | Posix.O_CREAT, 0644);
        Posix.pwrite(fd, 0, new byte[4096]);
        try (MappedFile mapping = new MappedFile(fd, 4096)) {
            Posix.pwrite(fd, 0, "written and never closed".getBytes(UTF_8));
            awaitVersionAfter(file, 0);
            long version = version(file);
            mapping.store(0, "renewed".getBytes(UTF_8));
            awaitVersionAfter(file, version);
            assertThat(hive.beefs("status").run().output()).contains("1 open for long");

            hive.desktop(1).kill();
            Await.until(SOON, "it is missed", () -> hive.status().contains("asleep"));
            hive.beefs("lost", "desktop1").run().mustSucceed();

            Await.until(SOON.multipliedBy(3), "another primary", () -> hasPrimaryOn("desktop2", elsewhere));
            assertThat(new String(Files.readAllBytes(elsewhere), UTF_8)).startsWith("renewed and never closed");
        } finally {
            closeDead(fd);
        }
    }

    /** For a desktop that is away, before they get EIO. */
    private static void letProgramsWaitForLess(Role desktop) {
        desktop.restartWith(settings -> settings.replace("patience = \"60s\"", "patience = \"10s\""));
    }

    /** Whoever asks for a file that somebody writes on a dead desktop waits for that, and is told EIO in the end. */
    private static boolean hasPrimaryOn(String desktop, Path file) {
        try {
            return location(file).startsWith(desktop + "\tprimary");
        } catch (PosixException notYet) {
            assertThat(notYet.errno()).isEqualTo(Errno.EIO);
            return false;
        }
    }

    /** Nobody answers the FLUSH that closing asks for. */
    private static void closeDead(int fd) {
        try {
            Posix.close(fd);
        } catch (PosixException closedNevertheless) {
            assertThat(closedNevertheless.errno()).isEqualTo(Errno.ENOTCONN);
        }
    }

    /** And on both desktops. */
    private static void awaitVersionAfter(Path file, long version) {
        Await.until(
                SOON,
                () -> "a version after %d: %s".formatted(version, location(file)),
                () -> version(file) > version
                        && location(file).lines().allMatch(line -> line.contains("\t" + version(file) + "\t")));
    }

    private static long version(Path file) {
        return Long.parseLong(new String(Xattrs.get(file, "beefs.version"), UTF_8));
    }

    private static String location(Path file) {
        return new String(Xattrs.get(file, "beefs.location"), UTF_8);
    }

    @Test
    void shouldRemoveAllReplicasOfWhatIsRemoved(Hives hives) throws IOException {
        Hive hive = hives.create(3);
        set(hive, hive.mount(), "--coherence", "200ms", "--replicas", "2");
        Path file = Files.writeString(hive.mount().resolve("file"), "content");
        awaitCopied(file, 2);
        assertThat(replicas(hive)).hasSize(2);
        set(hive, file, "--replicas", "3");
        awaitCopied(file, 3);
        assertThat(replicas(hive)).hasSize(3);

        Files.delete(file);

        Await.until(
                SOON,
                () -> "no replica is left: " + replicas(hive),
                () -> replicas(hive).isEmpty());
    }

    @Test
    void shouldTakeSettingsAsExtendedAttributes(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path file = Files.writeString(hive.mount().resolve("file"), "content");
        set(hive, file, "--replicas", "2", "--coherence", "5m", "--p-factor", "1");
        Files.writeString(file, "is on disk when this returns");

        JsonNode info = info(hive, file);
        assertThat(info.get("replicas").asInt()).isEqualTo(2);
        assertThat(info.get("timeToCoherence").asString()).isEqualTo("5m");
        assertThat(info.get("pFactor").asInt()).isEqualTo(1);
        assertThat(hive.beefs("get", file.toString()).run().output())
                .containsPattern("replicas +2 +its own")
                .containsPattern("time to coherence +5m +its own")
                .containsPattern("P-factor +1 +its own");
        assertThat(hive.beefs("get", hive.mount().toString()).run().output()).containsPattern("replicas +3 +the hive");
        assertThat(info(hive, hive.mount()).get("replicas").asInt()).isEqualTo(3);
        assertThat(hive.beefs("set", file.toString(), "--replicas", "99")
                        .runToAnyEnd()
                        .errors())
                .contains("--replicas is from 1 to 16");
        assertThat(hive.beefs("info", hive.scratch().toString()).runToAnyEnd().errors())
                .contains("is in no hive");
    }

    @Test
    void shouldSetAWholeTreeAndGoBackToTheHivesValues(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path below = Files.createDirectories(hive.mount().resolve("tree/below"));
        Path file = Files.writeString(below.resolve("file"), "content");
        Path outside = Files.writeString(hive.mount().resolve("outside"), "content");
        Files.createSymbolicLink(below.resolve("link"), outside);
        Files.createFile(Path.of(URI.create(below.toUri() + "not-UTF-8-%E4")));
        String tree = hive.mount().resolve("tree").toString();

        Result changed = hive.beefs("set", tree, "--recursive", "--replicas", "5", "--coherence", "5m")
                .run();

        assertThat(changed.output()).contains("4 changed, 0 not");
        assertThat(info(hive, file).get("replicas").asInt()).isEqualTo(5);
        assertThat(info(hive, below).get("replicas").asInt()).isEqualTo(5);
        assertThat(info(hive, outside).get("replicas").asInt()).isEqualTo(3);
        JsonNode back = JsonMapper.shared()
                .readTree(hive.beefs("set", "--json", tree, "-r", "--replicas", "default")
                        .run()
                        .output());
        assertThat(back.get("changed").asInt()).isEqualTo(4);
        assertThat(hive.beefs("get", file.toString()).run().output())
                .containsPattern("replicas +3 +the hive")
                .containsPattern("time to coherence +5m +its own");
    }

    @Test
    void shouldBringATreeToTheDesktopWhereItIsWanted(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        set(hive, hive.mount(), "--replicas", "1");
        Path tree = Files.createDirectories(hive.mount().resolve("tree/below"));
        byte[] content = random(1);
        Files.write(tree.resolve("large"), content);
        Files.writeString(tree.resolve("small"), "text");
        Path elsewhere = hive.mountOn("desktop2").resolve("tree");
        Await.until(
                SOON,
                "the files are clean",
                () -> states(tree.resolve("large")).equals(List.of("current"))
                        && states(tree.resolve("small")).equals(List.of("current")));

        Result first = hive.beefs("warmup", elsewhere.toString()).run();

        assertThat(first.output()).contains("2 files, 5.0 MiB: 0 were here, 2 came (5.0 MiB).");
        Await.until(
                SOON,
                () -> "it has moved: " + location(tree.resolve("large")),
                () -> location(tree.resolve("large")).startsWith("desktop2\tprimary"));
        assertThat(elsewhere.resolve("below/large")).hasBinaryContent(content);
        Path link = Files.createSymbolicLink(hive.scratch().resolve("link"), elsewhere);
        JsonNode again = JsonMapper.shared()
                .readTree(hive.beefs("warmup", "--json", link.toString()).run().output());
        assertThat(again.get("present").asInt()).isEqualTo(2);
        assertThat(again.get("brought").asInt()).isZero();
    }

    @Test
    void shouldKeepAFileWhereItWasReadWhole(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.queenBee().restartWith(settings -> settings + "replicate-on-read = 10\n");
        set(hive, hive.mount(), "--replicas", "1", "--coherence", "200ms");
        byte[] content = random(1);
        Path file = Files.write(hive.mount().resolve("file"), content);
        Path part = Files.write(hive.mount().resolve("part"), content);
        awaitCopied(file, 1);
        awaitCopied(part, 1);
        Path elsewhere = hive.mountOn("desktop2");

        assertThat(elsewhere.resolve("file")).hasBinaryContent(content);
        try (InputStream opened = Files.newInputStream(elsewhere.resolve("part"))) {
            assertThat(opened.readNBytes(10)).hasSize(10);
        }

        awaitCopied(file, 2);
        assertThat(location(file)).containsPattern("desktop2\textra\t");
        assertThat(states(part)).hasSize(1);
        Files.writeString(file, "new");
        Await.until(
                SOON,
                () -> "its old content has left desktop2: " + replicas(hive),
                () -> states(file).size() == 1 && replicas(hive).size() == 2);
        assertThat(elsewhere.resolve("file")).hasContent("new");
    }

    private static void set(Hive hive, Path path, String... settings) {
        hive.beefs(Stream.concat(Stream.of("set", path.toString()), Stream.of(settings))
                        .toArray(String[]::new))
                .run()
                .mustSucceed();
    }

    private static void awaitCopied(Path file, int replicas) {
        Await.until(
                SOON,
                () -> "%d current replicas, not %s".formatted(replicas, states(file)),
                () -> states(file).equals(Collections.nCopies(replicas, "current")));
    }

    /** Of the file's replicas, the primary's first. */
    private static List<String> states(Path file) {
        return location(file).lines().map(line -> line.split("\t", -1)[4]).toList();
    }

    private static JsonNode info(Hive hive, Path file) {
        return JsonMapper.shared()
                .readTree(hive.beefs("info", "--json", file.toString()).run().output());
    }

    private static List<Path> replicas(Hive hive) {
        return hive.roles().stream()
                .map(role -> role.folder().resolve("honeycomb/replicas"))
                .filter(Files::isDirectory)
                .flatMap(ReplicationIT::files)
                .toList();
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] random(int seed) {
        byte[] content = new byte[LARGE];
        new Random(seed).nextBytes(content);
        return content;
    }
}
