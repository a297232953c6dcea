package org.beefs.cli.option;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.cli.state.ProcessFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands that run a role have in common. */
public final class RoleOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration file. Default: the one in the process folder, if there is one.")
    private @Nullable Path configuration;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting instead of the file's, as in the example below. May be given several times.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--background", hidden = true, description = "Log to the process folder.")
    private boolean background;

    public boolean background() {
        return background;
    }

    @Nullable
    public Path configuration(ProcessFolder folder) {
        if (configuration != null) {
            return configuration;
        }
        return folder.isConfigured() ? folder.configuration() : null;
    }

    /** The settings of the command line, those with options of their own included. */
    public Map<String, String> settings(Map<String, ? extends @Nullable Object> options) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        options.forEach((key, value) -> {
            if (value != null) {
                all.put(key, value.toString());
            }
        });
        return all;
    }
}
