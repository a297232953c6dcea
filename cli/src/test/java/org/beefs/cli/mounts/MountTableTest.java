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
            25 21 0:43 / /mnt/back\\134slash rw - fuse.sshfs host: rw
            """);

    @Test
    void shouldListMountedHives() {
        assertThat(TABLE.hives())
                .extracting(MountTable.Mount::path)
                .containsExactly(Path.of("/mnt/with space"), Path.of("/mnt/plain"));
    }

    @Test
    void shouldFindTheTopmostMountOfAPath() {
        assertThat(TABLE.at(Path.of("/mnt/plain")))
                .get()
                .extracting(MountTable.Mount::type)
                .isEqualTo("tmpfs");
        assertThat(TABLE.at(Path.of("/mnt"))).isEmpty();
    }

    @Test
    void shouldUndoTheKernelsEscapes() {
        assertThat(TABLE.at(Path.of("/mnt/back\\slash"))).isPresent();
    }

    @Test
    void shouldKnowWhatIsInsideAMountedHive() {
        assertThat(TABLE.hiveAbove(Path.of("/mnt/with space/a/b"))).isPresent();
        assertThat(TABLE.hiveAbove(Path.of("/mnt/with spaces"))).isEmpty();
    }

    @Test
    void shouldReadTheKernelsOwnTable() {
        assertThat(MountTable.read().at(Path.of("/"))).isPresent();
    }
}
