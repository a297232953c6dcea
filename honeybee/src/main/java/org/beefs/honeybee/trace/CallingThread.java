package org.beefs.honeybee.trace;

/**
 * Which thread of which program the current thread of a driver works for. Drivers say so before they begin an
 * operation; what goes on elsewhere does not know it any more.
 */
public final class CallingThread {
    private static final ThreadLocal<int[]> CURRENT = ThreadLocal.withInitial(() -> new int[1]);

    private CallingThread() {}

    /** The driver begins an operation for this thread; 0 when the kernel names none. */
    public static void set(int thread) {
        CURRENT.get()[0] = thread;
    }

    static int get() {
        return CURRENT.get()[0];
    }
}
