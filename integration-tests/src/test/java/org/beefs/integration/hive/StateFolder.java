package org.beefs.integration.hive;

import java.nio.file.Path;
import org.beefs.integration.program.Program;

/** What is done to folders with what roles keep when these have gone. */
public final class StateFolder {
    private StateFolder() {}

    /** Copies logs and configurations to target/hives/NAME, for whoever looks into a failure. */
    public static void keepLogs(Path folder, String name) {
        Path kept = Path.of("target", "hives", name).toAbsolutePath();
        Program.shell(
                        "mkdir -p \"$KEPT\"; cd \"$STATE\" && find . \\( -name '*.log' -o -name output -o -name '*.toml' -o -name pid \\)"
                                + " -type f -exec cp --parents {} \"$KEPT\" \\;")
                .with("KEPT", kept.toString())
                .with("STATE", folder.toString())
                .runToAnyEnd();
    }

    /** Lets it be deleted: what a killed daemon had closed to its writers would stay for ever. */
    public static void makeMutable(Path folder) {
        Program.shell(
                        "! command -v chattr >/dev/null || find \"$STATE\" -xdev -type f -path '*/honeycomb/*' -exec chattr -f -i {} + || true")
                .with("STATE", folder.toString())
                .runToAnyEnd();
    }
}
