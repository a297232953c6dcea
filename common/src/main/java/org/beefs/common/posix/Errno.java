package org.beefs.common.posix;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Linux error numbers. */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    ESRCH(3),
    EINTR(4),
    EIO(5),
    ENXIO(6),
    E2BIG(7),
    EBADF(9),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    EXDEV(18),
    ENODEV(19),
    ENOTDIR(20),
    EISDIR(21),
    EINVAL(22),
    ENFILE(23),
    EMFILE(24),
    ENOTTY(25),
    ETXTBSY(26),
    EFBIG(27),
    ENOSPC(28),
    ESPIPE(29),
    EROFS(30),
    EMLINK(31),
    EPIPE(32),
    ERANGE(34),
    EDEADLK(35),
    ENAMETOOLONG(36),
    ENOLCK(37),
    ENOSYS(38),
    ENOTEMPTY(39),
    ELOOP(40),
    ENODATA(61),
    EPROTO(71),
    EOVERFLOW(75),
    EOPNOTSUPP(95),
    ENOTCONN(107),
    ETIMEDOUT(110),
    EINPROGRESS(115),
    ESTALE(116),
    EDQUOT(122),
    ECANCELED(125);

    private static final Map<Integer, Errno> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Errno::number, Function.identity()));

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    /** The number that Linux gives it, above 0. */
    public int number() {
        return number;
    }

    /** Whether a disk takes no more: it is full, or the quota of who writes is used up. */
    public boolean saysFull() {
        return this == ENOSPC || this == EDQUOT;
    }

    /** The error of that number; {@link #EIO} for a number that BeeFS never produces. */
    public static Errno of(int number) {
        return BY_NUMBER.getOrDefault(number, EIO);
    }
}
