package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.beefs.queenbee.recovery.DrillFindings;
import org.jspecify.annotations.Nullable;

/** The part of a page that shows the drill of a recovery. */
final class DrillPart {
    private DrillPart() {}

    static Html of(DrillView drill, Viewer viewer) {
        return Html.all(
                tag("h2", "Drill"),
                tag(
                        "p",
                        "A drill rebuilds the namespace from the records of all desktops that are awake, in memory, and compares it with the living one. Nobody notices, and nothing is changed."),
                drill.running() ? running(drill) : last(drill),
                Buttons.drill(viewer, drill.running(), RecoveryPage.PATH));
    }

    private static Html running(DrillView drill) {
        Html progress = drill.all() == 0
                ? tag("progress", attribute("aria-label", "The drill"))
                : tag(
                        "progress",
                        attribute("max", drill.all()),
                        attribute("value", Math.min(drill.done(), drill.all())),
                        attribute("aria-label", "Records that are read"));
        return Html.all(
                tag("p", css("health"), attribute("role", "status"), drill.summary()),
                tag("p", progress, " ", Shown.number(drill.done()), " of ", Shown.number(drill.all()), " records"));
    }

    private static Html last(DrillView drill) {
        String begun = drill.begun();
        if (begun == null) {
            return tag("p", css("health"), drill.summary());
        }
        boolean passed = drill.state().equals(DrillView.PASSED);
        return Html.all(
                tag("p", css(passed ? "health good" : "health"), attribute("role", "status"), drill.summary()),
                advice(drill.advice()),
                tag(
                        "p",
                        css("faint"),
                        "Begun by ",
                        String.valueOf(drill.by()),
                        " at ",
                        Shown.time(begun),
                        ".",
                        away(drill)),
                list(drill.damaged()),
                gaps(drill.findings()),
                unknown(drill.findings()));
    }

    private static Html advice(@Nullable String advice) {
        return advice == null ? Html.NOTHING : tag("p", advice);
    }

    private static String away(DrillView drill) {
        return drill.away().isEmpty() ? "" : " Away then: " + String.join(", ", drill.away()) + ".";
    }

    private static Html list(List<String> lines) {
        return lines.isEmpty()
                ? Html.NOTHING
                : tag(
                        "ul",
                        lines.stream().map(line -> tag("li", css("path"), line)).toList());
    }

    private static Html unknown(@Nullable DrillFindings findings) {
        return findings == null
                ? Html.NOTHING
                : list(findings.unknown().stream()
                        .map(path -> "unknown to the queen-bee: " + path)
                        .toList());
    }

    private static Html gaps(@Nullable DrillFindings findings) {
        if (findings == null || findings.examples().isEmpty()) {
            return Html.NOTHING;
        }
        long all = findings.gaps().values().stream().mapToLong(Long::longValue).sum();
        Grid grid = new Grid(
                "%d of %s".formatted(findings.examples().size(), Shown.number(all)),
                "What a recovery would not bring back as it is",
                "It would be",
                "Because",
                "Desktops that should know it");
        findings.examples()
                .forEach(gap -> grid.add(
                        gap.path().isEmpty() ? "inode " + gap.inode() : FilesPage.link(gap.inode(), gap.path()),
                        gap.state(),
                        gap.reason(),
                        String.join(", ", gap.desktops())));
        return grid.render("");
    }
}
