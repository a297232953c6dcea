package org.beefs.cli.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URLDecoder;
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

    /** Stands in strings for what is not UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    private final Path path;

    public HiveAttributes(Path path) {
        this.path = path;
    }

    /** Empty where there is none of that name. Fails for what is not in a hive. */
    public Optional<String> get(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ROOM);
            long size = Libc.getxattr(named(arena), arena.allocateFrom(name), value, value.byteSize());
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
            int result = Libc.setxattr(named(arena), arena.allocateFrom(name), encoded, bytes.length, 0);
            if (result == -Errno.EINVAL.number()) {
                throw new CommandFailure(ExitCode.FAILED, "the hive does not take %s for %s".formatted(value, name));
            }
            checked(result);
        }
    }

    /** The hive's value holds again. */
    void remove(String name) {
        try (Arena arena = Arena.ofConfined()) {
            checked(Libc.removexattr(named(arena), arena.allocateFrom(name)));
        }
    }

    /** Its bytes as the system has them: strings have no place for those that are not UTF-8. */
    private MemorySegment named(Arena arena) {
        if (path.toString().indexOf(REPLACEMENT) < 0) { // what else can tell them looks at the file first
            return arena.allocateFrom(path.toString());
        }
        String encoded = path.toUri().getRawPath().replace("+", "%2B");
        byte[] bytes = URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
        return arena.allocate(bytes.length + 1L).copyFrom(MemorySegment.ofArray(bytes));
    }

    /** That it is not there, in a sentence. What is no UTF-8 on the command line, Java makes another name of. */
    static String absent(Path path) {
        return "there is no " + path
                + (path.toString().indexOf(REPLACEMENT) < 0
                        ? ""
                        : "; if its name is not UTF-8, it cannot be given here: name a directory above it");
    }

    private long checked(long result) {
        if (result >= 0) {
            return result;
        }
        Errno errno = Errno.of((int) -result);
        String reason = switch (errno) {
            case EOPNOTSUPP -> path + " is in no hive";
            case ENOENT -> absent(path);
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
