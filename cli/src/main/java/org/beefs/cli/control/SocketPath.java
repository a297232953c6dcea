package org.beefs.cli.control;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.common.linux.OpenNumbers;
import org.beefs.common.posix.Errno;

/**
 * The address of a socket file. The kernel takes 107 bytes at most; the address of a longer path goes through its
 * folder.
 */
final class SocketPath implements AutoCloseable {
    private static final int MAX_BYTES = 107;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_PATH = 0x200000;
    private static final int NONE = -1;

    private final UnixDomainSocketAddress address;
    private final int folder;

    private SocketPath(UnixDomainSocketAddress address, int folder) {
        this.address = address;
        this.folder = folder;
    }

    static SocketPath of(Path socket) throws IOException {
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
            return new SocketPath(UnixDomainSocketAddress.of(socket), NONE);
        }
        int folder = open(socket.resolveSibling("."));
        if (folder < 0) {
            throw new IOException(Errno.of(-folder).name());
        }
        Path shorter = Path.of("/proc/self/fd/" + folder).resolve(socket.getFileName());
        return new SocketPath(UnixDomainSocketAddress.of(shorter), folder);
    }

    UnixDomainSocketAddress address() {
        return address;
    }

    private static int open(Path folder) {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.open(arena.allocateFrom(folder.toString()), O_PATH | OpenNumbers.O_DIRECTORY | O_CLOEXEC, 0);
        }
    }

    @Override
    public void close() {
        if (folder != NONE) {
            Libc.close(folder);
        }
    }
}
