package org.beefs.honeybee.mount;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.beefs.common.config.Altered;
import org.junit.jupiter.api.Test;

class MountOptionsTest {
    @Test
    void shouldRefuseWhatCannotWork() {
        assertThatThrownBy(() -> MountOptions.DEFAULTS.withReaders(0)).hasMessageContaining("readers");
        assertThatThrownBy(() -> withWriteBuffers(5000)).hasMessageContaining("write buffers");
    }

    private static MountOptions withWriteBuffers(int number) {
        return Altered.copy(MountOptions.DEFAULTS, Map.of("writeBuffers", number));
    }
}
