package org.beefs.honeybee.mount;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a mount speaks with the kernel. */
public enum Driver {
    /** The native driver; where it cannot work the other one. */
    AUTOMATIC,
    /**
     * The native driver, which speaks the kernel's protocol, through threads that read from and write to
     * {@code /dev/fuse}; Linux only.
     */
    NATIVE,
    /**
     * The native driver through FUSE over io_uring: one ring for each processor. A daemon that is stopped keeps its
     * callers from being killed.
     */
    RINGS,
    /** Through jnr-fuse and libfuse 2, by paths. */
    JNR;

    /** As settings and options have it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The driver of that word.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static Driver of(String word) {
        return Arrays.stream(values())
                .filter(driver -> driver.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no driver \"" + word + "\", only "
                        + Arrays.stream(values()).map(Driver::word).collect(Collectors.joining(", "))));
    }
}
