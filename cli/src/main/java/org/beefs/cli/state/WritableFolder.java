package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.linux.FileOwner;

/** A folder that somebody names to have files made in it. */
public final class WritableFolder {
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 022;

    private WritableFolder() {}

    /**
     * The absolute path, without symbolic links, of one that is there and may be written; fails with a message for
     * people.
     *
     * @param warning takes a sentence when root is to work below a folder whose entries others may rename: what is
     *     there by the end may be a link to anything. Often root and they are the same person
     */
    public static Path of(Path given, Consumer<String> warning) {
        if (!Files.isDirectory(given) || !Files.isWritable(given) || !Files.isReadable(given)) {
            throw new CommandFailure(ExitCode.FOLDER, given + " is not a folder in which files can be made");
        }
        try {
            Path path = given.toRealPath();
            if (FileOwner.ofThisProcess() == FileOwner.ROOT) {
                changeableByOthers(path)
                        .ifPresent(folder -> warning.accept(
                                "beware: others may rename what is in %s while root works in %s; if you do not trust them, name a folder that only root can change"
                                        .formatted(folder, path)));
            }
            return path;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot use " + given + ": " + Reasons.of(e));
        }
    }

    /** The one whose entries others than root may rename: it, or one above it. */
    static Optional<Path> changeableByOthers(Path path) throws IOException {
        for (Path folder = path; folder != null; folder = folder.getParent()) {
            int mode = (int) Files.getAttribute(folder, "unix:mode");
            boolean othersRename = (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0;
            if (othersRename || FileOwner.of(folder) != FileOwner.ROOT) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }
}
