package org.beefs.honeybee.mount;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;

/** Takes away the privileges that a file loses when it is opened with O_TRUNC. */
public final class Truncation {
    private Truncation() {}

    /**
     * Takes the set-id bits away that a file loses when somebody without CAP_FSETID truncates it; saves the trip where
     * there is nothing to clear, and what was just made keeps the mode that it was made with. Releases the file if it
     * fails, or is cancelled.
     */
    public static CompletableFuture<OpenedFile> clearPrivileges(
            FileSystem fileSystem, Credentials caller, OpenedFile file) {
        int mode = file.attributes().getMode();
        if (file.isNew() || (mode & (FileMode.SET_UID | FileMode.SET_GID)) == 0) {
            return CompletableFuture.completedFuture(file);
        }
        var change = new AttributeChange(null, null, null, null, null, null, file.handle(), true);
        CompletableFuture<OpenedFile> cleared = fileSystem
                .setAttributes(caller, file.attributes().getInode(), change)
                .thenApply(attributes -> new OpenedFile(attributes, file.handle(), file.mayKeepPages(), false));
        cleared.whenComplete(
                (open, failure) -> { // of the one that is handed out: what follows a cancelled one is not run
                    if (failure != null) {
                        fileSystem.release(file.handle());
                    }
                });
        return cleared;
    }
}
