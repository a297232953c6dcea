package org.beefs.cli.option;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Which desktops a recovery goes without on purpose. */
public final class WithoutOption {
    @Option(
            names = "--without",
            split = ",",
            paramLabel = "DESKTOP",
            description =
                    "Recover without the honeycombs of these desktops. Files that are only there are missing then, and kept there; names of "
                            + "others that only they know are lost.")
    private List<String> desktops = new ArrayList<>();

    public List<String> desktops() {
        return desktops;
    }
}
