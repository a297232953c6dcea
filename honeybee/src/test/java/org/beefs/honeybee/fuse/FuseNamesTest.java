package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Names and attributes on a mounted model, whose operations run on other threads than the readers. */
@ParameterizedClass
@EnumSource(names = {"RINGS", "NATIVE"})
class FuseNamesTest extends MountedTest {
    private final MemoryFileSystem fileSystem = new MemoryFileSystem(executor);
    private Path root = Path.of("/nonexistent");

    @BeforeEach
    void mountModel() throws IOException {
        root = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
    }

    @Test
    void shouldKeepATreeThatTarUnpacks() throws Exception {
        String output = shell("""
                mkdir -p %1$s/tree/sub; cd %1$s/tree
                for i in $(seq 60); do head -c $((i * 997)) /dev/urandom > sub/file$i; done
                ln -s ../sub/file1 sub/symbolic; ln sub/file2 hard; mkfifo pipe; chmod 2750 sub; touch -d @-1000.25 sub/file3
                mknod device c 5 300; chown 1234:5678 sub/file4; chown -h 7:8 sub/symbolic
                tar -H posix --warning=no-timestamp -C %1$s -cf %1$s/tree.tar tree; mkdir %2$s/out; tar -C %2$s/out --warning=no-timestamp -xpf %1$s/tree.tar
                diff -r --no-dereference sub %2$s/out/tree/sub
                list() { (cd $1; find . -printf '%%p %%y %%m %%U %%G %%T@ %%l %%n\\n' | grep -v '^. d' | sort); }
                diff <(list %1$s/tree) <(list %2$s/out/tree)
                stat -c '%%t,%%T %%F' %2$s/out/tree/device; stat -c %%Y %2$s/out/tree/sub/file3
                """.formatted(folder, root));

        assertThat(output).isEqualTo("5,12c character special file\n-1001\n");
    }

    @Test
    void shouldCopyMoveAndRemove() throws Exception {
        shell("""
                cd %s; mkdir -p a/b/c; echo one > a/b/c/f; cp -a a copy; diff -r a copy
                mv a/b/c/f a/g; mv -T a/b copy/b2; [ "$(cat a/g)" = one ]; echo two > h; mv h a/g; [ "$(cat a/g)" = two ]
                ! rmdir a 2> error; grep -q 'not empty' error
                ! mv copy copy/b/x 2> error; grep -q 'subdirectory of itself' error
                rm -rf a copy error; [ -z "$(ls -A)" ]
                """.formatted(root));

        assertThat(fileSystem.inodeCount()).isEqualTo(1);
    }

