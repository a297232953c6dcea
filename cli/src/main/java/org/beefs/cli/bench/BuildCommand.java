package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;

/**
 * How the copy is built.
 *
 * @param script for /bin/sh, run in the top folder of the copy
 */
record BuildCommand(String script) {
    /** Nothing is built. */
    static final BuildCommand NONE = new BuildCommand("");

    private static final int SHOWN_CHARACTERS = 300;

    /** Runs it to its end; fails with the end of its output when it fails. An interrupt kills it. */
    void run(Path directory, Path log) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("/bin/sh", "-c", script)
                .directory(directory.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            int exitCode = process.waitFor();
            if (exitCode != 0) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "'" + script + "' ended with " + exitCode + " in a copy of the source: " + endOf(log));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String endOf(Path log) throws IOException {
        String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .strip()
                .replaceAll("\\s+", " ");
        return text.length() <= SHOWN_CHARACTERS ? text : "…" + text.substring(text.length() - SHOWN_CHARACTERS);
    }
}
