package org.beefs.cli.view;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.beefs.cli.terminal.Visible;
import org.beefs.honeybee.trace.TracedCall;

/** Calls in lines, for people. */
public final class TraceView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private TraceView() {}

    /** When it began, what was asked, how it went, and the id that logs know it by. */
    public static String render(TraceLine line, ZoneId zone) {
        TracedCall call = line.call();
        return "%s  %-10s  %s  thread %d  %s  (request %s)"
                .formatted(
                        TIME.format(Instant.parse(call.time()).atZone(zone)),
                        call.operation(),
                        subject(call),
                        call.thread(),
                        line.state().equals(TraceLine.WAITING) ? waiting(call) : ended(call),
                        call.request());
    }

    private static String subject(TracedCall call) {
        String name = call.name();
        if (call.path() != null && !call.path().isEmpty()) {
            return Visible.of(call.path());
        }
        String inode = call.inode() == 0 ? "-" : "inode " + call.inode();
        return name == null ? inode : Visible.of(name) + " in " + inode;
    }

    private static String waiting(TracedCall call) {
        return "waits since %s for %s".formatted(time(call.micros()), reasons(call));
    }

    private static String ended(TracedCall call) {
        String result = "%s  %s".formatted(time(call.micros()), call.error() == null ? "ok" : call.error());
        return call.waits().isEmpty() ? result : "%s, after it waited for %s".formatted(result, reasons(call));
    }

    private static String reasons(TracedCall call) {
        return call.waits().stream()
                .map(TracedCall.Reason::text)
                .distinct()
                .map(Visible::of)
                .collect(Collectors.joining(", and for "));
    }

    private static String time(long micros) {
        return micros < 1_000_000
                ? String.format(Locale.ROOT, "%.2f ms", micros / 1000.0)
                : String.format(Locale.ROOT, "%.1f s", micros / 1_000_000.0);
    }
}
