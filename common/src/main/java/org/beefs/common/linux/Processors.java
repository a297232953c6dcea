package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine's processors, by the kernel's numbers. Stateless and thread-safe. */
public final class Processors {
    private static final Path POSSIBLE = Path.of("/sys/devices/system/cpu/possible");

    private static final CFunction SCHED_SETAFFINITY = CFunction.of("sched_setaffinity");

    private Processors() {}

    /** How many there may be, also such as are not there yet. */
    public static int possible() throws IOException {
        return countOf(Files.readString(POSSIBLE).strip());
    }

    /** The number of processors in a list as the kernel writes it, such as {@code 0-3,8}. */
    static int countOf(String list) {
        int count = 0;
        for (String range : list.split(",", -1)) {
            int dash = range.indexOf('-');
            count += dash < 0
                    ? 1
                    : Integer.parseInt(range, dash + 1, range.length(), 10) - Integer.parseInt(range, 0, dash, 10) + 1;
        }
        return count;
    }

    /** Binds the calling thread to a processor; false when that is not there, or not for this process. */
    public static boolean bindThread(int processor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate((processor / 64 + 1L) * 8, 8);
            set.set(JAVA_BYTE, processor / 8, (byte) (1 << (processor % 8)));
            return SCHED_SETAFFINITY.callInt(0, set.byteSize(), CFunction.at(set)) == 0;
        }
    }
}
