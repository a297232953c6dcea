package org.beefs.integration.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/** One function of the C library that returns a negative number and sets errno when it fails. Thread-safe. */
final class SystemCall {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));

    private static final MethodType GENERIC = MethodType.methodType(Object.class, Object[].class);

    private final String name;
    private final MethodHandle handle;

    private SystemCall(String name, FunctionDescriptor descriptor) {
        this.name = name;
        MethodHandle function = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), descriptor, Linker.Option.captureCallState("errno"));
        this.handle = function.asSpreader(Object[].class, function.type().parameterCount())
                .asType(GENERIC);
    }

    /** For a function that returns an int. */
    static SystemCall ofInt(String name, MemoryLayout... arguments) {
        return new SystemCall(name, FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    /** For a function that returns a long. */
    static SystemCall ofLong(String name, MemoryLayout... arguments) {
        return new SystemCall(name, FunctionDescriptor.of(ValueLayout.JAVA_LONG, arguments));
    }

    /** Calls it; throws {@link PosixException} with its errno when the result is negative. */
    long call(Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            Object[] all = new Object[arguments.length + 1];
            all[0] = state;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            long result = ((Number) (Object) handle.invokeExact(all)).longValue();
            if (result < 0) {
                throw failure(name, (int) ERRNO.get(state, 0L));
            }
            return result;
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("cannot call " + name, e);
        }
    }

    /** The exception for a failed call. */
    static PosixException failure(String call, int errno) {
        Errno named = Errno.of(errno);
        return new PosixException(named, call + " failed with " + (named.number() == errno ? named : "errno " + errno));
    }
}
