package org.beefs.cli.posixtest;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs the program of a suite. */
final class SuiteProgram {
    private SuiteProgram() {}

    /** Where a program is: on the path, to which the launcher adds what it has installed. */
    static Optional<Path> find(String name) {
        Stream<String> folders =
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1));
        return folders.map(folder -> Path.of(folder).resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Runs it to its end. An interrupt kills it, with all that it has started.
     *
     * @param line called with each line that it prints, on stderr too
     * @return the exit code
     */
    static int run(List<String> command, Path folder, Consumer<String> line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .start();
        Thread reader = Thread.ofVirtual().start(() -> read(process, line));
        try {
            int exitCode = process.waitFor();
            reader.join();
            return exitCode;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void read(Process process, Consumer<String> line) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(line);
        } catch (IOException e) {
            line.accept("its output ended: " + e.getMessage());
        }
    }
}
