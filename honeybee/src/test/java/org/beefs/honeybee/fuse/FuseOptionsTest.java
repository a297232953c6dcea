package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FuseOptionsTest {
    @Test
    void shouldHaveTheseDefaults() {
        assertThat(FuseOptions.DEFAULTS).isEqualTo(withWriteBuffers(64));
    }

    @Test
    void shouldRefuseWhatCannotWork() {
        assertThatThrownBy(() -> FuseOptions.DEFAULTS.withReaders(0)).hasMessageContaining("readers");
        assertThatThrownBy(() -> withWriteBuffers(5000)).hasMessageContaining("write buffers");
    }

    private static FuseOptions withWriteBuffers(int number) {
        return new FuseOptions(3, number, 64, 4 << 20, Duration.ofSeconds(2), false, Driver.AUTOMATIC, false, false);
    }
}
