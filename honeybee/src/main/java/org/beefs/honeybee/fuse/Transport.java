package org.beefs.honeybee.fuse;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the kernel's requests come to the native driver, and its answers back. */
public enum Transport {
    /** Rings; where there are none, readers. */
    AUTOMATIC,
    /** FUSE over io_uring: one ring for each processor. */
    RINGS,
    /** Threads that read from and write to {@code /dev/fuse}. */
    READERS;

    /** As settings have it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The transport of that word.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static Transport of(String word) {
        return Arrays.stream(values())
                .filter(transport -> transport.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no transport \"" + word + "\", only "
                        + Arrays.stream(values()).map(Transport::word).collect(Collectors.joining(", "))));
    }
}
