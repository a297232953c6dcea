package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.replication.WithoutDesktops;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.Snapshot;

/** What if these machines were off? */
final class WithoutPage implements Page {
    private final ConsoleModel model;

    WithoutPage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "What if off?";
    }

    @Override
    public boolean isLive() {
        return false;
    }

    @Override
    public Html body(PageRequest request) {
        Snapshot snapshot = model.snapshot();
        Set<String> off = new HashSet<>(request.values("off"));
        Set<String> rooms = Set.copyOf(request.values("room"));
        snapshot.desktops().stream()
                .filter(DesktopView::hasHoneycomb)
                .filter(desktop -> !desktop.room().isEmpty() && rooms.contains(desktop.room()))
                .forEach(desktop -> off.add(desktop.name()));
        return Html.all(
                tag("p", "Choose desktops, or whole rooms, and see which files nobody could read while they are off."),
                form(snapshot, off),
                off.isEmpty() ? Html.NOTHING : result(model.without(off)));
    }

    private static Html form(Snapshot snapshot, Set<String> off) {
        List<Html> rooms = snapshot.byRoom().entrySet().stream()
                .map(room -> room(
                        room.getKey(),
                        room.getValue().stream()
                                .filter(DesktopView::hasHoneycomb)
                                .toList(),
                        off))
                .filter(room -> room != Html.NOTHING)
                .toList();
        if (rooms.isEmpty()) {
            return tag("p", css("empty"), "No desktop gives space yet.");
        }
        return tag("form", css("stack"), rooms, tag("div", tag("button", "Show")));
    }

    private static Html room(String name, List<DesktopView> desktops, Set<String> off) {
        if (desktops.isEmpty()) {
            return Html.NOTHING;
        }
        List<Html> choices = desktops.stream()
                .map(desktop -> choice(desktop, off.contains(desktop.name())))
                .toList();
        return tag(
                "fieldset",
                tag("legend", name.isEmpty() ? "Off would be" : "Off would be, of " + name),
                name.isEmpty() ? Html.NOTHING : tag("label", box("room", name, false), " the whole room"),
                choices);
    }

    private static Html choice(DesktopView desktop, boolean chosen) {
        return tag(
                "label",
                box("off", desktop.name(), chosen),
                " ",
                desktop.name(),
                desktop.connected() ? "" : " (away now)");
    }

    private static Html box(String name, String value, boolean chosen) {
        return tag(
                "input",
                attribute("type", "checkbox"),
                attribute("name", name),
                attribute("value", value),
                attribute(chosen ? "checked" : "data-off", ""));
    }

    private static Html result(WithoutDesktops result) {
        Grid grid = new Grid(
                result.unreachable() > result.examples().size()
                        ? "The first %d of them".formatted(result.examples().size())
                        : "All of them",
                "File",
                "Size",
                "Its newest version is on");
        result.examples()
                .forEach(file -> grid.add(
                        FilesPage.link(file.inode(), file.path()),
                        Shown.bytes(file.size()),
                        String.join(", ", file.desktops())));
        return Html.all(
                tag("h2", "Without " + String.join(", ", result.desktops())),
                tag(
                        "p",
                        css(result.unreachable() == 0 ? "health good" : "health"),
                        attribute("role", "status"),
                        sentence(result)),
                grid.render("No file depends on them alone."));
    }

    private static String sentence(WithoutDesktops result) {
        String already = result.alreadyUnreachable() == 0
                ? ""
                : " %s more cannot be read already now.".formatted(Shown.number(result.alreadyUnreachable()));
        return result.unreachable() == 0
                ? "All %s files that can be read now still could be.%s"
                        .formatted(Shown.number(result.files() - result.alreadyUnreachable()), already)
                : "%s of %s files, with %s, could not be read.%s"
                        .formatted(
                                Shown.number(result.unreachable()),
                                Shown.number(result.files()),
                                Shown.bytes(result.bytes()),
                                already);
    }
}
