package org.beefs.integration.hive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.opentest4j.TestAbortedException;

/**
 * A user who is not root, with a hive of his own: what the desktop's owner is who never asks an administrator. He lives
 * in a mount namespace, in which everybody may open /dev/fuse, as Debian has it, and which has an /etc/fuse.conf of its
 * own; so nothing changes for the machine. Closing it ends his processes, and with them his mounts. For one thread.
 */
public final class OrdinaryUser implements AutoCloseable {
    /** Debian's nobody. */
    public static final int ID = 65534;

    private static final Duration READY = Duration.ofSeconds(10);
    private static final Duration COMMAND = Duration.ofSeconds(90);

    private static final String NAMESPACE = MountPoints.WITHOUT_OTHERS + """
            mknod "$BASE/fuse" c 10 229
            chmod 666 "$BASE/fuse"
            mount --bind "$BASE/fuse" /dev/fuse
            echo "$CONF" > "$BASE/fuse.conf"
            mount --bind "$BASE/fuse.conf" /etc/fuse.conf
            mkdir "$BASE/home"
            chown nobody:nogroup "$BASE/home"
            touch "$BASE/ready"
            exec sleep infinity
            """;

    private final Path base = Folders.create("user");
    private final Path home = base.resolve("home");
    private final RunningProgram namespace;

    /** For a test run that is itself ended by a signal. */
    private final Thread emergency = new Thread(this::clear);

    /**
     * Makes the namespace; skips the test loudly where it cannot be made, or a user cannot reach this checkout.
     *
     * @param configuration of fusermount3
     */
    public OrdinaryUser(String configuration) {
        Runtime.getRuntime().addShutdownHook(emergency);
        namespace = Program.of("unshare", "--mount", "--propagation", "private", "/bin/sh", "-euc", NAMESPACE)
                .with("BASE", base.toString())
                .with("CONF", configuration)
                .start();
        Await.within(READY, () -> Files.exists(base.resolve("ready")) || !namespace.isRunning());
        if (!namespace.isRunning()) {
            throw skipped("no mount namespace can be made here: " + namespace.errorsSoFar());
        }
        Result usable = shell("exec 3<> /dev/fuse; test -x \"$LAUNCHER\"; test -r \"$OPTIONS\"; \"$JAVA\" -version")
                .with("LAUNCHER", launcher())
                .with(
                        "OPTIONS",
                        Folders.repository()
                                .resolve("cli/target/distribution/common.options")
                                .toString())
                .with("JAVA", System.getProperty("java.home") + "/bin/java")
                .runToAnyEnd();
        if (!usable.succeeded()) {
            throw skipped("a user cannot use /dev/fuse, this checkout or its JDK: " + usable);
        }
    }

    private TestAbortedException skipped(String reason) {
        close();
        return Requirements.skip(reason);
    }

    /** {@code ./beefs}, for other users. */
    public String launcher() {
        return Folders.repository().resolve("beefs").toString();
    }

    /** A folder of his, on an ordinary file system. */
    public Path home() {
        return home;
    }

    /** A command of his. */
    public Program runs(String... command) {
        return as(ID, command);
    }

    /** A script of his. */
    public Program shell(String script) {
        return runs("/bin/sh", "-euc", script);
    }

    /** {@code ./beefs} on his own state folder. */
    public Program beefs(String... arguments) {
        List<String> all = new ArrayList<>(List.of(launcher()));
        all.addAll(List.of(arguments));
        return runs(all.toArray(String[]::new)).within(COMMAND);
    }

    /** A command of another user, who sees the same mounts. */
    public Program as(int user, String... command) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--mount", "--target", Long.toString(namespace.pid())));
        if (user != 0) {
            all.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
        }
        all.addAll(List.of(command));
        return Program.of(all)
                .with("BEEFS_STATE", home.resolve("state").toString())
                .with("HOME", home.toString());
    }

    public Role role(String name) {
        return new Role(home.resolve("state").resolve(name));
    }

    /** Lines of a role's log that are warnings or worse. */
    public List<String> complaints(String role) {
        Path log =
                home.resolve("state").resolve(role).resolve(role.equals("queenbee") ? "queenbee.log" : "desktop.log");
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(" WARN ") || line.contains(" ERROR ") || line.startsWith("\tat "))
                    .toList();
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
        try (Stream<Path> folders = Files.list(home.resolve("state"))) {
            folders.filter(Files::isDirectory).map(Role::new).forEach(Role::end);
        } catch (IOException neverCameUp) {
            // Then there is nothing to end.
        }
        namespace.close();
        Folders.delete(base);
    }
}
