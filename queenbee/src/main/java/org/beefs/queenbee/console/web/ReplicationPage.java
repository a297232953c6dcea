package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.replication.CopyView;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.beefs.queenbee.console.model.snapshot.HiveView.Copies;
import org.beefs.queenbee.console.model.snapshot.Replication;
import org.beefs.queenbee.console.model.snapshot.Snapshot;

/** How far replicas are from what they should be. */
final class ReplicationPage implements Page {
    private final ConsoleModel model;

    ReplicationPage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "Replication";
    }

    @Override
    public Html body(PageRequest request) {
        Snapshot snapshot = model.snapshot();
        Replication replication = model.replication();
        List<CopyView> copying = model.copying();
        return Html.all(
                tiles(snapshot.hive().copies()),
                tag("h2", "Under way"),
                underWay(copying),
                tag("h2", "Replicas that leave desktops"),
                leaving(snapshot, copying),
                tag("h2", "What waits for which desktop"),
                awaited(snapshot),
                tag("h2", "Files with too few current replicas"),
                lacking(replication));
    }

    private static Html tiles(Copies copies) {
        Long left = copies.secondsLeft();
        return tag(
                "dl",
                css("tiles"),
                HivePage.tile(
                        "Too few replicas",
                        Shown.count(copies.underReplicated(), "file"),
                        "that desktops would have room for"),
                HivePage.tile("Old replicas", Shown.number(copies.stale()), "that hold an earlier version"),
                HivePage.tile(
                        "To be copied now",
                        Shown.number(copies.toCopy()),
                        Shown.bytes(copies.bytesToCopy()) + " for desktops that are awake"),
                HivePage.tile(
                        "Under way",
                        Shown.count(copies.underWay(), "copy"),
                        left == null
                                ? "how fast is not known"
                                : "%s/s, about %s left".formatted(Shown.bytes(copies.rate()), Shown.seconds(left))),
                HivePage.tile(
                        "Waiting for their time",
                        Shown.count(copies.waiting(), "file"),
                        "closed lately, or for a desktop that is away"),
                HivePage.tile(
                        "To be removed",
                        Shown.count(copies.pendingDrops(), "replica"),
                        "of files that are gone or elsewhere"),
                HivePage.tile(
                        "Open for long",
                        Shown.count(copies.longOpenFiles(), "file"),
                        copies.longOpenFiles() == 0
                                ? "of which copies are made meanwhile"
                                : "whose copies are up to " + Shown.seconds(copies.checkpointLagMillis() / 1000)
                                        + " old"));
    }

    private static Html underWay(List<CopyView> copying) {
        Grid grid =
                new Grid("By the desktop that gets them", "Desktop", "Copied now", "For", "Among them", "After these");
        copying.stream()
                .filter(to -> to.files() + to.waiting() > 0)
                .forEach(to -> grid.add(
                        DesktopsPage.link(to.desktop()),
                        Shown.count(to.files(), "file") + ", " + Shown.bytes(to.bytes()),
                        Shown.seconds(to.seconds()),
                        tag("span", css("path"), String.join(", ", to.examples())),
                        Shown.count(to.waiting(), "file")));
        return grid.render("Nothing is copied at present.");
    }

    private static Html leaving(Snapshot snapshot, List<CopyView> copying) {
        Grid grid = new Grid("They go when others have taken their place", "Desktop", "Why", "Replicas");
        copying.stream()
                .filter(from -> from.leaving() > 0)
                .forEach(from -> grid.add(
                        DesktopsPage.link(from.desktop()), "it is short of space", Shown.number(from.leaving())));
        snapshot.desktops().forEach(desktop -> addDrained(grid, desktop));
        return grid.render("Every replica stays where it is.");
    }

    private static void addDrained(Grid grid, DesktopView desktop) {
        DrainView drain = desktop.drain();
        if (drain != null && !drain.done()) {
            grid.add(
                    DesktopsPage.link(desktop.name()),
                    "it is being emptied",
                    drain.counted() ? Shown.number(drain.replicas()) : "being counted");
        }
    }

    private static Html awaited(Snapshot snapshot) {
        Grid grid = new Grid("As last counted", "Desktop", "State", "Old replicas", "Copies to come");
        for (DesktopView desktop : snapshot.desktops()) {
            DesktopView.Replicas replicas = desktop.replicas();
            if (replicas != null && replicas.awaited() > 0) {
                grid.add(
                        DesktopsPage.link(desktop.name()),
                        desktop.presence(),
                        Shown.number(replicas.stale()),
                        Shown.number(replicas.expected()));
            }
        }
        return grid.render("Nothing waits for a desktop.");
    }

    private static Html lacking(Replication replication) {
        String time = replication.time();
        if (time == null) {
            return tag("p", css("empty"), "They are being looked for; that takes up to a minute.");
        }
        Grid grid = new Grid("The first ones, as of " + Shown.time(time), "File", "Size", "Current replicas", "");
        replication
                .lacking()
                .forEach(file -> grid.add(
                        FilesPage.link(file.inode(), file.path()),
                        Shown.bytes(file.size()),
                        "%d of %d".formatted(file.current(), file.wanted()),
                        file.written() ? "being written" : ""));
        return grid.render("There were none, as of " + Shown.time(time) + ".");
    }
}
