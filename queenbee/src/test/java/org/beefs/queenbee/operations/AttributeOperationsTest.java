package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ownership, modes, times and extended attributes. User 1000 owns the file; 2000 is a stranger. */
class AttributeOperationsTest {
    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();
    private long tmp;
    private long file;

    @BeforeEach
    void makeFile() {
        tmp = inode(Ask.mkdir(Namespace.ROOT, "tmp", 0777));
        asOwner();
        file = inode(Ask.mknod(tmp, "f", FileMode.REGULAR | 0644));
    }

    @Test
    void shouldLetOnlyOwnersChangeTheMode() {
        asStranger();
        assertThat(desktop.fails(Ask.chmod(file, 0777))).isEqualTo(Errno.EPERM);
        asOwner();
        desktop.ok(Ask.chmod(file, 01777));
        assertThat(mode(file)).isEqualTo(01777);
    }

    @Test
    void shouldDropSetGidWhenTheCallerIsOutsideOfTheGroup() {
        desktop.as(0, 0);
        desktop.ok(Ask.chown(file, 1000, 5));
        asOwner();
        desktop.ok(Ask.chmod(file, 02755));
        assertThat(mode(file)).isEqualTo(0755);
        desktop.as(1000, 1000, 5);
        desktop.ok(Ask.chmod(file, 02755));
        assertThat(mode(file)).isEqualTo(02755);
    }

