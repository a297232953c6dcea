package org.beefs.cli.state;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.nio.file.Path;
import org.beefs.honeybee.mount.Driver;
import org.jspecify.annotations.Nullable;

/**
 * A place where the hive is to be mounted, and how.
 *
 * @param path absolute and without symbolic links
 * @param readOnly nothing can be changed through it
 * @param allowOther who mounts without root lets other users in
 * @param driver who serves it; null for the desktop's setting
 */
public record WantedMount(
        String path,
        boolean readOnly,
        boolean allowOther,
        @Nullable Driver driver) {
    /** For reading and writing, by whom the system lets in. Also what earlier versions have remembered. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static WantedMount at(String path) {
        return new WantedMount(path, false, false, null);
    }

    public static WantedMount at(Path path) {
        return at(path.toString());
    }

    /** The same, served by the given driver if there is one. */
    public WantedMount with(@Nullable Driver chosen) {
        return chosen == null ? this : new WantedMount(path, readOnly, allowOther, chosen);
    }

    public Path place() {
        return Path.of(path);
    }
}
