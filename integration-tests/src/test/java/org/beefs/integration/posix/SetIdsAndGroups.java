package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.beefs.common.posix.Errno;
import org.beefs.integration.linux.Descriptors;
import org.beefs.integration.linux.Identity;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.junit.jupiter.api.Test;

/** Set-id bits, sticky directories, groups and the umask. */
abstract class SetIdsAndGroups extends Topic {
    @Test
    void shouldInheritGroupsFromSetGidDirectories() {
        Path shared = here.resolve("shared");
        Posix.mkdir(shared, 0777);
        Posix.lchown(shared, 0, 777);
        Posix.chmod(shared, 02777);

        USER.run(() -> {
            with(shared.resolve("file"), Posix.O_WRONLY | Posix.O_CREAT, fd -> {});
            Posix.mkdir(shared.resolve("folder"), 0755);
            Posix.close(Posix.open(shared.resolve("program"), Posix.O_WRONLY | Posix.O_CREAT, 02755));
        });

        assertThat(Posix.stat(there.resolve("shared/file")).group()).isEqualTo(777);
        assertThat(Posix.stat(there.resolve("shared/folder")).group()).isEqualTo(777);
        assertThat(permissions(there.resolve("shared/folder"))).isEqualTo(02755);
        assertThat(permissions(there.resolve("shared/program")))
                .as("nobody gives away a group's rights that he does not have")
                .isEqualTo(0755);
    }

    @Test
    void shouldLetOnlyOwnersRemoveFromStickyDirectories() {
        Path sticky = here.resolve("sticky");
        Posix.mkdir(sticky, 0777);
        Posix.chmod(sticky, 01777);
        USER.run(() -> with(sticky.resolve("mine"), Posix.O_WRONLY | Posix.O_CREAT, fd -> {}));
        Path elsewhere = there.resolve("sticky");

        assertThat(OTHER.errnoOf(() -> Posix.unlink(elsewhere.resolve("mine")))).isEqualTo(Errno.EPERM);
        assertThat(OTHER.errnoOf(() -> Posix.rename(elsewhere.resolve("mine"), elsewhere.resolve("yours"))))
                .isEqualTo(Errno.EPERM);
        assertThat(USER.errnoOf(() -> Posix.unlink(elsewhere.resolve("mine")))).isNull();
    }

    @Test
    void shouldLoseSetIdBitsWhenSomebodyElseChangesTheContent() {
        assertClears(fd -> Posix.pwrite(fd, 0, bytes("x")));
        assertClears(fd -> Posix.ftruncate(fd, 1));
        assertClears(fd -> Posix.fallocate(fd, 0, 0, 8192));
        assertClears(fd -> Descriptors.copy(fd, 0, fd, 100, 4));
    }

    @Test
    void shouldLoseSetIdBitsThatAFileGetsWhileSomebodyElseHasItOpen() {
        Path file = file("file", "text", 0666);
        USER.run(() -> with(file, Posix.O_WRONLY, fd -> {
            Posix.pwrite(fd, 0, bytes("1"));
            asRoot(() -> Posix.chmod(file, 06777));

            Posix.pwrite(fd, 1, bytes("2"));

            asRoot(() -> assertThat(permissions(file)).isEqualTo(0777));
        }));
        assertThat(permissions(there.resolve("file"))).isEqualTo(0777);
    }

    /** Not where the kernel writes by itself: nothing makes it ask. */
    @Test
    void shouldLoseSetIdBitsThatAFileGetsThroughAnotherMount() {
        assumeThat(place).isEqualTo(Place.REMOTE);
        Path file = file("file", "text", 0666);
        USER.run(() -> with(file, Posix.O_WRONLY, fd -> {
            Posix.pwrite(fd, 0, bytes("1"));
            asRoot(() -> Posix.chmod(there.resolve("file"), 06777));

            Posix.pwrite(fd, 1, bytes("2"));

            asRoot(() -> assertThat(permissions(there.resolve("file"))).isEqualTo(0777));
        }));
    }

    @Test
    void shouldKeepSetIdBitsWhenRootWrites() {
        Path file = file("file", "text", 06777);
        with(file, Posix.O_WRONLY, fd -> Posix.pwrite(fd, 0, bytes("x")));
        assertThat(permissions(there.resolve("file"))).isEqualTo(06777);
    }

    @Test
    void shouldLoseSetIdBitsWithTheOwner() {
        Path file = file("file", "text", 06755);
        Posix.lchown(file, 1000, 1000);
        assertThat(permissions(there.resolve("file"))).isEqualTo(0755);
        Posix.chmod(file, 06755);
        Identity.of(1000, 1000, 1000, 1001).run(() -> Posix.lchown(file, -1, 1001));
        assertThat(permissions(there.resolve("file"))).isEqualTo(0755);
    }

    @Test
    void shouldDecideBySupplementaryGroups() {
        Path file = file("file", "text", 0640);
        Posix.lchown(file, 0, 4242);

        assertThat(Identity.of(1000, 1000, 4242).errnoOf(opening(file, Posix.O_RDONLY)))
                .isNull();
        assertThat(USER.errnoOf(opening(file, Posix.O_RDONLY))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldLetSupplementaryGroupsReadAttributesOfUsers() {
        Path file = file("file", "text", 0640);
        Posix.lchown(file, 0, 4242);
        Xattrs.set(file, "user.colour", bytes("blue"));

        assertThat(Identity.of(1000, 1000, 4242).errnoOf(() -> Xattrs.get(file, "user.colour")))
                .isNull();
        assertThat(USER.errnoOf(() -> Xattrs.get(file, "user.colour"))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldTakeTheUmaskAway() {
        int umask = Posix.umask(027);
        try {
            with(here.resolve("file"), Posix.O_WRONLY | Posix.O_CREAT, fd -> {});
            Posix.mkdir(here.resolve("folder"), 0777);
            Posix.mknod(here.resolve("node"), 0100666);
        } finally {
            Posix.umask(umask);
        }
        assertThat(permissions(there.resolve("file"))).isEqualTo(0640);
        assertThat(permissions(there.resolve("folder"))).isEqualTo(0750);
        assertThat(permissions(there.resolve("node"))).isEqualTo(0640);
    }

    private interface Change {
        void on(int fd);
    }

    private void assertClears(Change change) {
        for (int mode : new int[] {06777, 06666, 02666}) {
            Path file = file("file", "text", mode);
            USER.run(() -> with(file, Posix.O_RDWR, change::on));
            assertThat(permissions(there.resolve("file"))).isEqualTo(mode & 0777);
            Posix.unlink(file);
        }
    }

    private static void asRoot(Runnable work) {
        Identity.of(0, 0).run(work);
    }
}
