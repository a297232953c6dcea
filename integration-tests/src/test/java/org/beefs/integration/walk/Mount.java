package org.beefs.integration.walk;

import java.nio.file.Path;

/**
 * One of the views that must always agree.
 *
 * @param name for messages
 * @param root the folder of the walk as this mount shows it
 */
public record Mount(String name, Path root) {
    Path at(String path) {
        return path.isEmpty() ? root : Path.of(root + "/" + path);
    }
}
