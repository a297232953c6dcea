package org.beefs.cli.warmup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.beefs.cli.file.HiveAttributes;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.replica.ReplicationXattr;

/** The replica of a file on the desktop in whose mount the file is named. */
record LocalCopy(Path path, long bytes) {
    /** Empty for what has no content, and for what is gone already. */
    static Optional<LocalCopy> of(Path path) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile() ? Optional.of(new LocalCopy(path, attributes.size())) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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
