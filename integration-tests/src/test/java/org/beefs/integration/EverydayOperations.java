package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.SpaceStatus;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Each thing that an everyday program does with files. Where the data goes is for the classes below to say. */
@InHive
abstract class EverydayOperations {
    private Path folder = Path.of("");

    /** The test's own. */
    Path folder() {
        return folder;
    }

    /** The mount to work in. */
    abstract Path mount(Mounts mounts);

    @BeforeEach
    void makeFolder(Mounts mounts, TestInfo test) throws IOException {
        folder = Files.createDirectory(
                mount(mounts).resolve(test.getTestMethod().orElseThrow().getName()));
    }

    @Test
    void shouldKeepWhatWasWritten() throws IOException {
        Path file = folder.resolve("file");

        Files.writeString(file, "some text");

        assertThat(file).hasContent("some text");
        assertThat(Posix.stat(file).size()).isEqualTo(9);
    }

    @Test
    void shouldKeepManyMegabytes() throws IOException {
        byte[] bytes = new byte[24 * 1024 * 1024 + 17];
        new SplittableRandom(1).nextBytes(bytes);

        Files.write(folder.resolve("large"), bytes);

        assertThat(Arrays.equals(Files.readAllBytes(folder.resolve("large")), bytes))
                .isTrue();
    }

