package org.beefs.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.view.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSettingsTest {
    private static final FileSettings SETTINGS =
            new FileSettings("hive/thesis", 4, "30s", 0, List.of("replicas", "p-factor"));

    @Test
    void shouldSayWhichAreItsOwn() {
        assertThat(SETTINGS.render().lines().map(line -> line.strip().replaceAll(" {2,}", "|")))
                .containsExactly(
                        "SETTING|VALUE|FROM",
                        "replicas|4|its own",
                        "time to coherence|30s|the hive",
                        "P-factor|0|its own");
    }

    @Test
    void shouldTellScriptsTheSame() {
        assertThat(Json.line(SETTINGS))
                .isEqualTo("{\"path\":\"hive/thesis\",\"replicas\":4,\"timeToCoherence\":\"30s\",\"pFactor\":0,"
                        + "\"own\":[\"replicas\",\"p-factor\"]}");
    }

    @Test
    void shouldFailForWhatIsInNoHive(@TempDir Path folder) {
        assertThatThrownBy(() -> FileSettings.of(folder)).isInstanceOf(CommandFailure.class);
    }
}
