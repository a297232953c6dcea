package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import java.util.Objects;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.file.Above;
import org.beefs.queenbee.console.model.file.FileBrowser;
import org.beefs.queenbee.console.model.file.FilePage;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.file.Usage;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/** The namespace: directories a page at a time, files with their replicas, search by name. */
final class FilesPage implements Page {
    private static final String PATH = "/files";

    private final ConsoleModel model;

    FilesPage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "Files";
    }

    @Override
    public boolean isLive() {
        return false;
    }

    @Override
    public Html body(PageRequest request) {
        String name = request.value("name");
        Html found = name.isBlank() ? browse(request) : find(name, request.number("after"));
        return Html.all(search(name), found);
    }

    /** A link to what is known of a file. */
    static Html link(long inode, String text) {
        return tag("a", css("path"), attribute("href", PATH + "?inode=" + inode), text);
    }

    private static Html search(String name) {
        return tag(
                "form",
                css("inline"),
                attribute("role", "search"),
                attribute("action", PATH),
                tag("label", attribute("for", "name"), "Name"),
                tag(
                        "input",
                        attribute("id", "name"),
                        attribute("name", "name"),
                        attribute("type", "search"),
                        attribute("maxlength", 255),
                        attribute("placeholder", "report or *.odt"),
                        attribute("value", name)),
                tag("button", "Find"));
    }

    private Html find(String name, long after) {
        FilePage page = model.files().find(name, "/", (int) Math.min(after, Integer.MAX_VALUE));
        Grid grid = grid(page.next() == null ? "All that is left to show" : "Some of what there is", "Path");
        page.files().forEach(file -> add(grid, file, file.path()));
        String address = PATH + "?name=" + Api.encoded(name);
        return tag(
                "div",
                attribute("id", "found"),
                page.files().isEmpty() ? lookFurther(address, page.next()) : Html.NOTHING,
                grid.render(
                        page.next() == null
                                ? "Nothing more has such a name."
                                : "Nothing in %d %% of all files.".formatted(100 * page.next() / Namespace.POSITIONS)),
                next(address, page.next()));
    }

    /**
     * Where there are scripts a search goes on by itself until there is something to see. Only the page that somebody
     * has asked for shows what has come of a button.
     */
    private static Html lookFurther(String address, @Nullable Long next) {
        return next == null
                ? Html.NOTHING
                : tag(
                        "div",
                        attribute("hx-get", address + "&after=" + next),
                        attribute("hx-trigger", "load"),
                        attribute("hx-target", "#found"),
                        attribute("hx-select", "#found"),
                        attribute("hx-swap", "outerHTML"),
                        Layout.REFRESH,
                        "");
    }

    private Html browse(PageRequest request) {
        long inode = request.number("inode");
        FileView file = model.files().of(inode == 0 ? Namespace.ROOT : inode);
        Html heading = heading(file);
        Html settings = new FileSettings(file, request.viewer(), PATH + "?inode=" + file.inode()).render();
        if (!file.isDirectory()) {
            return Html.all(heading, attributes(file), replicas(file), settings);
        }
        if (!request.value("usage").isEmpty()) {
            return Html.all(heading, usage(model.files().usage(file)));
        }
        FilePage page = model.files().list(file.inode(), request.number("after"), FileBrowser.MOST);
        Grid grid = grid(Shown.number(Objects.requireNonNullElse(file.entries(), 0)) + " entries", "Name");
        page.files().forEach(entry -> add(grid, entry, entry.name()));
        return Html.all(
                heading,
                grid.render("This folder is empty."),
                next(PATH + "?inode=" + file.inode(), page.next()),
                tag("p", Html.link(PATH + "?usage=yes&inode=" + file.inode(), "What in it takes most space")),
                attributes(file),
                settings);
    }

    /** Its path, of which each part leads to that directory. */
    private Html heading(FileView file) {
        List<Above> above = model.files().above(file.inode());
        if (above.isEmpty()) {
            return tag("h2", css("path"), file.path());
        }
        return tag(
                "h2",
                css("path"),
                above.stream().map(one -> link(one.inode(), one.name() + "/")).toList(),
                file.isDirectory() ? file.name() + "/" : file.name());
    }

    private static Html next(String address, @Nullable Long next) {
        return next == null
                ? Html.NOTHING
                : tag("p", tag("a", attribute("rel", "next"), attribute("href", address + "&after=" + next), "More"));
    }

    private static Grid grid(String caption, String first) {
        return new Grid(caption, first, "Mode", "Owner", "Size", "Modified", "Replicas");
    }

    private static void add(Grid grid, FileView file, String shown) {
        grid.add(
                link(file.inode(), file.isDirectory() ? shown + "/" : shown),
                tag("code", file.mode()),
                file.uid() + ":" + file.gid(),
                file.isDirectory()
                        ? Shown.number(Objects.requireNonNullElse(file.entries(), 0)) + " entries"
                        : Shown.bytes(file.size()),
                Shown.time(file.modified()),
                summary(file.content()));
    }

    private static String summary(FileView.@Nullable Content content) {
        if (content == null) {
            return "-";
        }
        long current = content.replicas().stream()
                .filter(replica ->
                        replica.state().equals("current") || replica.state().equals("dirty"))
                .count();
        String written = content.written() ? ", being written" : "";
        return "%d of %d current%s".formatted(current, content.replicas().size(), written);
    }

    private static Html usage(Usage usage) {
        Grid grid = new Grid("The largest first", "Name", "Size", "With all replicas", "Files", "Folders");
        usage.parts()
                .forEach(part -> add(
                        grid, link(part.inode(), part.directory() ? part.name() + "/" : part.name()), part.amount()));
        if (!usage.others().isNothing()) {
            add(grid, Html.all("all others"), usage.others());
        }
        add(grid, Html.all("altogether"), usage.total());
        return grid.render("");
    }

    private static void add(Grid grid, Html name, Usage.Amount amount) {
        grid.add(
                name,
                Shown.bytes(amount.bytes()),
                Shown.bytes(amount.stored()),
                Shown.number(amount.files()),
                Shown.number(amount.directories()));
    }

    private static Html attributes(FileView file) {
        return tag(
                "dl",
                css("tiles"),
                HivePage.tile("Kind", file.type(), "inode " + file.inode() + ", " + Shown.count(file.links(), "name")),
                HivePage.tile("Rights", file.mode(), "user " + file.uid() + ", group " + file.gid()),
                HivePage.tile("Modified", Shown.time(file.modified()), "made " + Shown.time(file.created())),
                file.isDirectory()
                        ? Html.NOTHING
                        : HivePage.tile("Size", Shown.bytes(file.size()), file.size() + " bytes"),
                file.target() == null ? Html.NOTHING : HivePage.tile("Leads to", file.target(), ""));
    }

    private static Html replicas(FileView file) {
        FileView.Content content = file.content();
        if (content == null) {
            return Html.NOTHING;
        }
        Grid grid = new Grid(
                "Version %d, epoch %d".formatted(content.version(), content.epoch()),
                "Desktop",
                "Replica",
                "State",
                "Why");
        content.replicas()
                .forEach(replica -> grid.add(
                        Html.all(DesktopsPage.link(replica.desktop()), " (", replica.presence(), ")"),
                        replica.kind(),
                        replica.state(),
                        why(replica, content)));
        return Html.all(tag("h2", "Replicas"), grid.render("It has no content yet."));
    }

    private static String why(FileView.Replica replica, FileView.Content content) {
        return switch (replica.state()) {
            case "dirty" -> "Somebody writes it here; the others follow when it is closed.";
            case "stale" ->
                "It has version %d of %d, and is copied when its time has come and the desktop is awake."
                        .formatted(replica.version(), content.version());
            case "empty" -> "It was chosen for a copy, which has yet to be made.";
            case "rotten" ->
                "Its content is not what was written. It is kept until a current replica can take its place.";
            case "missing" ->
                "It is not on the disk any more. A current replica takes its place as soon as one can be reached and the file is closed.";
            default ->
                replica.kind().equals("primary")
                        ? "Here it was made or written last: writing takes place here."
                        : "A copy, so that it can be read when other desktops are away.";
        };
    }
}
