package org.beefs.queenbee.console.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands ask the console too: without one nobody could give a desktop up. */
class DamagedFilesTest {
    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();

    @BeforeEach
    void register() {
        new TestDesktop(hive, "desk").registered();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "\0\0\0\0",
                "\u00e4",
                "{\"rooms\": {\"desk\": null}, \"desktops\": {\"desk\": [null]}, \"state\": \"never\"}",
                "{\"rooms\": 1, \"desktops\": {\"desk\": [{\"since\": 5}]}, \"state\": 1}"
            })
    void shouldGoOnWithoutWhatCanBeSpared(String contents) throws IOException {
        byte[] damaged = contents.getBytes(StandardCharsets.ISO_8859_1);
        List<String> files = List.of("rooms.json", "presence.json", "drill.json");
        for (String file : files) {
            Files.write(folder.resolve(file), damaged);
        }

        ConsoleModel model = new ConsoleHive(hive, folder).model();

        assertThat(model.refresh().desktop("desk").orElseThrow().room()).isEmpty();
        assertThat(model.presence("desk")).hasSize(1);
        assertThat(model.drills().view().state()).isEqualTo(DrillView.NEVER);
        assertThat(files)
                .allSatisfy(
                        file -> assertThat(folder.resolve(file + ".damaged")).hasBinaryContent(damaged));
        model.administration().setRoom("desk", "cellar", "me");
        assertThat(new ConsoleHive(hive, folder).model().snapshot().byRoom()).containsOnlyKeys("cellar");
    }

    /** Who could have it begin anew would be the first to make an account. */
    @Test
    void shouldNotGoOnWithoutAccountsByItself() throws IOException {
        Path accounts = Files.writeString(folder.resolve("accounts.json"), "{");

        assertThatThrownBy(() -> new ConsoleHive(hive, folder))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(accounts + " cannot be read (")
                .hasMessageContaining("move the file away, and restart the queen-bee");
        assertThat(accounts).hasContent("{");
    }
}
