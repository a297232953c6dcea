package org.beefs.honeybee.mount;

import org.jspecify.annotations.Nullable;

/**
 * What the kernel can ask (enum fuse_opcode). Those that this driver leaves to the kernel's fallback are not listed.
 */
public enum Opcode {
    LOOKUP(1),
    FORGET(2),
    GETATTR(3),
    SETATTR(4),
    READLINK(5),
    SYMLINK(6),
    MKNOD(8),
    MKDIR(9),
    UNLINK(10),
    RMDIR(11),
    RENAME(12),
    LINK(13),
    OPEN(14),
    READ(15),
    WRITE(16),
    STATFS(17),
    RELEASE(18),
    FSYNC(20),
    SETXATTR(21),
    GETXATTR(22),
    LISTXATTR(23),
    REMOVEXATTR(24),
    FLUSH(25),
    INIT(26),
    OPENDIR(27),
    READDIR(28),
    RELEASEDIR(29),
    FSYNCDIR(30),
    GETLK(31),
    SETLK(32),
    SETLKW(33),
    ACCESS(34),
    CREATE(35),
    INTERRUPT(36),
    DESTROY(38),
    BATCH_FORGET(42),
    FALLOCATE(43),
    READDIRPLUS(44),
    RENAME2(45),
    LSEEK(46),
    COPY_FILE_RANGE(47),
    TMPFILE(51),
    STATX(52),
    COPY_FILE_RANGE_64(53);

    /** Above all numbers of opcodes. */
    public static final int NUMBERS = 64;

    private static final @Nullable Opcode[] BY_NUMBER = new @Nullable Opcode[NUMBERS];

    static {
        for (Opcode opcode : values()) {
            BY_NUMBER[opcode.number] = opcode;
        }
    }

    private final int number;

    Opcode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** The opcode of a number; null for one that this driver does not serve. */
    public static @Nullable Opcode of(int number) {
        return number >= 0 && number < NUMBERS ? BY_NUMBER[number] : null;
    }
}
