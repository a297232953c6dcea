package org.beefs.queenbee.console.model.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class GlobTest {
    @Test
    void shouldMatchNamesInTimeWhateverThePattern() {
        assertThat(matches("a*b?d", "aXXbcd")).isTrue();
        assertThat(matches("a*b?d", "aXXbd")).isFalse();
        assertThat(matches("b", "abc")).isTrue();
        assertThat(matches("*", "")).isTrue();
        assertThat(matches("?", "")).isFalse();
        assertThat(matches("a*".repeat(100) + "b", "a".repeat(255))).isFalse();
    }

    @Test
    void shouldMatchNamesOfAllLanguagesInUpperAndLowerCase() {
        assertThat(matches("REPORT", "my report")).isTrue();
        assertThat(matches("ärger", "kein ÄRGER")).isTrue();
        assertThat(matches("?", "é")).as("a letter is one, however many bytes").isTrue();
        assertThat(matches("@", "`"))
                .as("no letters, so neither upper nor lower case")
                .isFalse();
    }

    private static boolean matches(String pattern, String name) {
        return Glob.of(pattern).matches(ByteString.copyFromUtf8(name));
    }
}
