package org.beefs.common.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of storage, written as people write it: {@code 512}, {@code 64k}, {@code 1.5G}, {@code 2TiB}. Units are
 * powers of 1024.
 *
 * @param bytes the amount, 0 or more
 */
public record ByteSize(long bytes) {
    private static final String UNITS = "KMGTPE";
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(?:([KMGTPE])(?:I?B)?|B)?");

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size cannot be negative");
        }
    }

    /** Throws {@link IllegalArgumentException} with a sentence that shows the right form. */
    public static ByteSize parse(String text) {
        Matcher matcher = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size; write for example 500M, 1.5G or 2T");
        }
        int power = matcher.group(2) == null ? 0 : UNITS.indexOf(matcher.group(2)) + 1;
        double bytes = Double.parseDouble(matcher.group(1)) * Math.pow(1024, power);
        if (bytes >= Long.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "' is more than any disk holds");
        }
        return new ByteSize((long) bytes);
    }

    /**
     * Adds two amounts of bytes, 0 or more each; the answer is {@link Long#MAX_VALUE} when it is more than that. A
     * sparse file may be as long by itself.
     */
    public static long sum(long bytes, long others) {
        long sum = bytes + others;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** As {@link #sum} of so many equal amounts; neither of both is negative. */
    public static long times(long bytes, long count) {
        boolean fits = Math.multiplyHigh(bytes, count) == 0 && bytes * count >= 0;
        return fits ? bytes * count : Long.MAX_VALUE;
    }

    /** The amount with one decimal and the largest fitting unit, such as {@code 1.5 GiB}. */
    @Override
    public String toString() {
        if (bytes < 1024) {
            return bytes + " B";
        }
        int power = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
        return String.format(Locale.ROOT, "%.1f %ciB", bytes / Math.pow(1024, power), UNITS.charAt(power - 1));
    }
}
