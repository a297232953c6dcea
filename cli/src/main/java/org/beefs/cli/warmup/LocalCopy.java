package org.beefs.cli.warmup;

import java.nio.file.Path;
import org.beefs.cli.file.HiveAttributes;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.replica.ReplicationXattr;

/** The replica of a file on the desktop in whose mount the file is named. */
record LocalCopy(Path path, long bytes) {
    /** Whether it has the file's newest version. */
    boolean isHere() {
        return new HiveAttributes(path)
                .get(ReplicationXattr.HERE)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FAILED, path + " is mounted on a desktop that stores no files of the hive"))
                .equals(ReplicationXattr.CURRENT);
    }

    /** Harmless when it was asked for already. */
    void ask() {
        new HiveAttributes(path).set(ReplicationXattr.HERE, ReplicationXattr.CURRENT);
    }
}
