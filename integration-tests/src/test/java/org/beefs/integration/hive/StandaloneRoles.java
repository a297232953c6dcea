package org.beefs.integration.hive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.RunningProgram;

/**
 * Roles that are started by hand in the foreground, one by one, on a state folder and with paths of their own. Closing
 * it leaves nothing behind: mounts are taken away, processes ended, folders deleted. For one thread.
 */
public final class StandaloneRoles implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Pattern LISTENS = Pattern.compile("listens at /(127\\.0\\.0\\.1:\\d+)");

    private final Path base = Folders.create("roles");
    private final Path state = base.resolve("state");
    private final List<RunningProgram> started = new ArrayList<>();

    /** For a test run that is itself ended by a signal. */
    private final Thread emergency = new Thread(this::clear);

    public StandaloneRoles() {
        Runtime.getRuntime().addShutdownHook(emergency);
    }

    /**
     * A command on the state folder, which hears Ctrl-C as in a terminal also where the test run itself was started to
     * ignore it, as shells start what goes on in the background.
     */
    public Program beefs(String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                Folders.repository().resolve("beefs").toString()));
        all.addAll(List.of(arguments));
        return Program.of(all).with("BEEFS_STATE", state.toString()).within(START);
    }

    /** Starts a role, and returns when it is ready. */
    public RunningProgram start(String... arguments) {
        RunningProgram role = beefs(arguments).start();
        started.add(role);
        Await.until(
                START,
                () -> String.join(" ", arguments) + " gets ready: " + role.errorsSoFar(),
                () -> role.errorsSoFar().contains(" is ready") || !role.isRunning());
        if (!role.isRunning()) {
            throw new AssertionError(role.await(Duration.ZERO).toString());
        }
        return role;
    }

    /** Starts a queen-bee on a free port, and returns the address that others need. */
    public String startQueenBee() {
        return addressOf(start("queenbee", "--listen", "127.0.0.1:0"));
    }

    /** Where a queen-bee listens. */
    public static String addressOf(RunningProgram queenBee) {
        String log = queenBee.errorsSoFar();
        Matcher address = LISTENS.matcher(log);
        if (!address.find()) {
            throw new AssertionError("the queen-bee does not say where she listens: " + log);
        }
        return address.group(1);
    }

    /** A path for the test, where nothing is yet. */
    public Path path(String name) {
        return base.resolve(name);
    }

    /** An empty folder of the test. */
    public Path folder(String name) {
        try {
            return Files.createDirectory(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file of the test. */
    public Path file(String name, String content) {
        try {
            return Files.writeString(path(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        clear();
        Runtime.getRuntime().removeShutdownHook(emergency);
    }

    private void clear() {
        MountPoints.detachAll(base);
        started.forEach(RunningProgram::close);
        MountPoints.detachAll(base);
        Folders.delete(base);
    }
}
