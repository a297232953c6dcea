package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetXattr;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Access control lists: set, shown, inherited, and in step with the mode. User 1000 owns the file; 2000 is named in the
 * list.
 */
class AccessControlTest {
    private static final String ACCESS = "system.posix_acl_access";
    private static final String DEFAULT = "system.posix_acl_default";

    /** u::rw- u:2000:rwx g::r-- m::rwx o::--- */
    private static final ByteString LIST = bytes(
            2, 0, 0, 0, 1, 0, 6, 0, -1, -1, -1, -1, 2, 0, 7, 0, 0xd0, 7, 0, 0, 4, 0, 4, 0, -1, -1, -1, -1, 16, 0, 7, 0,
            -1, -1, -1, -1, 32, 0, 0, 0, -1, -1, -1, -1);

    /** u::rwx g::r-x o::--- */
    private static final ByteString MINIMAL =
            bytes(2, 0, 0, 0, 1, 0, 7, 0, -1, -1, -1, -1, 4, 0, 5, 0, -1, -1, -1, -1, 32, 0, 0, 0, -1, -1, -1, -1);

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();
    private long tmp;
    private long file;

    @BeforeEach
    void makeFile() {
        tmp = inode(Ask.mkdir(Namespace.ROOT, "tmp", 0777));
        desktop.as(1000, 1000);
        file = inode(Ask.mknod(tmp, "f", FileMode.REGULAR | 0600));
    }

    @Test
    void shouldDecideByTheListAndShowTheMaskInTheMode() {
        desktop.ok(set(file, ACCESS, LIST));

        assertThat(mode(file)).isEqualTo(0670);
        assertThat(node(file).getWithoutXattrs()).isFalse();
        desktop.as(2000, 2000);
        desktop.ok(Ask.access(file, 7));
        desktop.as(3000, 3000);
        assertThat(desktop.fails(Ask.access(file, 4))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldFollowTheModeWhenThatChanges() {
        desktop.ok(set(file, ACCESS, LIST));

        desktop.ok(Ask.chmod(file, 0640));

        assertThat(node(file).getAccessAcl().byteAt(30)).as("mask").isEqualTo((byte) 4);
        assertThat(desktop.ok(Ask.getXattr(file, ACCESS)).getXattr())
                .isEqualTo(node(file).getAccessAcl());
        desktop.as(2000, 2000);
        desktop.ok(Ask.access(file, 4));
        assertThat(desktop.fails(Ask.access(file, 2))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldKeepNoListThatSaysNoMoreThanAMode() {
        desktop.ok(set(file, ACCESS, LIST));

        desktop.ok(set(file, ACCESS, MINIMAL));

        assertThat(mode(file)).isEqualTo(0750);
        assertThat(node(file).getAccessAcl()).isEmpty();
        assertThat(node(file).getWithoutXattrs()).isTrue();
        assertThat(desktop.fails(Ask.getXattr(file, ACCESS))).isEqualTo(Errno.ENODATA);
    }

    @Test
    void shouldKeepTheModeWhenTheListIsRemoved() {
        desktop.ok(set(file, ACCESS, LIST));
        desktop.ok(Ask.removeXattr(file, ACCESS));
        assertThat(mode(file)).isEqualTo(0670);
    }

    @Test
    void shouldGiveDefaultsToWhatIsMadeThere() {
        long folder = inode(Ask.mkdir(tmp, "folder", 0777));
        desktop.ok(set(folder, DEFAULT, LIST));

        QueenRequest.Builder mknod = Ask.mknod(folder, "file", FileMode.REGULAR | 0666);
        mknod.getMakeNodeBuilder().setUmask(077);
        long made = inode(mknod);
        long inner = inode(Ask.mkdir(folder, "inner", 0755));
        long link = inode(Ask.symlink(folder, "link", "target"));
        hive.restart();
        desktop.registered();

        assertThat(mode(made)).as("the umask does not apply").isEqualTo(0660);
        assertThat(node(made).getAccessAcl().byteAt(30)).as("mask").isEqualTo((byte) 6);
        assertThat(node(made).getDefaultAcl()).isEmpty();
        assertThat(mode(inner)).isEqualTo(0650);
        assertThat(node(inner).getDefaultAcl()).isEqualTo(LIST);
        assertThat(node(link).getAccessAcl()).isEmpty();
        assertThat(mode(link)).isEqualTo(0777);
    }

    @Test
    void shouldTakeTheUmaskAwayWithoutDefaults() {
        QueenRequest.Builder mkdir = Ask.mkdir(tmp, "folder", 0777);
        mkdir.getMakeDirectoryBuilder().setUmask(027);
        assertThat(mode(inode(mkdir))).isEqualTo(0750);
    }

    @Test
    void shouldInheritOnlyBitsFromDefaultsThatSayNoMoreThanAMode() {
        long folder = inode(Ask.mkdir(tmp, "folder", 0777));
        desktop.ok(set(folder, DEFAULT, MINIMAL));
        long made = inode(Ask.mknod(folder, "file", FileMode.REGULAR | 0666));
        assertThat(mode(made)).isEqualTo(0640);
        assertThat(node(made).getAccessAcl()).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNotAllowedOrMakesNoSense() {
        assertThat(desktop.fails(set(file, DEFAULT, LIST))).isEqualTo(Errno.EACCES);
        assertThat(desktop.fails(set(file, ACCESS, LIST.substring(0, 20)))).isEqualTo(Errno.EINVAL);
        long link = inode(Ask.symlink(tmp, "link", "target"));
        assertThat(desktop.fails(set(link, ACCESS, LIST))).isEqualTo(Errno.EOPNOTSUPP);
        desktop.as(2000, 2000);
        assertThat(desktop.fails(set(file, ACCESS, LIST))).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.removeXattr(file, ACCESS))).isEqualTo(Errno.EPERM);
    }

    @Test
    void shouldRemoveAListThatIsNotThere() {
        desktop.ok(set(file, ACCESS, LIST));

        desktop.ok(Ask.removeXattr(file, ACCESS));
        desktop.ok(Ask.removeXattr(file, ACCESS));
        desktop.ok(Ask.removeXattr(inode(Ask.mkdir(tmp, "folder", 0755)), DEFAULT));

        assertThat(desktop.fails(Ask.getXattr(file, ACCESS))).isEqualTo(Errno.ENODATA);
    }

    @Test
    void shouldDropSetGidWhenTheOwnerIsOutsideOfTheGroup() {
        desktop.as(0, 0);
        desktop.ok(Ask.chown(file, 1000, 5));
        desktop.ok(Ask.chmod(file, 02600));
        desktop.as(1000, 1000);
        desktop.ok(set(file, ACCESS, LIST));
        assertThat(mode(file)).isEqualTo(0670);
    }

    private static QueenRequest.Builder set(long inode, String name, ByteString value) {
        return QueenRequest.newBuilder()
                .setSetXattr(SetXattr.newBuilder()
                        .setInode(inode)
                        .setName(Ask.bytes(name))
                        .setValue(value));
    }

    private static ByteString bytes(int... values) {
        ByteString.Output bytes = ByteString.newOutput(values.length);
        for (int value : values) {
            bytes.write(value);
        }
        return bytes.toByteString();
    }

    private Node node(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode();
    }

    private int mode(long inode) {
        return node(inode).getAttributes().getMode() & FileMode.PERMISSIONS;
    }

    private long inode(QueenRequest.Builder request) {
        return desktop.ok(request).getNode().getAttributes().getInode();
    }
}
