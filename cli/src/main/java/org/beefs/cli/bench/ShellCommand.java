package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;

/**
 * A command that a benchmark runs.
 *
 * @param script for /bin/sh
 * @param arguments that it knows as {@code $1} and so on
 */
record ShellCommand(String script, List<String> arguments) {
    private static final int SHOWN_CHARACTERS = 300;

    ShellCommand {
        arguments = List.copyOf(arguments);
    }

    static ShellCommand of(String script, Path... arguments) {
        return new ShellCommand(
                script, List.of(arguments).stream().map(Path::toString).toList());
    }

    /** Runs it to its end in a folder; fails with the end of its output when it fails. An interrupt kills it. */
    void run(Path folder) throws IOException, InterruptedException {
        Path log = Files.createTempFile("beefs-bench", ".log");
        try {
            run(folder, log);
        } finally {
            Files.delete(log);
        }
    }

    private void run(Path folder, Path log) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            int exitCode = process.waitFor();
            if (exitCode != 0) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "'" + script + "' ended with " + exitCode + " in " + folder + ": " + endOf(log));
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
