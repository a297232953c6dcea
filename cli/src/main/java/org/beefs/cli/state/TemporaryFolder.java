package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Objects;

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
        return new TemporaryFolder(Files.createDirectory(parent.resolve(name(name))));
    }

    /** The name of a folder of this process. */
    public static String name(String name) {
        return name + "-" + ProcessHandle.current().pid();
    }

    /**
     * Whoever may rename what is in there cannot lead it elsewhere: each folder is looked for in the open one above.
     */
    @Override
    public void close() throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        Path name = path.getFileName();
        if (parent == null || name == null) {
            throw new IOException(path + " is no temporary folder");
        }
        try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
            removeFolder((SecureDirectoryStream<Path>) above, name); // as all are on Linux
        }
    }

    private static void removeFolder(SecureDirectoryStream<Path> above, Path name) throws IOException {
        try (SecureDirectoryStream<Path> folder = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path entry : folder) {
                Path inside = Objects.requireNonNull(entry.getFileName());
                if (isFolder(folder, inside)) {
                    removeFolder(folder, inside);
                } else {
                    folder.deleteFile(inside);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        above.deleteDirectory(name);
    }

    private static boolean isFolder(SecureDirectoryStream<Path> in, Path name) throws IOException {
        return in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }
}
