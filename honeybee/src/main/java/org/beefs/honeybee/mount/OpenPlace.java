package org.beefs.honeybee.mount;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.linux.OpenNumbers;
import org.beefs.common.posix.Errno;

/**
 * A directory that is held open at a path without symbolic links. What is looked at and mounted through it is there,
 * whatever somebody who owns a folder on the way puts at that path meanwhile. Used by one thread at a time.
 */
public final class OpenPlace implements AutoCloseable {
    private static final int O_PATH = 010000000;
    private static final int O_CLOEXEC = 02000000;

    private final Path path;
    private final int descriptor;

    private OpenPlace(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    /**
     * Opens a directory, without asking whoever serves what is mounted there.
     *
     * @param path absolute
     * @throws IOException with a sentence for the user; also when a symbolic link leads elsewhere
     */
    public static OpenPlace open(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int flags = O_PATH | OpenNumbers.O_DIRECTORY | O_CLOEXEC;
            int descriptor = Libc.open(arena.allocateFrom(path.toString()), flags, 0);
            if (descriptor < 0) {
                throw new IOException("cannot mount at " + path + ": " + reason(Errno.of(-descriptor)));
            }
            return new OpenPlace(path, descriptor).withoutLinks();
        }
    }

    private static String reason(Errno errno) {
        return switch (errno) {
            case ENOENT -> "there is no such directory; create it first";
            case ENOTDIR -> "it is not a directory";
            default -> errno.name();
        };
    }

    /** The kernel tells where the open directory is, not by which way it was found. */
    private OpenPlace withoutLinks() throws IOException {
        Path real;
        try {
            real = Files.readSymbolicLink(opened());
        } catch (IOException failure) {
            close();
            throw failure;
        }
        if (!real.equals(path)) {
            close();
            throw new MountRefusedException("cannot mount at " + path + ": a symbolic link leads to " + real);
        }
        return this;
    }

    public Path path() {
        return path;
    }

    public int descriptor() {
        return descriptor;
    }

    /** The path by which this process gets to the directory, wherever it is by now. */
    public Path opened() {
        return Path.of("/proc/self/fd", String.valueOf(descriptor));
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }
}
