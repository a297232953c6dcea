package org.beefs.common.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineStartTest {
    @TempDir
    private Path folder;

    @Test
    void shouldBeTheSameAsLongAsTheMachineRuns() {
        RandomGenerator random = RandomGenerator.getDefault();

        assertThat(MachineStart.isSame(MachineStart.of(folder, random), MachineStart.of(folder, random)))
                .isTrue();
    }

    @Test
    void shouldTellStartsAndMountings() {
        assertThat(MachineStart.isSame("a 1", "a 1")).isTrue();
        assertThat(MachineStart.isSame("a 1", "a 2")).isFalse();
        assertThat(MachineStart.isSame("a 1", "b 1")).isFalse();
        assertThat(MachineStart.isSame("a", "b")).isFalse();
    }

    /** As programs have written it that did not look at disks. */
    @Test
    void shouldNotTakeForALossThatNothingIsKnownOfTheDisk() {
        assertThat(MachineStart.isSame("a", "a 1")).isTrue();
        assertThat(MachineStart.isSame("a 1", "a")).isTrue();
        assertThat(MachineStart.isSame("a", "ab 1")).isFalse();
    }
}
