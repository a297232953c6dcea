package org.beefs.honeycomb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinuxReleaseTest {
    @Test
    void shouldCompareReleasesByTheirNumbers() {
        assertThat(LinuxRelease.of("5.8.0-rc1").isAtLeast(5, 8)).isTrue();
        assertThat(LinuxRelease.of("5.10.0-28-amd64").isAtLeast(5, 8)).isTrue();
        assertThat(LinuxRelease.of("6.1").isAtLeast(5, 8)).isTrue();
        assertThat(LinuxRelease.of("5.4.0-150-generic").isAtLeast(5, 8)).isFalse();
        assertThat(LinuxRelease.of("4.18.0-553.el8.x86_64").isAtLeast(5, 8)).isFalse();
    }

    @Test
    void shouldTakeForOldWhatItDoesNotUnderstand() {
        assertThat(LinuxRelease.of("unknown").isAtLeast(5, 8)).isFalse();
    }
}
