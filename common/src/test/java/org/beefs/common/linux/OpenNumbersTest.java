package org.beefs.common.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.posix.Errno;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenNumbersTest {
    @TempDir
    Path folder;

    @Test
    void shouldBeThoseOfThisMachine() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        assertThat(open(link, OpenNumbers.O_NOFOLLOW)).isEqualTo(-Errno.ELOOP.number());
        assertThat(open(file, OpenNumbers.O_DIRECTORY)).isEqualTo(-Errno.ENOTDIR.number());
    }

    /** As in include/uapi/asm-generic/fcntl.h and arch/arm64/include/uapi/asm/fcntl.h. */
    @Test
    void shouldFollowTheArchitecture() {
        assertThat(OpenNumbers.of("amd64")).isEqualTo(new OpenNumbers(0x4000, 0x10000, 0x20000));
        assertThat(OpenNumbers.of("aarch64")).isEqualTo(new OpenNumbers(0x10000, 0x4000, 0x8000));
    }

    private static int open(Path path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.open(arena.allocateFrom(path.toString()), flags, 0);
        }
    }
}
