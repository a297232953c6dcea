package org.beefs.honeybee.fuse;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** How often the kernel has asked for what. Thread-safe. */
public final class RequestCounts {
    private final LongAdder[] counts = new LongAdder[Opcode.NUMBERS];

    public RequestCounts() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    public void add(Opcode opcode) {
        counts[opcode.number()].increment();
    }

    /** By the opcode's name, without those that were never asked. */
    public Map<String, Long> toMap() {
        Map<String, Long> asked = new TreeMap<>();
        for (Opcode opcode : Opcode.values()) {
            long count = counts[opcode.number()].sum();
            if (count > 0) {
                asked.put(opcode.name(), count);
            }
        }
        return asked;
    }
}
