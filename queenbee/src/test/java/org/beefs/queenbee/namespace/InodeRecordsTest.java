package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.beefs.common.posix.FileMode;
import org.beefs.queenbee.state.InodeRecord;
import org.junit.jupiter.api.Test;

class InodeRecordsTest {
    @Test
    void shouldDecodeEveryFieldThatIsEncoded() throws IOException {
        Inode inode = new Inode(1L << 41);
        inode.mode = FileMode.REGULAR | 04755;
        inode.links = 2;
        inode.uid = -2;
        inode.gid = 3;
        inode.size = 1L << 50;
        inode.blocks = 5;
        inode.atime = -6;
        inode.mtime = 7;
        inode.ctime = Long.MIN_VALUE;
        inode.btime = 9;
        inode.device = 10;
        inode.honeycomb = 11;
        inode.generation = 12;
        inode.epoch = 13;
        inode.version = 14;
        inode.committedMtime = -15;
        inode.dirty = true;
        inode.unsealed = true;
        inode.moving = true;
        inode.linkable = true;
        inode.secondaries = Secondaries.NONE
                .with(300, 0)
                .with(2, 1L << 40)
                .marked(300, true)
                .securedBy(new SecuredVersion(13, 1L << 49, 17, -18, 19));
        inode.replication = new ReplicationSettings(OptionalInt.of(2), OptionalLong.of(1L << 40), OptionalInt.of(0));
        inode.changed = 16;
        inode.xattrs = new Xattrs();
        inode.xattrs.put(ByteString.copyFromUtf8("user.a"), ByteString.copyFromUtf8("one"));
        inode.xattrs.put(ByteString.copyFromUtf8("user.b"), ByteString.EMPTY);

        InodeRecord record = InodeRecord.parseFrom(InodeRecords.encode(inode));
        // All but the target of a link and the next cookie of a directory.
        assertThat(record.getAllFields())
                .hasSize(InodeRecord.getDescriptor().getFields().size() - 2);
        assertThat(InodeRecord.parseFrom(InodeRecords.encode(decode(record.toByteArray()))))
                .isEqualTo(record);
    }

    @Test
    void shouldHaveRoomForAllThatAnInodeCanHave() throws IOException {
        Inode inode = new Inode(2);
        inode.mode = FileMode.SYMBOLIC_LINK | 0777;
        inode.uid = -1;
        inode.gid = -1;
        inode.size = -1;
        inode.blocks = -1;
        inode.epoch = -1;
        inode.version = -1;
        inode.changed = -1;
        inode.body = new byte[4095];
        inode.xattrs = new Xattrs();
        for (int i = 0; i < 1000; i++) {
            inode.xattrs.put(ByteString.copyFromUtf8("user." + i), ByteString.EMPTY);
        }
        for (int honeycomb = 1; honeycomb < 200; honeycomb++) {
            inode.secondaries = inode.secondaries.with(Integer.MAX_VALUE - honeycomb, Long.MAX_VALUE);
        }

        InodeRecord record = InodeRecord.parseFrom(InodeRecords.encode(inode));

        assertThat(record.getXattrsCount()).isEqualTo(1000);
        assertThat(record.getSecondariesCount()).isEqualTo(2 * 199);
        assertThat(record.getTarget().size()).isEqualTo(4095);
    }

    @Test
    void shouldDecodeSymbolicLinks() throws IOException {
        Inode inode = new Inode(2);
        inode.mode = FileMode.SYMBOLIC_LINK | 0777;
        inode.body = "target".getBytes(StandardCharsets.UTF_8);

        assertThat(decode(InodeRecords.encode(inode)).target()).isEqualTo(inode.target());
    }

    @Test
    void shouldDecodeDirectories() throws IOException {
        Inode inode = new Inode(2);
        inode.mode = FileMode.DIRECTORY | 0755;
        Directory directory = new Directory(inode);
        directory.restoreNextCookie(77);
        inode.body = directory;

        assertThat(decode(InodeRecords.encode(inode)).directory().nextCookie()).isEqualTo(77);
    }

    private static Inode decode(byte[] record) throws IOException {
        return InodeRecords.decode(1L << 41, CodedInputStream.newInstance(record));
    }
}
