package org.beefs.cli.state;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.nio.file.Path;

/**
 * A place where the hive is to be mounted, and how.
 *
 * @param path absolute and without symbolic links
 * @param readOnly nothing can be changed through it
 * @param allowOther who mounts without root lets other users in
 */
public record WantedMount(String path, boolean readOnly, boolean allowOther) {
    /** For reading and writing, by whom the system lets in. Also what earlier versions have remembered. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static WantedMount at(String path) {
        return new WantedMount(path, false, false);
    }

    public static WantedMount at(Path path) {
        return at(path.toString());
    }

    public Path place() {
        return Path.of(path);
    }
}
