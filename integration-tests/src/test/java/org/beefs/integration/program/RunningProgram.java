package org.beefs.integration.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Posix;

/** A program on its way. Closing it kills it and the processes below it. For one thread. */
public final class RunningProgram implements AutoCloseable {
    private static final Duration DEATH = Duration.ofSeconds(2);

    private final List<String> command;
    private final Process process;
    private final Path output;
    private final Path errors;

    RunningProgram(List<String> command, Process process, Path output, Path errors) {
        this.command = command;
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** Harmless when it has ended. */
    public void signal(int signal) {
        try {
            Posix.kill(process.pid(), signal);
        } catch (PosixException alreadyGone) {
            // Nobody is left to be told.
        }
    }

    /** What it has written to standard output until now. */
    public String outputSoFar() {
        return read(output);
    }

    /** What it has written to standard error until now. */
    public String errorsSoFar() {
        return read(errors);
    }

    /** Returns this when the condition holds; fails, and closes it, when that does not happen within the time. */
    public RunningProgram when(Duration deadline, Supplier<String> sentence, BooleanSupplier condition) {
        try {
            Await.until(deadline, sentence, condition);
            return this;
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** How it ended; fails when it has not ended within the time, and kills it. */
    public Result await(Duration deadline) {
        if (!endsWithin(deadline)) {
            String state = Processes.describe(process.pid());
            killAll();
            throw new AssertionError("not ended within " + deadline + " (" + state + "): " + resultSoFar(-1));
        }
        return resultSoFar(process.exitValue());
    }

    /** Whether it ends within the time. */
    public boolean endsWithin(Duration deadline) {
        try {
            return process.waitFor(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted while it waited for " + command, e);
        }
    }

    @Override
    public void close() {
        killAll();
        try {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void killAll() {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            endsWithin(DEATH);
        }
    }

    private Result resultSoFar(int exitCode) {
        return new Result(command, exitCode, read(output), read(errors));
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
