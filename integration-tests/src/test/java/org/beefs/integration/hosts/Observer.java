package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Result;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Looks at a hive on its hosts: at what it tells of itself, and at what lies on the disks. */
final class Observer {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final Hosts hosts;

    Observer(Hosts hosts) {
        this.hosts = hosts;
    }

    /** All desktops are awake, and each file has all of its replicas, with its newest content. */
    void awaitHealth() {
        Await.until(SOON, () -> "the hive is healthy: " + status(), () -> isHealthy(status()));
    }

    private static boolean isHealthy(JsonNode status) {
        JsonNode hive = status.path("hive");
        return presences(status).equals(List.of("awake", "awake", "awake", "awake", "awake"))
                && List.of("dirtyFiles", "pendingDrops", "waitingForCopies", "underReplicated", "stale", "toCopy")
                        .stream()
                        .allMatch(number -> hive.path(number).asLong(-1) == 0);
    }

    private static List<String> presences(JsonNode status) {
        return honeycombs(status).stream()
                .map(honeycomb -> honeycomb.path("presence").asString())
                .toList();
    }

    private static List<JsonNode> honeycombs(JsonNode status) {
        return StreamSupport.stream(status.path("honeycombs").spliterator(), false)
                .toList();
    }

    /** It is asleep, or lost already. */
    void awaitAbsence(String desktop) {
        Await.until(
                SOON,
                () -> desktop + " is away: " + status(),
                () -> !presence(desktop).equals("awake"));
    }

    void awaitReturn(String desktop) {
        Await.until(
                SOON,
                () -> desktop + " is back: " + status(),
                () -> presence(desktop).equals("awake"));
    }

    private String presence(String desktop) {
        return honeycombs(status()).stream()
                .filter(honeycomb -> honeycomb.path("desktop").asString().equals(desktop))
                .map(honeycomb -> honeycomb.path("presence").asString())
                .findFirst()
                .orElseThrow();
    }

    /**
     * Empty while the queen-bee does not answer. Each look is a JVM: who looks again leaves the machine to the hive for
     * a moment.
     */
    private JsonNode status() {
        Await.pause(BETWEEN_LOOKS);
        String output =
                hosts.on(Hosts.QUEEN_BEE, "beefs status --json").runToAnyEnd().output();
        return output.isEmpty()
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(output);
    }

    /**
     * Where a file's replicas are, as {@code DESKTOP KIND STATE}, the primary first; as a desktop sees it. Nothing
     * while it is not told.
     */
    List<String> places(String desktop, String file) {
        return hosts.on(desktop, "getfattr --only-values -n beefs.location \"$HIVE/" + file + "\" 2>/dev/null || true")
                .run()
                .output()
                .lines()
                .map(line -> line.split("\t", -1))
                .map(parts -> parts[0] + " " + parts[1] + " " + parts[4])
                .toList();
    }

    /** Fsck finds nothing, and has looked everywhere. */
    void assertSound() {
        Result fsck =
                hosts.on(Hosts.QUEEN_BEE, "beefs fsck --content --json || true").run();
        assertThat(fsck.output()).as(fsck.errors()).isNotBlank();
        JsonNode report = JsonMapper.shared().readTree(fsck.output());
        assertThat(report.get("findings")).as(report.toString()).isEmpty();
        assertThat(report.get("unchecked")).as(report.toString()).isEmpty();
    }

    /** On the disks of all desktops together. */
    void awaitReplicas(long number) {
        Await.until(SOON, () -> "%d replicas, not %d".formatted(number, replicas()), () -> replicas() == number);
    }

    private long replicas() {
        return Hosts.DESKTOPS.stream().mapToLong(this::replicasOn).sum();
    }

    /** On the disk of a desktop. */
    long replicasOn(String desktop) {
        // Folders may go while they are listed.
        return number(desktop, "find \"$BEEFS_STATE/honeycomb/replicas\" -type f 2>/dev/null | wc -l");
    }

    /** In a folder of the hive. */
    long files(String folder) {
        return number(Hosts.DESKTOPS.getFirst(), "find \"$HIVE/" + folder + "\" -type f -size +0 | wc -l");
    }

    private long number(String host, String script) {
        return Long.parseLong(hosts.on(host, script).run().output().strip());
    }
}
