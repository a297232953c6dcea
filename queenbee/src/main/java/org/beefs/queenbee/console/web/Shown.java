package org.beefs.queenbee.console.web;

import java.time.Duration;
import java.util.Locale;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.Durations;

/** Numbers and times as people read them. */
final class Shown {
    private Shown() {}

    static String bytes(long bytes) {
        return new ByteSize(Math.max(0, bytes)).toString();
    }

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }

    /** A number of things, of which one is called so. */
    static String count(long number, String one) {
        String many = one.endsWith("y") ? one.substring(0, one.length() - 1) + "ies" : one + "s";
        return number(number) + " " + (number == 1 ? one : many);
    }

    static String seconds(long seconds) {
        return Durations.approximate(Duration.ofSeconds(seconds));
    }

    static String micros(long micros) {
        return micros < 1000
                ? micros + " µs"
                : String.format(Locale.ROOT, micros < 100_000 ? "%.1f ms" : "%.0f ms", micros / 1000.0);
    }

    /** To the second. */
    static String time(String iso) {
        return iso.replace('T', ' ').replaceAll("(\\.\\d+)?Z$", "") + " UTC";
    }
}
