package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Descriptors;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Program;
import org.junit.jupiter.api.Test;

/**
 * Names that are removed, moved and raced for while what they stand for is open, files without names, and many links.
 */
abstract class NamesAndLinks extends Topic {
    private static final int NO_REPLACE = 1;
    private static final int EXCHANGE = 2;
    private static final int RACES = 20;
    private static final int MOST_LISTED = 10_000;

    @Test
    void shouldKeepAnOpenFileThatIsRemovedElsewhere() {
        with(file("file", "text", 0666), Posix.O_RDWR, fd -> {
            Posix.unlink(there.resolve("file"));

            assertThat(Posix.fstat(fd).links()).isZero();
            Posix.pwrite(fd, 4, bytes(" and more"));
            assertThat(text(fd)).isEqualTo("text and more");
            Descriptors.chmod(fd, 0600);
            assertThat(Posix.fstat(fd).permissions()).isEqualTo(0600);
            assertFails(Errno.ENOENT, () -> Descriptors.link(fd, here.resolve("again")));
        });
    }

    @Test
    void shouldKeepAnOpenFileThatIsRenamedOver() {
        file("new", "new", 0666);
        with(file("old", "old", 0666), Posix.O_RDONLY, fd -> {
            Posix.rename(there.resolve("new"), there.resolve("old"));
            assertThat(text(fd)).isEqualTo("old");
        });
        with(here.resolve("old"), Posix.O_RDONLY, fd -> assertThat(text(fd)).isEqualTo("new"));
    }

    @Test
    void shouldKeepAnOpenFolderThatIsRemoved() {
        Posix.mkdir(here.resolve("folder"), 0755);
        try (OpenDirectory folder = new OpenDirectory(here.resolve("folder"))) {
            Posix.rmdir(there.resolve("folder"));

            assertThat(folder.status().links()).isZero();
            assertThat(folder.list()).allMatch(entry -> entry.isDots());
            assertFails(Errno.ENOENT, () -> Posix.mkdir(folder.at("inside"), 0755));
        }
    }

    @Test
    void shouldChangeAnOpenFolderThatIsRemoved() {
        Posix.mkdir(here.resolve("folder"), 0755);
        try (OpenDirectory folder = new OpenDirectory(here.resolve("folder"))) {
            Posix.rmdir(there.resolve("folder"));
            Path removed = folder.at("");

            Posix.lchown(removed, 1000, 1001);
            Posix.chmod(removed, 0700);
            Posix.utimens(removed, Instant.ofEpochSecond(5), Instant.ofEpochSecond(7));

            assertThat(folder.status())
                    .matches(status -> status.permissions() == 0700 && status.owner() == 1000)
                    .matches(status -> status.group() == 1001 && status.links() == 0)
                    .matches(status -> status.modified().equals(Instant.ofEpochSecond(7)));
        }
    }

    @Test
    void shouldMakeWhiteoutsForEverybodyAndOtherDevicesForRoot() {
        Path whiteout = here.resolve("whiteout");

        USER.run(() -> Posix.mknod(whiteout, FileMode.CHARACTER_DEVICE | 0644));

        assertThat(Posix.stat(there.resolve("whiteout")).owner()).isEqualTo(1000);
        assertThat(USER.errnoOf(() -> Posix.mknod(here.resolve("disk"), FileMode.BLOCK_DEVICE | 0644)))
                .isEqualTo(Errno.EPERM);
    }

    @Test
    void shouldLetExactlyOneMountCreateAName() {
        for (int race = 0; race < RACES; race++) {
            String name = "race" + race;
            AtomicInteger winners = new AtomicInteger();
            Stream.of(here, there, here, there).parallel().forEach(folder -> {
                try {
                    int fd = Posix.open(folder.resolve(name), Posix.O_WRONLY | Posix.O_CREAT | Posix.O_EXCL, 0644);
                    winners.incrementAndGet();
                    Posix.close(fd);
                } catch (PosixException e) {
                    assertThat(e.errno()).isEqualTo(Errno.EEXIST);
                }
            });
            assertThat(winners).hasValue(1);
        }
    }