    @Test
    void shouldLetOwnersGiveTheFileToTheirGroupsOnly() {
        desktop.as(1000, 1000, 7);
        desktop.ok(Ask.chown(file, 1000, 7));
        assertThat(desktop.fails(Ask.chown(file, 1000, 8))).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.chown(file, 2000, 7))).isEqualTo(Errno.EPERM);
        asStranger();
        assertThat(desktop.fails(Ask.chown(file, 1000, 7))).isEqualTo(Errno.EPERM);
    }

    @Test
    void shouldClearSetIdBitsWhenTheOwnerChanges() {
        desktop.ok(Ask.chmod(file, 06755));
        desktop.ok(Ask.chown(file, 1000, 1000));
        assertThat(mode(file)).isEqualTo(0755);
        desktop.as(0, 0);
        desktop.ok(Ask.chmod(file, 06745));
        desktop.ok(Ask.chown(file, 3, 3));
        assertThat(mode(file))
                .as("set-gid without group execution means no privilege")
                .isEqualTo(02745);
        desktop.ok(Ask.chmod(tmp, 06777));
        desktop.ok(Ask.chown(tmp, 3, 3));
        assertThat(mode(tmp)).isEqualTo(06777);
    }

    @Test
    void shouldClearPrivilegesWithoutPermission() {
        for (int mode : new int[] {06755, 06644, 02644}) {
            asOwner();
            desktop.ok(Ask.chmod(file, mode));
            asStranger();
            desktop.ok(Ask.change(SetAttributes.newBuilder().setInode(file).setClearPrivileges(true)));
            assertThat(mode(file)).isEqualTo(mode & 0777);
        }
    }

    /** Linux has chown take privileges away too, and sends both. */
    @Test
    void shouldKeepSetGidWithoutExecutionWhenRootGivesTheFileAway() {
        desktop.as(0, 0);
        desktop.ok(Ask.chmod(file, 02644));

        desktop.ok(Ask.change(
                SetAttributes.newBuilder().setInode(file).setUid(2000).setClearPrivileges(true)));

        assertThat(mode(file)).isEqualTo(02644);
    }

    @Test
    void shouldInheritGroupAndSetGidFromTheDirectory() {
        desktop.as(0, 0);
        desktop.ok(Ask.chown(tmp, 0, 50));
        desktop.ok(Ask.chmod(tmp, 02777));
        asOwner();

        long inner = inode(Ask.mkdir(tmp, "d", 0755));
        long executable = inode(Ask.mknod(tmp, "x", FileMode.REGULAR | 02755));

        assertThat(mode(inner)).isEqualTo(02755);
        assertThat(gid(inner)).isEqualTo(50);
        assertThat(gid(executable)).isEqualTo(50);
        assertThat(mode(executable)).isEqualTo(0755);
    }

    @Test
    void shouldTellWhoMaySetTimes() {
        Timestamp time = Timestamp.newBuilder().setSeconds(5).build();
        desktop.ok(Ask.change(times().setAtime(time).setMtime(time)));
        asStranger();
        assertThat(desktop.fails(Ask.change(times().setAtime(time).setMtime(time))))
                .isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.change(times().setAtimeNow(true).setMtimeNow(true))))
                .isEqualTo(Errno.EACCES);
        assertThat(desktop.fails(Ask.change(times().setAtimeNow(true)))).isEqualTo(Errno.EPERM);
        asOwner();
        desktop.ok(Ask.chmod(file, 0666));
        asStranger();
        Timestamp set = desktop.ok(Ask.change(times().setAtimeNow(true).setMtimeNow(true)))
                .getNode()
                .getAttributes()
                .getMtime();
        assertThat(set).isEqualTo(Timestamps.toWire(hive.time().now()));
    }

    @Test
    void shouldTakeTheCallersPresentTimeFromWhoMayWrite() {
        desktop.ok(Ask.chmod(file, 0666));
        Timestamp present = Timestamp.newBuilder().setSeconds(5).build();
        asStranger();

        SetAttributes.Builder touch =
                times().setAtime(present).setAtimeNow(true).setMtime(present).setMtimeNow(true);

        assertThat(desktop.ok(Ask.change(touch)).getNode().getAttributes().getMtime())
                .isEqualTo(present);
    }

    @Test
    void shouldCheckAccessAsTheKernelDoes() {
        asStranger();
        desktop.ok(Ask.access(file, 4));
        assertThat(desktop.fails(Ask.access(file, 2))).isEqualTo(Errno.EACCES);
        desktop.as(0, 0);
        desktop.ok(Ask.access(file, 6));
        assertThat(desktop.fails(Ask.access(file, 1))).isEqualTo(Errno.EACCES);
        desktop.ok(Ask.access(tmp, 7));
    }

    @Test
    void shouldNeedSearchPermissionForLookups() {
        asOwner();
        long closed = inode(Ask.mkdir(tmp, "closed", 0600));
        assertThat(desktop.fails(Ask.lookup(closed, "x"))).isEqualTo(Errno.EACCES);
        desktop.as(0, 0);
        assertThat(desktop.fails(Ask.lookup(closed, "x"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldNeedTheRightThatAnOpenUses() {
        asStranger();
        desktop.ok(Ask.open(file, desktop.newHandle(), true, false));
        assertThat(desktop.fails(Ask.open(file, desktop.newHandle(), true, true)))
                .isEqualTo(Errno.EACCES);
        asOwner();
        desktop.ok(Ask.chmod(file, 0711));
        asStranger();
        assertThat(desktop.fails(Ask.open(file, desktop.newHandle(), true, false)))
                .isEqualTo(Errno.EACCES);
        QueenRequest.Builder execution = Ask.open(file, desktop.newHandle(), true, false);
        execution.getOpenBuilder().setExecute(true);
        desktop.ok(execution);
    }

    @Test
    void shouldKeepExtendedAttributes() {
        desktop.ok(Ask.setXattr(file, "user.a", "1"));
        desktop.ok(Ask.setXattr(file, "user.a", "2"));
        assertThat(desktop.ok(Ask.getXattr(file, "user.a")).getXattr()).isEqualTo(Ask.bytes("2"));
        QueenRequest.Builder again = Ask.setXattr(file, "user.a", "3");
        again.getSetXattrBuilder().setCreate(true);
        assertThat(desktop.fails(again)).isEqualTo(Errno.EEXIST);
        QueenRequest.Builder other = Ask.setXattr(file, "user.b", "3");
        other.getSetXattrBuilder().setReplace(true);
        assertThat(desktop.fails(other)).isEqualTo(Errno.ENODATA);
        desktop.ok(Ask.removeXattr(file, "user.a"));
        assertThat(desktop.fails(Ask.getXattr(file, "user.a"))).isEqualTo(Errno.ENODATA);
        assertThat(desktop.fails(Ask.removeXattr(file, "user.a"))).isEqualTo(Errno.ENODATA);
    }

    @Test
    void shouldSayWhichFilesHaveCapabilities() {
        desktop.as(0, 0);
        QueenRequest.Builder open = Ask.open(file, desktop.newHandle(), true, false);
        assertThat(desktop.ok(open).getNode().getFileCapabilities()).isFalse();

        desktop.ok(Ask.setXattr(file, "security.capability", "1"));
        open.getOpenBuilder().setHandle(desktop.newHandle());
        assertThat(desktop.ok(open).getNode().getFileCapabilities()).isTrue();
    }

    @Test
    void shouldSayWhichInodesHaveNoExtendedAttributes() {
        desktop.as(0, 0);
        assertThat(isWithoutXattrs(file)).isTrue();
        assertThat(isWithoutXattrs(tmp)).isTrue();

        desktop.ok(Ask.setXattr(file, "security.s", "1"));
        desktop.ok(Ask.setXattr(file, "user.a", "1"));
        desktop.ok(Ask.removeXattr(file, "security.s"));
        assertThat(isWithoutXattrs(file)).isFalse();
        desktop.ok(Ask.removeXattr(file, "user.a"));

        assertThat(isWithoutXattrs(file)).as("the last one is gone").isTrue();
        desktop.ok(Ask.setXattr(file, "beefs.replicas", "1"));
        assertThat(isWithoutXattrs(file)).as("of beefs itself").isTrue();
    }

    private boolean isWithoutXattrs(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getWithoutXattrs();
    }

    @Test
    void shouldTellTheNamespacesOfExtendedAttributesApart() {
        desktop.as(0, 0);
        desktop.ok(Ask.setXattr(file, "trusted.t", "1"));
        desktop.ok(Ask.setXattr(file, "security.s", "1"));
        asOwner();
        assertThat(desktop.fails(Ask.setXattr(file, "trusted.t", "2"))).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.getXattr(file, "trusted.t"))).isEqualTo(Errno.ENODATA);
        assertThat(desktop.fails(Ask.setXattr(file, "security.s", "2"))).isEqualTo(Errno.EPERM);
        desktop.ok(Ask.getXattr(file, "security.s"));
        assertThat(desktop.fails(Ask.setXattr(file, "system.other", "x"))).isEqualTo(Errno.EOPNOTSUPP);
        QueenRequest.Builder list = QueenRequest.newBuilder();
        list.getListXattrsBuilder().setInode(file);
        assertThat(desktop.ok(list).getXattrNames().getNamesList()).containsExactly(Ask.bytes("security.s"));
        asStranger();
        assertThat(desktop.fails(Ask.setXattr(file, "user.u", "1"))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldKeepUserAttributesOffSpecialFiles() {
        long fifo = inode(Ask.mknod(tmp, "fifo", FileMode.FIFO | 0666));
        assertThat(desktop.fails(Ask.setXattr(fifo, "user.a", "1"))).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.getXattr(fifo, "user.a"))).isEqualTo(Errno.ENODATA);
    }

    @Test
    void shouldBoundExtendedAttributes() {
        assertThat(desktop.fails(Ask.setXattr(file, "user.big", "x".repeat(65_537))))
                .isEqualTo(Errno.E2BIG);
        for (int i = 0; i < 15; i++) {
            desktop.ok(Ask.setXattr(file, "user." + i, "x".repeat(65_536)));
        }
        assertThat(desktop.fails(Ask.setXattr(file, "user.more", "x".repeat(65_536))))
                .isEqualTo(Errno.ENOSPC);
        desktop.ok(Ask.setXattr(file, "user.0", "y".repeat(65_536)));
    }

    private SetAttributes.Builder times() {
        return SetAttributes.newBuilder().setInode(file).setHandle(desktop.newHandle());
    }

    private void asOwner() {
        desktop.as(1000, 1000);
    }

    private void asStranger() {
        desktop.as(2000, 2000);
    }

    private int mode(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getAttributes().getMode() & FileMode.PERMISSIONS;
    }

    private int gid(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getAttributes().getGid();
    }

    private long inode(QueenRequest.Builder request) {
        return desktop.ok(request).getNode().getAttributes().getInode();
    }
}
