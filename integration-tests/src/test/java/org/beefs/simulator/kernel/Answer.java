package org.beefs.simulator.kernel;

import java.util.function.Supplier;
import org.beefs.common.posix.Errno;

/** What the kernel does with an answer of the daemon. */
interface Answer<T, R> {
    /**
     * The driver writes it, with the lifetimes of this moment. What is returned happens a little later, when the thread
     * that waits for it runs: the kernel may have been told to forget in between.
     */
    Supplier<R> written(T result);

    /** The driver writes a failure; otherwise as {@link #written}. */
    default Runnable failed(Errno errno) {
        return () -> {};
    }

    /** One of which the kernel remembers nothing. */
    static <T> Answer<T, T> plain() {
        return result -> () -> result;
    }

    /** One after which something has changed for the kernel itself. */
    static <T> Answer<T, T> then(Runnable change) {
        return result -> () -> {
            change.run();
            return result;
        };
    }
}
