package org.beefs.honeybee.fuse.protocol;

import java.time.Instant;
import org.beefs.common.posix.Timestamps;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.mount.LinuxFlags;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of requests: one record for each of the kernel's {@code struct fuse_…_in} with more than one or two
 * fields. BYTES is the length of a struct that something follows.
 */
public final class Arguments {
    private Arguments() {}

    public record Init(int major, int minor, int maxReadahead, long flags) {
        private static final int FLAGS_2 = 16;

        public static Init of(Body body) {
            long flags = Integer.toUnsignedLong(body.int32(12));
            if ((flags & Protocol.INIT_EXT) != 0 && body.bytes().byteSize() >= FLAGS_2 + 4) {
                flags |= Integer.toUnsignedLong(body.int32(FLAGS_2)) << 32;
            }
            return new Init(body.int32(0), body.int32(4), body.int32(8), flags);
        }
    }

    /** Changed attributes; {@code valid} says which. */
    public record Setattr(Body body) {
        private static final int ATIME = 32;
        private static final int MTIME = 40;
        private static final int ATIME_NANOS = 56;
        private static final int MTIME_NANOS = 60;

        public AttributeChange change() {
            int valid = body.int32(0);
            boolean truncates = (valid & Protocol.FATTR_SIZE) != 0;
            // No program sets both at once: a kernel before 5.11 takes set-id bits away by itself, in the name of who
            // truncates, who may not change the mode of somebody else's file.
            boolean clears = truncates && (valid & Protocol.FATTR_MODE) != 0;
            // A truncation sets mtime where the content is; the kernel's wish to set it as well adds nothing.
            boolean setsMtime =
                    (valid & Protocol.FATTR_MTIME) != 0 && !(truncates && (valid & Protocol.FATTR_MTIME_NOW) != 0);
            return new AttributeChange(
                    clears || (valid & Protocol.FATTR_MODE) == 0 ? null : body.int32(68) & 07777,
                    (valid & Protocol.FATTR_UID) == 0 ? null : body.int32(76),
                    (valid & Protocol.FATTR_GID) == 0 ? null : body.int32(80),
                    truncates ? (Long) body.int64(16) : null,
                    time((valid & Protocol.FATTR_ATIME) != 0, valid & Protocol.FATTR_ATIME_NOW, ATIME, ATIME_NANOS),
                    time(setsMtime, valid & Protocol.FATTR_MTIME_NOW, MTIME, MTIME_NANOS),
                    (valid & Protocol.FATTR_FH) == 0 ? null : (Long) body.int64(8),
                    clears || (valid & Protocol.FATTR_KILL_SUIDGID) != 0);
        }

        private @Nullable TimeChange time(boolean set, int now, int seconds, int nanos) {
            if (!set) {
                return null;
            }
            Instant time = Timestamps.nearest(body.int64(seconds), body.int32(nanos));
            return now != 0 ? new TimeChange.Now(time) : new TimeChange.At(time);
        }
    }

    public record Mknod(int mode, int device, int umask) {
        public static final int BYTES = 16;

        public static Mknod of(Body body) {
            return new Mknod(body.int32(0), body.int32(4), body.int32(8));
        }
    }

    public record Mkdir(int mode, int umask) {
        public static final int BYTES = 8;

        public static Mkdir of(Body body) {
            return new Mkdir(body.int32(0), body.int32(4));
        }
    }

    public record Create(OpenFlags flags, int mode, int umask, boolean clearPrivileges) {
        public static final int BYTES = 16;

        public static Create of(Body body) {
            return new Create(
                    LinuxFlags.open(body.int32(0)),
                    body.int32(4),
                    body.int32(8),
                    (body.int32(12) & Protocol.OPEN_KILL_SUIDGID) != 0);
        }
    }

    public record Open(OpenFlags flags, boolean clearPrivileges) {
        public static Open of(Body body) {
            return new Open(LinuxFlags.open(body.int32(0)), (body.int32(4) & Protocol.OPEN_KILL_SUIDGID) != 0);
        }
    }

    /** READ, READDIR and READDIRPLUS alike; for directories the offset is a cookie. */
    public record Read(long handle, long offset, int size) {
        public static Read of(Body body) {
            return new Read(body.int64(0), body.int64(8), body.int32(16));
        }
    }

    /**
     * Content to be written.
     *
     * @param fromPages whether it is what a program has changed in a mapping
     */
    public record Write(
            long handle,
            long offset,
            int size,
            boolean fromPages,
            boolean append,
            boolean durable,
            boolean clearPrivileges) {
        public static final int BYTES = 40;

        public static Write of(Body body) {
            int writeFlags = body.int32(20);
            int openFlags = body.int32(32);
            boolean fromPages = (writeFlags & Protocol.WRITE_CACHE) != 0;
            return new Write(
                    body.int64(0),
                    body.int64(8),
                    body.int32(16),
                    fromPages,
                    LinuxFlags.isAppend(openFlags) && !fromPages,
                    LinuxFlags.isDurable(openFlags),
                    (writeFlags & Protocol.WRITE_KILL_SUIDGID) != 0);
        }
    }

    public record Fallocate(long handle, long offset, long length, int mode) {
        public static Fallocate of(Body body) {
            return new Fallocate(body.int64(0), body.int64(8), body.int64(16), body.int32(24));
        }
    }

    /** GETLK, SETLK and SETLKW alike. The end is the last byte. */
    public record Lock(long handle, long owner, long start, long end, int type, int pid, boolean flock) {
        public static Lock of(Body body) {
            return new Lock(
                    body.int64(0),
                    body.int64(8),
                    body.int64(16),
                    body.int64(24),
                    body.int32(32),
                    body.int32(36),
                    (body.int32(40) & Protocol.LK_FLOCK) != 0);
        }
    }

    public record Flush(long handle, long lockOwner) {
        public static Flush of(Body body) {
            return new Flush(body.int64(0), body.int64(16));
        }
    }

    public record Copy(long source, long from, long target, long to, long length) {
        public static Copy of(Body body) {
            return new Copy(body.int64(0), body.int64(8), body.int64(24), body.int64(32), body.int64(40));
        }
    }

    public record Lseek(long handle, long offset, int whence) {
        public static Lseek of(Body body) {
            return new Lseek(body.int64(0), body.int64(8), body.int32(16));
        }
    }
}
