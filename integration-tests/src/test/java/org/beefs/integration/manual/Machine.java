package org.beefs.integration.manual;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.manual.Manual.Block;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.RunningProgram;

/**
 * What stands for one machine of the manual: folders of its own on this one, and the services that its units describe.
 * For one thread.
 */
public final class Machine implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern SYSTEMCTL =
            Pattern.compile("systemctl (enable --now|start|restart|disable --now|stop|daemon-reload) ?(\\S*)");

    private final String name;
    private final Path folder;
    private final UnaryOperator<String> addresses;

    /** Files of units, and what was read of them, which holds until they are read again. */
    private final Map<String, String> units = new HashMap<>();

    private final Map<String, String> loaded = new HashMap<>();
    private final Map<String, RunningProgram> services = new HashMap<>();

    /** Services that were started and not awaited yet. */
    private final Set<String> starting = new LinkedHashSet<>();

    /**
     * @param folder for all that it has
     * @param addresses puts real ones in the place of those in the manual
     */
    public Machine(String name, Path folder, UnaryOperator<String> addresses) {
        this.name = name;
        this.folder = folder;
        this.addresses = addresses;
        create(folder.resolve("state"));
    }

    /** Does what a reader does with the block on this machine. Services that it starts are not awaited. */
    public void follow(Block block) {
        String text = here(block.text());
        if (block.file().endsWith(".service")) {
            units.put(block.file().replace(".service", ""), text);
        } else if (!block.isCommands()) {
            write(block.file(), text);
        } else if (text.startsWith("systemctl ")) {
            text.lines().forEach(this::control);
        } else {
            shell(text).run();
        }
    }

    private void control(String command) {
        Matcher systemctl = SYSTEMCTL.matcher(command);
        if (!systemctl.matches()) {
            throw new AssertionError("nobody does this: " + command);
        }
        String unit = systemctl.group(2);
        switch (systemctl.group(1)) {
            case "daemon-reload" -> loaded.clear();
            case "restart" -> restart(unit);
            case "start", "enable --now" -> start(unit);
            default -> stop(unit);
        }
    }

    /**
     * All services that were started have done so, as their units say when that is. Those of desktops have their mounts
     * then, and are ready for tools a moment later.
     */
    public void await() {
        starting.forEach(this::awaitStart);
        starting.clear();
        if (!name.equals("server")) {
            services.forEach((unit, service) -> Await.until(
                    PATIENCE,
                    () -> "%s of %s gets ready: %s".formatted(unit, name, service.errorsSoFar()),
                    () -> service.errorsSoFar().contains(" is ready")));
        }
    }

    /** Kills a service, and returns when it counts as started again. */
    public void killAndStart(String unit) {
        try (RunningProgram killed = Objects.requireNonNull(services.remove(unit), unit)) {
            killed.signal(Posix.SIGKILL);
            killed.await(PATIENCE);
        }
        start(unit);
        awaitStart(unit);
    }

    private void awaitStart(String unit) {
        RunningProgram service = Objects.requireNonNull(services.get(unit), unit);
        command(unit, "ExecStartPost")
                .ifPresent(command -> shell(command)
                        .with("MAINPID", Long.toString(service.pid()))
                        .run());
        if (!service.isRunning()) {
            throw new AssertionError("%s of %s has ended: %s".formatted(unit, name, service.errorsSoFar()));
        }
    }

    /** The disk of the machine that runs the tests need not be as large as a desktop's. */
    private String here(String text) {
        return addresses
                .apply(text)
                .replace("scp -p bees.example.org:/var/lib/beefs", "cp -p " + folder.resolveSibling("server/state"))
                .replace("/var/lib/beefs", folder.resolve("state").toString())
                .replace("/var/backups", folder.resolve("backups").toString())
                .replace("/home/.beefs", folder.resolve("honeycomb").toString())
                .replace("/mnt/hive", folder.resolve("hive").toString())
                .replace("/opt/beefs/beefs", "beefs")
                .replace("reserve = \"20G\"", "reserve = \"1M\"")
                .replace("\"desk1\"", "\"" + name + "\"")
                .replace("%H", name);
    }

    private void write(String file, String text) {
        String process = file.equals("queenbee.toml") ? "queenbee" : name;
        Path parent = create(folder.resolve("state").resolve(process));
        try {
            Files.writeString(parent.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that runs is left alone. */
    private void start(String unit) {
        RunningProgram running = services.get(unit);
        if (running != null && running.isRunning()) {
            return;
        }
        command(unit, "ExecStartPre").ifPresent(command -> shell(command).runToAnyEnd());
        String exec = command(unit, "ExecStart").orElseThrow(() -> new AssertionError(name + " has no unit " + unit));
        services.put(unit, shell("exec " + exec).start());
        starting.add(unit);
    }

    private void restart(String unit) {
        if (services.containsKey(unit)) {
            stop(unit);
        }
        start(unit);
    }

    /** One that may fail has a dash before it. */
    private Optional<String> command(String unit, String key) {
        Matcher line = Pattern.compile("(?m)^" + key + "=-?(.+)$").matcher(read(unit));
        return line.find() ? Optional.of(line.group(1)) : Optional.empty();
    }

    /** What the unit's file said when it was needed first since all were read again. */
    private String read(String unit) {
        return loaded.computeIfAbsent(unit, file -> units.getOrDefault(file, ""));
    }

    private void stop(String unit) {
        RunningProgram service = services.remove(unit);
        if (service == null) {
            throw new AssertionError(unit + " does not run on " + name);
        }
        try (service) {
            service.signal(Posix.SIGTERM);
            service.await(PATIENCE);
        }
    }

    private Program shell(String script) {
        return Program.shell(script)
                .with("BEEFS_STATE", folder.resolve("state").toString())
                .with("PATH", launcher().getParent() + ":" + System.getenv("PATH"))
                .within(PATIENCE);
    }

    private static Path launcher() {
        return Folders.repository().resolve("beefs");
    }

    private static Path create(Path made) {
        try {
            return Files.createDirectories(made);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        MountPoints.detachAll(folder);
        services.values().forEach(RunningProgram::close);
        MountPoints.detachAll(folder);
    }
}
