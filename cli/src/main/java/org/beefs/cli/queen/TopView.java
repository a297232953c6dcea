package org.beefs.cli.queen;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.beefs.cli.queen.TopReport.Busy;
import org.beefs.cli.terminal.Table;
import org.beefs.common.config.ByteSize;

/** Who does what, for people. */
final class TopView {
    private static final int MOST_USERS = 20;
    private static final int MOST_OPERATIONS = 4;

    private TopView() {}

    /** The hive in two lines, and a table of who asks what. */
    static String render(TopReport report) {
        StringBuilder text = new StringBuilder();
        text.append(report.health()).append('\n');
        text.append("%s requests/s, half in %s, 99 %% in %s; %s\n\n"
                .formatted(
                        rate(report.requestsPerSecond()),
                        time(report.medianMicros()),
                        time(report.slowMicros()),
                        copying(report)));
        if (report.users().isEmpty()) {
            return text.append("Nobody asks the queen-bee anything.\n").toString();
        }
        Table table = new Table("desktop", "user", "requests/s", "most of all");
        report.users().stream().limit(MOST_USERS).forEach(busy -> add(table, busy));
        text.append(table.render());
        int more = report.users().size() - MOST_USERS;
        return more <= 0
                ? text.toString()
                : text.append("and %d more\n".formatted(more)).toString();
    }

    private static void add(Table table, Busy busy) {
        String most = busy.operations().entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_OPERATIONS)
                .map(operation -> operation.getKey().replace('_', ' ') + " " + rate(operation.getValue()))
                .collect(Collectors.joining(", "));
        String user = busy.name() == null ? busy.user() : busy.name();
        table.add(busy.desktop(), user, rate(busy.requestsPerSecond()), most);
    }

    private static String copying(TopReport report) {
        if (report.bytesToCopy() == 0) {
            return "nothing to copy";
        }
        return "%s to copy, %s/s".formatted(new ByteSize(report.bytesToCopy()), new ByteSize(report.copyRate()));
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%.0f", perSecond);
    }

    private static String time(long micros) {
        return String.format(Locale.ROOT, "%.2f ms", micros / 1000.0);
    }
}
