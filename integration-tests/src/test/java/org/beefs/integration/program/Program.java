package org.beefs.integration.program;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A program that a test runs, with a deadline that always holds. Its output goes to files, so that it never waits for a
 * reader, not even when it leaves children behind. Immutable.
 */
public final class Program {
    private static final Duration ORDINARY_DEADLINE = Duration.ofSeconds(60);

    private final List<String> command;
    private final Path directory;
    private final Map<String, String> environment;
    private final Duration deadline;

    private Program(List<String> command, Path directory, Map<String, String> environment, Duration deadline) {
        this.command = List.copyOf(command);
        this.directory = directory;
        this.environment = Map.copyOf(environment);
        this.deadline = deadline;
    }

    public static Program of(String... command) {
        return of(List.of(command));
    }

    public static Program of(List<String> command) {
        return new Program(command, Path.of("/"), Map.of(), ORDINARY_DEADLINE);
    }

    /** A script for the shell, which stops at the first command that fails. */
    public static Program shell(String script) {
        return of("/bin/sh", "-euc", script);
    }

    public Program in(Path folder) {
        return new Program(command, folder, environment, deadline);
    }

    public Program with(String name, String value) {
        Map<String, String> more = new TreeMap<>(environment);
        more.put(name, value);
        return new Program(command, directory, more, deadline);
    }

    public Program within(Duration time) {
        return new Program(command, directory, environment, time);
    }

    /** Runs it to its end, which must be a good one. */
    public Result run() {
        return runToAnyEnd().mustSucceed();
    }

    /** Runs it to its end. */
    public Result runToAnyEnd() {
        try (RunningProgram running = start()) {
            return running.await(deadline);
        }
    }

    /** Starts it and goes on. */
    public RunningProgram start() {
        try {
            Path output = Files.createTempFile("beefs-output", null);
            Path errors = Files.createTempFile("beefs-errors", null);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile());
            builder.environment().remove("SUDO_USER"); // events name who has become root
            builder.environment().putAll(environment);
            return new RunningProgram(command, builder.start(), output, errors);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }
}
