package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One command brings up a hive, others mount it, show it and take it down. Tests that change nothing share a hive of
 * two desktops.
 */
@InHive
class LifecycleIT {

    @Test
    void shouldShowWhatRunsWhere(Hive hive) {
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
    void shouldCountWhatTheKernelAsks(Hive hive) {
        long before = lookups(hive);

        assertThat(hive.mount().resolve("absent")).doesNotExist();

        assertThat(lookups(hive)).isGreaterThan(before);
    }

    @Test
    void shouldStartFromWhatTheBuildHasLearned(Hive hive) throws IOException {
        Path distribution = Folders.repository().resolve("cli/target/distribution");
        try (Stream<Path> caches = Files.list(distribution)) {
            if (caches.noneMatch(file -> file.toString().endsWith(".aot"))) {
                throw Requirements.skip("the build has made no AOT caches");
            }
        }
        for (Role role : hive.roles()) {
            assertThat(Files.readString(Path.of("/proc/" + role.pid() + "/maps")))
                    .as("what %s has mapped", role.name())
                    .containsPattern("/distribution/" + (role.name().equals("queenbee") ? "queenbee" : "desktop")
                            + "-[\\w-]+\\.aot");
        }
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

        Path ofFirstName = hive.mountOn("alice");
        hive.beefs("umount", ofFirstName.toString()).run();
        hive.beefs("up").run();
        assertThat(texts(status(hive), "mounts", "path"))
                .containsExactly(hive.mount().toString());
    }

    /** As on a machine of a hive that was set up by hand. */
    @Test
    void shouldAddNoDesktopToAHiveThatIsThere(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.down();
        Folders.delete(hive.state().resolve("desktop1"));

        hive.beefs("up", hive.mount().toString()).run();

        assertThat(texts(status(hive), "processes", "name")).containsExactlyInAnyOrder("queenbee", "desktop2");
        assertThat(texts(status(hive), "mounts", "desktop")).containsExactly("desktop2");
    }

    @Test
    void shouldEndWhenNobodyReadsWhatItTells(Hive hive) {
        Result first = hive.piped("head -1", "events", "--follow").runToAnyEnd();

        assertThat(first.exitCode()).as(first.toString()).isEqualTo(ExitCode.NO_READER);
        assertThat(first.output()).hasLineCount(1);
        assertThat(first.errors()).isEmpty();
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
    void shouldSayThatADesktopIsNew(Hives hives) {
        Hive hive = hives.create(1);
        String place = hive.state().resolveSibling("new").toString();

        assertThat(hive.beefs("mount", place, "--desktop", "laptop").run().output())
                .contains("Made a new desktop, laptop, without a honeycomb.");
    }

    @Test
    void shouldSayOnceWhyAFolderCannotBeMountedAt(Hive hive) throws IOException {
        Path full = Files.createDirectory(hive.state().resolveSibling("full"));
        Files.createFile(full.resolve("file"));

        Result atFiles = hive.beefs("mount", full.toString()).runToAnyEnd();
        Result atMount = hive.beefs("mount", hive.mount().toString(), "--desktop", "desktop2")
                .runToAnyEnd();

        assertThat(atFiles.exitCode()).isEqualTo(ExitCode.FOLDER);
        assertThat(atFiles.errors()).hasLineCount(1).contains("is not empty").doesNotContain("jnr");
        assertThat(atMount.exitCode()).isEqualTo(ExitCode.FOLDER);
        assertThat(atMount.errors())
                .hasLineCount(1)
                .contains("mounted there already")
                .doesNotContain("jnr");
    }

    @Test
    void shouldNotMountInAMountedHive(Hive hive) {
        Path inside = hive.mount().resolve("inside");

        Result result =
                hive.beefs("mount", inside.toString(), "--desktop", "laptop").runToAnyEnd();

        assertThat(result.exitCode()).isEqualTo(ExitCode.FOLDER);
        assertThat(result.errors()).hasLineCount(1).contains("in the hive that is mounted at " + hive.mount());
        assertThat(hive.mount()).isEmptyDirectory();
        assertThat(hive.state().resolve("laptop")).doesNotExist();
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

    /** A machine that shuts down unmounts everything, perhaps before it ends its daemons. */
    @Test
    void shouldMountAgainWhatWasTakenAwayByOthers(Hives hives) throws Exception {
        Hive hive = hives.create(1);
        Path second = hive.mountOn("desktop1");
        Program.of("umount", hive.mount().toString()).run();
        Program.of("umount", second.toString()).run();

        hive.up();
        assertThat(MountPoints.below(hive.mount())).as("while the daemon runs").hasSize(1);
        assertThat(MountPoints.below(second)).hasSize(1);
        Program.of("umount", second.toString()).run();
        hive.down();
        hive.up();

        assertThat(MountPoints.below(second)).as("after the next start").hasSize(1);
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
        hive.beefs("mount", hive.mount().toString(), "--desktop", "desktop1").run();
        assertThat(hive.mount().resolve("file")).hasContent("text");
        assertThat(MountPoints.below(hive.mount())).hasSize(1);
    }

    @Test
    void shouldMountReadOnlyAlsoAgain(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path file = Files.writeString(hive.mount().resolve("file"), "text");
        FileStatus before = Posix.stat(file);
        Path shown = hive.state().resolveSibling("shown");

        hive.beefs("mount", "--read-only", shown.toString()).run();
        assertThatNothingCanBeChanged(shown);
        assertThat(hive.beefs("status").run().output()).containsPattern(shown + " +desktop1 +read-only");
        assertThat(elements(status(hive), "mounts")
                        .filter(mount -> mount.get("readOnly").asBoolean())
                        .map(mount -> mount.get("path").asString()))
                .containsExactly(shown.toString());
        hive.beefs("mount", shown.toString()).run();
        assertThatNothingCanBeChanged(shown);
        assertThat(hive.beefs("mount", "--read-only", hive.mount().toString())
                        .runToAnyEnd()
                        .errors())
                .contains(hive.mount() + " is mounted")
                .contains("already: unmount it first");
        hive.desktop(1).kill();
        hive.up();
        assertThatNothingCanBeChanged(shown);
        Files.writeString(file, "more");
        assertThat(shown.resolve("file")).hasContent("more");
        assertThat(Posix.stat(shown.resolve("file")).accessed())
                .as("reading through it leaves no trace")
                .isEqualTo(before.accessed());

        hive.beefs("umount", shown.toString()).run();
        hive.beefs("mount", shown.toString()).run();
        assertThat(Files.writeString(shown.resolve("file"), "text")).hasContent("text");
    }

    private static void assertThatNothingCanBeChanged(Path shown) {
        Path file = shown.resolve("file");
        assertThat(file).exists().isReadable();
        List<ThrowingCallable> changes = List.of(
                () -> Posix.open(file, Posix.O_WRONLY, 0),
                () -> Posix.open(file, Posix.O_RDONLY | Posix.O_TRUNC, 0),
                () -> Posix.open(shown.resolve("new"), Posix.O_WRONLY | Posix.O_CREAT, 0666),
                () -> Posix.truncate(file, 0),
                () -> Posix.mkdir(shown.resolve("new"), 0755),
                () -> Posix.unlink(file),
                () -> Posix.rename(file, shown.resolve("new")),
                () -> Posix.link(file, shown.resolve("new")),
                () -> Posix.chmod(file, 0777),
                () -> Xattrs.set(file, "user.name", new byte[] {1}));
        assertThat(changes)
                .allSatisfy(change -> assertThatThrownBy(change)
                        .isInstanceOfSatisfying(
                                PosixException.class,
                                failure -> assertThat(failure.errno()).isEqualTo(Errno.EROFS)));
    }

    private static long lookups(Hive hive) {
        return status(hive).get("mounts").get(0).get("requests").path("LOOKUP").asLong(0);
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
