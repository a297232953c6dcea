package org.beefs.integration.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.hive.StackTraces;
import org.beefs.integration.hive.StateFolder;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Cleanup;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.RunningProgram;

/**
 * Hosts that are namespaces of this machine's kernel: of network, processes, mounts and name. Their links end at a
 * bridge in one more network namespace, so that nothing of it all is seen in the machine's own network or table of
 * mounts, and the kernel takes everything away when the last process is killed.
 */
final class NamespaceHosts implements Hosts {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration DEATH = Duration.ofSeconds(10);

    private static final String SWITCH = """
            ip link add switch type bridge
            ip link set switch up
            touch "$BASE/ready"
            exec sleep infinity
            """;

    /**
     * The card's address stays over restarts, as that of a real one: others remember it. What follows is the daemon, as
     * first process.
     */
    private static final String BOOT = MountPoints.WITHOUT_OTHERS + """
            hostname "$HOST"
            mount --bind "$BASE/hosts" /etc/hosts
            mount --bind "$BASE/disks/$HOST" "$BEEFS_STATE"
            ip link set lo up
            ip link add eth0 address "02:00:00:00:00:0$NUMBER" type veth peer name "$HOST" netns "$SWITCH"
            nsenter --net --target "$SWITCH" ip link set "$HOST" master switch up
            ip address add "10.0.0.$NUMBER/24" dev eth0
            ip link set eth0 up
            exec unshare --pid --fork --kill-child /bin/sh -euc 'mount -t proc proc /proc; exec "$@"' sh "$@" >>"$BEEFS_STATE/output" 2>&1
            """;

    private final Path base = Folders.create("hosts");
    private final Path state = base.resolve("state");
    private final Path mount = base.resolve("hive");
    private final StackTraces traces = new StackTraces(base.resolve("disks"));
    private final List<String> names = new ArrayList<>(List.of(QUEEN_BEE));
    private final Map<String, RunningProgram> running = new HashMap<>();
    private final RunningProgram network;

    /** For a test run that is itself ended by a signal. */
    private final Thread emergency = new Thread(this::clear);

    /** Brings the hive up; skips the test loudly where namespaces cannot be made. */
    NamespaceHosts() {
        Runtime.getRuntime().addShutdownHook(emergency);
        names.addAll(DESKTOPS);
        makeFolders();
        network = Program.of("unshare", "--net", "/bin/sh", "-euc", SWITCH)
                .with("BASE", base.toString())
                .start();
        Await.within(START, () -> Files.exists(base.resolve("ready")) || !network.isRunning());
        if (!network.isRunning()) {
            String reason = network.errorsSoFar();
            close();
            throw Requirements.skip("no network namespace can be made here: " + reason);
        }
        try {
            names.forEach(this::boot);
            names.forEach(host -> awaitReady(host, 0));
        } catch (RuntimeException | Error e) {
            keepLogs("failed-namespaces");
            close();
            throw e;
        }
    }

    private void makeFolders() {
        try {
            for (String name : names) {
                Files.createDirectories(base.resolve("disks").resolve(name));
            }
            Files.createDirectory(state);
            Files.createDirectory(mount);
            List<String> addresses = names.stream()
                    .map(name -> "10.0.0." + number(name) + " " + name)
                    .toList();
            Files.write(
                    base.resolve("hosts"),
                    Stream.concat(Stream.of("127.0.0.1 localhost"), addresses.stream())
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int number(String host) {
        return names.indexOf(host) + 1;
    }

    private void boot(String host) {
        List<String> command = new ArrayList<>(List.of("unshare", "--net", "--uts", "--mount"));
        command.addAll(List.of("/bin/sh", "-euc", BOOT, "sh", launcher().toString()));
        command.addAll(Roles.arguments(host, state.toString(), mount.toString()));
        running.put(
                host,
                environment(Program.of(command))
                        .with("BASE", base.toString())
                        .with("HOST", host)
                        .with("NUMBER", Integer.toString(number(host)))
                        .with("SWITCH", Long.toString(network.pid()))
                        .start());
    }

    private void awaitReady(String host, int before) {
        RunningProgram daemon = running(host);
        Await.until(
                START,
                () -> host + " gets ready: " + daemon.errorsSoFar() + output(host),
                () -> timesReady(host) > before || !daemon.isRunning());
        if (!daemon.isRunning()) {
            throw new AssertionError(host + " does not start: " + daemon.errorsSoFar() + output(host));
        }
    }

    private int timesReady(String host) {
        return output(host).split(" is ready", -1).length - 1;
    }

    /** Of all its daemons so far. */
    private String output(String host) {
        try {
            Path output = base.resolve("disks").resolve(host).resolve("output");
            return Files.exists(output) ? Files.readString(output) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RunningProgram running(String host) {
        return Objects.requireNonNull(running.get(host), () -> host + " is off");
    }

    private Program environment(Program program) {
        return program.with("BEEFS_STATE", state.toString())
                .with("HIVE", mount.toString())
                .with("PATH", launcher().getParent() + ":" + System.getenv("PATH"));
    }

    @Override
    public Program on(String host, String script) {
        long pid = running(host).pid();
        return environment(Program.of(
                "nsenter",
                "--net",
                "--uts",
                "--mount",
                "--pid=/proc/" + pid + "/ns/pid_for_children",
                "--target",
                Long.toString(pid),
                "/bin/sh",
                "-euc",
                script));
    }

    /** Its end of the link may outlive it for a moment. */
    @Override
    public void kill(String host) {
        powerOff(running(host));
        running.remove(host);
        link("! ip link show HOST || ip link delete HOST || ! ip link show HOST".replace("HOST", host))
                .run();
    }

    /** The kernel kills all processes of the host before it lets the first one go. */
    private static void powerOff(RunningProgram host) {
        try (host) {
            List<ProcessHandle> first = ProcessHandle.of(host.pid()).stream()
                    .flatMap(ProcessHandle::children)
                    .toList();
            first.forEach(ProcessHandle::destroyForcibly);
            Await.until(DEATH, "it is off", () -> first.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Override
    public void start(String host) {
        int before = timesReady(host);
        boot(host);
        awaitReady(host, before);
    }

    @Override
    public void cut(String host) {
        link("ip link set " + host + " down").run();
    }

    @Override
    public void heal(String host) {
        link("ip link set " + host + " up").run();
    }

    private Program link(String script) {
        return Program.of("nsenter", "--net", "--target", Long.toString(network.pid()), "/bin/sh", "-euc", script);
    }

    @Override
    public List<String> freshTraces() {
        return traces.fresh();
    }

    @Override
    public void keepLogs(String name) {
        StateFolder.keepLogs(base.resolve("disks"), name);
    }

    @Override
    public void close() {
        clear();
        Runtime.getRuntime().removeShutdownHook(emergency);
    }

    private void clear() {
        List<Runnable> steps = new ArrayList<>();
        running.values().forEach(host -> steps.add(() -> powerOff(host)));
        steps.add(network::close);
        steps.add(() -> StateFolder.makeMutable(base.resolve("disks")));
        steps.add(() -> Folders.delete(base));
        Cleanup.run(steps);
    }

    private static Path launcher() {
        return Folders.repository().resolve("beefs");
    }
}
