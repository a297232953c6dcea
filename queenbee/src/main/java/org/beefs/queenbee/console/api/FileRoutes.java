package org.beefs.queenbee.console.api;

import static org.beefs.queenbee.console.api.Route.action;
import static org.beefs.queenbee.console.api.Route.get;

import java.util.List;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.api.Route.Parameter;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.file.FileBrowser;
import org.beefs.queenbee.console.model.file.FilePage;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.file.Usage;
import org.beefs.queenbee.namespace.Namespace;

/** What is known of files, and how they are replicated. Thread-safe. */
final class FileRoutes {
    private final ConsoleModel model;

    FileRoutes(ConsoleModel model) {
        this.model = model;
    }

    List<Route> all() {
        Parameter path = Parameter.text("path", "from the root of the hive; that is what is meant if nothing is said");
        Parameter inode = Parameter.number("inode", "instead of a path");
        return List.of(
                get("/file", "What is known of a file or directory", FileView.class, this::file, path, inode),
                get(
                        "/entries",
                        "A directory's entries, in the order in which they were made",
                        FilePage.class,
                        this::entries,
                        path,
                        inode,
                        Parameter.number("after", "next of the page before"),
                        Parameter.number("limit", "at most so many; " + FileBrowser.MOST + " at most")),
                get(
                        "/usage",
                        "What a tree takes, and the largest of what is directly in it",
                        Usage.class,
                        call -> model.files().usage(file(call)),
                        path,
                        inode),
                get(
                        "/find",
                        "Files by name, in no order, of one file some names only if there are very many; a page may be empty and have a next one",
                        FilePage.class,
                        this::find,
                        Parameter.text("name", "with * and ?, or a part of it").asRequired(),
                        Parameter.text("under", "path of the directory that they are in, at whatever depth"),
                        Parameter.number("after", "next of the page before")),
                action(
                        "PUT",
                        "/files/{inode}/settings/{setting}",
                        "Changes how a file is replicated, or what is made in a directory: replicas, time-to-coherence or p-factor",
                        Messages.NewValue.class,
                        this::set),
                action(
                        "DELETE",
                        "/files/{inode}/settings/{setting}",
                        "Gives a file or directory the hive's setting again",
                        this::unset));
    }

    private FileView file(Call call) {
        return call.query("inode") == null
                ? model.files().at(call.query("path", "/"))
                : model.files().of(call.number("inode", Namespace.ROOT));
    }

    private FilePage entries(Call call) {
        int limit = (int) Math.min(call.number("limit", FileBrowser.MOST), FileBrowser.MOST);
        return model.files().list(file(call).inode(), call.number("after", 0), limit);
    }

    private FilePage find(Call call) {
        int after = (int) Math.min(call.number("after", 0), Integer.MAX_VALUE);
        return model.files().find(call.query("name", ""), call.query("under", "/"), after);
    }

    private Done set(Call call) {
        String setting = call.variable("setting");
        String value = call.newValue();
        model.administration()
                .changeReplication(
                        call.numberInPath("inode"), setting, value, call.who().name());
        return new Done("%s is %s".formatted(setting, value));
    }

    private Done unset(Call call) {
        String setting = call.variable("setting");
        model.administration()
                .changeReplication(
                        call.numberInPath("inode"), setting, null, call.who().name());
        return new Done(setting + " is as the hive has it");
    }
}
