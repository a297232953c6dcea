package org.beefs.cli.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;
import org.beefs.common.replica.ReplicationXattr;
import org.jspecify.annotations.Nullable;

/** All files and directories at and below a path of a mount. */
public final class HiveTree {
    private final Path top;

    private HiveTree(Path top) {
        this.top = top;
    }

    /**
     * The tree where a path leads, also a symbolic link; in the tree none is followed. Fails as a command does for what
     * is not there, or is in no hive.
     */
    public static HiveTree at(Path path) {
        Path top = real(path);
        new HiveAttributes(top).get(ReplicationXattr.REPLICAS);
        return new HiveTree(top);
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (NoSuchFileException _) {
            throw new CommandFailure(ExitCode.FAILED, HiveAttributes.absent(path));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, path + ": " + Reasons.of(e));
        }
    }

    /** What somebody does with all that is there. */
    public interface Visitor {
        /** Comes before what is in it. */
        default void directory(Path path) {}

        /** Only regular ones. */
        void file(Path path, BasicFileAttributes attributes);

        /**
         * What is in a directory, or what something is, cannot be seen. The walk goes on.
         *
         * @param reason a sentence that names it
         */
        void unseen(Path path, String reason);
    }

    /** What goes away meanwhile counts for nothing. */
    public void walk(Visitor visitor) {
        walk(top, visitor);
    }

    static void walk(Path top, Visitor visitor) {
        try {
            Files.walkFileTree(top, new Walk(visitor));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "not all below %s can be read: %s".formatted(top, Reasons.of(e)));
        }
    }

    /** Never ends for what fails. */
    static final class Walk extends SimpleFileVisitor<Path> {
        private final Visitor visitor;

        Walk(Visitor visitor) {
            this.visitor = visitor;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            visitor.directory(path);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
                visitor.file(path, attributes);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, IOException e) {
            if (!(e instanceof NoSuchFileException)) {
                visitor.unseen(path, path + ": " + Reasons.of(e));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path path, @Nullable IOException e) {
            return e == null ? FileVisitResult.CONTINUE : visitFileFailed(path, e);
        }
    }
}
