package org.beefs.integration.hive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.view.StatusCollector;
import org.beefs.cli.view.StatusReport;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Result;

/**
 * A hive of real processes on this machine, brought up with {@code ./beefs}, with a state folder and mounts of its own.
 * Closing it leaves nothing behind, whatever happened: mounts are taken away, processes ended by their pids, folders
 * deleted. For one thread.
 */
public final class Hive implements AutoCloseable {
    private static final Duration COMMAND_DEADLINE = Duration.ofSeconds(90);

    private final Path base = Folders.create("hive");

    /** For a test run that is itself ended by a signal. */
    private final Thread emergency = new Thread(this::clear);

    private final Path mount = base.resolve("hive");
    private final StackTraces traces = new StackTraces(state());
    private final int desktops;
    private final String driver;
    private int mounts;

    private Hive(int desktops, String driver) {
        this.desktops = desktops;
        this.driver = driver;
        Runtime.getRuntime().addShutdownHook(emergency);
    }

    /** Brings up a new hive with so many desktops, mounted on the first of them through a driver. */
    public static Hive create(int desktops, String driver) {
        Hive hive = new Hive(desktops, driver);
        try {
            hive.up();
        } catch (RuntimeException | Error e) {
            hive.keepLogs("failed-up");
            hive.close();
            throw e;
        }
        return hive;
    }

    /** Brings it up again, after {@link #down} or after processes were killed. */
    public Result up() {
        return beefs("up", mount.toString(), "--desktops", Integer.toString(desktops), "--driver", driver)
                .run();
    }

    public Result down() {
        return beefs("down").run();
    }

    /** A command on this hive's state folder. */
    public Program beefs(String... arguments) {
        List<String> all = new ArrayList<>(List.of(launcher().toString()));
        all.addAll(List.of(arguments));
        return Program.of(all).with("BEEFS_STATE", state().toString()).within(COMMAND_DEADLINE);
    }

    /** The same, its output read by a command of a shell. */
    public Program piped(String reader, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "bash",
                "-c",
                "set -o pipefail; \"$@\" | " + reader,
                "bash",
                launcher().toString()));
        all.addAll(List.of(arguments));
        return Program.of(all).with("BEEFS_STATE", state().toString()).within(COMMAND_DEADLINE);
    }

    /**
     * What {@code beefs status} shows, also of a hive that is down. Asked by this process, so that a test may look as
     * often as it likes: a look with the command is a JVM.
     */
    public String status() {
        return report().render();
    }

    /** The same in parts. */
    public StatusReport report() {
        return StatusCollector.collect(new HiveFolder(state()));
    }

    /** Whether all daemons answer, and the queen-bee says that all honeycombs are awake. */
    public boolean areAllAwake() {
        StatusReport report = report();
        return report.allRunning()
                && report.honeycombs().stream()
                        .allMatch(honeycomb -> honeycomb.presence().equals("awake"));
    }

    /** The mount on the first desktop. */
    public Path mount() {
        return mount;
    }

    /**
     * Another mount, on the desktop of that name; a name that does not exist yet becomes one without honeycomb.
     * Thread-safe.
     */
    public synchronized Path mountOn(String host) {
        Path added = base.resolve("mount" + ++mounts);
        beefs("mount", added.toString(), "--desktop", host, "--driver", driver).run();
        return added;
    }

    /** What the kernel has asked through a mount of this hive. */
    public RequestCounts requests(Path mounted) {
        return RequestCounts.of(this, mounted);
    }

    public Path state() {
        return base.resolve("state");
    }

    /** A folder for the test beside the hive, on an ordinary file system. */
    public Path scratch() {
        try {
            return Files.createDirectories(base.resolve("scratch"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Role queenBee() {
        return role("queenbee");
    }

    /** The first is 1. */
    public Role desktop(int number) {
        return role("desktop" + number);
    }

    public Role role(String name) {
        return new Role(state().resolve(name));
    }

    /** All that have a folder, running or not. */
    public List<Role> roles() {
        try (Stream<Path> folders = Files.list(state())) {
            return folders.filter(Files::isDirectory).map(Role::new).toList();
        } catch (IOException neverCameUp) {
            return List.of();
        }
    }

    /** From now on daemons may log stack traces under which a text stands: the test provokes them. */
    public void expectTrace(String text) {
        traces.expect(text);
    }

    /** Fails if daemons have logged stack traces of BeeFS's own code since the last call that nobody expects. */
    void assertNoTraces() {
        assertThat(traces.fresh()).as("stack traces in logs").isEmpty();
    }

    /** Copies logs and configurations to target/hives/NAME, for whoever looks into a failure. */
    public void keepLogs(String name) {
        StateFolder.keepLogs(state(), name);
    }

    @Override
    public void close() {
        clear();
        Runtime.getRuntime().removeShutdownHook(emergency);
    }

    private void clear() {
        MountPoints.detachAll(base);
        roles().forEach(Role::end);
        MountPoints.detachAll(base);
        StateFolder.makeMutable(state());
        Folders.delete(base);
    }

    private static Path launcher() {
        return Folders.repository().resolve("beefs");
    }
}
