package org.beefs.common.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a sysfs of its own. */
class DiskMountingTest {
    @TempDir
    Path temporary;

    private Path sysfs;

    @BeforeEach
    void makeDevice() throws IOException {
        sysfs = Files.createDirectory(temporary.resolve("sys"));
        Path device = Files.createDirectories(sysfs.resolve("devices/virtual/block/loop7"));
        Path devices = Files.createDirectories(sysfs.resolve("dev/block"));
        Files.createSymbolicLink(devices.resolve(DiskMounting.device(temporary)), device);
    }

    private OptionalLong number() {
        return new DiskMounting(sysfs).of(temporary);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs"})
    void shouldTellAMountingFromTheOneBefore(String kind) throws IOException {
        Path folder = Files.createDirectories(sysfs.resolve("fs/" + kind + "/loop7"));
        OptionalLong before = number();
        Path next = Files.createDirectory(sysfs.resolve("next")); // while the other one is there, so of another number
        Files.delete(folder);
        Files.move(next, folder);

        assertThat(before).isPresent();
        assertThat(number()).isPresent().isNotEqualTo(before);
    }

    @Test
    void shouldBeTheSameForWhatIsToBeMadeThere() throws IOException {
        Files.createDirectories(sysfs.resolve("fs/ext4/loop7"));

        assertThat(number()).isPresent();
        assertThat(new DiskMounting(sysfs).of(temporary.resolve("not/yet/there")))
                .isEqualTo(number());
    }

    @Test
    void shouldNotTellOfOtherKindsOfFileSystems() throws IOException {
        Files.createDirectories(sysfs.resolve("fs/ext4/loop6"));

        assertThat(number()).isEmpty();
        assertThat(new DiskMounting().of(Path.of("/proc"))).isEmpty();
        assertThat(new DiskMounting(temporary.resolve("none")).of(Path.of("/proc")))
                .isEmpty();
    }

    @Test
    void shouldTellTheSameAsLongAsNothingIsMountedAnew() {
        assertThat(new DiskMounting().of(temporary)).isEqualTo(new DiskMounting().of(temporary.resolve("sys")));
    }
}
