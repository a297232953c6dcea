package org.beefs.integration.hive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.beefs.cli.process.ProcessIdentity;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Processes;

/**
 * One process of a hive, by the folder in which it keeps its data, log and pid. The process may change, the role stays.
 * For one thread.
 */
public final class Role {
    private static final Duration DEATH = Duration.ofSeconds(10);
    private static final Duration START = Duration.ofSeconds(30);

    private final Path folder;
    private List<String> command = List.of();

    Role(Path folder) {
        this.folder = folder;
    }

    public String name() {
        return folder.getFileName().toString();
    }

    public Path folder() {
        return folder;
    }

    /** What it has logged. */
    public String log() {
        return read(folder.resolve(program() + ".log"));
    }

    private String program() {
        return name().replaceAll("[0-9]", "");
    }

    /** Its living process. */
    public long pid() {
        return livingPid().orElseThrow(() -> new AssertionError(name() + " does not run"));
    }

    public boolean isRunning() {
        return livingPid().isPresent();
    }

    /** Kills its process as a crash would, and returns when it is dead. */
    public void kill() {
        long pid = pid();
        rememberCommand(pid);
        Posix.kill(pid, Posix.SIGKILL);
        Await.until(DEATH, () -> Processes.describe(pid) + " dies", () -> !Processes.isAlive(pid));
    }

    /** Keeps its process from doing anything, until {@link #resume}. */
    public void stop() {
        long pid = pid();
        Posix.kill(pid, Posix.SIGSTOP);
        Await.until(DEATH, () -> Processes.describe(pid) + " stops", () -> Processes.isStopped(pid));
    }

    public void resume() {
        Posix.kill(pid(), Posix.SIGCONT);
    }

    /**
     * Starts its killed process again with the same command: what a service manager would do, faster than the launcher.
     */
    public void restart() {
        if (command.isEmpty()) {
            throw new IllegalStateException(name() + " was not killed");
        }
        try {
            Path output = folder.resolve("output");
            new ProcessBuilder(command)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
        Await.until(START, name() + " starts again", this::isRunning);
    }

    /** Kills its process, and starts it again with what its configuration file says then. */
    public void restartWith(UnaryOperator<String> change) {
        kill();
        Path configuration = folder.resolve(program() + ".toml");
        try {
            Files.writeString(configuration, change.apply(Files.readString(configuration)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
    }

    /** Ends its process if it still lives, stopped or not; for cleaning up. */
    void end() {
        livingPid().ifPresent(pid -> {
            try {
                Posix.kill(pid, Posix.SIGKILL);
            } catch (PosixException alreadyGone) {
                return;
            }
            Await.within(DEATH, () -> !Processes.isAlive(pid));
        });
    }

    /** A process that has got the number since does not count. */
    private Optional<Long> livingPid() {
        return ProcessIdentity.read(folder.resolve("pid"))
                .filter(ProcessIdentity::isAlive)
                .map(ProcessIdentity::pid);
    }

    private void rememberCommand(long pid) {
        command = Arrays.stream(read(Path.of("/proc/" + pid + "/cmdline")).split("\0", -1))
                .filter(argument -> !argument.isEmpty())
                .toList();
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException missing) {
            return "";
        }
    }
}
