package org.beefs.cli.queen;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.beefs.cli.terminal.Visible;
import org.beefs.cli.view.Report;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.beefs.queenbee.console.model.snapshot.HiveView.Attention;

/**
 * What needs somebody's attention in the hive, as the queen-bee sees it. Its JSON is an interface: fields are added,
 * never renamed.
 */
public record AttentionReport(List<Attention> attention) implements Report {
    public static AttentionReport of(RunningQueenBee queenBee) {
        return new AttentionReport(
                queenBee.get("/hive", Map.of(), HiveView.class).attention());
    }

    @Override
    public String render() {
        return attention.isEmpty()
                ? "Nothing needs attention."
                : attention.stream().map(AttentionReport::line).collect(Collectors.joining("\n"));
    }

    private static String line(Attention attention) {
        return Visible.of("%s %s%s".formatted(attention.what(), attention.advice(), command(attention)));
    }

    /** What the console has as a button behind the advice. */
    private static String command(Attention attention) {
        return switch (attention.action()) {
            case "lost" -> " beefs lost " + attention.desktop();
            case "cancel-drain" -> " beefs drain %s --cancel".formatted(attention.desktop());
            case null, default -> "";
        };
    }
}