    @Test
    void shouldExchangeWhateverTheNamesStandFor() {
        file("file", "text", 0666);
        Posix.mkdir(here.resolve("folder"), 0755);
        assertFails(Errno.EEXIST, () -> Posix.rename(here.resolve("file"), here.resolve("folder"), NO_REPLACE));

        Posix.rename(here.resolve("file"), here.resolve("folder"), EXCHANGE);

        assertThat(there.resolve("file")).isDirectory();
        assertThat(there.resolve("folder")).hasContent("text");
        assertFails(Errno.EINVAL, () -> Posix.rename(here.resolve("file"), here.resolve("x"), NO_REPLACE | EXCHANGE));
        assertFails(Errno.ENOENT, () -> Posix.rename(here.resolve("file"), here.resolve("x"), EXCHANGE));
    }

    @Test
    void shouldGiveANameToAFileThatHadNone() {
        int fd = Posix.open(here, Descriptors.O_TMPFILE | Posix.O_RDWR, 0640);
        try {
            Posix.write(fd, bytes("hello"));
            assertThat(Posix.fstat(fd).links()).isZero();
            assertThat(OpenDirectory.list(there)).allMatch(entry -> entry.isDots());

            Descriptors.link(fd, here.resolve("named"));

            assertThat(there.resolve("named")).hasContent("hello");
            assertThat(Posix.stat(there.resolve("named")).links()).isEqualTo(1);
            assertThat(permissions(here.resolve("named"))).isEqualTo(0640);
            Posix.unlink(there.resolve("named"));
            assertFails(Errno.ENOENT, () -> Descriptors.link(fd, here.resolve("again")));
        } finally {
            Posix.close(fd);
        }
    }

