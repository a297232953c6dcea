package org.beefs.cli.queen;

import java.util.List;
import java.util.stream.Collectors;
import org.beefs.cli.terminal.Table;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.file.FileView.Replica;
import org.jspecify.annotations.Nullable;

/** Files and where their replicas are, for people. */
final class FilesView {
    private FilesView() {}

    /**
     * A table.
     *
     * @param paths whether they are shown by their paths, and not by their names
     */
    static String render(List<FileView> files, boolean paths) {
        Table table = new Table("mode", "owner", "size", "modified", paths ? "path" : "name", "replicas");
        for (FileView file : files) {
            table.add(
                    file.mode(),
                    file.uid() + ":" + file.gid(),
                    file.isDirectory() ? "-" : new ByteSize(file.size()).toString(),
                    file.modified().replaceAll("(:\\d\\d)(\\.\\d+)?Z$", "").replace('T', ' '),
                    name(file, paths),
                    replicas(file.content()));
        }
        return table.isEmpty() ? "" : table.render();
    }

    private static String name(FileView file, boolean paths) {
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
