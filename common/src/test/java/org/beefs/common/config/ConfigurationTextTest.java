package org.beefs.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.toml.TomlMapper;

class ConfigurationTextTest {
    private static final String TEXT = """
            # ours
            [queenbee]
            replicas = 2 # few desktops
            lease = "10s"

            [console]
            listen = "off"
            """;

    @Test
    void shouldChangeOnlyTheSetting() {
        assertThat(ConfigurationText.with(TEXT, "queenbee.lease", "20s"))
                .isEqualTo(TEXT.replace("lease = \"10s\"", "lease = \"20s\""));
        assertThat(ConfigurationText.with(TEXT, "queenbee.replicas", "3"))
                .isEqualTo(TEXT.replace("replicas = 2 # few desktops", "replicas = 3"));
    }

    @Test
    void shouldAddASettingToItsTable() {
        assertThat(ConfigurationText.with(TEXT, "console.session", "1h"))
                .isEqualTo(TEXT.replace("[console]\n", "[console]\nsession = \"1h\"\n"));
        assertThat(ConfigurationText.with(TEXT, "queenbee.listen", "any"))
                .as("of the same name as another table's")
                .contains("[queenbee]\nlisten = \"any\"\n", "[console]\nlisten = \"off\"\n");
    }

    @Test
    void shouldAddATable() {
        assertThat(ConfigurationText.with("", "queenbee.relocate-at-random", "true"))
                .isEqualTo("[queenbee]\nrelocate-at-random = true\n");
        assertThat(ConfigurationText.with(TEXT, "other.key", "1")).isEqualTo(TEXT + "[other]\nkey = 1\n");
    }

    @Test
    void shouldRemoveASetting() {
        assertThat(ConfigurationText.with(TEXT, "queenbee.lease", null))
                .isEqualTo(TEXT.replace("lease = \"10s\"\n", ""));
        assertThat(ConfigurationText.with(TEXT, "queenbee.heartbeat", null)).isEqualTo(TEXT);
        assertThat(ConfigurationText.with("", "queenbee.heartbeat", null)).isEmpty();
    }

    @Test
    void shouldQuoteWhatTomlWouldTakeForSomethingElse() {
        String hostile = "\"\\\n[console]\n\u007f'#";

        String text = ConfigurationText.with("", "queenbee.listen", hostile);

        assertThat(new TomlMapper().readTree(text).get("queenbee").get("listen").asString())
                .isEqualTo(hostile);
    }
}
