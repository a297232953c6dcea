package org.beefs.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "30s, PT30S", "5 m, PT5M", "24h, PT24H", "7d, PT168H"})
    void shouldUnderstandWhatPeopleWrite(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-1s", "1.5h", "soon"})
    void shouldShowTheRightFormInsteadOfAnythingElse(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a duration; write for example 250ms, 30s, 5m or 24h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0ms", "250ms", "30s", "90s", "5m", "24h"})
    void shouldWriteWhatItReads(String text) {
        assertThat(Durations.format(Durations.parse(text))).isEqualTo(text);
    }
}
