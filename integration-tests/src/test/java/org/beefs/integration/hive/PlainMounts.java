package org.beefs.integration.hive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.integration.program.Folders;

/** A plain folder in the place of a hive, to try the tests themselves: every mount is the same folder. */
final class PlainMounts implements Mounts, AutoCloseable {
    private final Path base = Folders.create("plain");
    private final Path folder = make(base, "hive");

    /** On another file system than the folder, as it is for a hive. */
    private final Path scratch = Path.of("/dev/shm", base.getFileName().toString());

    @Override
    public Mounts fresh() {
        return this;
    }

    @Override
    public Path local() {
        return folder;
    }

    @Override
    public Path sameDesktop() {
        return folder;
    }

    @Override
    public Path otherDesktop() {
        return folder;
    }

    @Override
    public Path withoutHoneycomb() {
        return folder;
    }

    @Override
    public void assertSound() {}

    @Override
    public Path scratch() {
        return make(scratch, "scratch");
    }

    @Override
    public void close() {
        Folders.delete(base);
        Folders.delete(scratch);
    }

    private static Path make(Path parent, String name) {
        try {
            return Files.createDirectories(parent.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