    @Test
    void shouldWriteIntoTheMiddle() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "aaaaaaaaaa");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("BBB".getBytes(UTF_8)), 4);
        }
        assertThat(file).hasContent("aaaaBBBaaa");
    }

    @Test
    void shouldReadZerosFromHoles() throws IOException {
        Path file = folder.resolve("sparse");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}), 100_000);
        }
        byte[] expected = new byte[100_001];
        expected[100_000] = 1;
        assertThat(Files.readAllBytes(file)).isEqualTo(expected);
    }

    @Test
    void shouldAppendAtTheEndWhateverTheOffset() throws IOException {
        Path file = Files.writeString(folder.resolve("log"), "one\n");
        try (FileChannel first = FileChannel.open(file, StandardOpenOption.APPEND);
                FileChannel second = FileChannel.open(file, StandardOpenOption.APPEND)) {
            first.write(ByteBuffer.wrap("two\n".getBytes(UTF_8)));
            second.write(ByteBuffer.wrap("three\n".getBytes(UTF_8)));
            first.write(ByteBuffer.wrap("four\n".getBytes(UTF_8)));
        }
        assertThat(file).hasContent("one\ntwo\nthree\nfour\n");
    }

    @Test
    void shouldTruncateAndGrow() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "0123456789");

        Posix.truncate(file, 4);
        assertThat(file).hasContent("0123");

        Posix.truncate(file, 6);
        assertThat(Files.readAllBytes(file)).isEqualTo(new byte[] {'0', '1', '2', '3', 0, 0});
    }

    @Test
    void shouldEmptyAFileThatIsOpenedWithTruncation() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "long text");
        Files.writeString(file, "x");
        assertThat(file).hasContent("x");
    }

    @Test
    void shouldCreateAFileOnlyOnce() {
        Path file = folder.resolve("lock");
        int flags = Posix.O_CREAT | Posix.O_EXCL | Posix.O_WRONLY;
        Posix.close(Posix.open(file, flags, 0600));
        assertFails(Errno.EEXIST, () -> Posix.open(file, flags, 0600));
    }

    @Test
    void shouldMakeAndRemoveFolders() {
        Path inner = folder.resolve("a/b/c");
        assertFails(Errno.ENOENT, () -> Posix.mkdir(inner, 0755));
        Posix.mkdir(folder.resolve("a"), 0755);
        Posix.mkdir(folder.resolve("a/b"), 0750);
        Posix.mkdir(inner, 0700);
        assertFails(Errno.EEXIST, () -> Posix.mkdir(inner, 0755));
        assertFails(Errno.ENOTEMPTY, () -> Posix.rmdir(folder.resolve("a/b")));
        assertThat(Posix.stat(folder.resolve("a/b")).links()).isEqualTo(3);

        Posix.rmdir(inner);

        assertFails(Errno.ENOENT, () -> Posix.stat(inner));
        assertThat(Posix.stat(folder.resolve("a/b")).links()).isEqualTo(2);
    }

    @Test
    void shouldRemoveAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        Posix.unlink(file);
        assertFails(Errno.ENOENT, () -> Posix.stat(file));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldKeepAnOpenFileThatWasRemoved() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "before ");
        int fd = Posix.open(file, Posix.O_RDWR, 0);
        try {
            Posix.unlink(file);
            Posix.pwrite(fd, 7, "after".getBytes(UTF_8));
            assertThat(new String(Posix.pread(fd, 0, 100), UTF_8)).isEqualTo("before after");
            assertThat(Posix.fstat(fd).links()).isZero();
            assertThat(Posix.fstat(fd).size()).isEqualTo(12);
        } finally {
            Posix.close(fd);
        }
    }

    @Test
    void shouldRenameOverAnExistingFile() throws IOException {
        Path from = Files.writeString(folder.resolve("from"), "new");
        Path to = Files.writeString(folder.resolve("to"), "old");
        long inode = Posix.stat(from).inode();

        Posix.rename(from, to);

        assertThat(to).hasContent("new");
        assertThat(Posix.stat(to).inode()).isEqualTo(inode);
        assertFails(Errno.ENOENT, () -> Posix.stat(from));
    }

    @Test
    void shouldRenameAcrossFolders() throws IOException {
        Files.createDirectories(folder.resolve("here/tree/below"));
        Files.createDirectory(folder.resolve("there"));
        Files.writeString(folder.resolve("here/tree/below/file"), "text");

        Posix.rename(folder.resolve("here/tree"), folder.resolve("there/moved"));

        assertThat(folder.resolve("there/moved/below/file")).hasContent("text");
        assertThat(folder.resolve("here")).isEmptyDirectory();
        assertThat(Posix.stat(folder.resolve("there")).links()).isEqualTo(3);
        assertFails(
                Errno.EINVAL, () -> Posix.rename(folder.resolve("there"), folder.resolve("there/moved/inside-itself")));
    }

    @Test
    void shouldExchangeTwoNamesAndRefuseToReplace() throws IOException {
        Path first = Files.writeString(folder.resolve("first"), "1");
        Path second = Files.writeString(folder.resolve("second"), "2");

        assertFails(Errno.EEXIST, () -> Posix.rename(first, second, 1));
        Posix.rename(first, second, 2);

        assertThat(first).hasContent("2");
        assertThat(second).hasContent("1");
    }

    @Test
    void shouldFollowSymbolicLinks() throws IOException {
        Files.writeString(folder.resolve("file"), "text");
        Posix.symlink("file", folder.resolve("link"));
        Posix.symlink("nowhere", folder.resolve("dangling"));

        assertThat(Posix.readlink(folder.resolve("link"))).isEqualTo("file");
        assertThat(folder.resolve("link")).hasContent("text");
        assertThat(Posix.lstat(folder.resolve("link")).size()).isEqualTo(4);
        assertFails(Errno.ENOENT, () -> Posix.stat(folder.resolve("dangling")));
    }

    @Test
    void shouldShareOneInodeAmongHardLinks() throws IOException {
        Path first = Files.writeString(folder.resolve("first"), "text");
        Path second = folder.resolve("second");

        Posix.link(first, second);
        Files.writeString(second, "changed");
        Posix.chmod(second, 0600);

        assertThat(first).hasContent("changed");
        FileStatus status = Posix.stat(first);
        assertThat(status.links()).isEqualTo(2);
        assertThat(status.permissions()).isEqualTo(0600);
        assertThat(status.inode()).isEqualTo(Posix.stat(second).inode());
        Posix.unlink(first);
        assertThat(Posix.stat(second).links()).isEqualTo(1);
    }

    @Test
    void shouldPassBytesThroughAFifo() {
        Path fifo = folder.resolve("fifo");
        Posix.mknod(fifo, FileMode.FIFO | 0600);
        try (RunningProgram reader = Program.of("cat", fifo.toString()).start()) {
            Program.shell("printf hello > '" + fifo + "'").run();
            assertThat(reader.await(Duration.ofSeconds(10)).output()).isEqualTo("hello");
        }
    }

    @Test
    void shouldChangeModeAndOwner() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        Posix.chmod(file, 04751);
        assertThat(Posix.stat(file).permissions()).isEqualTo(04751);

        Posix.lchown(file, 1234, 4321);
        assertThat(Posix.stat(file).owner()).isEqualTo(1234);
        assertThat(Posix.stat(file).group()).isEqualTo(4321);
        assertThat(Posix.stat(file).permissions()).as("set-uid is taken away").isEqualTo(0751);
    }

    @Test
    void shouldKeepNanosecondsOfTimes() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Instant accessed = Instant.parse("2001-02-03T04:05:06.123456789Z");
        Instant modified = Instant.parse("1969-12-31T23:59:59.000000001Z");

        Posix.utimens(file, accessed, modified);

        assertThat(Posix.stat(file).accessed()).isEqualTo(accessed);
        assertThat(Posix.stat(file).modified()).isEqualTo(modified);
    }

    @Test
    void shouldKeepTimesThatAreSetWhileTheFileIsStillOpen() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Instant modified = Instant.parse("2010-10-10T10:10:10.101010101Z");
        int fd = Posix.open(file, Posix.O_WRONLY, 0);
        Posix.pwrite(fd, 0, new byte[1000]);
        Posix.utimens(file, modified, modified);
        Posix.close(fd);
        assertThat(Posix.stat(file).modified()).isEqualTo(modified);
    }

    @Test
    void shouldKeepUserAttributes() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        byte[] value = {0, 1, 2, -1};

        Xattrs.set(file, "user.first", value);
        Xattrs.set(file, "user.second", new byte[0]);

        assertThat(Xattrs.get(file, "user.first")).isEqualTo(value);
        assertThat(Xattrs.list(file)).containsExactlyInAnyOrder("user.first", "user.second");
        Xattrs.remove(file, "user.first");
        assertFails(Errno.ENODATA, () -> Xattrs.get(file, "user.first"));
        assertThat(Xattrs.list(file)).containsExactly("user.second");
    }

    @Test
    void shouldTellSpaceAndInodes() throws IOException {
        SpaceStatus before = Posix.statvfs(folder);
        for (int i = 0; i < 50; i++) {
            Files.createFile(folder.resolve("file" + i));
        }
        SpaceStatus after = Posix.statvfs(folder);

        assertThat(before.capacity()).isPositive();
        assertThat(before.available()).isPositive().isLessThanOrEqualTo(before.capacity());
        assertThat(before.maximumName()).isEqualTo(255);
        assertThat(after.usedInodes() - before.usedInodes()).isGreaterThanOrEqualTo(50);
    }

    @Test
    void shouldSyncFilesAndFolders() throws IOException {
        int file = Posix.open(folder.resolve("file"), Posix.O_CREAT | Posix.O_WRONLY, 0600);
        Posix.pwrite(file, 0, new byte[5000]);
        Posix.fsync(file);
        Posix.close(file);
        int directory = Posix.open(folder, Posix.O_RDONLY | Posix.O_DIRECTORY, 0);
        Posix.fsync(directory);
        Posix.close(directory);
        assertThat(Files.size(folder.resolve("file"))).isEqualTo(5000);
    }

    @Test
    void shouldShareMemoryMappings() throws IOException {
        Path file = folder.resolve("mapped");
        Files.write(file, new byte[10_000]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer first = channel.map(MapMode.READ_WRITE, 0, 10_000);
            MappedByteBuffer second = channel.map(MapMode.READ_ONLY, 0, 10_000);
            first.put(5000, (byte) 42);
            assertThat(second.get(5000)).isEqualTo((byte) 42);
            first.force();
        }
        assertThat(Files.readAllBytes(file)[5000]).isEqualTo((byte) 42);
    }

    @Test
    void shouldAllocateAndPunchHoles() throws IOException {
        Path file = folder.resolve("file");
        int fd = Posix.open(file, Posix.O_CREAT | Posix.O_RDWR, 0600);
        try {
            Posix.fallocate(fd, 0, 0, 100_000);
            assertThat(Posix.fstat(fd).size()).isEqualTo(100_000);
            byte[] ones = new byte[100_000];
            Arrays.fill(ones, (byte) 1);
            Posix.pwrite(fd, 0, ones);
            Posix.fallocate(fd, 3, 10_000, 20_000);
            Arrays.fill(ones, 10_000, 30_000, (byte) 0);
            assertThat(Posix.pread(fd, 0, 100_000)).isEqualTo(ones);
        } finally {
            Posix.close(fd);
        }
    }

    @Test
    void shouldTakeAnyNameOf255Bytes() throws IOException {
        Path longest = folder.resolve("ä".repeat(127) + "x");
        Path odd = folder.resolve("line\nbreak \\ and 'quotes'");
        Files.writeString(longest, "longest");
        Files.writeString(odd, "odd");

        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder(
                        longest.getFileName().toString(), odd.getFileName().toString());
        assertFails(Errno.ENAMETOOLONG, () -> Posix.mkdir(folder.resolve("x".repeat(256)), 0755));
    }

    @Test
    void shouldRefuseWhatPermissionsForbid() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "text");
        Posix.chmod(secret, 0600);
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Posix.chmod(closed, 0700);
        Path open = Files.createDirectory(folder.resolve("open"));
        Posix.chmod(open, 01777);

        assertThat(asNobody("cat '" + secret + "'")).contains("Permission denied");
        assertThat(asNobody("touch '" + folder + "/new'")).contains("Permission denied");
        assertThat(asNobody("ls '" + closed + "/anything'")).contains("Permission denied");
        assertThat(asNobody("echo mine > '" + open + "/mine'")).isEmpty();
        assertThat(Posix.stat(open.resolve("mine")).owner()).isEqualTo(65534);
        assertThat(asNobody("rm -f '" + secret + "'")).contains("Permission denied");
    }

    private static String asNobody(String script) {
        return Program.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/bin/sh", "-c", script)
                .runToAnyEnd()
                .errors();
    }

    static void assertFails(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .asInstanceOf(type(PosixException.class))
                .extracting(PosixException::errno)
                .isEqualTo(errno);
    }
}
