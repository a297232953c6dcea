package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.beefs.honeycomb.catalog.RocksCatalog;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A hive is checked while it works: nothing is found in a healthy one, and what was done to replica files behind its
 * back is found, named and repaired.
 */
@InHive
class FsckIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** How often a hive is checked while it works. */
    private static final int CHECKS = 5;

    private static final String CONTENT = "the content of a file\n".repeat(1000);

    @Test
    void shouldFindAndRepairWhatWasDoneToReplicaFiles(Hives hives) throws IOException {
        Hive hive = hives.create(3);
        hive.beefs("set", hive.mount().toString(), "--coherence", "200ms").run().mustSucceed();
        Path missing = copied(hive, "missing");
        Path rotten = copied(hive, "rotten");
        Path cut = copied(hive, "cut");
        assertThat(fsck(hive, 0, "--content").get("findings")).isEmpty();
        // Nothing waits to be read any more: the scrub would heal what it finds before the check sees it.
        hive.beefs("scrub").run().mustSucceed();

        Files.delete(replica(hive.desktop(2), missing));
        flipAByte(replica(hive.desktop(3), rotten));
        truncate(replica(hive.desktop(1), cut), 7);

        assertThat(kinds(fsck(hive, 4, "--content")))
                .containsExactlyInAnyOrder(
                        "missing-replica /missing repairable",
                        "different-content /rotten repairable",
                        "altered-replica /cut left");
        assertThat(kinds(fsck(hive, 5, "--content", "--repair")))
                .containsExactlyInAnyOrder(
                        "missing-replica /missing repaired",
                        "different-content /rotten repaired",
                        "altered-replica /cut left");
        awaitCopied(missing);
        awaitCopied(rotten);
        assertThat(kinds(fsck(hive, 4, "--content"))).containsExactly("altered-replica /cut left");
        assertThat(Files.readString(replica(hive.desktop(3), rotten))).isEqualTo(CONTENT);
        Result people = hive.beefs("fsck").runToAnyEnd();
        assertThat(people.output()).contains("/cut: ", "behind the hive's back", "1 found, 0 repaired, 1 left");
    }

    @Test
    void shouldFindNothingWhileFilesComeAndGo(Hives hives) throws Exception {
        Hive hive = hives.create(2);
        hive.beefs("set", hive.mount().toString(), "--coherence", "0s").run().mustSucceed();
        AtomicBoolean checked = new AtomicBoolean();
        CompletableFuture<Void> working = CompletableFuture.runAsync(() -> workUntil(checked, hive.mount()));
        try {
            for (int check = 0; check < CHECKS && !working.isDone(); check++) {
                assertThat(fsck(hive, 0).get("findings")).isEmpty();
            }
        } finally {
            checked.set(true);
            working.join();
        }
        hive.desktop(2).kill();
        assertThat(fsck(hive, 0, "--repair").get("unchecked").toString()).contains("desktop2");
    }

    @Test
    void shouldHealWhatAWrongCatalogMakesDoubtfulAndHaveTheCatalogRight(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.beefs("set", hive.mount().toString(), "--coherence", "200ms").run().mustSucceed();
        Path file = Files.writeString(hive.mount().resolve("file"), CONTENT);
        awaitCopied(file, 2);
        long inode = (long) Files.getAttribute(file, "unix:ino");
        hive.down().mustSucceed();

        try (RocksCatalog catalog = RocksCatalog.open(hive.desktop(1).folder().resolve("honeycomb/catalog"))) {
            ReplicaDescription right = Objects.requireNonNull(catalog.find(new ReplicaId(inode, 0)));
            assertThat(right.getVersion()).isPositive();
            catalog.put(right.toBuilder().setVersion(0).build());
        }
        hive.up().mustSucceed();

        Await.until(SOON, "the file is healed", () -> hive.status().contains("1 file was healed"));
        assertThat(hive.status()).contains("replicas were compared");
        assertThat(file).hasContent(CONTENT);
        awaitCopied(file, 2);
        Await.until(SOON, "the grace is over", () -> !fsckSaysToWait(hive));
        // Its next seal mends the catalog, should the check not come before that.
        hive.beefs("fsck", "--repair").runToAnyEnd();
        assertThat(kinds(fsck(hive, 0))).isEmpty();
    }

    private static boolean fsckSaysToWait(Hive hive) {
        return hive.beefs("fsck").runToAnyEnd().errors().contains("try again in half a minute");
    }

    @Test
    void shouldEndAsFsckDoesWhenItCannotCheck(Hives hives) {
        Hive hive = hives.create(1);
        hive.down();
        Result down = hive.beefs("fsck").runToAnyEnd();
        assertThat(down.exitCode()).isEqualTo(8);
        assertThat(down.errors()).contains("beefs: the hive could not be checked");
        assertThat(hive.beefs("fsck", "--queenbee", "nonsense").runToAnyEnd().exitCode())
                .isEqualTo(16);
        assertThat(hive.beefs("fsck", "--reparieren").runToAnyEnd().exitCode()).isEqualTo(16);
    }

    private static void workUntil(AtomicBoolean ended, Path mount) {
        try {
            for (int round = 0; !ended.get(); round++) {
                Path folder = Files.createDirectories(mount.resolve("folder" + round % 7));
                for (int i = 0; i < 10; i++) {
                    Files.writeString(folder.resolve("file" + i), "round " + round);
                }
                Files.move(folder.resolve("file3"), mount.resolve("moved" + round));
                Files.deleteIfExists(mount.resolve("moved" + (round - 5)));
                Files.delete(folder.resolve("file4"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path copied(Hive hive, String name) throws IOException {
        Path file = Files.writeString(hive.mount().resolve(name), CONTENT);
        awaitCopied(file);
        return file;
    }

    private static void awaitCopied(Path file) {
        awaitCopied(file, 3);
    }

    private static void awaitCopied(Path file, int replicas) {
        Await.until(
                SOON,
                () -> replicas + " current replicas, not " + states(file),
                () -> states(file).equals(Collections.nCopies(replicas, "current")));
    }

    private static List<String> states(Path file) {
        return new String(Xattrs.get(file, "beefs.location"), UTF_8)
                .lines()
                .map(line -> line.split("\t", -1)[4])
                .toList();
    }

    private static JsonNode fsck(Hive hive, int exitCode, String... options) {
        String[] command =
                Stream.concat(Stream.of("fsck", "--json"), Stream.of(options)).toArray(String[]::new);
        Result result = hive.beefs(command).runToAnyEnd();
        assertThat(result.exitCode()).as(result.output() + result.errors()).isEqualTo(exitCode);
        return JsonMapper.shared().readTree(result.output());
    }

    private static List<String> kinds(JsonNode report) {
        return StreamSupport.stream(report.get("findings").spliterator(), false)
                .map(finding -> "%s %s %s"
                        .formatted(
                                finding.get("kind").asString(),
                                finding.get("path").asString(),
                                finding.get("remedy").asString()))
                .toList();
    }
}
