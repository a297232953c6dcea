package org.beefs.honeybee.mount;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel's switch that ends a mount's connection with its daemon. It is opened while the mount is certainly there:
 * the kernel gives the number of a mount that is gone to the next one, anybody's, and the open switch of a connection
 * that is gone does nothing. Thread-safe.
 */
final class AbortSwitch {
    private static final Logger LOG = LoggerFactory.getLogger(AbortSwitch.class);

    /** Where the control file system of FUSE usually is. */
    private static final Path CONNECTIONS = Path.of("/sys/fs/fuse/connections");

    /** Some directory that each machine has. */
    private static final Path ANYWHERE = Path.of("/tmp");

    private final @Nullable FileChannel file;

    private AbortSwitch(@Nullable FileChannel file) {
        this.file = file;
    }

    /**
     * The switch of a mount that was made just now. Without root there is one only where the control file system of
     * FUSE is mounted; otherwise a connection ends with this process.
     *
     * @param number of the mount's file system, the minor part
     */
    static AbortSwitch of(String number, boolean isRoot) {
        try {
            return new AbortSwitch(open(number, isRoot));
        } catch (IOException refused) {
            LOG.info("the connection of a mount can end only with this process: {}", refused.toString());
            return new AbortSwitch(null);
        }
    }

    private static @Nullable FileChannel open(String number, boolean isRoot) throws IOException {
        if (Files.isDirectory(CONNECTIONS.resolve(number))) {
            return openIn(CONNECTIONS, number);
        }
        return isRoot ? openAside(number) : null;
    }

    /** Opens the switch in a control file system that is mounted for the moment, unseen: not every machine has one. */
    private static FileChannel openAside(String number) throws IOException {
        try (PrivateMounts aside = PrivateMounts.open()) {
            return aside.call(() -> {
                mountControl();
                return openIn(ANYWHERE, number);
            });
        }
    }

    private static void mountControl() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment type = arena.allocateFrom("fusectl");
            int result = Libc.mount(type, arena.allocateFrom(ANYWHERE.toString()), type, 0, arena.allocateFrom(""));
            if (result < 0) {
                throw new IOException("the control file system of FUSE cannot be mounted: " + Errno.of(-result));
            }
        }
    }

    private static FileChannel openIn(Path control, String number) throws IOException {
        return FileChannel.open(control.resolve(number).resolve("abort"), StandardOpenOption.WRITE);
    }

    /** Ends the connection, if it is still there. */
    void press() throws IOException {
        if (file == null) {
            return;
        }
        try {
            file.write(ByteBuffer.wrap("1".getBytes(StandardCharsets.US_ASCII)));
        } catch (ClosedChannelException ended) {
            // Nobody serves the mount any more, which is what was wanted.
        }
    }

    /** To be called when nobody serves the mount any more. */
    void close() {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException failure) {
            LOG.warn("a file of the control file system of FUSE cannot be closed", failure);
        }
    }
}
