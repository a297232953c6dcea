package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.junit.jupiter.api.Test;

/** Access times as relatime keeps them, times far away, and the time of birth. */
abstract class Times extends Topic {
    private static final Instant LONG_AGO = Instant.parse("1999-12-31T23:59:59Z");
    private static final Duration SOON = Duration.ofSeconds(20);
    private final Instant began = Instant.now().minusSeconds(60);

    @Test
    void shouldNoteAReadAfterAChange() {
        Path file = file("file", "text", 0644);
        Posix.utimens(file, LONG_AGO, LONG_AGO);
        assertThat(Posix.stat(file).accessed()).isEqualTo(LONG_AGO);

        with(file, Posix.O_RDONLY, fd -> assertThat(text(fd)).isEqualTo("text"));

        assertThat(Posix.stat(file).accessed()).isAfter(began);
        Await.until(
                SOON,
                "the other mount shows it",
                () -> Posix.stat(there.resolve("file"))
                        .accessed()
                        .equals(Posix.stat(file).accessed()));
    }

    @Test
    void shouldNotNoteFurtherReadsOnTheSameDay() {
        Path file = file("file", "text", 0644);
        with(file, Posix.O_RDONLY, fd -> text(fd));
        Instant later = Instant.now().plusSeconds(3600);
        Posix.utimens(file, later, LONG_AGO);

        with(file, Posix.O_RDONLY, fd -> text(fd));

        assertThat(Posix.stat(file).accessed()).isEqualTo(later);
        assertThat(Posix.stat(there.resolve("file")).accessed()).isEqualTo(later);
    }

    @Test
    void shouldNoteListings() {
        Path folder = here.resolve("folder");
        Posix.mkdir(folder, 0755);
        Posix.utimens(folder, LONG_AGO, LONG_AGO);

        OpenDirectory.list(folder);

        assertThat(Posix.stat(folder).accessed()).isAfter(began);
    }

    @Test
    void shouldKeepWhatSomebodySetsAfterARead() {
        Path file = file("file", "text", 0644);
        with(file, Posix.O_RDONLY, fd -> text(fd));
        Posix.utimens(file, LONG_AGO, LONG_AGO);
        Path other = file("other", "text", 0644);
        with(other, Posix.O_RDONLY, fd -> text(fd));
        Await.until(
                SOON,
                "later reads are known everywhere",
                () -> Posix.stat(there.resolve("other"))
                        .accessed()
                        .equals(Posix.stat(other).accessed()));

        assertThat(Posix.stat(there.resolve("file")).accessed()).isEqualTo(LONG_AGO);
    }

    @Test
    void shouldKeepTimesFromBefore1970ToAfter2038() {
        Path file = file("file", "text", 0644);
        List<String> times = List.of(
                "1901-12-13T20:45:54Z",
                "1969-12-31T23:59:59.999999999Z",
                "2106-02-07T06:28:16.000000007Z",
                "2446-05-10T22:38:55Z");
        for (Instant time : times.stream().map(Instant::parse).toList()) {
            Posix.utimens(file, time, time);
            for (Path path : List.of(file, there.resolve("file"))) {
                assertThat(Posix.stat(path).modified()).isEqualTo(time);
                assertThat(Posix.stat(path).accessed()).isEqualTo(time);
            }
        }
    }

    @Test
    void shouldTellWhenAFileWasMade() {
        Path file = file("file", "text", 0644);
        Posix.utimens(file, LONG_AGO, LONG_AGO);
        List<String> births = Stream.of(file, there.resolve("file"))
                .map(path -> Program.of("stat", "-c", "%W", path.toString())
                        .run()
                        .output()
                        .strip())
                .toList();
        assertThat(births.getFirst()).isEqualTo(births.getLast());
        assertThat(Instant.ofEpochSecond(Long.parseLong(births.getFirst()))).isAfter(began);
    }
}
