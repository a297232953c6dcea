package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.DesktopView;
import org.beefs.queenbee.console.model.WithoutDesktops;

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
        Set<String> off = new HashSet<>(request.values("off"));
        return Html.all(
                tag("p", "Choose desktops, and see which files nobody could read while they are off."),
                form(off),
                off.isEmpty() ? Html.NOTHING : result(model.without(off)));
    }

    private Html form(Set<String> off) {
        List<Html> choices = model.snapshot().desktops().stream()
                .filter(DesktopView::hasHoneycomb)
                .map(desktop -> choice(desktop, off.contains(desktop.name())))
                .toList();
        if (choices.isEmpty()) {
            return tag("p", css("empty"), "No desktop gives space yet.");
        }
        return tag(
                "form",
                css("stack"),
                tag("fieldset", tag("legend", "Off would be"), choices),
                tag("div", tag("button", "Show")));
    }

    private static Html choice(DesktopView desktop, boolean chosen) {
        Html box = tag(
                "input",
                attribute("type", "checkbox"),
                attribute("name", "off"),
                attribute("value", desktop.name()),
                attribute(chosen ? "checked" : "data-off", ""));
        return tag("label", box, " ", desktop.name(), desktop.connected() ? "" : " (away now)");
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
