package org.beefs.integration.lock;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Processes;

/**
 * A process that opens, reads, writes, locks and closes files as the test says ({@code locker.py}), one thing after the
 * other. Closing it kills it and its children. For one thread.
 */
public final class Locker implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Path folder;
    private final Process process;
    private final BufferedWriter commands;
    private int asked;

    private Locker(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    public static Locker start() {
        try {
            Path folder = Files.createTempDirectory("beefs-locker");
            Path script = resource("locker.py", folder);
            return new Locker(
                    folder,
                    new ProcessBuilder("python3", script.toString())
                            .redirectOutput(folder.resolve("answers").toFile())
                            .redirectError(folder.resolve("errors").toFile())
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that has a file open for writing, by the name of {@code f}. */
    public static Locker with(Path file) {
        Locker locker = start();
        locker.ask("open f write " + file);
        return locker;
    }

    /** Copies a resource of these tests into a folder. */
    public static Path resource(String name, Path folder) throws IOException {
        Path copy = folder.resolve(name);
        try (InputStream content = Locker.class.getResourceAsStream(name)) {
            if (content == null) {
                throw new IllegalStateException("there is no resource " + name);
            }
            Files.copy(content, copy);
        }
        return copy;
    }

    public long pid() {
        return process.pid();
    }

    /** Does one thing, and answers what came of it: {@code done}, the name of an error, or what was asked for. */
    public String ask(String command) {
        begin(command);
        return answer();
    }

    /** Begins something that may take a while. */
    public void begin(String command) {
        try {
            asked++;
            commands.write(asked + " " + command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the locker has ended: " + errors(), e);
        }
    }

    /** What has come of that which was begun last. */
    public String answer() {
        Await.until(
                SOON,
                () -> "command %d is answered (%s): %s".formatted(asked, Processes.describe(process.pid()), errors()),
                () -> answered().isPresent());
        return answered().orElseThrow();
    }

    public boolean isAnswered() {
        return answered().isPresent();
    }

    /** Returns when what was begun last waits in the kernel for the file system. */
    public void awaitWaiting() {
        Await.until(
                SOON,
                () -> "it waits: " + Processes.describe(process.pid()),
                () -> Processes.describe(process.pid()).contains("request_wait"));
    }

    public void signal(int signal) {
        Posix.kill(process.pid(), signal);
    }

    /** Kills it, and returns when it is dead. Its children live on. */
    public void kill() {
        signal(Posix.SIGKILL);
        awaitEnd();
    }

    /** Lets it end by itself. */
    public void end() {
        try {
            commands.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitEnd();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        awaitEnd();
        try {
            for (String name : new String[] {"locker.py", "answers", "errors"}) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("not ended: " + Processes.describe(process.pid()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }

    private Optional<String> answered() {
        String prefix = asked + " ";
        String answers = read("answers");
        // Without the line that may not be written to its end yet.
        return answers.substring(0, answers.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst();
    }

    private String errors() {
        return read("errors");
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
