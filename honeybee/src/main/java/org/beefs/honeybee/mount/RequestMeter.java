package org.beefs.honeybee.mount;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.time.Clock;

/** How often the kernel has asked for what, and how long the answers took. Thread-safe. */
public final class RequestMeter {
    private final Clock clock = new SystemClock();
    private final LongAdder[] counts = new LongAdder[Opcode.NUMBERS];
    private final OperationTimes<Opcode> times = new OperationTimes<>();
    private final LongAdder opens = new LongAdder();
    private final LongAdder passthroughOpens = new LongAdder();

    public RequestMeter() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    /** The kernel asks. */
    public void add(Opcode opcode) {
        counts[opcode.number()].increment();
    }

    /** The moment to be told with the answer. */
    public long now() {
        return clock.bootNanos();
    }

    /** The kernel was answered what it had asked then. */
    public void answered(Opcode opcode, long began) {
        times.took(opcode, clock.bootNanos() - began);
    }

    /**
     * A file was opened.
     *
     * @param passthrough whether the kernel reads and writes its content by itself
     */
    public void opened(boolean passthrough) {
        (passthrough ? passthroughOpens : opens).increment();
    }

    /** Files that were opened since the mount began, by the way that their content takes. */
    public Opens opens() {
        return new Opens(passthroughOpens.sum(), opens.sum());
    }

    /**
     * Files that were opened.
     *
     * @param passthrough whose content the kernel reads and writes by itself
     * @param daemon whose content goes through the driver
     */
    public record Opens(long passthrough, long daemon) {
        public static final Opens NONE = new Opens(0, 0);

        public Opens plus(Opens other) {
            return new Opens(passthrough + other.passthrough, daemon + other.daemon);
        }
    }

    /** By the opcode's name, without those that were never asked. */
    public Map<String, Long> counts() {
        Map<String, Long> asked = new TreeMap<>();
        for (Opcode opcode : Opcode.values()) {
            long count = counts[opcode.number()].sum();
            if (count > 0) {
                asked.put(opcode.name(), count);
            }
        }
        return asked;
    }

    /** How long answers took, by the opcode's name in lower case. What gets no answer is not in it. */
    public SortedMap<String, Reading> times() {
        return times.read();
    }
}
