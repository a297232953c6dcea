package org.beefs.cli.option;

import java.nio.file.Path;
import org.beefs.cli.state.HiveFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the hive on this machine; two hives have two folders. */
public final class StateOption {
    @Option(
            names = "--state",
            paramLabel = "FOLDER",
            description = "Folder with all that the hive keeps on this machine. Default: BEEFS_STATE, else ./.beefs")
    private @Nullable Path folder;

    public HiveFolder hive() {
        return HiveFolder.choose(folder, System.getenv());
    }

    /** Whether somebody has typed it for this one command. */
    public boolean isTyped() {
        return folder != null;
    }

    /** As {@link #hive}; fails as a command does when no hive was ever brought up there. */
    public HiveFolder existingHive() {
        HiveFolder hive = hive();
        if (!hive.exists()) {
            throw hive.absent();
        }
        return hive;
    }
}
