package org.beefs.cli.daemon;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.FileSystemException;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;

/** Tells apart why a role cannot start. */
final class StartFailure {
    private StartFailure() {}

    /** What cannot be listened at is an address; everything else that a role fails with at its start is its folder. */
    static CommandFailure of(IOException failure) {
        if (failure instanceof BindException) {
            return new CommandFailure(ExitCode.ADDRESS, Reasons.of(failure));
        }
        String file = failure instanceof FileSystemException on ? on.getFile() + ": " : "";
        return new CommandFailure(ExitCode.FOLDER, file + Reasons.of(failure));
    }
}
