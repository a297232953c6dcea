package org.beefs.common.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** User ids of who owns files. */
public final class FileOwner {
    public static final int ROOT = 0;

    private FileOwner() {}

    /** The owner's id; of a symbolic link that of the file that it leads to. */
    public static int of(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }

    /** The id of this process's user, who owns the folder that the link leads to. */
    public static int ofThisProcess() throws IOException {
        return of(Path.of("/proc/self"));
    }

    /** Whether a file is of this process's user or root's: nobody else can have planted something there. */
    public static boolean isOwnOrRoots(Path path) throws IOException {
        int owner = of(path);
        return owner == ROOT || owner == ofThisProcess();
    }
}
