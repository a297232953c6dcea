package org.beefs.cli.command;

import picocli.CommandLine.Option;

/** Whether a command speaks to a script. */
final class JsonOption {
    @Option(names = "--json", description = "Print JSON for scripts; its fields stay as they are.")
    private boolean json;

    boolean isChosen() {
        return json;
    }
}
