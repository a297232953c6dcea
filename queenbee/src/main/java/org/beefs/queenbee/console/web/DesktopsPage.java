package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.beefs.common.config.Count;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.client.ClientView;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.beefs.queenbee.console.model.snapshot.Snapshot;

/** All desktops, and each of them. */
final class DesktopsPage implements Page {
    static final String PATH = "/desktops";

    private static final int MOST_EVENTS = 50;

    private final ConsoleModel model;

    DesktopsPage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "Desktops";
    }

    @Override
    public Html body(PageRequest request) {
        return request.path().isEmpty() ? all(request.viewer()) : one(request.path(), request.viewer());
    }

    static Html link(String desktop) {
        return Html.link(PATH + "/" + Api.encoded(desktop), desktop);
    }

    private Html all(Viewer viewer) {
        Snapshot snapshot = model.snapshot();
        return Html.all(rooms(snapshot), table(snapshot.desktops(), viewer));
    }

    private static Html rooms(Snapshot snapshot) {
        SortedMap<String, List<DesktopView>> rooms = snapshot.byRoom();
        if (rooms.keySet().stream().allMatch(String::isEmpty)) {
            return Html.NOTHING;
        }
        return Html.all(
                rooms.entrySet().stream()
                        .map(room -> room(room.getKey(), room.getValue()))
                        .toList(),
                tag("h2", "All"));
    }

    private static Html room(String name, List<DesktopView> desktops) {
        List<Html> tiles = desktops.stream()
                .map(desktop -> tag("li", css(kind(desktop)), link(desktop.name()), " ", state(desktop)))
                .toList();
        return tag(
                "section",
                tag("h2", name.isEmpty() ? "In no room" : name),
                tag("p", css("faint"), summary(desktops)),
                tag("ul", css("room"), tiles));
    }

    private static String summary(List<DesktopView> desktops) {
        return desktops.stream()
                .collect(Collectors.groupingBy(DesktopView::presence, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static Html table(List<DesktopView> desktops, Viewer viewer) {
        Grid grid = new Grid(
                summary(desktops),
                "Desktop",
                "State",
                "User",
                "Space",
                "Last heard",
                "Version",
                "Primaries",
                "Copies",
                "Stale or to come",
                "");
        desktops.forEach(desktop -> add(grid, desktop, viewer));
        return grid.render("No desktop has joined this hive yet. beefs mount and beefs desktop make some.");
    }

    private static void add(Grid grid, DesktopView desktop, Viewer viewer) {
        DesktopView.Replicas replicas = desktop.replicas();
        grid.add(
                link(desktop.name()),
                state(desktop),
                desktop.hasHoneycomb() ? desktop.userActivity() : "-",
                desktop.hasHoneycomb() ? space(desktop) : "-",
                heard(desktop),
                desktop.version().isEmpty() ? "-" : desktop.version(),
                replicas == null ? "-" : Shown.number(replicas.primaries()),
                replicas == null ? "-" : Shown.number(replicas.secondaries()),
                replicas == null ? "-" : Shown.number(replicas.awaited()),
                actions(desktop, viewer, PATH));
    }

    private static Html space(DesktopView desktop) {
        return tag(
                "span",
                css("short"),
                tag(
                        "meter",
                        attribute("min", 0),
                        attribute("max", Math.max(1, desktop.capacity())),
                        attribute("value", desktop.used()),
                        attribute("aria-label", "Space used"),
                        ""),
                " %s of %s".formatted(Shown.bytes(desktop.used()), Shown.bytes(desktop.capacity())));
    }

    private static Html state(DesktopView desktop) {
        List<String> also = new ArrayList<>();
        DrainView drain = desktop.drain();
        if (drain != null) {
            also.add(drain.done() ? "drained" : "draining");
        }
        if (desktop.pausedSeconds() > 0) {
            also.add("paused for " + Shown.seconds(desktop.pausedSeconds()));
        }
        if (desktop.earlierFolders() > 0) {
            also.add(Count.of(desktop.earlierFolders(), "earlier folder", "earlier folders") + " away");
        }
        String more = also.isEmpty() ? "" : ", " + String.join(", ", also);
        return Html.all(tag("span", css(kind(desktop)), desktop.presence()), more);
    }

    private static String kind(DesktopView desktop) {
        return desktop.presence().equals("lost") ? "bad" : desktop.connected() ? "good" : "faint";
    }

    private static String heard(DesktopView desktop) {
        return desktop.connected()
                ? Durations.approximate(Duration.ofMillis(desktop.silentMillis())) + " ago"
                : "away for " + Shown.seconds(desktop.awaySeconds());
    }

    private static Html actions(DesktopView desktop, Viewer viewer, String back) {
        if (!desktop.hasHoneycomb()) {
            return Html.NOTHING;
        }
        Html drain = desktop.drain() == null
                ? Buttons.drain(viewer, desktop.name(), back)
                : Buttons.cancelDrain(viewer, desktop.name(), back);
        Html pause = desktop.pausedSeconds() == 0
                ? Buttons.pause(viewer, desktop.name(), back)
                : Buttons.resume(viewer, desktop.name(), back);
        boolean mayBeLost = desktop.earlierFolders() > 0 || (!desktop.connected() && !desktop.givenUp());
        return Html.all(
                desktop.connected() ? pause : Buttons.wake(viewer, desktop.name(), back),
                drain,
                mayBeLost ? Buttons.lost(viewer, desktop.name(), back) : Html.NOTHING,
                mayBeForgotten(desktop) ? Buttons.forget(viewer, desktop.name(), back) : Html.NOTHING);
    }

    /** Whether it is away, and was given up or emptied before. */
    private static boolean mayBeForgotten(DesktopView desktop) {
        boolean isEmptied = desktop.drain() != null && desktop.drain().done();
        return !desktop.connected() && (desktop.givenUp() || isEmptied);
    }

    private Html one(String name, Viewer viewer) {
        DesktopView desktop = model.snapshot()
                .desktop(name)
                .orElseThrow(() -> new PosixException(Errno.ENODEV, "there is no desktop named " + name));
        return Html.all(
                tag("h2", name),
                tag(
                        "div",
                        css("line"),
                        tag("span", state(desktop), desktop.connected() ? ", heard " : ", ", heard(desktop)),
                        actions(desktop, viewer, PATH + "/" + Api.encoded(name))),
                whereItIs(desktop, viewer),
                desktop.hasHoneycomb() ? honeycomb(desktop) : Html.NOTHING,
                PresencePart.of(model.presence(name), model.snapshot().hive().time()),
                drain(desktop),
                clients(desktop),
                history(name));
    }

    private static Html whereItIs(DesktopView desktop, Viewer viewer) {
        String page = PATH + "/" + Api.encoded(desktop.name());
        return tag(
                "div",
                css("line"),
                tag(
                        "span",
                        desktop.room().isEmpty() ? "Nobody has said in which room it is." : "Room: " + desktop.room()),
                Buttons.input(viewer, "the room", "2nd floor", page + "/room", page),
                desktop.room().isEmpty()
                        ? Html.NOTHING
                        : Buttons.button(viewer, "No room", "DELETE", page + "/room", page, ""));
    }

    private static Html honeycomb(DesktopView desktop) {
        DesktopView.Replicas replicas = desktop.replicas();
        return tag(
                "dl",
                css("tiles"),
                HivePage.tile(
                        "Space",
                        Shown.bytes(desktop.used()) + " used",
                        "%s given, %s still free for replicas, %s reserved for its owner"
                                .formatted(
                                        Shown.bytes(desktop.capacity()),
                                        Shown.bytes(desktop.available()),
                                        Shown.bytes(desktop.reserved()))),
                HivePage.tile(
                        "Replicas",
                        replicas == null ? "not counted yet" : Shown.number(replicas.primaries()) + " primaries",
                        replicas == null
                                ? "that takes a minute"
                                : "%s copies, %s stale, %s to come"
                                        .formatted(
                                                Shown.number(replicas.secondaries()),
                                                Shown.number(replicas.stale()),
                                                Shown.number(replicas.expected()))),
                HivePage.tile("User", desktop.userActivity(), "while somebody uses it, copies come here slowly"),
                HivePage.tile(
                        "Awake lately",
                        "%.0f %%".formatted(100 * desktop.attendance()),
                        "of the last days; the less, the fewer copies come here"),
                HivePage.tile(
                        "Records of the namespace",
                        desktop.recordsBehindMillis() == 0
                                ? "complete"
                                : Shown.number(desktop.recordsWaiting()) + " waiting",
                        "for the day on which the queen-bee's disk is gone"));
    }

    private static Html drain(DesktopView desktop) {
        DrainView drain = desktop.drain();
        if (drain == null) {
            return Html.NOTHING;
        }
        boolean isAwaited = drain.needsDesktop() && !desktop.connected() && !desktop.givenUp();
        return Html.all(
                tag("h2", "Draining"),
                tag("p", progress(drain), isAwaited ? " It is away: switch it on." : ""),
                tag(
                        "ul",
                        drain.examples().stream()
                                .map(path -> tag("li", css("path"), path))
                                .toList()));
    }

    private static String progress(DrainView drain) {
        if (drain.done()) {
            return "It is drained and can be switched off.";
        } else if (!drain.counted()) {
            return "What is to leave is being counted.";
        } else if (drain.replicas() > 0) {
            return "%s to leave, with %s; %s because somebody uses the file, %s no other place now."
                    .formatted(
                            Count.of(drain.replicas(), "replica has yet", "replicas have yet"),
                            Shown.bytes(drain.bytes()),
                            Count.of(drain.inUse(), "waits", "wait"),
                            Count.of(drain.stuck(), "has", "have"));
        }
        return drain.pendingDrops() > 0
                ? "Its replicas have other places; %s still to be removed here."
                        .formatted(Count.of(drain.pendingDrops(), "file is", "files are"))
                : "Its replicas have left; other desktops are being told the records that it has.";
    }

    private Html clients(DesktopView desktop) {
        if (desktop.mounts().isEmpty() && desktop.openFiles() == 0) {
            return Html.NOTHING;
        }
        ClientView client = model.clients().of(desktop.name());
        Grid grid = new Grid("%d of %d".formatted(client.openFiles().size(), desktop.openFiles()), "Open file", "For");
        client.openFiles()
                .forEach(file ->
                        grid.add(FilesPage.link(file.inode(), file.path()), file.written() ? "writing" : "reading"));
        Grid locks =
                new Grid("%d of %d".formatted(client.heldLocks().size(), client.locks()), "File", "Lock", "Process");
        client.heldLocks()
                .forEach(lock -> locks.add(
                        FilesPage.link(lock.inode(), lock.path()),
                        lock.kind() + (lock.exclusive() ? ", exclusive" : ", shared"),
                        Integer.toString(lock.pid())));
        return Html.all(
                tag("h2", "Mounts"),
                tag(
                        "ul",
                        client.mounts().stream()
                                .map(mount -> tag("li", css("path"), mount))
                                .toList()),
                tag("h2", "Open files"),
                grid.render("Its programs have nothing open."),
                tag("h2", "Locks that its programs hold"),
                locks.render("None."));
    }

    private Html history(String name) {
        return Html.all(
                tag("h2", "What has happened"),
                EventsPage.grid(model.events().newest(null, name, MOST_EVENTS).reversed()));
    }
}
