package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;

/**
 * What a benchmark copies.
 *
 * @param top absolute
 * @param folders below the top, relative to it, parents before children
 * @param files regular files and symbolic links, relative
 * @param bytes of all regular files
 */
record SourceTree(Path top, List<Path> folders, List<Path> files, long bytes) {
    SourceTree {
        folders = List.copyOf(folders);
        files = List.copyOf(files);
    }

    /** Reads the names once, so that no phase pays for it. Refuses special files, which no source package has. */
    static SourceTree scan(Path source) {
        Path top = source.toAbsolutePath().normalize();
        Scan scan = new Scan(top);
        try {
            Files.walkFileTree(top, scan);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot read the source " + source + ": " + Reasons.of(e));
        }
        if (scan.files.isEmpty()) {
            throw new CommandFailure(ExitCode.FOLDER, "the source " + source + " holds no files");
        }
        return new SourceTree(top, scan.folders, scan.files, scan.bytes);
    }

    private static final class Scan extends SimpleFileVisitor<Path> {
        private final Path top;
        private final List<Path> folders = new ArrayList<>();
        private final List<Path> files = new ArrayList<>();
        private long bytes;

        Scan(Path top) {
            this.top = top;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (!folder.equals(top)) {
                folders.add(top.relativize(folder));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isOther()) {
                throw new CommandFailure(ExitCode.FAILED, file + " is neither a file nor a folder nor a link");
            }
            files.add(top.relativize(file));
            bytes += attributes.isRegularFile() ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
        }
    }
}
