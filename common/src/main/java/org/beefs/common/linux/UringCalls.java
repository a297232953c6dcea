package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The system calls of io_uring, for which the C library has no functions. As {@link Libc}. */
final class UringCalls {
    private static final long SETUP = 425;
    private static final long ENTER = 426;
    private static final long REGISTER = 427;

    private static final MethodHandle SETUP_CALL = bind(JAVA_LONG, ADDRESS);
    private static final MethodHandle ENTER_CALL = bind(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    private static final MethodHandle REGISTER_CALL = bind(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);

    private UringCalls() {}

    static int setup(int entries, MemorySegment params) {
        MemorySegment state = Libc.CALL_STATE.get();
        try {
            long result = (long) SETUP_CALL.invokeExact(state, SETUP, (long) entries, params);
            return result < 0 ? -Libc.errno(state) : (int) result;
        } catch (Throwable impossible) {
            throw Libc.neverThrown(impossible);
        }
    }

    static int enter(int fd, int toSubmit, int minComplete, int flags) {
        MemorySegment state = Libc.CALL_STATE.get();
        try {
            long result = (long) ENTER_CALL.invokeExact(
                    state, ENTER, (long) fd, (long) toSubmit, (long) minComplete, (long) flags, MemorySegment.NULL, 0L);
            return result < 0 ? -Libc.errno(state) : (int) result;
        } catch (Throwable impossible) {
            throw Libc.neverThrown(impossible);
        }
    }

    static int register(int fd, int opcode, MemorySegment argument, int count) {
        MemorySegment state = Libc.CALL_STATE.get();
        try {
            long result =
                    (long) REGISTER_CALL.invokeExact(state, REGISTER, (long) fd, (long) opcode, argument, (long) count);
            return result < 0 ? -Libc.errno(state) : (int) result;
        } catch (Throwable impossible) {
            throw Libc.neverThrown(impossible);
        }
    }

    private static MethodHandle bind(MemoryLayout... arguments) {
        return Libc.bindVariadic(
                "syscall", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG).appendArgumentLayouts(arguments), 1);
    }
}
