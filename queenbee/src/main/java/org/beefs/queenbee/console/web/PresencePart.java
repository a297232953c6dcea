package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.beefs.queenbee.console.model.snapshot.PresencePeriod;

/** The part of a page that shows when a desktop was there: a strip for each day, and the same in words. */
final class PresencePart {
    /** Shown of a day's times in words. */
    private static final int MOST_TIMES = 6;

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEE d MMM", Locale.ENGLISH);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");
    private static final long MINUTES_OF_DAY = Duration.ofDays(1).toMinutes();

    private PresencePart() {}

    /** A time of one day, in minutes since its midnight. */
    private record Span(String presence, long from, long until) {}

    /** @param now as ISO 8601 has it */
    static Html of(List<PresencePeriod> periods, String now) {
        if (periods.isEmpty()) {
            return Html.NOTHING;
        }
        LocalDate last = day(Instant.parse(now));
        Instant end = Instant.parse(now).plus(Duration.ofMinutes(1)); // what has just begun is seen too
        LocalDate first = day(Instant.parse(periods.getFirst().from()));
        Grid grid = new Grid(
                "Times are UTC. High is awake, half as high asleep, low lost; where nothing is the queen-bee did not look.",
                "Day",
                "From 0 to 24 h",
                "Awake",
                "Asleep",
                "Lost");
        for (LocalDate day = last; !day.isBefore(first); day = day.minusDays(1)) {
            List<Span> spans = spans(periods, day, end);
            grid.add(
                    day.format(DAY),
                    strip(day, spans),
                    inWords(spans, "awake"),
                    inWords(spans, "asleep"),
                    inWords(spans, "lost"));
        }
        return Html.all(tag("h2", "When it was there"), grid.render(""));
    }

    private static LocalDate day(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    private static List<Span> spans(List<PresencePeriod> periods, LocalDate day, Instant end) {
        Instant midnight = day.atStartOfDay().toInstant(ZoneOffset.UTC);
        List<Span> spans = new ArrayList<>();
        for (PresencePeriod period : periods) {
            String until = period.until();
            long begin = minute(midnight, Instant.parse(period.from()));
            long over = minute(midnight, until == null ? end : Instant.parse(until));
            if (over > begin) {
                spans.add(new Span(period.presence(), begin, over));
            }
        }
        return spans;
    }

    private static long minute(Instant midnight, Instant time) {
        return Math.clamp(Duration.between(midnight, time).toMinutes(), 0, MINUTES_OF_DAY);
    }

    /** Presentation attributes, because the content security policy allows no styles within pages. */
    private static Html strip(LocalDate day, List<Span> spans) {
        List<Html> bars = spans.stream()
                .filter(span -> !span.presence.equals(PresencePeriod.NOT_SEEN))
                .map(PresencePart::bar)
                .toList();
        return tag(
                "svg",
                css("presence"),
                attribute("viewBox", "0 0 " + MINUTES_OF_DAY + " 12"),
                attribute("preserveAspectRatio", "none"),
                attribute("role", "img"),
                attribute("aria-label", "Presence on " + day.format(DAY) + ", as the next cells tell"),
                bars);
    }

    private static Html bar(Span span) {
        int height = switch (span.presence) {
            case "awake" -> 12;
            case "asleep" -> 6;
            default -> 2;
        };
        return tag(
                "rect",
                css(span.presence),
                attribute("x", span.from),
                attribute("y", 12 - height),
                attribute("width", span.until - span.from),
                attribute("height", height));
    }

    private static String inWords(List<Span> spans, String presence) {
        List<Span> those =
                spans.stream().filter(span -> span.presence.equals(presence)).toList();
        if (those.isEmpty()) {
            return "-";
        }
        long minutes = those.stream().mapToLong(span -> span.until - span.from).sum();
        List<String> times = those.stream()
                .limit(MOST_TIMES)
                .map(span -> time(span.from) + "–" + time(span.until))
                .toList();
        String more = those.size() > MOST_TIMES ? ", …" : "";
        return "%d h %d min: %s%s".formatted(minutes / 60, minutes % 60, String.join(", ", times), more);
    }

    private static String time(long minute) {
        return minute == MINUTES_OF_DAY
                ? "24:00"
                : LocalDate.EPOCH.atStartOfDay().plusMinutes(minute).format(TIME);
    }
}
