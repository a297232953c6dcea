package org.beefs.common.config;

/** How many of something there are, for people. */
public final class Count {
    private Count() {}

    /** For example {@code 1 file} or {@code 3 files}. */
    public static String of(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}
