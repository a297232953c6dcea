package org.beefs.integration;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.beefs.integration.faults.BehindBack.flipAByte;
import static org.beefs.integration.faults.BehindBack.replica;
import static org.beefs.integration.faults.BehindBack.truncate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.control.DaemonStatus.ScrubStatus;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What happens to replica files behind the hive's back is found, never served, and healed where that is possible. */
@InHive
class ScrubIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String CONTENT = "the content of a file\n".repeat(1000);

    @Test
    void shouldHealWhatIsRottenAndKeepWhatCannotBeHealed(Hives hives) throws IOException {
        Hive hive = hives.create(3);
        hive.beefs("set", hive.mount().toString(), "--coherence", "200ms").run().mustSucceed();
        List<Path> files = Stream.of("secondary", "primary", "cut", "missing", "reopened")
                .map(name -> written(hive, name))
                .toList();
        Path alone = written(hive, "alone");
        hive.beefs("set", alone.toString(), "--replicas", "1").run().mustSucceed();
        files.forEach(file -> awaitStates(file, 3));
        awaitStates(alone, 1);
        assertThat(scrub(hive)).as("rotten replicas").isZero();

        flipAByte(replica(hive.desktop(2), files.get(0)));
        flipAByte(replica(hive.desktop(1), files.get(1)));
        truncate(replica(hive.desktop(3), files.get(2)), 7);
        Files.delete(replica(hive.desktop(1), files.get(3)));
        flipAByte(replica(hive.desktop(1), alone));
        assertThat(scrub(hive)).as("rotten replicas").isPositive();

        for (Path file : files) {
            assertThat(file).as("as programs read it").hasContent(CONTENT);
            awaitStates(file, 3);
        }
        for (Path file : files) {
            for (int desktop = 1; desktop <= 3; desktop++) {
                Role holder = hive.desktop(desktop);
                Await.until(SOON, "the replica of " + file + " is healed", () -> holds(holder, file));
            }
        }
        assertThat(location(files.get(1)).getFirst()).startsWith("desktop").doesNotStartWith("desktop1");
        assertIsKept(hive, alone);

        Path reopened = replica(hive.desktop(1), files.get(4));
        hive.desktop(1).kill();
        flipAByte(reopened);
        hive.up();
        assertThat(files.get(4)).as("as programs read it").hasContent(CONTENT);
        awaitStates(files.get(4), 3);
    }

    /** What is rotten counts as current until a heartbeat has told of it. */
    private static boolean holds(Role desktop, Path file) {
        try {
            return Files.readString(replica(desktop, file), ISO_8859_1).equals(CONTENT);
        } catch (IOException | NoSuchElementException e) {
            return false;
        }
    }

    private static void assertIsKept(Hive hive, Path alone) throws IOException {
        assertThatThrownBy(() -> Files.readString(alone)).isInstanceOf(IOException.class);
        Await.until(SOON, "it is told that one cannot be healed", () -> unhealed(hive) == 1);
        assertThat(hive.beefs("info", alone.toString()).run().output())
                .contains("rotten", "not what was written there");
        assertThat(replica(hive.desktop(1), alone)).exists();
        assertThat(hive.beefs("status").run().output()).contains("1 rotten replica, 1 of them cannot be replaced now");
        Files.delete(alone);
        Await.until(SOON, "what nobody wants any more is not rotten", () -> unhealed(hive) == 0);
    }

    private static long unhealed(Hive hive) {
        return hive.report().honeycombs().stream()
                .map(HoneycombStatus::scrub)
                .filter(Objects::nonNull)
                .mapToLong(ScrubStatus::unhealed)
                .sum();
    }

    /** Replicas that were rotten when it was over. */
    private static long scrub(Hive hive) {
        Result result = hive.beefs("scrub", "--json").run().mustSucceed();
        return result.output()
                .lines()
                .mapToLong(
                        line -> JsonMapper.shared().readTree(line).get("rotten").asLong())
                .sum();
    }

    private static Path written(Hive hive, String name) {
        try {
            return Files.writeString(hive.mount().resolve(name), CONTENT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitStates(Path file, int replicas) {
        Await.until(
                SOON,
                () -> replicas + " current replicas, not " + location(file),
                () -> location(file).stream()
                        .map(line -> line.split("\t", -1)[4])
                        .toList()
                        .equals(Collections.nCopies(replicas, "current")));
    }

    private static List<String> location(Path file) {
        return new String(Xattrs.get(file, "beefs.location"), UTF_8).lines().toList();
    }
}
