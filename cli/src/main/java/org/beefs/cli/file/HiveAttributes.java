package org.beefs.cli.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;

/** The extended attributes whose names begin with {@code beefs.}, of a file or directory in a mount. */
public final class HiveAttributes {
    private static final long ROOM = 65_536;

    private final Path path;

    public HiveAttributes(Path path) {
        this.path = path;
    }

    /** Empty where there is none of that name. Fails for what is not in a hive. */
    public Optional<String> get(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ROOM);
            long size = Libc.getxattr(
                    arena.allocateFrom(path.toString()), arena.allocateFrom(name), value, value.byteSize());
            if (size == -Errno.ENODATA.number()) {
                return Optional.empty();
            }
            return Optional.of(new String(value.asSlice(0, checked(size)).toArray(JAVA_BYTE), StandardCharsets.UTF_8));
        }
    }

    public void set(String name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = arena.allocate(Math.max(1, bytes.length)).copyFrom(MemorySegment.ofArray(bytes));
            int result = Libc.setxattr(
                    arena.allocateFrom(path.toString()), arena.allocateFrom(name), encoded, bytes.length, 0);
            if (result == -Errno.EINVAL.number()) {
                throw new CommandFailure(ExitCode.FAILED, "the hive does not take %s for %s".formatted(value, name));
            }
            checked(result);
        }
    }

    /** The hive's value holds again. */
    void remove(String name) {
        try (Arena arena = Arena.ofConfined()) {
            checked(Libc.removexattr(arena.allocateFrom(path.toString()), arena.allocateFrom(name)));
        }
    }

    private long checked(long result) {
        if (result >= 0) {
            return result;
        }
        Errno errno = Errno.of((int) -result);
        String reason = switch (errno) {
            case EOPNOTSUPP -> path + " is in no hive";
            case ENOENT -> "there is no " + path;
            case ENOSPC -> "there is no room here for %s, or this desktop is paused or draining".formatted(path);
            case ETXTBSY -> path + " is being written";
            case EBUSY -> "too many files are asked for here at once: run it again later for " + path;
            case EROFS -> path + " is in a mount that is read-only";
            case EPERM, EACCES -> "you may not do that with " + path;
            default -> "asking the hive about %s failed with %s".formatted(path, errno);
        };
        throw new CommandFailure(ExitCode.FAILED, reason);
    }
}
