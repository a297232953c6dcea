package org.beefs.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CountTest {
    @Test
    void shouldChooseTheWordByTheNumber() {
        assertThat(Count.of(0, "file", "files")).isEqualTo("0 files");
        assertThat(Count.of(1, "file has", "files have")).isEqualTo("1 file has");
        assertThat(Count.of(21, "file", "files")).isEqualTo("21 files");
    }

    @Test
    void shouldNameTheFirstThreeAndCountTheOthers() {
        assertThat(Count.named(List.of("a"), "desktop", "desktops")).isEqualTo("a");
        assertThat(Count.named(List.of("a", "b", "c"), "desktop", "desktops")).isEqualTo("a, b, c");
        assertThat(Count.named(List.of("a", "b", "c", "d"), "desktop", "desktops"))
                .isEqualTo("a, b, c and 1 more desktop");
        assertThat(Count.named(List.of("a", "b", "c", "d", "e"), "desktop", "desktops"))
                .isEqualTo("a, b, c and 2 more desktops");
    }
}
