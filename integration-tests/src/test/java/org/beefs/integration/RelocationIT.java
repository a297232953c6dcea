package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** Files leave a desktop that is short of space, or that is to be switched off, and stay to be read. */
@InHive
class RelocationIT {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int FILES = 31;

    /** The last of 32 MiB is short of the low-water mark. */
    private static final int SIZE = 1 << 20;

    @Test
    void shouldMoveFilesOutOfASmallHoneycombAndEmptyADesktop(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        makeSmall(hive);
        hive.beefs("set", hive.mount().toString(), "--replicas", "1").run().mustSucceed();

        for (int i = 0; i < FILES; i++) {
            Files.write(file(hive, i), content(i));
        }

        Await.until(
                SOON,
                () -> "some of these leave desktop1: " + places(hive),
                () -> places(hive).contains("desktop2"));
        assertThat(places(hive).getLast()).isEqualTo("desktop1");
        Await.until(
                SOON,
                () -> "there is room again: " + places(hive),
                () -> count(places(hive), "desktop1") <= 28 && replicas(hive, 1) <= 28);
        checkContents(hive, FILES);

        try (RunningProgram drain = drainWhileAFileIsOpen(hive)) {
            Result drained = drain.await(SOON).mustSucceed();

            assertThat(drained.output()).contains("desktop1 is drained. It can be switched off");
        }
        Await.until( // it tells what the console has seen last
                SOON,
                () -> "it says that desktop1 is drained: " + check(hive).output(),
                () -> check(hive).output().contains("desktop1 is drained and can be switched off"));
        assertThat(check(hive).exitCode()).isEqualTo(1);
        Role queenBee = hive.queenBee();
        queenBee.kill();
        assertThat(check(hive).exitCode()).isEqualTo(7);
        queenBee.restart();
        Await.until(SOON, hive::status, hive::areAllAwake);
        assertThat(replicas(hive, 1)).isZero();
        assertThat(places(hive)).containsOnly("desktop2");
        checkContents(hive, FILES);
        Files.writeString(hive.mount().resolve("later"), "goes elsewhere");
        assertThat(place(hive.mount().resolve("later"))).isEqualTo("desktop2");
        hive.beefs("drain", "desktop1", "--cancel").run().mustSucceed();
        assertThat(hive.beefs("drain", "nobody").runToAnyEnd().errors()).contains("there never was a honeycomb");
    }

    private static Result check(Hive hive) {
        return hive.beefs("status", "--check").runToAnyEnd();
    }

    @Test
    void shouldMakeRoomForAFileThatMeetsAFullHoneycomb(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        makeSmall(hive);
        hive.beefs("set", hive.mount().toString(), "--replicas", "1").run().mustSucceed();
        for (int i = 0; i < FILES - 1; i++) {
            Files.write(file(hive, i), content(i));
        }
        Path large = hive.mount().resolve("large");
        byte[] written = new byte[20 * SIZE];
        new Random(FILES).nextBytes(written);

        Files.write(large, written);

        assertThat(place(large)).isEqualTo("desktop1");
        assertThat(Files.readAllBytes(large)).isEqualTo(written);
        assertThatThrownBy(() -> Files.write(large, written, StandardOpenOption.APPEND))
                .as("the honeycomb is smaller than the file")
                .hasMessageContaining("No space left on device");
        assertThat(Arrays.copyOf(Files.readAllBytes(large), written.length)).isEqualTo(written);
        checkContents(hive, FILES - 1);
    }

    /** Begins to empty the first desktop, and returns when all has left but the file that is closed then. */
    private static RunningProgram drainWhileAFileIsOpen(Hive hive) throws IOException {
        String name = "/file" + (FILES - 1);
        try (InputStream _ = Files.newInputStream(file(hive, FILES - 1))) {
            RunningProgram drain = hive.beefs("drain", "desktop1").start();
            return drain.when(
                    SOON,
                    () -> "it names what it waits for: " + drain.errorsSoFar(),
                    () -> drain.errorsSoFar().contains(name) && replicas(hive, 1) == 1);
        }
    }

    /** Its first desktop, from the next start on. */
    private static void makeSmall(Hive hive) throws IOException {
        hive.down().mustSucceed();
        Path configuration = hive.desktop(1).folder().resolve("desktop.toml");
        String text = Files.readString(configuration);
        Files.writeString(configuration, text.replaceAll("(?m)^capacity = .*$", "capacity = \"32M\""));
        hive.up().mustSucceed();
    }

    private static void checkContents(Hive hive, int files) throws IOException {
        for (int i = 0; i < files; i++) {
            assertThat(Files.readAllBytes(file(hive, i))).as("file %d", i).isEqualTo(content(i));
        }
    }

    private static Path file(Hive hive, int number) {
        return hive.mount().resolve("file" + number);
    }

    private static byte[] content(int number) {
        byte[] content = new byte[SIZE];
        new Random(number).nextBytes(content);
        return content;
    }

    /** Where the primary of each file is. */
    private static List<String> places(Hive hive) {
        return IntStream.range(0, FILES)
                .mapToObj(number -> place(file(hive, number)))
                .toList();
    }

    private static String place(Path file) {
        return new String(Xattrs.get(file, "beefs.location"), UTF_8).split("\t", 2)[0];
    }

    private static long count(List<String> places, String desktop) {
        return places.stream().filter(desktop::equals).count();
    }

    /** On the disk of a desktop. */
    private static long replicas(Hive hive, int desktop) {
        Path folder = hive.desktop(desktop).folder().resolve("honeycomb/replicas");
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).count();
        } catch (IOException | UncheckedIOException changing) {
            return -1; // a folder has gone while it was listed
        }
    }
}