    @Test
    void shouldNeverNameAFileThatWasToHaveNone() {
        int fd = Posix.open(here, Descriptors.O_TMPFILE | Posix.O_WRONLY | Posix.O_EXCL, 0600);
        try {
            assertFails(Errno.ENOENT, () -> Descriptors.link(fd, here.resolve("named")));
        } finally {
            Posix.close(fd);
        }
        Posix.chmod(here, 0755);
        assertThat(USER.errnoOf(() -> Posix.open(here, Descriptors.O_TMPFILE | Posix.O_WRONLY, 0600)))
                .isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldShowChangesThroughEveryLinkAtOnce() {
        Path file = file("file", "text", 0644);
        Posix.link(file, here.resolve("second"));
        Instant before = Posix.stat(there.resolve("second")).changed();

        Posix.link(file, here.resolve("third"));
        Posix.chmod(here.resolve("second"), 0611);

        for (String name : List.of("file", "second", "third")) {
            for (Path folder : List.of(here, there)) {
                assertThat(Posix.stat(folder.resolve(name)))
                        .matches(status -> status.links() == 3 && status.permissions() == 0611)
                        .matches(status -> status.changed().isAfter(before));
            }
        }
        Posix.unlink(there.resolve("second"));
        assertThat(Posix.stat(file).links()).isEqualTo(2);
    }

    @Test
    void shouldTakeManyLinks() {
        Path file = file("file", "text", 0644);
        Posix.mkdir(here.resolve("links"), 0755);
        int links = Length.of(1_000, 64_000);
        IntStream.range(0, links)
                .parallel()
                .forEach(i -> Posix.link(file, here.resolve("links").resolve("link" + i)));

        assertThat(Posix.stat(there.resolve("links").resolve("link" + (links - 1)))
                        .links())
                .isEqualTo(links + 1);
        assertThat(OpenDirectory.list(there.resolve("links"))).hasSize(links + 2);
    }

    @Test
    void shouldTakeNamesThatAreNoTextAndRefuseLongerOnes() {
        Program.of("python3", "-c", """
                import errno, os, sys
                here, there = (path.encode() for path in sys.argv[1:])
                name = bytes([0xff, 0xfe]) * 127 + b'\\x01'
                open(here + b'/' + name, 'w').close()
                assert os.listdir(there) == [name]
                os.unlink(there + b'/' + name)
                try:
                    open(here + b'/' + b'x' * 256, 'w')
                    assert False
                except OSError as e:
                    assert e.errno == errno.ENAMETOOLONG
                """, here.toString(), there.toString()).run();
    }

    @Test
    void shouldGoOnListingWhereAProgramWasWhileEntriesComeAndGo() {
        Program.of("python3", "-c", """
                import ctypes, os, sys
                libc = ctypes.CDLL(None)
                libc.opendir.restype = libc.readdir.restype = ctypes.c_void_p
                libc.telldir.restype = ctypes.c_long
                here, there = sys.argv[1:]
                for i in range(1000): os.mknod('%s/f%d' % (here, i))
                folder = ctypes.c_void_p(libc.opendir(here.encode()))
                def some(most):
                    names = []
                    while len(names) < most:
                        entry = libc.readdir(folder)
                        if not entry: break
                        names.append(ctypes.string_at(entry + 19).decode())
                    return names
                first = some(500)
                position = ctypes.c_long(libc.telldir(folder))
                once = some(2000)
                for i in range(0, 1000, 7): os.unlink('%s/f%d' % (there, i))
                for i in range(20): os.mknod('%s/new%d' % (there, i))
                libc.seekdir(folder, position)
                rest = some(2000)
                assert not set(first) & set(rest) and len(set(rest)) == len(rest)
                lasting = {'f%d' % i for i in range(1000) if i % 7}
                assert lasting <= set(first) | set(rest), lasting - set(first) - set(rest)
                """, here.toString(), there.toString()).run();
    }

    @Test
    void shouldEndAListingOfANewFolderWhoseEntriesAreRenamedMeanwhile() {
        Path folder = folderOfThree();

        renameAllThatIsListed(folder);
    }

    @Test
    void shouldEndAListingOfAFolderThatOthersKnowWhoseEntriesAreRenamedMeanwhile() {
        Path folder = folderOfThree();
        assertThat(OpenDirectory.list(there.resolve("folder"))).hasSize(5);

        renameAllThatIsListed(folder);
        assertThat(OpenDirectory.list(there.resolve("folder"))).hasSize(5);
    }

    private Path folderOfThree() {
        Path folder = here.resolve("folder");
        Posix.mkdir(folder, 0755);
        for (String name : List.of("first", "second", "third")) {
            with(folder.resolve(name), Posix.O_WRONLY | Posix.O_CREAT, fd -> {});
        }
        return folder;
    }

    /** As generic/736 of xfstests: each entry gets another name and its own again. */
    private static void renameAllThatIsListed(Path folder) {
        Path other = folder.resolve("TEMPFILE");
        AtomicInteger listed = new AtomicInteger();
        try (OpenDirectory open = new OpenDirectory(folder)) {
            open.forEachRemaining(4096, entry -> {
                assertThat(listed.incrementAndGet()).isLessThan(MOST_LISTED);
                if (!entry.isDots()) {
                    Posix.rename(folder.resolve(entry.name()), other);
                    Posix.rename(other, folder.resolve(entry.name()));
                }
            });
            open.rewind();
            assertThat(open.list()).hasSize(5);
        }
    }

    @Test
    void shouldRefuseLoopsAndTargetsWithoutMeasure() {
        Posix.symlink("second", here.resolve("first"));
        Posix.symlink("first", here.resolve("second"));
        assertFails(Errno.ELOOP, () -> Posix.open(there.resolve("first"), Posix.O_RDONLY, 0));
        assertFails(Errno.ENAMETOOLONG, () -> Posix.symlink("x".repeat(4096), here.resolve("long")));
        Posix.symlink("x".repeat(4095), here.resolve("longest"));
        assertThat(Posix.stat(here).links()).isEqualTo(2);
    }
}
