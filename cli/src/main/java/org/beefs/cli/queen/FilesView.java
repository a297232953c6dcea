package org.beefs.cli.queen;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.beefs.cli.terminal.Table;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.file.FileView.Replica;
import org.jspecify.annotations.Nullable;

/** Files and where their replicas are, for people, page by page. For one thread. */
final class FilesView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

    private final boolean paths;
    private final ZoneId zone;

    /** What was shown last; null before. */
    private @Nullable Table last;

    /**
     * Nothing is shown yet.
     *
     * @param paths whether they are shown by their paths, and not by their names
     * @param zone of the times
     */
    FilesView(boolean paths, ZoneId zone) {
        this.paths = paths;
        this.zone = zone;
    }

    /** A table, or the next lines of it; empty without files. */
    String render(List<FileView> files) {
        if (files.isEmpty()) {
            return "";
        }
        Table table = last == null
                ? new Table("mode", "owner", "size", "modified", paths ? "path" : "name", "replicas")
                : last.continued();
        for (FileView file : files) {
            table.add(
                    file.mode(),
                    file.uid() + ":" + file.gid(),
                    file.isDirectory() ? "-" : new ByteSize(file.size()).toString(),
                    TIME.format(Instant.parse(file.modified()).atZone(zone)),
                    name(file),
                    replicas(file.content()));
        }
        last = table;
        return table.render();
    }

    private String name(FileView file) {
        String name = paths ? file.path() : file.name();
        if (file.isDirectory()) {
            return name.endsWith("/") ? name : name + "/";
        }
        return file.target() == null ? name : name + " -> " + file.target();
    }

    private static String replicas(FileView.@Nullable Content content) {
        return content == null
                ? ""
                : content.replicas().stream().map(FilesView::replica).collect(Collectors.joining(", "));
    }

    /** The primary has a star; what is current and there needs no word. */
    private static String replica(Replica replica) {
        String star = replica.kind().equals("primary") ? "*" : "";
        String state = replica.state().equals("current") ? "" : " " + replica.state();
        String presence = replica.presence().equals("awake") ? "" : " " + replica.presence();
        return replica.desktop() + star + state + presence;
    }
}
