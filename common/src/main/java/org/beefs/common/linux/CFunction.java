package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.ref.Reference.reachabilityFence;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A function of the C library that takes at most six integers and addresses, and returns one. All are called in the
 * same form, six words that return a word, because each further form costs every start of every program some 10 ms. A
 * function does not see words beyond its own: on x86-64 and AArch64 they are in registers. Thread-safe.
 */
final class CFunction {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor SIX_WORDS =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
    private static final MethodHandle FIXED = LINKER.downcallHandle(SIX_WORDS, CAPTURE_ERRNO);
    private static final MethodHandle VARIADIC =
            LINKER.downcallHandle(SIX_WORDS, CAPTURE_ERRNO, Linker.Option.firstVariadicArg(2));
    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));

    /** Where a call of this thread leaves its errno; freed with the thread. */
    private static final ThreadLocal<MemorySegment> CALL_STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private final MemorySegment address;
    private final boolean variadic;

    private CFunction(String name, boolean variadic) {
        this.address = LINKER.defaultLookup().findOrThrow(name);
        this.variadic = variadic;
    }

    static CFunction of(String name) {
        return new CFunction(name, false);
    }

    /** A function of two arguments, which others may follow. */
    static CFunction variadic(String name) {
        return new CFunction(name, true);
    }

    /** The argument for memory outside of the heap. An address does not keep it, so the call is {@link #keeping}. */
    static long at(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("the C library does not reach what is on the heap");
        }
        return memory.address();
    }

    /**
     * The result of a call that was given an address in this memory: the collector may free it only now. Calls do not
     * throw, so there is nothing to be fenced in a finally block.
     */
    @SuppressWarnings("ReachabilityFenceUsage")
    static long keeping(MemorySegment memory, long result) {
        reachabilityFence(memory);
        return result;
    }

    /** As {@link #keeping(MemorySegment, long)}. */
    @SuppressWarnings("ReachabilityFenceUsage")
    static int keeping(MemorySegment memory, int result) {
        reachabilityFence(memory);
        return result;
    }

    /** Calls a function that returns {@code ssize_t} or the like. Answers {@code -errno} for a negative result. */
    long call(long a, long b, long c) {
        return call(a, b, c, 0, 0, 0);
    }

    /** As {@link #call(long, long, long)}, for six arguments. */
    long call(long a, long b, long c, long d, long e, long f) {
        MemorySegment state = CALL_STATE.get();
        long result = words(state, a, b, c, d, e, f);
        return result < 0 ? -errno(state) : result;
    }

    /**
     * Calls a function that returns {@code int}: half of the word that comes back says nothing. Answers {@code -errno}
     * for a negative result.
     */
    int callInt(long a) {
        return callInt(a, 0, 0, 0, 0, 0);
    }

    /** As {@link #callInt(long)}, for three arguments. */
    int callInt(long a, long b, long c) {
        return callInt(a, b, c, 0, 0, 0);
    }

    /** As {@link #callInt(long)}, for six arguments. */
    int callInt(long a, long b, long c, long d, long e, long f) {
        MemorySegment state = CALL_STATE.get();
        int result = (int) words(state, a, b, c, d, e, f);
        return result < 0 ? -errno(state) : result;
    }

    private long words(MemorySegment state, long a, long b, long c, long d, long e, long f) {
        try {
            return variadic
                    ? (long) VARIADIC.invokeExact(address, state, a, b, c, d, e, f)
                    : (long) FIXED.invokeExact(address, state, a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw neverThrown(impossible);
        }
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /** A downcall throws only for arguments of the wrong type: a defect of the caller. */
    static AssertionError neverThrown(Throwable cause) {
        return new AssertionError("a call of the C library threw", cause);
    }
}
