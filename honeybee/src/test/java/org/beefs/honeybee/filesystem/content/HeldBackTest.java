package org.beefs.honeybee.filesystem.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.Write;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.BeforeEach;

/** A file that is open under the write lease, and whose honeycomb carries out no write before it is let go. */
abstract class HeldBackTest {
    static final int MIB = 1 << 20;
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final long PROCESS = 7;

    final FakeHive hive = new FakeHive();
    long inode;
    long handle;

    @BeforeEach
    void openFile() {
        hive.queen.grants = true;
        hive.queen.grantsWriting = true;
        hive.get(hive.session.start());
        inode = hive.queen.addFile(
                "f", hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
        handle = open();
        hive.honeycomb.held = OperationCase.WRITE;
    }

    CompletableFuture<Void> flush(long closed) {
        return hive.files.flush(closed, inode, PROCESS);
    }

    long open() {
        return hive.get(hive.files.open(FakeHive.ROOT, inode, WRITE)).handle();
    }

    CompletableFuture<Void> write(long offset, String content) {
        return hive.files.write(handle, offset, bytes(content), false, false);
    }

    CompletableFuture<Attributes> truncate(long size) {
        AttributeChange change = new AttributeChange(null, null, null, size, null, null, handle, false);
        return hive.files.setAttributes(FakeHive.ROOT, inode, change);
    }

    long size() {
        return hive.get(hive.files.getAttributes(inode)).getSize();
    }

    List<Write> writes() {
        return hive.honeycomb.requestsOf(OperationCase.WRITE).stream()
                .map(DataRequest::getWrite)
                .toList();
    }

    /** The honeycomb carries out what it has got, and whatever follows. */
    void letGo() {
        hive.timers.runDue();
        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;
        hive.honeycomb.letGo();
        hive.timers.runDue();
    }

    static ByteBuf bytes(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
