package org.beefs.common.linux;

import static org.beefs.common.linux.CFunction.at;
import static org.beefs.common.linux.CFunction.keeping;

import java.lang.foreign.MemorySegment;

/** The system calls of io_uring, for which the C library has no functions. As {@link Libc}. */
final class UringCalls {
    private static final long SETUP = 425;
    private static final long ENTER = 426;
    private static final long REGISTER = 427;

    private static final CFunction SYSCALL = CFunction.of("syscall");

    private UringCalls() {}

    static int setup(int entries, MemorySegment params) {
        return keeping(params, (int) SYSCALL.call(SETUP, entries, at(params)));
    }

    /** As io_uring_enter(2) without a signal mask: its size, which would be the seventh word, means nothing then. */
    static int enter(int fd, int toSubmit, int minComplete, int flags) {
        return (int) SYSCALL.call(ENTER, fd, toSubmit, minComplete, flags, 0);
    }

    static int register(int fd, int opcode, MemorySegment argument, int count) {
        return keeping(argument, (int) SYSCALL.call(REGISTER, fd, opcode, at(argument), count, 0));
    }
}
