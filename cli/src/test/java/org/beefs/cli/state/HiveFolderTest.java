package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.beefs.cli.program.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HiveFolderTest {
    @TempDir
    private Path temporary;

    @Test
    void shouldPreferTheOptionToTheEnvironmentAndThatToTheDefault() {
        Map<String, String> environment = Map.of("BEEFS_STATE", "/env");

        assertThat(HiveFolder.choose(Path.of("/option"), environment).path()).isEqualTo(Path.of("/option"));
        assertThat(HiveFolder.choose(null, environment).path()).isEqualTo(Path.of("/env"));
        assertThat(HiveFolder.choose(null, Map.of()).path())
                .isEqualTo(Path.of(".beefs").toAbsolutePath());
    }

    @Test
    void shouldListTheDesktopsInTheOrderOfTheirNumbers() throws IOException {
        HiveFolder hive = new HiveFolder(temporary);
        for (String name : List.of("desktop10", "desktop2", "laptop")) {
            configure(hive.desktop(name));
        }
        Files.createDirectories(temporary.resolve("not-configured"));

        assertThat(hive.desktops()).extracting(ProcessFolder::name).containsExactly("desktop2", "desktop10", "laptop");
    }

    @Test
    void shouldNameTheQueenBeeFirst() throws IOException {
        HiveFolder hive = new HiveFolder(temporary);
        configure(hive.desktop("a"));
        configure(hive.queenBee());

        assertThat(hive.processes()).extracting(ProcessFolder::name).containsExactly("queenbee", "a");
    }

    @Test
    void shouldNotTakeAKeyThatCannotBeSeenForNone() throws IOException {
        HiveFolder hive = new HiveFolder(temporary);
        assertThat(hive.key()).isNull();

        Files.createSymbolicLink(temporary.resolve("hive.key"), temporary.resolve("not-mounted"));

        assertThatThrownBy(hive::key)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("cannot read the hive's key in " + temporary.resolve("hive.key"));
    }

    @Test
    void shouldNotExistBeforeTheFirstUp() {
        assertThat(new HiveFolder(temporary.resolve("none")).exists()).isFalse();
    }

    @Test
    void shouldKeepProcessFoldersToTheirOwner() throws IOException {
        ProcessFolder folder = new HiveFolder(temporary).desktop("desktop1");
        folder.create();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldSayWhyAFolderCannotBeMade() throws IOException {
        Files.writeString(temporary.resolve("file"), "");
        ProcessFolder folder = new HiveFolder(temporary.resolve("file")).desktop("desktop1");

        assertThatThrownBy(folder::create)
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("cannot use the folder " + folder.path());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/b", "-x", "queenbee", "lock", "with space"})
    void shouldRefuseNamesThatAreNoFolders(String name) {
        HiveFolder hive = new HiveFolder(temporary);

        assertThatThrownBy(() -> hive.desktop(name)).hasMessageContaining("cannot name a desktop");
    }

    private static void configure(ProcessFolder folder) throws IOException {
        folder.create();
        Files.writeString(folder.configuration(), "");
    }
}
