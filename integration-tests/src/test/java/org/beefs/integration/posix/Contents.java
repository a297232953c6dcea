package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.beefs.common.posix.Errno;
import org.beefs.integration.linux.Descriptors;
import org.beefs.integration.linux.MappedFile;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Program;
import org.junit.jupiter.api.Test;

/** Holes, large files, and the many ways of moving bytes. */
abstract class Contents extends Topic {
    private static final int FALLOC_COLLAPSE_RANGE = 0x08;
    private static final int FALLOC_INSERT_RANGE = 0x20;
    private static final int FALLOC_UNSHARE_RANGE = 0x40;
    private static final int CREATE = Posix.O_RDWR | Posix.O_CREAT;
    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;

    @Test
    void shouldFindDataAndHoles() {
        with(here.resolve("file"), CREATE, fd -> {
            Posix.pwrite(fd, MIB, bytes("x"));

            assertThat(Posix.fstat(fd).blocks()).isLessThan(100);
            with(there.resolve("file"), Posix.O_RDONLY, other -> {
                assertThat(Posix.seek(other, 0, Posix.SEEK_DATA)).isEqualTo(MIB);
                assertThat(Posix.seek(other, 0, Posix.SEEK_HOLE)).isZero();
                assertThat(Posix.seek(other, MIB, Posix.SEEK_HOLE)).isEqualTo(MIB + 1);
                assertFails(Errno.ENXIO, () -> Posix.seek(other, 2 * MIB, Posix.SEEK_DATA));
                assertFails(Errno.ENXIO, () -> Posix.seek(other, -1, Posix.SEEK_HOLE));
            });
        });
    }

    @Test
    void shouldAllocateInAllWaysThatDoNotMoveContent() {
        with(here.resolve("file"), CREATE, fd -> {
            Posix.write(fd, new byte[] {1, 2, 3, 4});
            Posix.fallocate(fd, 0, 0, 8192);
            assertThat(Posix.fstat(fd).size()).isEqualTo(8192);
            Posix.fallocate(fd, Posix.FALLOC_KEEP_SIZE, 8192, 8192);
            assertThat(Posix.fstat(fd).size()).isEqualTo(8192);
            Posix.fallocate(fd, Posix.FALLOC_ZERO_RANGE, 1, 1);
            Posix.fallocate(fd, Posix.FALLOC_PUNCH_HOLE | Posix.FALLOC_KEEP_SIZE, 2, 1);
            with(
                    there.resolve("file"),
                    Posix.O_RDONLY,
                    other -> assertThat(Posix.pread(other, 0, 4)).containsExactly(1, 0, 0, 4));

            assertFails(Errno.EINVAL, () -> Posix.fallocate(fd, 0, 0, 0));
            for (int mode : new int[] {FALLOC_COLLAPSE_RANGE, FALLOC_INSERT_RANGE, FALLOC_UNSHARE_RANGE}) {
                assertFails(Errno.EOPNOTSUPP, () -> Posix.fallocate(fd, mode, 0, 4096));
            }
            assertThat(Posix.fstat(fd).size()).isEqualTo(8192);
        });
    }

    @Test
    void shouldCopyBetweenFilesAndInsideOfOne() {
        byte[] content = new byte[3_000_000];
        new SplittableRandom(1).nextBytes(content);
        with(here.resolve("from"), CREATE, from -> {
            for (int at = 0; at < content.length; at += Posix.pwrite(from, at, tail(content, at))) {}
            with(here.resolve("to"), CREATE, to -> {
                for (long at = 0; at < content.length; ) {
                    at += Descriptors.copy(from, at, to, at, content.length - at);
                }
                assertThat(Descriptors.copy(from, content.length, to, 0, 10)).isZero();
                assertThat(Posix.fstat(to).size()).isEqualTo(content.length);
            });
            assertThat(Descriptors.copy(from, 0, from, 5_000_000, 100)).isEqualTo(100);
            assertThat(Posix.pread(from, 5_000_000, 100)).isEqualTo(Posix.pread(from, 0, 100));
        });
        assertThat(there.resolve("to")).hasBinaryContent(content);
    }

