package org.beefs.common.request;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the ids of requests. The upper 28 bits are the process's, so that two daemons of a hive hardly ever make the
 * same; the lower 36 count, and begin anew after 68 billion. Thread-safe.
 */
public final class RequestIds {
    private static final int COUNTER_BITS = 36;
    private static final long COUNTER = (1L << COUNTER_BITS) - 1;

    private final long process;
    private final AtomicLong last = new AtomicLong();

    /** @param process a number that other processes hardly ever have */
    public RequestIds(long process) {
        this.process = process & ~COUNTER;
    }

    /** The ids of a process that is numbered, such as the next one each time. */
    public static RequestIds of(long number) {
        return new RequestIds(number << COUNTER_BITS);
    }

    /** An id that was not made before; never {@link CurrentRequest#NONE}. */
    public long next() {
        long count = last.incrementAndGet() & COUNTER;
        return count == 0 ? next() : process | count;
    }

    /** The id of the request that the thread works for; a new id for work that begins here. */
    public long currentOrNext() {
        long current = CurrentRequest.id();
        return current == CurrentRequest.NONE ? next() : current;
    }

    /** The id as logs and tools show it, 16 digits. */
    public static String text(long id) {
        return HexFormat.of().toHexDigits(id);
    }
}
