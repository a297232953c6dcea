package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import org.beefs.queenbee.console.model.file.FileView;

/** How a file is replicated, or what is made in a directory, and forms by which administrators change it. */
final class FileSettings {
    private final FileView file;
    private final Viewer viewer;
    private final String back;

    /** @param back page to show after a change */
    FileSettings(FileView file, Viewer viewer, String back) {
        this.file = file;
        this.viewer = viewer;
        this.back = back;
    }

    Html render() {
        FileView.Settings settings = file.settings();
        if (settings == null) {
            return Html.NOTHING;
        }
        Grid grid = new Grid(
                file.isDirectory() ? "What is made in it begins with these." : "", "Setting", "Value", "From", "");
        add(grid, settings, "replicas", Integer.toString(settings.replicas()), "2");
        add(grid, settings, "time-to-coherence", settings.timeToCoherence(), "5m");
        add(grid, settings, "p-factor", Integer.toString(settings.pFactor()), "1");
        return Html.all(
                tag("h2", "Replication settings"),
                grid.render(""),
                tag(
                        "p",
                        css("faint"),
                        "Its owner changes them in a mount: ",
                        tag("code", "beefs set FILE --replicas 2"),
                        "."));
    }

    private void add(Grid grid, FileView.Settings settings, String name, String value, String example) {
        boolean own = settings.own().contains(name);
        grid.add(name, value, own ? "its own" : "the hive's", change(name, own, example));
    }

    private Html change(String name, boolean own, String example) {
        String path = "/files/%d/settings/%s".formatted(file.inode(), name);
        return Html.all(
                Buttons.input(viewer, name, example, path, back),
                own ? Buttons.button(viewer, "As the hive", "DELETE", path, back, "") : Html.NOTHING);
    }
}
