package org.beefs.queenbee.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.beefs.common.time.ProductionOnly;

/**
 * A file beside the database that says how far that was on disk at least. The log of a database ends where it was cut
 * by a loss of power, and looks the same where it was cut by something else; this tells them apart. Written after each
 * sync and not synced itself: it may be behind, and is never ahead. Not thread-safe.
 */
@ProductionOnly
final class SyncedMark implements AutoCloseable {
    /** The number, and its complement: of a file that was half written nothing is believed. */
    private static final int LENGTH = 2 * Long.BYTES;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);

    private SyncedMark(FileChannel channel) {
        this.channel = channel;
    }

    static SyncedMark open(Path file) throws IOException {
        return new SyncedMark(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    /** The number that was written last; 0 when nothing can be told. */
    static long read(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) != LENGTH) {
            return 0;
        }
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
        long number = content.getLong();
        return content.getLong() == ~number ? number : 0;
    }

    void write(long number) throws IOException {
        buffer.clear().putLong(number).putLong(~number).flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer, buffer.position());
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
