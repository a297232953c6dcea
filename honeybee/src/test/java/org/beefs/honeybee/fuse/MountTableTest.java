package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.honeybee.fuse.MountTable.Mount;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static final MountTable TABLE = MountTable.parse("""
            22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
            30 22 0:42 / /home/bee/my\\040hive rw,relatime - fuse.beefs beefs rw,user_id=0
            31 22 0:43 / /home/bee/my\\040hive rw shared:2 master:3 - fuse.beefs beefs rw
            32 22 0:44 / /tab\\011and\\134 rw - tmpfs none rw
            """);

    @Test
    void shouldFindTheMountThatCoversOthers() {
        assertThat(TABLE.at(Path.of("/home/bee/my hive")))
                .contains(new Mount("0:43", "/home/bee/my hive", "fuse.beefs"));
    }

    @Test
    void shouldUndoEscapes() {
        assertThat(TABLE.at(Path.of("/tab\tand\\"))).contains(new Mount("0:44", "/tab\tand\\", "tmpfs"));
    }

    @Test
    void shouldFindNothingWhereNothingIsMounted() {
        assertThat(TABLE.at(Path.of("/home/bee"))).isEmpty();
    }
}
