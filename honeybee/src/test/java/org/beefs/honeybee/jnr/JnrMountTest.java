package org.beefs.honeybee.jnr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.MemoryFileSystem;
import org.beefs.honeybee.fuse.MountedTest;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver on a mounted model, whose operations run on other threads than the driver's. */
class JnrMountTest extends MountedTest {
    private static final Path LIBRARY = Path.of("/lib", "x86_64-linux-gnu", "libfuse.so.2");

    private final CountDownLatch stuck = new CountDownLatch(1);

    /** Never answers for the name "stuck". */
    private final MemoryFileSystem fileSystem = new MemoryFileSystem(executor) {
        @Override
        public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
            if (!name.toStringUtf8().equals("stuck")) {
                return super.lookup(caller, directory, name);
            }
            stuck.countDown();
            return new CompletableFuture<>();
        }
    };

    @Override
    protected Mount mountThere(Path target, FileSystem model, MountOptions options) throws IOException {
        return JnrMount.mount(target, model, options);
    }

    @BeforeEach
    void requireLibrary() {
        assumeTrue(Files.exists(LIBRARY), "SKIPPED: there is no libfuse 2");
    }

    @Test
    void shouldKeepATreeThatTarUnpacks() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();

        String output = shell("""
                mkdir -p %1$s/tree/sub; cd %1$s/tree
                for i in $(seq 60); do head -c $((i * 9970)) /dev/urandom > sub/file$i; done
                ln -s ../sub/file1 sub/symbolic; ln sub/file2 hard; mkfifo pipe; chmod 2750 sub; touch -d @-1000.25 sub/file3
                mknod device c 5 300; chown 1234:5678 sub/file4; chown -h 7:8 sub/symbolic; touch $'sub/\\xff\\xfe'
                tar -H posix --warning=no-timestamp -C %1$s -cf %1$s/tree.tar tree; mkdir %2$s/out; tar -C %2$s/out --warning=no-timestamp -xpf %1$s/tree.tar
                diff -r --no-dereference sub %2$s/out/tree/sub
                list() { (cd $1; find . -printf '%%p %%y %%m %%U %%G %%T@ %%l %%n\\n' | grep -av '^. d' | sort); }
                diff <(list %1$s/tree) <(list %2$s/out/tree)
                stat -c '%%t,%%T %%F' %2$s/out/tree/device; stat -c %%Y %2$s/out/tree/sub/file3
                """.formatted(folder, root));

        assertThat(output).isEqualTo("5,12c character special file\n-1001\n");
    }

    @Test
    void shouldShowTheFileSystemsInodeNumbersForAllNamesOfAFile() throws IOException {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
        Path file = Files.writeString(root.resolve("file"), "x");

        Path other = Files.createLink(root.resolve("other"), file);

        assertThat(Files.getAttribute(other, "unix:ino")).isEqualTo(Files.getAttribute(file, "unix:ino"));
        assertThat(Files.getAttribute(file, "unix:nlink")).isEqualTo(2);
    }

    @Test
    void shouldListLargeDirectoriesOnce() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();

        String names = shell(
                "cd %s; seq 1000 | xargs touch; ls -U | sort -n | uniq -c | wc -l; ls -a | head -3".formatted(root));

        assertThat(names).isEqualTo("1000\n.\n..\n1\n");
    }

    @Test
    void shouldEndListingsOfWhatIsRenamedMeanwhile() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();

        shell("""
                cd %s; touch a b c
                python3 - <<'END'
                import os
                renamed = 0
                with os.scandir('.') as listing:
                    for entry in listing:
                        os.rename(entry.name, 'new_%%d' %% renamed)
                        renamed += 1
                        assert renamed < 10000
                assert renamed == len(os.listdir('.')) == 3
                END
                """.formatted(root));
    }

    @Test
    void shouldKeepOpenFilesWithoutVisibleRemains() throws IOException {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
        Path file = Files.writeString(root.resolve("file"), "first");
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.move(file, root.resolve("moved"));
            open.write(ByteBuffer.wrap("F".getBytes(UTF_8)), 0);
            assertThat(root.resolve("moved")).hasContent("First");

            Files.delete(root.resolve("moved"));

            assertThat(root).isEmptyDirectory();
            open.write(ByteBuffer.wrap(" still".getBytes(UTF_8)), 5);
            open.truncate(9);
            ByteBuffer content = ByteBuffer.allocate(20);
            open.read(content, 0);
            assertThat(new String(content.array(), 0, content.position(), UTF_8))
                    .isEqualTo("First sti");
        }
    }

    @Test
    void shouldMakeAFileWhoseNameTheKernelKnowsAlthoughItHasGone() throws IOException {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
        Path file = Files.writeString(root.resolve("file"), "before");
        fileSystem
                .unlink(Credentials.getDefaultInstance(), FileSystem.ROOT, ByteString.copyFromUtf8("file"))
                .join();

        Files.writeString(file, "again");

        assertThat(file).hasContent("again");
    }

    @Test
    void shouldReplaceOpenFilesAtOnce() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();

        String looks = shell("""
                cd %s; echo 0 > file; exec 3< file
                (while [ ! -e end ]; do cat file 3<&- || echo gone; done > seen) &
                for i in $(seq 100); do echo $i > new; exec 4< file; mv new file; cat <&4 > old; exec 4<&-; done
                touch end; wait; grep -c gone seen || true; cat file; cat <&3; ls -A | tr '\n' ' '; stat -Lc %%h /proc/self/fd/3
                """.formatted(root));

        assertThat(looks).isEqualTo("0\n100\n0\nend file old seen 0\n");
    }

    @Test
    void shouldLetUsersHaveNamesLikeThoseOfHiddenFiles() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();

        String names = shell(
                "cd %s; echo x > a; exec 3< a; mv a .fuse_hidden0000000000000001; ls -A; rm .fuse_hidden*; ls -A; cat <&3"
                        .formatted(root));

        assertThat(names).isEqualTo(".fuse_hidden0000000000000001\nx\n");
    }

    @Test
    void shouldAppendWhereTheEndIs() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();

        String lines = shell(
                "cd %s; for w in 1 2 3; do (for i in $(seq 50); do echo line >> log; done) & done; wait; wc -l < log"
                        .formatted(root));

        assertThat(lines).isEqualTo("150\n");
    }

    @Test
    void shouldAnswerWhatLibfuseCannotDoWithTheRightErrno() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();

        String errors = shell("""
                cd %s; echo a > a; echo b > b
                python3 - <<'END'
                import ctypes, errno, mmap, os
                libc = ctypes.CDLL(None, use_errno=True)
                def tell(what, result):
                    print(what, errno.errorcode[ctypes.get_errno()] if result < 0 else "ok")
                tell("noreplace", libc.renameat2(-100, b"a", -100, b"c", 1))
                tell("exchange", libc.renameat2(-100, b"a", -100, b"b", 2))
                def attempt(what, work):
                    try:
                        print(what, work())
                    except OSError as failure:
                        print(what, errno.errorcode[failure.errno])
                attempt("tmpfile", lambda: os.open(".", os.O_TMPFILE | os.O_RDWR))
                fd = os.open("a", os.O_RDWR)
                attempt("hole", lambda: os.lseek(fd, 0, os.SEEK_HOLE))
                attempt("copy", lambda: os.copy_file_range(os.open("b", os.O_RDONLY), fd, 2))
                attempt("shared", lambda: mmap.mmap(fd, 2))
                os.unlink("a")
                attempt("fstat", lambda: os.fstat(fd).st_nlink)
                END
                """.formatted(root));

        assertThat(errors)
                .isEqualTo(
                        "noreplace EINVAL\nexchange EINVAL\ntmpfile ENOTSUP\nhole 2\ncopy 2\nshared ENODEV\nfstat 0\n");
    }

    @Test
    void shouldLetCallersBeKilledWhoseOperationIsNeverAnswered() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
        Process caller = new ProcessBuilder("stat", root + "/stuck").start();
        assertThat(stuck.await(10, TimeUnit.SECONDS)).isTrue();

        caller.destroyForcibly();

        assertThat(caller.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void shouldEndWhileAnOperationIsNeverAnswered() throws Exception {
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
        Process caller = new ProcessBuilder("stat", mount.target() + "/stuck").start();
        assertThat(stuck.await(10, TimeUnit.SECONDS)).isTrue();

        mount.close();

        assertThat(caller.waitFor(10, TimeUnit.SECONDS)).isTrue();
        mount.terminated().get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldEndWhenSomebodyUnmounts() throws Exception {
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
        Files.writeString(mount.target().resolve("file"), "x");

        shell("umount " + mount.target());

        mount.terminated().get(10, TimeUnit.SECONDS);
        assertThat(mount.requests()).containsKeys("CREATE", "WRITE", "GETATTR");
    }

    @Test
    void shouldRefuseChangesWhereNothingMayBeChanged() throws Exception {
        Path root = mount("hive", fileSystem, MountOptions.DEFAULTS.withReadOnly(true))
                .target();

        assertThat(shell("touch %s/file 2>&1 || true".formatted(root))).contains("Read-only file system");
    }
}