    @Test
    void shouldCountHardLinks() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "x");
        Files.createLink(root.resolve("other"), file);

        assertThat(Files.getAttribute(file, "unix:nlink")).isEqualTo(2);
        assertThat(Files.getAttribute(file, "unix:ino"))
                .isEqualTo(Files.getAttribute(root.resolve("other"), "unix:ino"));
        Files.delete(file);
        assertThat(Files.getAttribute(root.resolve("other"), "unix:nlink")).isEqualTo(1);
    }

    @Test
    void shouldCreateExclusivelyOnlyOnce() throws IOException {
        Files.createFile(root.resolve("file"));

        assertThatThrownBy(() -> Files.createFile(root.resolve("file"))).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void shouldExchangeOrRefuseToReplace() throws Exception {
        String script = """
                import ctypes, errno, os, sys
                os.chdir(sys.argv[1])
                libc = ctypes.CDLL(None, use_errno=True)
                def rename(old, new, flags):
                    done = libc.renameat2(-100, old, -100, new, flags) == 0
                    return 0 if done else ctypes.get_errno()
                open('a', 'w').write('A'); os.mkdir('b')
                assert rename(b'a', b'b', 1) == errno.EEXIST
                assert rename(b'a', b'b', 2) == 0
                assert os.path.isdir('a') and open('b').read() == 'A'
                assert rename(b'a', b'c', 4) == errno.EINVAL
                assert rename(b'b', b'c', 1) == 0
                assert rename(b'b', b'c', 2) == errno.ENOENT
                """;
        Path program = Files.writeString(folder.resolve("rename.py"), script);

        shell("python3 %s %s".formatted(program, root));
    }

    @Test
    void shouldListHugeDirectories() throws Exception {
        int entries = 100_000;
        Path huge = Files.createDirectory(root.resolve("huge"));
        long inode = (long) Files.getAttribute(huge, "unix:ino");
        for (int i = 0; i < entries; i++) {
            fileSystem
                    .makeNode(
                            Credentials.getDefaultInstance(),
                            inode,
                            ByteString.copyFromUtf8("entry-" + i),
                            FileMode.REGULAR,
                            0,
                            0)
                    .join();
        }

        try (Stream<Path> listing = Files.list(huge)) {
            assertThat(listing.map(path -> path.getFileName().toString()))
                    .hasSize(entries)
                    .doesNotHaveDuplicates();
        }
        assertThat(shell("cd %s; ls -f huge | sed -n '1,3p;$p'".formatted(root)))
                .isEqualTo(".\n..\nentry-0\nentry-99999\n");
    }

    @Test
    void shouldResumeListingsAtAnyPosition() throws Exception {
        String script = """
                import ctypes, os, sys
                libc = ctypes.CDLL(None)
                libc.opendir.restype = ctypes.c_void_p
                libc.readdir.restype = ctypes.c_void_p
                libc.readdir.argtypes = libc.telldir.argtypes = [ctypes.c_void_p]
                libc.telldir.restype = ctypes.c_long
                libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]
                stream = libc.opendir(os.fsencode(sys.argv[1]))
                def name():
                    entry = libc.readdir(stream)
                    return ctypes.string_at(entry + 19) if entry else None
                seen = []
                while True:
                    position = libc.telldir(stream)
                    found = name()
                    if found is None: break
                    seen.append((position, found))
                assert len(seen) == 3002, len(seen)
                assert [n for p, n in seen[:2]] == [b'.', b'..']
                for position, expected in seen[::-97] + seen[:5]:
                    libc.seekdir(stream, position)
                    assert name() == expected
                """;
        Path program = Files.writeString(folder.resolve("list.py"), script);
        shell("cd %s; mkdir many; cd many; seq 3000 | xargs touch; python3 %s .".formatted(root, program));
    }

    /** Each entry that is told gets a name of its own, as in programs that number files. */
    @Test
    void shouldEndListingsOfWhatIsRenamedMeanwhile() throws Exception {
        String script = """
                import os, sys
                os.chdir(sys.argv[1])
                renamed = 0
                with os.scandir('.') as listing:
                    for entry in listing:
                        os.rename(entry.name, 'new_%d' % renamed)
                        renamed += 1
                        assert renamed < 10000
                assert renamed == len(os.listdir('.')) == 3
                """;
        Path program = Files.writeString(folder.resolve("rename.py"), script);

        shell("cd %s; mkdir few; touch few/a few/b few/c; python3 %s few".formatted(root, program));
    }

    @Test
    void shouldKeepExtendedAttributes() throws Exception {
        String script = """
                import errno, os, sys
                path = sys.argv[1]
                open(path, 'w').close()
                os.setxattr(path, 'user.one', b'1' * 60000)
                os.setxattr(path, 'user.two', b'', os.XATTR_CREATE)
                assert os.getxattr(path, 'user.one') == b'1' * 60000 and os.getxattr(path, 'user.two') == b''
                assert os.listxattr(path) == ['user.one', 'user.two']
                def fails(number, call, *arguments):
                    try: call(*arguments)
                    except OSError as e: assert e.errno == number, e
                    else: assert False
                fails(errno.EEXIST, os.setxattr, path, 'user.one', b'', os.XATTR_CREATE)
                fails(errno.ENODATA, os.setxattr, path, 'user.three', b'', os.XATTR_REPLACE)
                os.removexattr(path, 'user.one')
                fails(errno.ENODATA, os.getxattr, path, 'user.one')
                """;
        Path program = Files.writeString(folder.resolve("xattr.py"), script);

        shell("python3 %s %s".formatted(program, root.resolve("file")));
    }

    @Test
    void shouldShowSpaceAndCreationTime() throws Exception {
        assertThat(shell("cd %s; df -B1 --output=size,avail,itotal . | tail -1; touch f; stat -c %%W f; date +%%s"
                        .formatted(root)))
                .matches("(?s)\\s*1099511627776\\s+549755813888\\s+1000000\\s+\\d{10}\\s+\\d{10}\\s*");
    }

    @Test
    void shouldAskOnBehalfOfTheCallerWithAllGroups() throws Exception {
        assertThat(shell("""
                cd %s; mkdir shared; chgrp 777 shared; chmod 770 shared
                as() { setpriv --reuid 1000 --regid 1000 --groups "$1" bash -c "$2" 2>&1 || true; }
                as 5,777,9 'touch shared/mine; stat -c %%u:%%g shared/mine'
                as 5,9 'ls shared; cat shared/mine; cd shared'
                """.formatted(root)))
                .startsWith("1000:1000\n")
                .hasLineCount(4)
                .matches("(?s)(.*Permission denied.*){3}");
    }

    @Test
    void shouldLeaveUmaskToTheKernel() throws Exception {
        assertThat(shell("cd %s; umask 027; touch f; mkdir d; mkfifo p; stat -c %%a f d p".formatted(root)))
                .isEqualTo("640\n750\n640\n");
    }

    @Test
    void shouldRefuseNamesThatAreTooLong() throws Exception {
        assertThat(shell("cd %s; touch $(printf %%0255d 1); ! touch $(printf %%0256d 1) 2>&1".formatted(root)))
                .contains("File name too long");
    }
}
