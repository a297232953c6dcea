package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.beefs.honeybee.mount.MountRefusedException;
import org.junit.jupiter.api.Test;

class NewMountTest {
    private static final Path POINT = Path.of("/hive");

    @Test
    void shouldTellRootWhichCapabilityIsMissing() {
        assertThatThrownBy(() -> NewMount.requireNotRoot(POINT, 0))
                .isInstanceOf(MountRefusedException.class)
                .hasMessageContaining("this process is root but lacks CAP_SYS_ADMIN")
                .hasMessageContaining("--cap-add SYS_ADMIN");
    }

    @Test
    void shouldLeaveWhoIsNotRootToFusermount() {
        assertThatCode(() -> NewMount.requireNotRoot(POINT, 1000)).doesNotThrowAnyException();
    }
}
