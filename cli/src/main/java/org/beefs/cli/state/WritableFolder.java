package org.beefs.cli.state;

import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;

/** A folder that somebody names to have files made in it. */
public final class WritableFolder {
    private WritableFolder() {}

    /** The absolute path of one that is there and may be written; fails with a message for people. */
    public static Path of(Path given) {
        if (!Files.isDirectory(given) || !Files.isWritable(given)) {
            throw new CommandFailure(ExitCode.FOLDER, given + " is not a folder in which files can be made");
        }
        return given.toAbsolutePath().normalize();
    }
}
