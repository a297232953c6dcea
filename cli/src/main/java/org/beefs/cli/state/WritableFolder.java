package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
     * people. Root does not work for long below a folder whose entries others may rename: what is there by the end may
     * be a link to anything.
     */
    public static Path of(Path given) {
        if (!Files.isDirectory(given) || !Files.isWritable(given)) {
            throw new CommandFailure(ExitCode.FOLDER, given + " is not a folder in which files can be made");
        }
        try {
            Path path = given.toRealPath();
            if (FileOwner.ofThisProcess() == FileOwner.ROOT) {
                requireOnlyRoot(path);
            }
            return path;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot use " + given + ": " + Reasons.of(e));
        }
    }

    private static void requireOnlyRoot(Path path) throws IOException {
        for (Path folder = path; folder != null; folder = folder.getParent()) {
            int mode = (int) Files.getAttribute(folder, "unix:mode");
            boolean othersRename = (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0;
            if (othersRename || FileOwner.of(folder) != FileOwner.ROOT) {
                throw new CommandFailure(
                        ExitCode.FOLDER,
                        "root does not use %s, because others may rename what is in %s: run it as the folder's owner, or name one that only root can change"
                                .formatted(path, folder));
            }
        }
    }
}
