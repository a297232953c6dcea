package org.beefs.honeybee.fuse;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.beefs.common.time.Await;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Contents that the kernel reads and writes past the driver. */
@ParameterizedClass
@EnumSource(names = {"RINGS", "NATIVE"})
class FusePassthroughTest extends MountedTest {
    private BackedFileSystem fileSystem;
    private Path root = Path.of("/nonexistent");

    @BeforeEach
    void mountModel() throws IOException {
        fileSystem = new BackedFileSystem(executor, folder.resolve("contents"));
        root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
    }

    @AfterEach
    void closeContents() throws IOException {
        fileSystem.close();
    }

    @Test
    void shouldReadAndWritePastTheDriver() throws IOException {
        byte[] content = new byte[3_500_000];
        new Random(1).nextBytes(content);

        Files.write(root.resolve("file"), content);

        assertThat(Files.readAllBytes(root.resolve("file"))).isEqualTo(content);
        assertThat(fileSystem.onlyContent()).hasBinaryContent(content);
        assertThat(fileSystem.requests).isEmpty();
    }

    /** Two backing ids for an inode, or one open with and one without, would be EIO. */
    @Test
    void shouldOpenAFileManyTimesAtOnce() throws Exception {
        shell("""
                cd %s; echo -n > f
                for i in $(seq 20); do (for j in $(seq 50); do echo line >> f; cat f > /dev/null; done) & done; wait
                test $(wc -l < f) = 1000
                """.formatted(root));

        assertThat(fileSystem.requests).isEmpty();
        awaitNoHandles();
    }

    @Test
    void shouldCreateAndOpenSideBySide() throws Exception {
        shell("""
                cd %s
                for i in $(seq 8); do (for j in $(seq 100); do echo $i >> f$j; done) & done; wait
                cat f* | wc -l | grep -qx 800
                """.formatted(root));

        assertThat(fileSystem.requests).isEmpty();
    }

    @Test
    void shouldGoThroughTheDriverAsLongAsAFileIsOpenLikeThat() throws Exception {
        fileSystem.offers = false;
        Process keeper = start("cd %s; exec 5> f; echo opened; read; exec 5>&-".formatted(root));
        awaitLine(keeper);
        fileSystem.offers = true;

        shell("echo text >> %s/f; grep -q text %1$s/f".formatted(root));

        assertThat(fileSystem.requests).contains("write", "read");
        assertThat(fileSystem.required).isEmpty();
        finish(keeper);
        awaitNoHandles();
        fileSystem.requests.clear();
        shell("echo more >> %s/f; grep -q more %1$s/f".formatted(root));
        assertThat(fileSystem.requests).isEmpty();
    }

    @Test
    void shouldGoPastTheDriverAsLongAsAFileIsOpenLikeThat() throws Exception {
        Process keeper = start("cd %s; exec 5> f; echo opened; read; exec 5>&-".formatted(root));
        awaitLine(keeper);
        fileSystem.offers = false;

        shell("echo text >> %s/f; grep -q text %1$s/f".formatted(root));

        assertThat(fileSystem.requests).isEmpty();
        assertThat(fileSystem.required).hasSize(2);
        finish(keeper);
        awaitNoHandles();
        shell("echo more >> %s/f".formatted(root));
        assertThat(fileSystem.requests).contains("write");
    }

    @Test
    void shouldReadThroughTheDriverWhatHasMovedSinceItWasOpenedPastIt() throws Exception {
        shell("cp /bin/true %s/program".formatted(root));
        Process keeper = start("cd %s; exec 5< program; echo opened; read; exec 5<&-".formatted(root));
        awaitLine(keeper);
        fileSystem.moved = true;

        shell("cmp %s/program /bin/true; %1$s/program".formatted(root));

        assertThat(fileSystem.requests).contains("read").doesNotContain("write");
        finish(keeper);
        awaitNoHandles();
    }

    @Test
    void shouldServeTwoMountsWithOneFile() throws Exception {
        Path second = mount("second", fileSystem, MountOptions.DEFAULTS).target();

        shell("""
                cd %s; echo -n > f; exec 5>> f 6>> %s/f
                for i in $(seq 100); do echo a >&5; echo b >&6; done
                test $(wc -l < f) = 200; cmp f %2$s/f
                """.formatted(root, second));

        assertThat(fileSystem.requests).isEmpty();
    }

    @Test
    void shouldMapFilesForSharedWriting() throws IOException {
        Path file = root.resolve("mapped");
        Files.write(file, new byte[10_000]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map;
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 10_000, arena);
            }
            map.set(JAVA_BYTE, 5000, (byte) 42);

            assertThat(Files.readAllBytes(file)[5000]).isEqualTo((byte) 42);
            assertThat(Files.readAllBytes(fileSystem.onlyContent())[5000]).isEqualTo((byte) 42);
        }
        assertThat(fileSystem.requests).isEmpty();
    }

    @Test
    void shouldDoWhatProgramsDoWithOpenFiles() throws Exception {
        shell("""
                cd %s
                dd if=/dev/zero of=direct bs=4096 count=16 oflag=direct status=none
                dd if=direct of=/dev/null bs=4096 iflag=direct status=none
                cp /bin/true program; ./program
                fallocate -l 70000 allocated; test $(stat -c %%s allocated) = 70000
                echo content > unlinked; exec 5<> unlinked; rm unlinked; echo more >> /dev/fd/5; grep -q more /dev/fd/5
                echo text > synced; sync -d synced; sync synced
                echo longer text > cut; truncate -s 4 cut; : > cut; echo x > cut; grep -qx x cut
                """.formatted(root));
        shell("""
                cd %s; echo some text > from
                python3 -c 'import os; a = os.open("from", 0); b = os.open("to", os.O_RDWR | os.O_CREAT); print(os.copy_file_range(a, b, 10), os.sendfile(b, a, 0, 4))'
                """.formatted(root));

        assertThat(fileSystem.requests).isNotEmpty().doesNotContain("read", "write");
    }

    @Test
    void shouldGoThroughTheDriverWhenTheKernelRefusesTheFile() throws Exception {
        // A file system below that is itself stacked: this mount, seen from a second one.
        try (BackedFileSystem above = new BackedFileSystem(executor, root)) {
            Path second = mount("second", above, MountOptions.DEFAULTS).target();

            shell("echo text > %s/f; grep -q text %1$s/f; echo text > %1$s/g".formatted(second));

            assertThat(above.requests).contains("write", "read");
        }
    }

    @Test
    void shouldKeepNoHandleOfProgramsThatAreKilled() throws Exception {
        Process writer = start("cd %s; while :; do echo x >> f; : > g; done".formatted(root));
        shell("until test -s %s/f -a -e %1$s/g; do :; done".formatted(root));
        writer.descendants().forEach(ProcessHandle::destroyForcibly);
        writer.destroyForcibly().waitFor();

        awaitNoHandles();
        shell("umount " + root);
    }

    private static void awaitLine(Process process) throws IOException {
        assertThat(process.getInputStream().read()).isEqualTo('o');
    }

    private static void finish(Process process) throws Exception {
        process.getOutputStream().close();
        process.waitFor();
    }

    /** The kernel tells of a close when the program has gone on already. */
    private void awaitNoHandles() throws Exception {
        Await.until("nothing is open", () -> fileSystem.openHandles() == 0);
    }
}
