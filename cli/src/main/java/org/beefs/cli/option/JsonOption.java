package org.beefs.cli.option;

import picocli.CommandLine.Option;

/** Whether a command speaks to a script. */
public final class JsonOption {
    @Option(names = "--json", description = "Print JSON for scripts; its fields stay as they are.")
    private boolean json;

    public boolean isChosen() {
        return json;
    }
}
