package org.beefs.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.beefs.queenbee.console.settings.Setting;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.beefs.queenbee.console.settings.SettingsList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueenBeeFileTest {
    @TempDir
    private Path folder;

    @Test
    void shouldHaveEachSettingExplainedInTheConsoleAndNoOthers() {
        QueenBeeFile defaults = QueenBeeFile.defaults();
        SettingsFile settings = new SettingsFile(folder.resolve("queenbee.toml"), Map.of(), defaults, defaults);

        assertThat(settings.list())
                .extracting(Setting::name)
                .containsExactlyInAnyOrderElementsOf(new SettingsList().names());
    }
}
