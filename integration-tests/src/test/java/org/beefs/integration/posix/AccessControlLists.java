package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.common.posix.Errno;
import org.beefs.integration.linux.Identity;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Program;
import org.junit.jupiter.api.Test;

/** Access control lists (acl(5)), as setfacl and getfacl set and show them. */
abstract class AccessControlLists extends Topic {
    private static final String ACCESS = "system.posix_acl_access";
    private static final String DEFAULT = "system.posix_acl_default";

    @Test
    void shouldLetInWhomTheListNamesAndNobodyElse() {
        Path file = file("file", "text", 0600);
        setfacl("-m u:1000:r", file);

        for (Path mount : new Path[] {file, there.resolve("file")}) {
            assertThat(USER.errnoOf(opening(mount, Posix.O_RDONLY))).isNull();
            assertThat(USER.errnoOf(opening(mount, Posix.O_WRONLY))).isEqualTo(Errno.EACCES);
            assertThat(OTHER.errnoOf(opening(mount, Posix.O_RDONLY))).isEqualTo(Errno.EACCES);
        }
    }

    @Test
    void shouldDecideForSupplementaryGroups() {
        Path file = file("file", "text", 0600);
        setfacl("-m g:4242:rw", file);

        Identity member = Identity.of(1000, 1000, 4241, 4242);
        assertThat(member.errnoOf(opening(file, Posix.O_RDWR))).isNull();
        assertThat(USER.errnoOf(opening(file, Posix.O_RDONLY))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldBeForgottenByOtherMountsWhenItChanges() {
        Path file = file("file", "text", 0600);
        Path elsewhere = there.resolve("file");
        assertThat(getfacl(elsewhere)).doesNotContain("user:1000");
        assertThat(USER.errnoOf(opening(elsewhere, Posix.O_RDONLY))).isEqualTo(Errno.EACCES);

        setfacl("-m u:1000:r", file);
        assertThat(Xattrs.get(elsewhere, ACCESS)).isEqualTo(Xattrs.get(file, ACCESS));
        assertThat(getfacl(elsewhere)).contains("user:1000:r--", "mask::r--");
        assertThat(USER.errnoOf(opening(elsewhere, Posix.O_RDONLY))).isNull();

        setfacl("-b", file);
        assertThat(getfacl(elsewhere)).doesNotContain("user:1000");
        assertThat(USER.errnoOf(opening(elsewhere, Posix.O_RDONLY))).isEqualTo(Errno.EACCES);
        assertFails(Errno.ENODATA, () -> Xattrs.get(elsewhere, ACCESS));
    }

    @Test
    void shouldKeepMaskAndGroupBitsInStep() {
        Path file = file("file", "text", 0600);
        setfacl("-m u:1000:rw", file);
        assertThat(permissions(file)).isEqualTo(0660);

        Posix.chmod(file, 0640);
        assertThat(getfacl(there.resolve("file"))).contains("user:1000:rw-", "mask::r--", "group::---");
        assertThat(USER.errnoOf(opening(file, Posix.O_RDONLY))).isNull();
        assertThat(USER.errnoOf(opening(file, Posix.O_WRONLY))).isEqualTo(Errno.EACCES);

        setfacl("-m m::rw", there.resolve("file"));
        assertThat(permissions(file)).isEqualTo(0660);
        assertThat(USER.errnoOf(opening(file, Posix.O_RDWR))).isNull();
    }

    @Test
    void shouldGiveDefaultsToWhatIsMadeAndIgnoreTheUmaskThere() {
        setfacl("-d -m u:1000:rwx,g::rx,o::-", here);
        Path file = here.resolve("file");
        Path folder = here.resolve("folder");
        int umask = Posix.umask(077);
        try {
            with(file, Posix.O_WRONLY | Posix.O_CREAT, fd -> {});
            Posix.mkdir(folder, 0777);
        } finally {
            Posix.umask(umask);
        }

        assertThat(permissions(file)).isEqualTo(0660);
        assertThat(getfacl(there.resolve("file"))).contains("user:1000:rwx", "mask::rw-", "group::r-x");
        assertThat(permissions(folder)).isEqualTo(0770);
        assertThat(getfacl(there.resolve("folder"))).contains("user:1000:rwx", "default:user:1000:rwx");
        assertThat(USER.errnoOf(opening(there.resolve("file"), Posix.O_RDWR))).isNull();
    }

    @Test
    void shouldOpenDirectoriesToWhomTheListNames() {
        Path folder = here.resolve("folder");
        Posix.mkdir(folder, 0700);
        setfacl("-m u:1000:rwx", folder);
        Path made = there.resolve("folder/made");

        USER.run(() -> with(made, Posix.O_WRONLY | Posix.O_CREAT, fd -> {}));

        assertThat(Posix.stat(made).owner()).isEqualTo(1000);
        assertThat(OTHER.errnoOf(() -> Posix.unlink(made))).isEqualTo(Errno.EACCES);
        USER.run(() -> Posix.unlink(made));
    }

    @Test
    void shouldBeSetByOwnersOnlyAndWhereItBelongs() {
        Path file = file("file", "text", 0666);
        setfacl("-m u:1000:rw", file);
        byte[] list = Xattrs.get(file, ACCESS);

        assertThat(USER.errnoOf(() -> Xattrs.set(file, ACCESS, list))).isEqualTo(Errno.EPERM);
        assertThat(USER.errnoOf(() -> Xattrs.remove(file, ACCESS))).isEqualTo(Errno.EPERM);
        assertFails(Errno.EACCES, () -> Xattrs.set(file, DEFAULT, list));
        assertFails(Errno.EINVAL, () -> Xattrs.set(file, ACCESS, new byte[] {2, 0, 0, 0, 1}));
        assertThat(Xattrs.list(there.resolve("file"))).containsExactly(ACCESS);
    }

    @Test
    void shouldBeNoMoreThanAModeWhereTheListSaysNoMore() {
        Path file = file("file", "text", 04600);
        byte[] list = {2, 0, 0, 0, 1, 0, 7, 0, -1, -1, -1, -1, 4, 0, 5, 0, -1, -1, -1, -1, 32, 0, 4, 0, -1, -1, -1, -1};

        Xattrs.set(file, ACCESS, list);
        Xattrs.set(here, ACCESS, list);

        for (Path mount : new Path[] {here, there}) {
            assertThat(permissions(mount)).isEqualTo(0754);
            assertThat(permissions(mount.resolve("file"))).isEqualTo(04754);
            assertFails(Errno.ENODATA, () -> Xattrs.get(mount.resolve("file"), ACCESS));
            assertThat(Xattrs.list(mount.resolve("file"))).isEmpty();
        }
    }

    @Test
    void shouldBeRemovedAlsoWhereThereIsNone() {
        Path file = file("file", "text", 0600);
        setfacl("-m u:1000:r", file);

        Xattrs.remove(file, ACCESS);
        Xattrs.remove(file, ACCESS);
        Xattrs.remove(there, DEFAULT);

        assertFails(Errno.ENODATA, () -> Xattrs.get(file, ACCESS));
    }

    private static void setfacl(String change, Path path) {
        Program.shell("setfacl " + change + " \"$FILE\"")
                .with("FILE", path.toString())
                .run();
    }

    private static String getfacl(Path path) {
        return Program.of("getfacl", "-ncE", path.toString()).run().output();
    }
}
