package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.time.Duration;
import org.beefs.common.config.Durations;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.HiveView.Records;
import org.beefs.queenbee.console.model.snapshot.Snapshot;

/** What is there for the day on which the queen-bee's disk is gone. */
final class RecoveryPage implements Page {
    static final String PATH = "/recovery";

    private final ConsoleModel model;

    RecoveryPage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "Recovery";
    }

    @Override
    public Html body(PageRequest request) {
        Snapshot snapshot = model.snapshot();
        return Html.all(
                tag(
                        "p",
                        "Desktops keep records of the namespace beside their replicas. If the queen-bee's disk is lost, the hive is rebuilt from them: with the unit ",
                        tag("code", "beefs-recovery"),
                        ", as ",
                        tag("em", "Rebuilding the queen-bee"),
                        " in docs/OPERATIONS.md has it, or, where beefs up has made the hive, with ",
                        tag("code", "beefs recover"),
                        "."),
                compared(snapshot.hive().records()),
                DrillPart.of(model.drills().view(), request.viewer()),
                tag("h2", "Records on desktops"),
                records(snapshot));
    }

    private static Html compared(Records records) {
        String at = records.comparedAt();
        return tag(
                "p",
                css(at == null ? "health" : "health good"),
                at == null
                        ? "No desktop has told what it holds since the queen-bee's start."
                        : "What desktops hold was last compared with the namespace at %s: %s replicas, of which %s had changed without her knowing and were taken over."
                                .formatted(
                                        Shown.time(at),
                                        Shown.number(records.comparedReplicas()),
                                        Shown.number(records.healedFiles())));
    }

    private static Html records(Snapshot snapshot) {
        Grid grid = new Grid("How complete they are", "Desktop", "State", "Records that wait", "Behind for");
        snapshot.desktops().stream()
                .filter(DesktopView::hasHoneycomb)
                .forEach(desktop -> grid.add(
                        DesktopsPage.link(desktop.name()),
                        desktop.presence(),
                        Shown.number(desktop.recordsWaiting()),
                        desktop.recordsBehindMillis() == 0
                                ? "complete"
                                : Durations.approximate(Duration.ofMillis(desktop.recordsBehindMillis()))));
        return grid.render("No desktop keeps records yet.");
    }
}
