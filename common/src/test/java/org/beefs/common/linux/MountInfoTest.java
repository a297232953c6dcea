package org.beefs.common.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.beefs.common.linux.MountInfo.Mount;
import org.junit.jupiter.api.Test;

class MountInfoTest {
    private static final MountInfo TABLE = MountInfo.parse("""
            22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
            30 22 0:42 / /home/bee/my\\040hive rw,relatime - fuse.beefs beefs rw,user_id=0
            31 22 0:43 / /home/bee/my\\040hive rw shared:2 master:3 - fuse.beefs beefs rw
            32 22 0:44 / /tab\\011and\\134 rw - tmpfs  rw
            """);

    @Test
    void shouldFindTheMountThatCoversOthers() {
        Path point = Path.of("/home/bee/my hive");

        assertThat(TABLE.at(point)).map(Mount::device).contains("0:43");
        assertThat(TABLE.at(point)).map(Mount::type).contains("fuse.beefs");
    }

    @Test
    void shouldUndoEscapes() {
        Path point = Path.of("/tab\tand\\");

        assertThat(TABLE.at(point)).map(Mount::device).contains("0:44");
    }

    @Test
    void shouldNotSeeWhatALaterMountAboveHides() {
        MountInfo table = MountInfo.parse("""
                22 1 254:0 / / rw - ext4 /dev/vda rw
                30 22 0:42 / /a/b rw - fuse.beefs beefs rw
                31 30 0:43 / /a/b/c rw - tmpfs none rw
                32 22 8:1 / /a rw - ext4 /dev/sdb rw
                33 22 0:44 / /ab rw - tmpfs none rw
                """);

        assertThat(table.at(Path.of("/a/b"))).isEmpty();
        assertThat(table.at(Path.of("/a/b/c"))).isEmpty();
        assertThat(table.at(Path.of("/a"))).map(Mount::device).contains("8:1");
        assertThat(table.at(Path.of("/ab"))).isPresent();
    }

    @Test
    void shouldSeeWhatIsMountedInAMountThatHidesOthers() {
        MountInfo table = MountInfo.parse("""
                22 1 254:0 / / rw - ext4 /dev/vda rw
                30 22 0:42 / /a/b rw - fuse.beefs beefs rw
                32 22 8:1 / /a rw - ext4 /dev/sdb rw
                33 32 0:43 / /a/b rw - fuse.beefs beefs rw
                """);

        assertThat(table.at(Path.of("/a/b"))).map(Mount::device).contains("0:43");
    }

    @Test
    void shouldNotSeeWhatIsInACoveredMount() {
        MountInfo table = MountInfo.parse("""
                22 1 254:0 / / rw - ext4 /dev/vda rw
                30 22 8:1 / /a rw - ext4 /dev/sdb rw
                31 30 0:42 / /a/b rw - fuse.beefs beefs rw
                32 30 8:2 / /a rw - ext4 /dev/sdc rw
                """);

        assertThat(table.at(Path.of("/a/b"))).isEmpty();
    }

    /** A mount can be put beneath another one, and an old one be moved to cover others. */
    @Test
    void shouldTellByTheTreeWhatCoversOthers() {
        MountInfo table = MountInfo.parse("""
                22 1 254:0 / / rw - ext4 /dev/vda rw
                30 31 0:42 / /a rw - fuse.beefs beefs rw
                31 22 0:43 / /a rw - tmpfs none rw
                32 22 0:44 / /b rw - tmpfs none rw
                33 22 0:45 / /b/c rw - fuse.beefs beefs rw
                """);

        assertThat(table.at(Path.of("/a"))).map(Mount::device).contains("0:42");
        assertThat(table.at(Path.of("/b/c"))).isEmpty();
    }

    /** Programs begin at the root that they have got, whatever is mounted over it later. */
    @Test
    void shouldSeeWhatIsBelowARootThatIsCovered() {
        MountInfo table = MountInfo.parse("""
                22 1 254:0 / / rw - ext4 /dev/vda rw
                30 22 0:42 / /a rw - fuse.beefs beefs rw
                31 22 0:43 / / rw - tmpfs none rw
                """);

        assertThat(table.at(Path.of("/a"))).isPresent();
    }

    @Test
    void shouldFindNothingWhereNothingIsMounted() {
        assertThat(TABLE.at(Path.of("/home/bee"))).isEmpty();
    }

    @Test
    void shouldReadTheKernelsOwnTable() throws IOException {
        assertThat(MountInfo.read().at(Path.of("/"))).isPresent();
    }

    @Test
    void shouldKeepTheBytesOfAPointWhoseNameIsNoText() {
        MountInfo table = withPoint("/home/\u00ff\u0080");

        assertThat(table.at(Path.of(URI.create("file:///home/%FF%80")))).isPresent();
        assertThat(table.at(Path.of(URI.create("file:///home/%FF%81")))).isEmpty();
    }

    /** The kernel escapes none of them. */
    @Test
    void shouldTakeOnlyLineFeedsForEndsOfLines() {
        Path point = Path.of("/a\rb\fc\u000bd");

        assertThat(withPoint("/a\rb\fc\u000bd").mounts())
                .extracting(Mount::point)
                .containsExactly(point, Path.of("/last"));
    }

    @Test
    void shouldLeaveOutLinesOfAnotherForm() {
        MountInfo table = MountInfo.parse("""
                no mount
                22 1 254:0 / / rw,relatime shared:1

                23 1 254:0 / relative rw - ext4 /dev/vda rw
                24 1 254:0 / /mnt rw - ext4 /dev/vda rw
                """);

        assertThat(table.mounts()).extracting(Mount::point).containsExactly(Path.of("/mnt"));
    }

    private static MountInfo withPoint(String point) {
        return MountInfo.parse(
                "30 22 0:42 / %s rw - fuse.beefs beefs rw\n31 22 0:43 / /last rw - tmpfs none rw\n".formatted(point));
    }
}
