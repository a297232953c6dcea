package org.beefs.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTest {
    @Test
    void shouldChooseTheWordByTheNumber() {
        assertThat(Count.of(0, "file", "files")).isEqualTo("0 files");
        assertThat(Count.of(1, "file has", "files have")).isEqualTo("1 file has");
        assertThat(Count.of(21, "file", "files")).isEqualTo("21 files");
    }
}
