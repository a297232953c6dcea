package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.rpc.Frame;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.name.LinkOperation;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class NamespaceOperationsTest {
    private static final long ROOT = Namespace.ROOT;
    private static final int LONGEST_NAME = 255;

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldShowWhatItMade() {
        long directory = inode(Ask.mkdir(ROOT, "d", 0750));
        long file = inode(Ask.mknod(directory, "f", FileMode.REGULAR | 0640));

        Attributes found = desktop.ok(Ask.lookup(directory, "f")).getNode().getAttributes();

        assertThat(found.getInode()).isEqualTo(file);
        assertThat(found.getMode()).isEqualTo(FileMode.REGULAR | 0640);
        assertThat(found.getLinks()).isEqualTo(1);
        assertThat(attributes(directory).getLinks()).isEqualTo(2);
        assertThat(attributes(ROOT).getLinks()).isEqualTo(3);
        assertThat(inode(Ask.lookup(directory, ".."))).isEqualTo(ROOT);
        assertThat(inode(Ask.lookup(directory, "."))).isEqualTo(directory);
    }

    @Test
    void shouldRefuseNamesThatCannotBe() {
        assertThat(desktop.fails(Ask.mkdir(ROOT, "x".repeat(256), 0755))).isEqualTo(Errno.ENAMETOOLONG);
        assertThat(desktop.fails(Ask.mkdir(ROOT, "a/b", 0755))).isEqualTo(Errno.EINVAL);
        assertThat(desktop.fails(Ask.mkdir(ROOT, "a\0b", 0755))).isEqualTo(Errno.EINVAL);
        assertThat(desktop.fails(Ask.mkdir(ROOT, "..", 0755))).isEqualTo(Errno.EEXIST);
        assertThat(desktop.fails(Ask.unlink(ROOT, "."))).isEqualTo(Errno.EISDIR);
        assertThat(desktop.fails(Ask.rmdir(ROOT, "."))).isEqualTo(Errno.EINVAL);
        assertThat(desktop.fails(Ask.rmdir(ROOT, ".."))).isEqualTo(Errno.ENOTEMPTY);
        assertThat(desktop.fails(Ask.rename(ROOT, ".", ROOT, "a"))).isEqualTo(Errno.EBUSY);
    }

    @Test
    void shouldRefuseWhatExistsBeforeItLooksAtPermissions() {
        inode(Ask.mkdir(ROOT, "d", 0755));
        desktop.as(1000, 1000);

        assertThat(desktop.fails(Ask.mkdir(ROOT, "d", 0755))).isEqualTo(Errno.EEXIST);
        assertThat(desktop.fails(Ask.mkdir(ROOT, "e", 0755))).isEqualTo(Errno.EACCES);
        assertThat(desktop.fails(Ask.unlink(ROOT, "e"))).isEqualTo(Errno.ENOENT);
        assertThat(desktop.fails(Ask.rmdir(ROOT, "d"))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldTellDirectoriesFromOtherFiles() {
        long file = inode(Ask.mknod(ROOT, "f", FileMode.REGULAR | 0644));
        inode(Ask.mkdir(ROOT, "d", 0755));

        assertThat(desktop.fails(Ask.unlink(ROOT, "d"))).isEqualTo(Errno.EISDIR);
        assertThat(desktop.fails(Ask.rmdir(ROOT, "f"))).isEqualTo(Errno.ENOTDIR);
        assertThat(desktop.fails(Ask.lookup(file, "x"))).isEqualTo(Errno.ENOTDIR);
        assertThat(desktop.fails(Ask.rename(ROOT, "d", ROOT, "f"))).isEqualTo(Errno.ENOTDIR);
        assertThat(desktop.fails(Ask.rename(ROOT, "f", ROOT, "d"))).isEqualTo(Errno.EISDIR);
        assertThat(desktop.fails(Ask.create(ROOT, "d", 0644, 1))).isEqualTo(Errno.EISDIR);
    }

    @Test
    void shouldKeepDirectoriesThatAreNotEmpty() {
        long directory = inode(Ask.mkdir(ROOT, "d", 0755));
        inode(Ask.mkdir(directory, "inner", 0755));
        inode(Ask.mkdir(ROOT, "other", 0755));

        assertThat(desktop.fails(Ask.rmdir(ROOT, "d"))).isEqualTo(Errno.ENOTEMPTY);
        assertThat(desktop.fails(Ask.rename(ROOT, "other", ROOT, "d"))).isEqualTo(Errno.ENOTEMPTY);
        desktop.ok(Ask.rmdir(directory, "inner"));
        desktop.ok(Ask.rename(ROOT, "other", ROOT, "d"));
        assertThat(attributes(ROOT).getLinks()).isEqualTo(3);
    }

    @Test
    void shouldNotMoveADirectoryIntoItself() {
        long outer = inode(Ask.mkdir(ROOT, "outer", 0755));
        long inner = inode(Ask.mkdir(outer, "inner", 0755));

        assertThat(desktop.fails(Ask.rename(ROOT, "outer", inner, "x"))).isEqualTo(Errno.EINVAL);
        assertThat(desktop.fails(Ask.rename(outer, "inner", ROOT, "outer"))).isEqualTo(Errno.ENOTEMPTY);
        assertThat(desktop.fails(Ask.exchange(outer, "inner", ROOT, "outer"))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldCountLinksWhenDirectoriesMove() {
        long from = inode(Ask.mkdir(ROOT, "from", 0755));
        long to = inode(Ask.mkdir(ROOT, "to", 0755));
        long moved = inode(Ask.mkdir(from, "moved", 0755));

        desktop.ok(Ask.rename(from, "moved", to, "moved"));

        assertThat(attributes(from).getLinks()).isEqualTo(2);
        assertThat(attributes(to).getLinks()).isEqualTo(3);
        assertThat(inode(Ask.lookup(moved, ".."))).isEqualTo(to);
    }

    @Test
    void shouldExchangeADirectoryAndAFile() {
        long from = inode(Ask.mkdir(ROOT, "from", 0755));
        long directory = inode(Ask.mkdir(from, "d", 0755));
        long file = inode(Ask.mknod(ROOT, "f", FileMode.REGULAR | 0644));

        desktop.ok(Ask.exchange(from, "d", ROOT, "f"));

        assertThat(inode(Ask.lookup(from, "d"))).isEqualTo(file);
        assertThat(inode(Ask.lookup(ROOT, "f"))).isEqualTo(directory);
        assertThat(inode(Ask.lookup(directory, ".."))).isEqualTo(ROOT);
        assertThat(attributes(from).getLinks()).isEqualTo(2);
        assertThat(attributes(ROOT).getLinks()).isEqualTo(4);
    }

    @Test
    void shouldDoNothingWhenBothNamesAreOfOneInode() {
        long file = inode(Ask.mknod(ROOT, "a", FileMode.REGULAR | 0644));
        desktop.ok(Ask.link(file, ROOT, "b"));

        QueenReply reply = desktop.ok(Ask.rename(ROOT, "a", ROOT, "b"));

        assertThat(reply.getSequence()).isZero();
        assertThat(attributes(file).getLinks()).isEqualTo(2);
    }

    @Test
    void shouldReplaceOnlyWhenAllowed() {
        inode(Ask.mknod(ROOT, "a", FileMode.REGULAR | 0644));
        inode(Ask.mknod(ROOT, "b", FileMode.REGULAR | 0644));
        QueenRequest.Builder keeping = Ask.rename(ROOT, "a", ROOT, "b");
        keeping.getRenameBuilder().setNoReplace(true);

        assertThat(desktop.fails(keeping)).isEqualTo(Errno.EEXIST);
        assertThat(desktop.fails(Ask.exchange(ROOT, "a", ROOT, "none"))).isEqualTo(Errno.ENOENT);
        desktop.ok(Ask.rename(ROOT, "a", ROOT, "b"));
        assertThat(desktop.fails(Ask.lookup(ROOT, "a"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldNeedWritePermissionOnADirectoryThatChangesItsParent() {
        inode(Ask.mkdir(ROOT, "from", 0777));
        inode(Ask.mkdir(ROOT, "to", 0777));
        desktop.ok(Ask.chmod(inode(Ask.lookup(ROOT, "from")), 0777));
        desktop.ok(Ask.chmod(inode(Ask.lookup(ROOT, "to")), 0777));
        long from = inode(Ask.lookup(ROOT, "from"));
        long to = inode(Ask.lookup(ROOT, "to"));
        desktop.as(1000, 1000);
        inode(Ask.mkdir(from, "d", 0555));

        desktop.ok(Ask.rename(from, "d", from, "e"));
        assertThat(desktop.fails(Ask.rename(from, "e", to, "e"))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldProtectEntriesOfStickyDirectories() {
        long tmp = inode(Ask.mkdir(ROOT, "tmp", 01777));
        desktop.as(1000, 1000);
        inode(Ask.mknod(tmp, "mine", FileMode.REGULAR | 0644));
        desktop.as(2000, 2000);
        inode(Ask.mknod(tmp, "yours", FileMode.REGULAR | 0644));

        assertThat(desktop.fails(Ask.unlink(tmp, "mine"))).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.rename(tmp, "mine", tmp, "other"))).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.rename(tmp, "yours", tmp, "mine"))).isEqualTo(Errno.EPERM);
        desktop.ok(Ask.unlink(tmp, "yours"));
    }

    @Test
    void shouldLinkFilesButNoDirectories() {
        long directory = inode(Ask.mkdir(ROOT, "d", 0755));
        long file = inode(Ask.mknod(ROOT, "f", FileMode.REGULAR | 0644));

        assertThat(desktop.fails(Ask.link(directory, ROOT, "x"))).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.link(file, ROOT, "d"))).isEqualTo(Errno.EEXIST);
        assertThat(desktop.ok(Ask.link(file, directory, "g"))
                        .getNode()
                        .getAttributes()
                        .getLinks())
                .isEqualTo(2);
        desktop.ok(Ask.unlink(ROOT, "f"));
        assertThat(attributes(file).getLinks()).isEqualTo(1);
    }

    @Test
    void shouldBoundLinks() {
        long file = makeFileWithAllNames();

        assertThat(desktop.fails(Ask.link(file, ROOT, "more"))).isEqualTo(Errno.EMLINK);
    }

    @Test
    void shouldHaveRoomInAMessageForTheRecordOfAnInodeWithAllItsNames() {
        long file = makeFileWithAllNames();
        hive.advance(Duration.ofSeconds(1));

        int size = Objects.requireNonNull(desktop.records().get(file)).getSerializedSize();
        assertThat(size).isBetween(LinkOperation.MAX_LINKS * LONGEST_NAME, Frame.MAX_MESSAGE * 4 / 5);
    }

    private long makeFileWithAllNames() {
        long file = inode(Ask.mknod(ROOT, "f", FileMode.REGULAR | 0644));
        for (int i = 1; i < LinkOperation.MAX_LINKS; i++) {
            desktop.ok(Ask.link(file, ROOT, "%%0%dd".formatted(LONGEST_NAME).formatted(i)));
        }
        return file;
    }

    @Test
    void shouldStampParentsAndInodes() {
        long file = inode(Ask.mknod(ROOT, "f", FileMode.REGULAR | 0644));
        Timestamp before = attributes(ROOT).getMtime();
        hive.time().jump(Duration.ofSeconds(5));

        desktop.ok(Ask.rename(ROOT, "f", ROOT, "g"));

        Timestamp now = Timestamps.toWire(hive.time().now());
        assertThat(before).isNotEqualTo(now);
        assertThat(attributes(ROOT).getMtime()).isEqualTo(now);
        assertThat(attributes(ROOT).getCtime()).isEqualTo(now);
        assertThat(attributes(file).getCtime()).isEqualTo(now);
        assertThat(attributes(file).getMtime()).isEqualTo(before);
    }

    @Test
    void shouldKeepSymbolicLinks() {
        long link = inode(Ask.symlink(ROOT, "l", "/where/ever"));

        Attributes attributes = attributes(link);
        assertThat(attributes.getMode()).isEqualTo(FileMode.SYMBOLIC_LINK | 0777);
        assertThat(attributes.getSize()).isEqualTo("/where/ever".length());
        QueenRequest.Builder read = QueenRequest.newBuilder();
        read.getReadSymbolicLinkBuilder().setInode(link);
        assertThat(desktop.ok(read).getTarget()).isEqualTo(Ask.bytes("/where/ever"));
        assertThat(desktop.fails(Ask.symlink(ROOT, "m", "x".repeat(4096)))).isEqualTo(Errno.ENAMETOOLONG);
        assertThat(desktop.fails(Ask.create(ROOT, "l", 0644, 7))).isEqualTo(Errno.ELOOP);
    }

    @Test
    void shouldMakeDevicesOnlyForUserZeroButWhiteoutsForEverybody() {
        QueenRequest.Builder device = Ask.mknod(ROOT, "null", FileMode.CHARACTER_DEVICE | 0666);
        device.getMakeNodeBuilder().setDevice(0x103);
        assertThat(desktop.ok(device).getNode().getAttributes().getDevice()).isEqualTo(0x103);
        long tmp = inode(Ask.mkdir(ROOT, "tmp", 01777));

        desktop.as(1000, 1000);
        device.getMakeNodeBuilder().setParent(tmp);
        assertThat(desktop.fails(device)).isEqualTo(Errno.EPERM);
        assertThat(desktop.fails(Ask.mknod(tmp, "disk", FileMode.BLOCK_DEVICE | 0666)))
                .isEqualTo(Errno.EPERM);
        desktop.ok(Ask.mknod(tmp, "whiteout", FileMode.CHARACTER_DEVICE | 0666));
        desktop.ok(Ask.mknod(tmp, "fifo", FileMode.FIFO | 0666));
        desktop.ok(Ask.unlink(tmp, "fifo"));
    }

    @Test
    void shouldAnswerForARemovedDirectoryThatIsStillInUse() {
        long directory = inode(Ask.mkdir(ROOT, "d", 0755));
        desktop.ok(Ask.rmdir(ROOT, "d"));

        assertThat(attributes(directory).getLinks()).isZero();
        assertThat(desktop.fails(Ask.mkdir(directory, "x", 0755))).isEqualTo(Errno.ENOENT);
        DirectoryPage page = desktop.ok(Ask.list(directory, 0, 10)).getDirectoryPage();
        assertThat(page.getEntriesList()).isEmpty();
        assertThat(desktop.fails(Ask.attributes(1L << 50))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldChangeWhatIsRememberedOfARemovedDirectory() {
        long directory = inode(Ask.mkdir(ROOT, "d", 0755));
        desktop.ok(Ask.rmdir(ROOT, "d"));

        desktop.ok(Ask.chown(directory, 1000, 1001));
        desktop.ok(Ask.chmod(directory, 0700));

        assertThat(attributes(directory).getMode()).isEqualTo(FileMode.DIRECTORY | 0700);
        assertThat(attributes(directory).getUid()).isEqualTo(1000);
        assertThat(attributes(directory).getGid()).isEqualTo(1001);
        assertThat(desktop.fails(Ask.setXattr(directory, "user.colour", "blue")))
                .isEqualTo(Errno.ESTALE);
        desktop.as(2000, 2000);
        assertThat(desktop.fails(Ask.chmod(directory, 0777))).isEqualTo(Errno.EPERM);
    }

    @Test
    void shouldKeepTimesWithNanosecondsFrom1901To2446() {
        long file = inode(Ask.mknod(ROOT, "f", FileMode.REGULAR | 0644));
        for (long seconds : new long[] {-2_147_483_648L, -1, 0, 1, 4_294_967_296L, 15_032_385_535L}) {
            Timestamp time = Timestamp.newBuilder()
                    .setSeconds(seconds)
                    .setNanos(123_456_789)
                    .build();
            desktop.ok(Ask.change(SetAttributes.newBuilder()
                    .setInode(file)
                    .setHandle(desktop.newHandle())
                    .setAtime(time)
                    .setMtime(time)));
            assertThat(attributes(file).getMtime()).isEqualTo(time);
            assertThat(attributes(file).getAtime()).isEqualTo(time);
        }
    }

    private long inode(QueenRequest.Builder request) {
        return desktop.ok(request).getNode().getAttributes().getInode();
    }

    private Attributes attributes(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getAttributes();
    }
}
