package org.beefs.common.config;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 30s}, {@code 5m}, {@code 24h}, {@code 7d}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

    private Durations() {}

    /** Throws {@link IllegalArgumentException} with a sentence that shows the right form. */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write for example 250ms, 30s, 5m or 24h");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** The duration in the largest unit of which there are two, rounded down: for people. */
    public static String approximate(Duration duration) {
        if (duration.toDays() >= 2) {
            return duration.toDays() + "d";
        } else if (duration.toHours() >= 2) {
            return duration.toHours() + "h";
        }
        return duration.toMinutes() >= 2 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
    }

    /** The duration in the largest unit that needs no fraction; below a millisecond nothing is shown. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0 || millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
