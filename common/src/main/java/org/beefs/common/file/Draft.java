package org.beefs.common.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Objects;
import java.util.Set;

/**
 * A draft that is to take the place of a small file, on disk beside it. At whatever moment the power fails, the file is
 * as it was or as the draft has it, and the latter once {@link #publish} has returned. One draft of a file at a time.
 */
public final class Draft implements AutoCloseable {
    /** How the name of a draft ends; where the power has failed one may be left. */
    public static final String SUFFIX = ".new";

    private final Path file;
    private final Path path;

    private Draft(Path file, Path path) {
        this.file = file;
        this.path = path;
    }

    /** Replaces a file, or makes it; its folder has to be there. */
    public static void replace(Path file, byte[] content, FileAttribute<?>... attributes) throws IOException {
        try (Draft draft = write(file, content, attributes)) {
            draft.publish();
        }
    }

    /**
     * Writes a draft, which is thrown away unless it is published.
     *
     * @param attributes of the file, such as who may read it
     */
    public static Draft write(Path file, byte[] content, FileAttribute<?>... attributes) throws IOException {
        Path path = file.resolveSibling(file.getFileName() + SUFFIX);
        Files.deleteIfExists(path);
        Draft draft = new Draft(file, path);
        try {
            draft.fill(content, attributes);
        } catch (IOException e) {
            draft.close();
            throw e;
        }
        return draft;
    }

    /** Where it can be read. */
    public Path path() {
        return path;
    }

    /** Puts it in the place of the file. */
    public void publish() throws IOException {
        Files.move(path, file, StandardCopyOption.ATOMIC_MOVE);
        syncFolder(Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder"));
    }

    /** Brings to disk which files are in a folder. */
    public static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }

    private void fill(byte[] content, FileAttribute<?>... attributes) throws IOException {
        Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(path, fresh, attributes)) {
            for (ByteBuffer left = ByteBuffer.wrap(content); left.hasRemaining(); ) {
                channel.write(left);
            }
            channel.force(true);
        }
    }
}
