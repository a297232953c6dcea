package org.beefs.integration.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.beefs.integration.hive.Role;

/** Replica files, and what is done to them without their honeycombs. */
public final class BehindBack {
    private BehindBack() {}

    /** The replica of a mounted file on that desktop. */
    public static Path replica(Role desktop, Path file) throws IOException {
        String name = "%016x.00000000".formatted((long) Files.getAttribute(file, "unix:ino"));
        try (Stream<Path> replicas = Files.walk(desktop.folder().resolve("honeycomb/replicas"))) {
            return replicas.filter(path -> path.endsWith(name)).findFirst().orElseThrow();
        }
    }

    /** And keeps the times as they were, as a disk does that forgets. */
    public static void flipAByte(Path replica) throws IOException {
        var modified = Files.getLastModifiedTime(replica);
        try (FileChannel channel = FileChannel.open(replica, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'X'}), 100);
        }
        Files.setLastModifiedTime(replica, modified);
    }

    public static void truncate(Path replica, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(replica, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }
}
