package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A new folder for one use. Closing it removes it with all that is in it.
 *
 * @param path where it is
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
    /**
     * A folder of this process, which has no other of that name there. The name is short, because paths of sockets have
     * to be.
     */
    public static TemporaryFolder in(Path parent, String name) throws IOException {
        return new TemporaryFolder(Files.createDirectory(
                parent.resolve(name + "-" + ProcessHandle.current().pid())));
    }

    @Override
    public void close() throws IOException {
        Files.walkFileTree(path, new Removal());
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
        }
    }
}
