package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.linux.FileOwner;
import org.beefs.common.linux.MountFlags;

/**
 * A state folder that is used because it is here, and not because somebody has named it. Here may be a folder of
 * anybody's, who may have planted one: its files say which processes are ended, and where files are made.
 */
final class FoundFolder {
    private FoundFolder() {}

    /**
     * Fails unless it, and each folder in it, is the caller's or root's and no symbolic link; or there is none. Root's
     * is also not on a disk that somebody has brought, on which files belong to whomever he likes.
     */
    static void check(Path folder) {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            checkOne(folder);
            if (Files.isDirectory(folder)) {
                checkFoldersIn(folder);
            }
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot read the folder " + folder + ": " + Reasons.of(e));
        }
    }

    private static void checkFoldersIn(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path entry : entries) {
                checkOne(entry);
            }
        }
    }

    private static void checkOne(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            throw refused(path, "is a symbolic link");
        }
        if (!FileOwner.isOwnOrRoots(path)) {
            throw refused(path, "belongs to another user");
        }
        if (isRoot() && MountFlags.isNosuid(path)) {
            throw refused(path, "is on a file system mounted with nosuid, as are other users' disks");
        }
    }

    private static boolean isRoot() throws IOException {
        return FileOwner.ofThisProcess() == FileOwner.ROOT;
    }

    private static CommandFailure refused(Path path, String why) {
        return new CommandFailure(
                ExitCode.USAGE,
                "%s %s, and is not used unless it is asked for: name the state folder with --state"
                        .formatted(path, why));
    }
}
