package org.beefs.honeybee.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Content of files on a mounted model, whose operations run on other threads than the readers. */
@ParameterizedClass
@EnumSource(names = {"RINGS", "NATIVE"})
class FuseContentTest extends MountedTest {
    private final MemoryFileSystem fileSystem = new MemoryFileSystem(executor);
    private Path root = Path.of("/nonexistent");

    @BeforeEach
    void mountModel() throws IOException {
        root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        byte[] content = random(3_500_000);

        Files.write(root.resolve("file"), content);

        assertThat(Files.readAllBytes(root.resolve("file"))).isEqualTo(content);
        assertThat(Files.size(root.resolve("file"))).isEqualTo(content.length);
    }

    @Test
    void shouldReadAndWriteAtAnyOffset() throws IOException {
        Path file = root.resolve("file");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("end".getBytes(UTF_8)), 1_000_000);
            channel.write(ByteBuffer.wrap("middle".getBytes(UTF_8)), 777);
            channel.truncate(1_000_002);

            ByteBuffer read = ByteBuffer.allocate(10);
            assertThat(channel.read(read, 999_995)).isEqualTo(7);
            assertThat(read.array()).startsWith(0, 0, 0, 0, 0, 'e', 'n');
            assertThat(channel.read(ByteBuffer.allocate(10), 2_000_000)).isEqualTo(-1);
            channel.force(true);
        }
    }

    @Test
    void shouldAppendAtTheEnd() throws Exception {
        shell("""
                cd %s
                for i in 1 2 3 4; do (for j in $(seq 50); do echo "line $i $j" >> log; done) & done; wait
                echo tail | dd of=log oflag=append conv=notrunc status=none
                """.formatted(root));

        assertThat(Files.readAllLines(root.resolve("log"))).hasSize(201).doesNotHaveDuplicates();
    }

    @Test
    void shouldShareMappedMemoryWithReadAndWrite() throws IOException {
        Path file = root.resolve("mapped");
        Files.write(file, new byte[10_000]);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 10_000, arena);
            MappedBytes.store(map, 5000, (byte) 42);
            map.force();
            channel.write(ByteBuffer.wrap(new byte[] {43}), 6000);

            assertThat(Files.readAllBytes(file)[5000]).isEqualTo((byte) 42);
            assertThat(MappedBytes.load(map, 6000)).isEqualTo((byte) 43);
        }
    }

    @Test
    void shouldRunPrograms() throws Exception {
        Files.copy(Path.of("/bin/true"), root.resolve("program"));

        assertThat(shell("cd %s; chmod 755 program; ./program && echo ran".formatted(root)))
                .isEqualTo("ran\n");
        assertThat(shell("cd %s; chmod 644 program; ! ./program 2>&1".formatted(root)))
                .contains("Permission denied");
    }

    @Test
    void shouldKeepAnUnlinkedFileWhileItIsOpen() throws Exception {
        assertThat(shell("cd %s; echo content > f; exec 5<>f; rm f; echo more >> /dev/fd/5; cat /dev/fd/5; ls -A"
                        .formatted(root)))
                .isEqualTo("content\nmore\n");
    }

    @Test
    void shouldBringEachWriteToDiskWhereThatWasWanted() throws Exception {
        AtomicInteger syncs = new AtomicInteger();
        Path other = mount(
                        "counting",
                        new MemoryFileSystem(executor) {
                            @Override
                            public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
                                syncs.incrementAndGet();
                                return super.sync(handle, dataOnly);
                            }
                        },
                        MountOptions.DEFAULTS)
                .target();

        shell("dd if=/dev/zero of=%s/f bs=100 count=3 status=none".formatted(other));
        assertThat(syncs).hasValue(0);
        shell("dd if=/dev/zero of=%s/f bs=100 count=3 oflag=dsync status=none".formatted(other));
        assertThat(syncs).hasValue(3);
    }

    @Test
    void shouldAllocateAndSeek() throws Exception {
        assertThat(shell("""
                cd %s; fallocate -l 70000 f; stat -c %%s f; fallocate -n -o 70000 -l 10 f; stat -c %%s f
                printf abcdef > g; fallocate -p -o 1 -l 2 g; od -An -c g
                python3 -c 'import os; f = os.open("f", 0); print(os.lseek(f, 5, os.SEEK_DATA), os.lseek(f, 5, os.SEEK_HOLE))'
                ! fallocate -c -o 0 -l 4096 f 2>&1
                """.formatted(root)))
                .contains("70000\n70000\n", "a  \\0  \\0   d   e   f", "5 70000\n", "not supported");
    }

    @Test
    void shouldClearPrivilegesWhenOthersWrite() throws Exception {
        assertThat(shell("""
                cd %s; for f in written truncated kept; do echo x > $f; chmod 6777 $f; done
                setpriv --reuid 1000 --regid 1000 --clear-groups bash -c 'echo y >> written; : > truncated'
                echo y >> kept; stat -c %%a written truncated kept
                """.formatted(root))).isEqualTo("777\n777\n6777\n");
    }

    @Test
    void shouldMakeAFileWithTheSetIdBitsThatItsMakerWants() throws Exception {
        assertThat(shell("""
                cd %s; mkdir d; chmod 777 d
                python3 -c '
                import os
                os.setgroups([]); os.setgid(1000); os.setuid(1000)
                os.open("d/f", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o4755)'
                stat -c %%a d/f
                """.formatted(root))).isEqualTo("4755\n");
    }

    @Test
    void shouldKeepNoHandleThatNobodyHasOpen() throws Exception {
        shell("cd %s; for i in $(seq 100); do echo $i > f$i; cat f$i; done > /dev/null".formatted(root));

        shell("umount " + root);

        assertThat(fileSystem.openHandles()).isZero();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }
}
