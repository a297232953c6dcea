package org.beefs.integration.walk;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.integration.linux.DirectoryEntry;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.OpenDirectory;

/**
 * A folder as one mount shows it, held open, so that paths below it do not cost lookups of what is above it. For one
 * thread.
 *
 * @param mount through which it is seen
 * @param path of the folder below the root of the walk, for messages
 * @param folder to be closed with this
 */
record View(Mount mount, String path, OpenDirectory folder) implements AutoCloseable {

    /** The root of the walk. */
    static View of(Mount mount) {
        return new View(mount, "", new OpenDirectory(mount.root()));
    }

    /** A path below the folder, for system calls. */
    Path at(String below) {
        return folder.at(below);
    }

    /** A path below the folder, for messages. */
    String name(String below) {
        return path.isEmpty() || below.isEmpty() ? path + below : path + "/" + below;
    }

    View open(String below) {
        return new View(mount, name(below), new OpenDirectory(at(below)));
    }

    FileStatus status() {
        return folder.status();
    }

    /** Without "." and "..". Each view tells them once. */
    Set<String> names() {
        return folder.list().stream()
                .filter(entry -> !entry.isDots())
                .map(DirectoryEntry::name)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        folder.close();
    }
}
