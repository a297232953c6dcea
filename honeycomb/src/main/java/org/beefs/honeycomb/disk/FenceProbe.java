package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the immutable flag stops those who have a file open or mapped for writing already. Some file
 * systems do not have the flag, and others look at it only when a file is opened.
 */
@ProductionOnly
final class FenceProbe {
    private static final Logger LOG = LoggerFactory.getLogger(FenceProbe.class);
    private static final int PAGE = 4096;

    private FenceProbe() {}

    /** Tries it on a file that nobody else uses, and says in the log if it does not. */
    static boolean fences(Path file) {
        String trouble;
        try {
            trouble = trouble(file);
        } catch (PosixException | IOException e) {
            trouble = e.getMessage();
        }
        if (trouble != null) {
            LOG.warn(
                    "the honeycomb's file system cannot stop programs that write a file ({}): contents go through the daemon",
                    trouble);
        }
        return trouble == null;
    }

    private static @Nullable String trouble(Path file) throws IOException {
        try (FileChannel writer = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            // Makes the block: on a full disk this fails, where a store to a page without one would be a fault.
            writer.write(ByteBuffer.wrap(new byte[] {1}), 0);
            MemorySegment map = writer.map(MapMode.READ_WRITE, 0, PAGE, arena);
            map.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            int fd = LinuxCalls.open(file, LinuxCalls.O_RDONLY, 0);
            try {
                FileFlags.setImmutable(fd, file, true);
                try {
                    return takesWrites(writer) ? "descriptors go on" : takesStores(map) ? "mappings go on" : null;
                } finally {
                    FileFlags.setImmutable(fd, file, false);
                }
            } finally {
                Libc.close(fd);
            }
        }
    }

    private static boolean takesWrites(FileChannel writer) {
        try {
            writer.write(ByteBuffer.wrap(new byte[] {1}), 0);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /**
     * The kernel stores in this process's place: what would be SIGBUS for a store of its own is EFAULT for a read into
     * the page.
     */
    private static boolean takesStores(MemorySegment map) {
        int zeros = LinuxCalls.open(Path.of("/dev/zero"), LinuxCalls.O_RDONLY, 0);
        try {
            return Libc.read(zeros, map, 1) != -Errno.EFAULT.number();
        } finally {
            Libc.close(zeros);
        }
    }
}
