package org.beefs.cli.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.beefs.cli.state.TemporaryFolder;

/**
 * A folder of its own in a measured directory, in which one round's phases run. Closing it removes it with all that is in it. An
 * interrupt ends a phase after the current file. Not thread-safe.
 */
final class Workspace implements AutoCloseable {
    private static final int BUFFER = 128 * 1024;
    private static final byte SOUGHT = 'Q';

    private final TemporaryFolder folder;
    private final Path copy;

    private Workspace(TemporaryFolder folder) {
        this.folder = folder;
        this.copy = folder.path().resolve("copy");
    }

    static Workspace in(Path directory) throws IOException {
        return new Workspace(TemporaryFolder.in(directory, "andrew"));
    }

    void run(Phase phase, SourceTree source, BuildCommand build) throws IOException, InterruptedException {
        switch (phase) {
            case MKDIR -> makeFolders(source);
            case COPY -> copyFiles(source);
            case STAT -> visit(_ -> {});
            case GREP -> visit(Workspace::search);
            case COMPILE -> build.run(copy, folder.path().resolve("build.log"));
            case REMOVE -> new TemporaryFolder(copy).close();
        }
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }

    private void makeFolders(SourceTree source) throws IOException, InterruptedException {
        Files.createDirectory(copy);
        for (Path relative : source.folders()) {
            goOnUnlessInterrupted();
            Files.createDirectory(copy.resolve(relative));
        }
    }

    private void copyFiles(SourceTree source) throws IOException, InterruptedException {
        for (Path relative : source.files()) {
            goOnUnlessInterrupted();
            Files.copy(
                    source.top().resolve(relative),
                    copy.resolve(relative),
                    StandardCopyOption.COPY_ATTRIBUTES,
                    LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Lists all folders and looks at all entries, as find and grep -r do. */
    private void visit(FileAction action) throws IOException, InterruptedException {
        Files.walkFileTree(copy, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    action.on(file);
                }
                return Thread.currentThread().isInterrupted() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
            }
        });
        goOnUnlessInterrupted();
    }

    private static void search(Path file) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (InputStream input = Files.newInputStream(file)) {
            for (int count = input.read(buffer); count > 0; count = input.read(buffer)) {
                contains(buffer, count);
            }
        }
    }

    /** What is found does not matter, only that every byte was looked at. */
    private static boolean contains(byte[] buffer, int count) {
        for (int i = 0; i < count; i++) {
            if (buffer[i] == SOUGHT) {
                return true;
            }
        }
        return false;
    }

    private static void goOnUnlessInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** What is done with each regular file. */
    private interface FileAction {
        void on(Path file) throws IOException;
    }
}
