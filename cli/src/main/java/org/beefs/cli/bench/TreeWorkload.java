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
import java.util.List;
import org.beefs.cli.state.TemporaryFolder;

/** A tree that is copied, looked at, read, and built or removed. */
record TreeWorkload(SourceTree source, List<Phase> phases, BuildCommand build) implements Workload {
    /** Those of the Andrew benchmark. */
    static final List<Phase> ANDREW = List.of(Phase.MKDIR, Phase.COPY, Phase.STAT, Phase.GREP, Phase.COMPILE);

    /** Those of a tree that is made and removed. */
    static final List<Phase> TREE = List.of(Phase.MKDIR, Phase.COPY, Phase.STAT, Phase.GREP, Phase.REMOVE);

    private static final int BUFFER = 128 * 1024;
    private static final byte SOUGHT = 'Q';

    @Override
    public Subject subject() {
        return new Subject(
                source.top().toString(),
                source.folders().size(),
                source.files().size(),
                source.bytes(),
                build.script());
    }

    @Override
    public void run(Phase phase, Path folder) throws IOException, InterruptedException {
        Path copy = folder.resolve("copy");
        switch (phase) {
            case MKDIR -> makeFolders(copy);
            case COPY -> copyFiles(copy);
            case STAT -> visit(copy, _ -> {});
            case GREP -> visit(copy, TreeWorkload::search);
            case COMPILE -> build.run(copy, folder.resolve("build.log"));
            case REMOVE -> new TemporaryFolder(copy).close();
            default -> throw new IllegalArgumentException(phase + " is not done to a tree");
        }
    }

    private void makeFolders(Path copy) throws IOException, InterruptedException {
        Files.createDirectory(copy);
        for (Path relative : source.folders()) {
            Workload.goOnUnlessInterrupted();
            Files.createDirectory(copy.resolve(relative));
        }
    }

    private void copyFiles(Path copy) throws IOException, InterruptedException {
        for (Path relative : source.files()) {
            Workload.goOnUnlessInterrupted();
            Files.copy(
                    source.top().resolve(relative),
                    copy.resolve(relative),
                    StandardCopyOption.COPY_ATTRIBUTES,
                    LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Lists all folders and looks at all entries, as find and grep -r do. */
    private static void visit(Path copy, FileAction action) throws IOException, InterruptedException {
        Files.walkFileTree(copy, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    action.on(file);
                }
                return Thread.currentThread().isInterrupted() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
            }
        });
        Workload.goOnUnlessInterrupted();
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

    /** What is done with each regular file. */
    private interface FileAction {
        void on(Path file) throws IOException;
    }
}
