package org.beefs.integration.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes files with the names 0, 1, 2 … in a directory until it is ended, and syncs the directory now and then. */
public final class FileMaker implements AutoCloseable {
    private static final int BETWEEN_SYNCS = 23;

    private final Path directory;
    private final Thread thread;
    private volatile boolean ending;
    private volatile int begun;
    private volatile int synced;
    private volatile long highestInode;

    /** Begins. */
    public FileMaker(Path directory) {
        this.directory = directory;
        this.thread = Thread.ofPlatform().start(this::work);
    }

    /** How many files were begun to be made. */
    public int begun() {
        return begun;
    }

    /** Whether nothing has failed. */
    public boolean isAtWork() {
        return thread.isAlive();
    }

    /** How many of the first files are certainly on disk. */
    public int synced() {
        return synced;
    }

    /** Of the files that are made. */
    public long highestInode() {
        return highestInode;
    }

    private void work() {
        try {
            while (!ending) {
                int number = begun;
                begun = number + 1;
                Path file = Files.createFile(directory.resolve(Integer.toString(number)));
                highestInode = Math.max(highestInode, (long) Files.getAttribute(file, "unix:ino"));
                if (number % BETWEEN_SYNCS == 0) {
                    sync();
                    synced = number + 1;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sync() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() {
        ending = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }
}
