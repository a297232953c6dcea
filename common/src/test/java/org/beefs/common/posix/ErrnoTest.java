package org.beefs.common.posix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void shouldKnowWhatAFileSystemWithoutAnIoctlSays() {
        assertThat(Errno.of(25)).hasToString("ENOTTY");
    }

    @Test
    void shouldTakeAnUnknownNumberForEio() {
        assertThat(Errno.of(4095)).isEqualTo(Errno.EIO);
    }
}
