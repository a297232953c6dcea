package org.beefs.queenbee.console.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.console.ConsoleConfig;
import org.junit.jupiter.api.Test;

class SettingsListTest {
    private static final QueenBeeConfig STANDARD = QueenBeeConfig.of("127.0.0.1:1", Path.of("data"));

    private final SettingsList list = new SettingsList();

    @Test
    void shouldExplainAllHerSettings() {
        ConsoleConfig console = ConsoleConfig.defaults();
        List<String> names = Stream.concat(
                        list.of("queenbee", STANDARD, STANDARD, STANDARD).stream(),
                        list.of("console", console, console, console).stream())
                .map(Setting::name)
                .toList();

        assertThat(list.names()).containsAll(names);
    }

    @Test
    void shouldTellWhatWasChanged() {
        ConsoleConfig console = new ConsoleConfig("off", Duration.ofHours(1));

        assertThat(list.of("console", console, console, ConsoleConfig.defaults()))
                .extracting(setting -> setting.name() + " " + setting.value() + " " + setting.isChanged())
                .containsExactly("console.listen off true", "console.session 1h true");
    }

    @Test
    void shouldRefuseWhatCannotBeMeant() {
        assertThatThrownBy(() -> new ConsoleConfig("nowhere", Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ConsoleConfig("off", Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
