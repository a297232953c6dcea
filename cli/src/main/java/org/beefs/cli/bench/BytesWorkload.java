package org.beefs.cli.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One large file: what its bytes cost. In each phase as many bytes altogether, of which each job does its part; nothing
 * is synced, and what is read has just been written.
 *
 * @param bytes of the file, a multiple of {@link #UNIT}
 */
record BytesWorkload(long bytes) implements Workload {
    /** Both jobs' parts are whole blocks of each size. */
    static final int UNIT = 2 << 20;

    private static final int SMALL = 4 << 10;
    private static final List<Integer> BLOCKS = List.of(1 << 20, 128 << 10, SMALL);
    private static final List<Integer> JOBS = List.of(1, 2);

    /** The same places in all directories and rounds. */
    private static final long SEED = 1;

    @Override
    public Subject subject() {
        return new Subject("a large file", 0, 1, bytes, "");
    }

    @Override
    public List<Phase> phases() {
        List<Phase> phases = new ArrayList<>();
        phases.add(Phase.of("Make", folder -> transfer(folder, 1, BLOCKS.getFirst(), false, true)));
        for (int block : BLOCKS) {
            for (boolean random : List.of(false, true)) {
                for (boolean write : List.of(false, true)) {
                    for (int jobs : JOBS) {
                        phases.add(Phase.of(
                                title(block, random, write, jobs),
                                folder -> transfer(folder, jobs, block, random, write)));
                    }
                }
            }
        }
        phases.add(Phase.of("Mapped read 4K random", folder -> map(folder, false)));
        phases.add(Phase.of("Mapped write 4K random", folder -> map(folder, true)));
        return phases;
    }

    private static String title(int block, boolean random, boolean write, int jobs) {
        String size = block >= 1 << 20 ? (block >> 20) + "M" : (block >> 10) + "K";
        return (write ? "Write " : "Read ") + size + (random ? " random" : "") + (jobs > 1 ? " by " + jobs : "");
    }

    private void transfer(Path folder, int jobs, int block, boolean random, boolean write)
            throws IOException, InterruptedException {
        Jobs.run(jobs, job -> {
            try (FileChannel channel = open(folder, write)) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(block);
                Places places = new Places(job, jobs, block, random);
                for (long i = 0; i < places.count(); i++) {
                    transfer(channel, buffer.clear(), places.next(), write);
                }
            }
        });
    }

    private static FileChannel open(Path folder, boolean write) throws IOException {
        Path file = folder.resolve("file");
        return write
                ? FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)
                : FileChannel.open(file, StandardOpenOption.READ);
    }

    private static void transfer(FileChannel channel, ByteBuffer buffer, long position, boolean write)
            throws IOException, InterruptedException {
        Workload.goOnUnlessInterrupted();
        while (buffer.hasRemaining()) {
            long at = position + buffer.position();
            int done = write ? channel.write(buffer, at) : channel.read(buffer, at);
            if (done < 0) {
                throw new IOException("the file is shorter than it was made");
            }
        }
    }

    private void map(Path folder, boolean write) throws IOException, InterruptedException {
        try (FileChannel channel = open(folder, write);
                Arena arena = Arena.ofConfined()) {
            MemorySegment file = channel.map(
                    write ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
            MemorySegment block = arena.allocate(SMALL);
            Places places = new Places(0, 1, SMALL, true);
            for (long i = 0; i < places.count(); i++) {
                Workload.goOnUnlessInterrupted();
                MemorySegment place = file.asSlice(places.next(), SMALL);
                (write ? place : block).copyFrom(write ? block : place);
            }
        }
    }

    /** Where a job's blocks are: one after the other in its part of the file, or anywhere. Not thread-safe. */
    private final class Places {
        private final int block;
        private final long count;
        private final boolean random;
        private final Random generator;
        private long next;

        Places(int job, int jobs, int block, boolean random) {
            this.block = block;
            this.random = random;
            count = bytes / block / jobs;
            generator = new Random(SEED + job);
            next = job * count * block;
        }

        long count() {
            return count;
        }

        long next() {
            long place = random ? generator.nextLong(bytes / block) * block : next;
            next += block;
            return place;
        }
    }
}