    @Test
    void shouldCopyBetweenDesktops() {
        file("here", "some text", 0644);
        with(there.resolve("there"), CREATE, fd -> Posix.write(fd, bytes("0123456789")));
        with(
                here.resolve("here"),
                Posix.O_RDONLY,
                from -> with(
                        here.resolve("there"),
                        Posix.O_RDWR,
                        to -> assertThat(Descriptors.copy(from, 5, to, 0, 4)).isEqualTo(4)));
        assertThat(there.resolve("there")).hasContent("text456789");
    }

    @Test
    void shouldSendAndSplice() {
        file("from", "k".repeat(100_000), 0644);
        with(
                here.resolve("from"),
                Posix.O_RDONLY,
                from -> with(
                        here.resolve("to"),
                        CREATE,
                        to -> assertThat(Descriptors.sendfile(from, to, 100_000))
                                .isEqualTo(100_000)));
        assertThat(there.resolve("to")).hasContent("k".repeat(100_000));

        Program.of(
                        "python3",
                        "-c",
                        """
                import os, sys
                a, b = os.open(sys.argv[1], os.O_RDONLY), os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
                r, w = os.pipe()
                assert os.splice(a, w, 4096, offset_src=0) == 4096
                assert os.splice(r, b, 4096, offset_dst=0) == 4096
                """,
                        here.resolve("from").toString(),
                        here.resolve("spliced").toString())
                .run();
        assertThat(there.resolve("spliced")).hasContent("k".repeat(4096));
    }

    @Test
    void shouldReachBeyondFourGiB() {
        with(here.resolve("file"), CREATE, fd -> {
            Posix.pwrite(fd, 5 * GIB, bytes("end"));
            assertThat(Posix.fstat(fd).size()).isEqualTo(5 * GIB + 3);
        });
        with(
                there.resolve("file"),
                Posix.O_RDONLY,
                fd -> assertThat(Posix.pread(fd, 5 * GIB, 10)).isEqualTo(bytes("end")));
        Posix.truncate(there.resolve("file"), 9L << 40);
        assertThat(Posix.stat(here.resolve("file")).size()).isEqualTo(9L << 40);
        assertFails(Errno.EFBIG, () -> Posix.truncate(here.resolve("file"), Long.MAX_VALUE));
    }

    @Test
    void shouldWriteDirectlyAndSynchronously() {
        byte[] block = new byte[8192];
        block[0] = 7;
        with(here.resolve("direct"), CREATE | Posix.O_DIRECT, fd -> {
            assertThat(Posix.pwrite(fd, 0, block)).isEqualTo(8192);
            with(
                    there.resolve("direct"),
                    Posix.O_RDONLY | Posix.O_DIRECT,
                    other -> assertThat(Posix.pread(other, 0, 8192)).isEqualTo(block));
        });
        for (int flag : new int[] {Descriptors.O_SYNC, Descriptors.O_DSYNC}) {
            with(here.resolve("synchronous"), CREATE | flag, fd -> Posix.write(fd, bytes("text")));
        }
        assertThat(there.resolve("synchronous")).hasContent("text");
    }

    @Test
    void shouldShareMappingsBetweenProcessesAndShowThemElsewhere() {
        Path file = file("file", "0123456789", 0644);
        with(file, Posix.O_RDWR, fd -> {
            try (MappedFile mapping = new MappedFile(fd, 10)) {
                Program.of("python3", "-c", """
                        import mmap, sys
                        with open(sys.argv[1], 'r+b') as f, mmap.mmap(f.fileno(), 10) as m:
                            m[0:3] = b'abc'
                        """, file.toString()).run();
                assertThat(mapping.load(0, 4)).isEqualTo(bytes("abc3"));
                mapping.store(4, bytes("X"));
                mapping.sync();
                assertThat(there.resolve("file")).hasContent("abc3X56789");
            }
        });
    }

    private static byte[] tail(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + (int) MIB));
    }
}
