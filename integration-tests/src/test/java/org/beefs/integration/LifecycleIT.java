package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.hive.Role;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One command brings up a hive, others mount it, show it and take it down. */
@InHive
class LifecycleIT {

    @Test
    void shouldShowWhatRunsWhere(Hives hives) {
        Hive hive = hives.create(2);

        JsonNode status = status(hive);

        assertThat(texts(status, "processes", "name")).containsExactlyInAnyOrder("queenbee", "desktop1", "desktop2");
        assertThat(texts(status, "processes", "condition")).containsOnly("running");
        assertThat(elements(status, "processes")
                        .map(process -> process.get("pid").asLong()))
                .containsExactlyInAnyOrderElementsOf(
                        hive.roles().stream().map(Role::pid).toList());
        assertThat(texts(status, "honeycombs", "desktop")).containsExactlyInAnyOrder("desktop1", "desktop2");
        assertThat(elements(status, "honeycombs")
                        .map(honeycomb -> honeycomb.get("available").asLong()))
                .allMatch(available -> available > 0);
        assertThat(texts(status, "mounts", "path")).containsExactly(hive.mount().toString());
        assertThat(hive.beefs("status").run().output())
                .contains("queenbee", "desktop1", hive.mount().toString());
    }

    @Test
    void shouldCountWhatTheKernelAsks(Hives hives) {
        Hive hive = hives.create(1);

        assertThat(hive.mount().resolve("absent")).doesNotExist();

        JsonNode requests = status(hive).get("mounts").get(0).get("requests");
        assertThat(requests.get("LOOKUP").asLong()).isPositive();
    }

    @Test
    void shouldDoNoHarmWhenBroughtUpAgain(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Files.writeString(hive.mount().resolve("file"), "text");
        var before = pids(hive);

        hive.up();

        assertThat(pids(hive)).isEqualTo(before);
        assertThat(hive.mount().resolve("file")).hasContent("text");
        assertThat(MountPoints.below(hive.mount())).hasSize(1);
    }

    @Test
    void shouldFindAllFilesAgainAfterDownAndUp(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Files.createDirectory(hive.mount().resolve("folder"));
        Files.writeString(hive.mount().resolve("folder/file"), "text");
        List<Role> roles = hive.roles();

        hive.down();
        assertThat(roles).noneMatch(Role::isRunning);
        assertThat(MountPoints.below(hive.mount())).isEmpty();
        assertThat(hive.mount().resolve("folder")).doesNotExist();

        hive.up();
        assertThat(hive.mount().resolve("folder/file")).hasContent("text");
    }

    @Test
    void shouldMountOnEveryDesktopAndOnOneWithoutHoneycomb(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path second = hive.mountOn("desktop2");
        Path remote = hive.mountOn("laptop");

        Files.writeString(remote.resolve("file"), "from the laptop");

        assertThat(hive.mount().resolve("file")).hasContent("from the laptop");
        assertThat(second.resolve("file")).hasContent("from the laptop");
        assertThat(texts(status(hive), "honeycombs", "desktop")).doesNotContain("laptop");
        assertThat(hive.role("laptop").isRunning()).isTrue();
    }

    @Test
    void shouldKeepTwoHivesApart(Hives hives) throws IOException {
        Hive one = hives.create(1);
        Hive other = hives.create(1);
        Files.writeString(one.mount().resolve("file"), "one");

        assertThat(other.mount()).isEmptyDirectory();
        other.down();

        assertThat(one.mount().resolve("file")).hasContent("one");
    }

    @Test
    void shouldUnmountForGood(Hives hives) {
        Hive hive = hives.create(1);
        Path second = hive.mountOn("desktop1");

        hive.beefs("umount", second.toString()).run();

        assertThat(MountPoints.isMounted(second)).isFalse();
        assertThat(MountPoints.isMounted(hive.mount())).isTrue();
        hive.up();
        assertThat(MountPoints.isMounted(second)).isFalse();
    }

    @Test
    void shouldClearAndRenewTheMountOfAKilledDesktop(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Files.writeString(hive.mount().resolve("file"), "text");

        hive.desktop(1).kill();
        assertThat(Program.of("ls", hive.mount().toString()).runToAnyEnd().succeeded())
                .isFalse();
        hive.up();
        assertThat(hive.mount().resolve("file")).hasContent("text");

        hive.desktop(1).kill();
        hive.beefs("mount", hive.mount().toString(), "--host", "desktop1").run();
        assertThat(hive.mount().resolve("file")).hasContent("text");
        assertThat(MountPoints.below(hive.mount())).hasSize(1);
    }

    private static JsonNode status(Hive hive) {
        Result result = hive.beefs("status", "--json").run();
        return JsonMapper.shared().readTree(result.output());
    }

    private static java.util.Map<String, Long> pids(Hive hive) {
        return hive.roles().stream().collect(Collectors.toMap(Role::name, Role::pid));
    }

    private static Stream<String> texts(JsonNode status, String array, String field) {
        return elements(status, array).map(element -> element.get(field).asString());
    }

    private static Stream<JsonNode> elements(JsonNode status, String array) {
        return StreamSupport.stream(status.get(array).spliterator(), false).map(Function.identity());
    }
}
