package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/**
 * One large file: what its bytes cost. In turn and anywhere, as much in each phase; nothing is synced, and what is read has just been written.
 *
 * @param bytes of the file, a multiple of {@link #PIECE}
 */
record BytesWorkload(long bytes) implements Workload {
    /** What is read or written at once from one end to the other. */
    static final int PIECE = 1 << 20;

    private static final int BLOCK = 4096;

    /** The same places in all directories and rounds. */
    private static final long SEED = 1;

    private static final List<Phase> PHASES = List.of(Phase.WRITE, Phase.READ, Phase.RANDOM_READ, Phase.RANDOM_WRITE);

    @Override
    public List<Phase> phases() {
        return PHASES;
    }

    @Override
    public Subject subject() {
        return new Subject("a large file", 0, 1, bytes, "");
    }

    @Override
    public void run(Phase phase, Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("file");
        switch (phase) {
            case WRITE -> inTurn(file, FileChannel::write, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            case READ -> inTurn(file, FileChannel::read, StandardOpenOption.READ);
            case RANDOM_READ -> anywhere(file, FileChannel::read, StandardOpenOption.READ);
            case RANDOM_WRITE -> anywhere(file, FileChannel::write, StandardOpenOption.WRITE);
            default -> throw new IllegalArgumentException(phase + " is not done to a large file");
        }
    }

    private void inTurn(Path file, Transfer transfer, StandardOpenOption... how)
            throws IOException, InterruptedException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        try (FileChannel channel = FileChannel.open(file, how)) {
            for (long position = 0; position < bytes; position += PIECE) {
                transfer(transfer, channel, piece.clear(), position);
            }
        }
    }

    private void anywhere(Path file, Transfer transfer, StandardOpenOption how)
            throws IOException, InterruptedException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        Random random = new Random(SEED);
        try (FileChannel channel = FileChannel.open(file, how)) {
            for (long i = 0; i < bytes / BLOCK; i++) {
                transfer(transfer, channel, block.clear(), random.nextLong(bytes / BLOCK) * BLOCK);
            }
        }
    }

    private static void transfer(Transfer transfer, FileChannel channel, ByteBuffer buffer, long position)
            throws IOException, InterruptedException {
        Workload.goOnUnlessInterrupted();
        while (buffer.hasRemaining()) {
            if (transfer.at(channel, buffer, position + buffer.position()) < 0) {
                throw new IOException("the file is shorter than it was made");
            }
        }
    }

    /** Reads or writes some of a buffer. */
    private interface Transfer {
        int at(FileChannel channel, ByteBuffer buffer, long position) throws IOException;
    }
}
