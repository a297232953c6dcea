package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Release;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;

/** What tests of the file system share: a desktop between a queen-bee and the honeycomb of another desktop. */
abstract class FileSystemTest {
    static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);

    final FakeHive hive = FakeHive.started();
    final FakeQueen queen = hive.queen;
    final FakeHoneycomb honeycomb = hive.honeycomb;
    final HiveFileSystem files = hive.files;

    OpenedFile create(String name, OpenFlags flags) {
        return hive.get(files.create(ROOT, FileSystem.ROOT, bytes(name), 0644, 0, flags));
    }

    OpenedFile open(long inode, OpenFlags flags) {
        return hive.get(files.open(ROOT, inode, flags));
    }

    void write(OpenedFile file, String text) {
        hive.get(files.write(file.handle(), 0, buffer(text), false, false));
    }

    String read(OpenedFile file) {
        Payload payload = hive.get(files.read(file.handle(), 0, 100));
        String text = ((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8);
        payload.close();
        return text;
    }

    long addFile(String name) {
        return queen.addFile(name, honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
    }

    Release onlyRelease() {
        assertThat(queen.releases).hasSize(1);
        return queen.releases.getFirst();
    }

    static ByteBuf buffer(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }
}
