package org.beefs.common.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.posix.Errno;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibcTest {
    private static final int O_RDWR = 2;
    private static final int AT_FDCWD = -100;
    private static final int STATX_SIZE = 0x200;
    private static final int STX_SIZE_OFFSET = 40;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(4096, 8);

    @TempDir
    private Path folder;

    private Path file;
    private int fd;

    @BeforeEach
    void open() throws IOException {
        file = Files.writeString(folder.resolve("file"), "0123456789");
        fd = Libc.open(path(file), O_RDWR, 0);
    }

    @AfterEach
    void close() {
        assertThat(Libc.close(fd)).isZero();
        arena.close();
    }

    @Test
    void shouldSayWhyACallHasFailed() {
        assertThat(Libc.open(path(folder.resolve("nothing")), O_RDWR, 0)).isEqualTo(-Errno.ENOENT.number());
        assertThat(Libc.read(-1, buffer, 1)).isEqualTo(-Errno.EBADF.number());
        assertThat(Libc.close(-1)).isEqualTo(-Errno.EBADF.number());
        assertThat(Libc.lseek(fd, -1, 0)).isEqualTo(-Errno.EINVAL.number());
    }

    @Test
    void shouldReadAndWriteAtPositionsBeyondAnInt() throws IOException {
        long far = 5L << 30;
        buffer.set(ValueLayout.JAVA_BYTE, 0, (byte) 'x');

        assertThat(Libc.pwrite(fd, buffer, 1, far)).isEqualTo(1);
        assertThat(Libc.pread(fd, buffer.asSlice(1), 1, far)).isEqualTo(1);
        assertThat(buffer.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 'x');
        assertThat(Libc.lseek(fd, 0, 2)).isEqualTo(far + 1);
        assertThat(Libc.ftruncate(fd, 3)).isZero();
        assertThat(file).hasContent("012");
    }

    @Test
    void shouldPassAllSixArguments() throws IOException {
        Path copy = Files.createFile(folder.resolve("copy"));
        int to = Libc.open(path(copy), O_RDWR, 0);
        MemorySegment from = arena.allocateFrom(ValueLayout.JAVA_LONG, 4);
        MemorySegment at = arena.allocateFrom(ValueLayout.JAVA_LONG, 0);

        assertThat(Libc.copyFileRange(fd, from, to, at, 3)).isEqualTo(3);

        assertThat(Libc.close(to)).isZero();
        assertThat(copy).hasContent("456");
    }

    @Test
    void shouldTakeNegativeNumbersForWhatTheyAre() {
        assertThat(Libc.statx(AT_FDCWD, path(file), 0, STATX_SIZE, buffer)).isZero();
        assertThat(buffer.get(ValueLayout.JAVA_LONG, STX_SIZE_OFFSET)).isEqualTo(10);
    }

    @Test
    void shouldRefuseWhatIsOnTheHeap() {
        MemorySegment heap = MemorySegment.ofArray("heap".getBytes(UTF_8));

        assertThatIllegalArgumentException().isThrownBy(() -> Libc.write(fd, heap, 4));
    }

    private MemorySegment path(Path path) {
        return arena.allocateFrom(path.toString());
    }
}
