package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.beefs.common.config.Altered;
import org.junit.jupiter.api.Test;

class FuseOptionsTest {
    @Test
    void shouldRefuseWhatCannotWork() {
        assertThatThrownBy(() -> FuseOptions.DEFAULTS.withReaders(0)).hasMessageContaining("readers");
        assertThatThrownBy(() -> withWriteBuffers(5000)).hasMessageContaining("write buffers");
    }

    private static FuseOptions withWriteBuffers(int number) {
        return Altered.copy(FuseOptions.DEFAULTS, Map.of("writeBuffers", number));
    }
}
