package org.beefs.cli.mounts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static final MountTable TABLE = MountTable.parse("""
            21 1 8:1 / / rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw
            22 21 0:40 / /mnt/with\\040space rw - fuse.beefs beefs rw,user_id=0
            23 21 0:41 / /mnt/plain rw shared:7 - fuse.beefs beefs rw
            24 23 0:42 / /mnt/plain rw - tmpfs tmpfs rw
            25 21 0:43 / /mnt/sshfs rw - fuse.sshfs host: rw
            """);

    @Test
    void shouldKnowWhereAHiveIsMounted() {
        assertThat(TABLE.isHive(Path.of("/mnt/with space"))).isTrue();
        assertThat(TABLE.isHive(Path.of("/mnt/sshfs"))).isFalse();
        assertThat(TABLE.isHive(Path.of("/mnt"))).isFalse();
    }

    @Test
    void shouldFindTheTopmostMountOfAPath() {
        assertThat(TABLE.isHive(Path.of("/mnt/plain"))).isFalse();
    }

    @Test
    void shouldKnowWhatIsInsideAMountedHive() {
        assertThat(TABLE.hiveAbove(Path.of("/mnt/with space/a/b"))).contains(Path.of("/mnt/with space"));
        assertThat(TABLE.hiveAbove(Path.of("/mnt/with spaces"))).isEmpty();
    }

    @Test
    void shouldKnowThatAHiveIsHiddenByAMountAboveIt() {
        MountTable table = MountTable.parse("""
                21 1 8:1 / / rw - ext4 /dev/sda1 rw
                22 21 0:40 / /data/hive rw - fuse.beefs beefs rw
                23 21 8:2 / /data rw - ext4 /dev/sdb1 rw
                """);

        assertThat(table.isHive(Path.of("/data/hive"))).isFalse();
        assertThat(table.hiveAbove(Path.of("/data/hive/a"))).isEmpty();
        assertThat(table.holds(Path.of("/data/hive"), "0:40")).isTrue();
    }

    /** Each local user can make one, and all need the table. */
    @Test
    void shouldReadAPointWhoseNameIsNoText() {
        MountTable table = MountTable.parse("""
                22 21 0:40 / /home/bee/\u00ff rw - fuse.sshfs host: rw
                23 21 0:41 / /mnt/a\rb rw - tmpfs none rw
                24 21 0:42 / /mnt/hive rw - fuse.beefs beefs rw
                """);

        assertThat(table.isHive(Path.of("/mnt/hive"))).isTrue();
    }
}
