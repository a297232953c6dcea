package org.beefs.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.ProcessFolder.Role;
import org.beefs.cli.state.Reasons;

/** Starts daemons that go on without us, in a session of their own and without a terminal. */
public final class DaemonStarter {
    /** A loaded machine starts a JVM slowly, and a queen-bee reads a large namespace first. */
    static final Duration START = Duration.ofSeconds(90);

    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final String LINE_FOR_PEOPLE = "beefs: ";

    /** Bytes of disk, of which a file takes whole blocks. */
    private static final long A_FEW_LINES = 64 << 10;

    private final HiveFolder hive;
    private final Map<String, String> environment;

    public DaemonStarter(HiveFolder hive, Map<String, String> environment) {
        this.hive = hive;
        this.environment = environment;
    }

    /** A daemon that was started and may not be ready yet. */
    public record Started(ProcessFolder folder, Process process) {}

    /**
     * Starts the daemon of a folder that has a configuration. Does not wait for it.
     *
     * @param options further words of its command
     */
    public Started start(ProcessFolder folder, List<String> options) {
        List<String> command = command(folder);
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.path().toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(folder.output().toFile());
        builder.environment().put("LC_ALL", "C.UTF-8");
        // The C library's default of 8 arenas for each core costs an idle daemon tens of megabytes.
        builder.environment().putIfAbsent("MALLOC_ARENA_MAX", "2");
        try {
            return new Started(folder, builder.start());
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot start " + folder.name() + ": " + Reasons.of(e));
        }
    }

    /** Waits until a started daemon answers tools; fails with its own words when it ends instead. */
    public void awaitReady(Started started) {
        awaitReady(started, START, () -> {});
    }

    /**
     * As above, with another patience.
     *
     * @param meanwhile run again and again
     */
    void awaitReady(Started started, Duration patience, Runnable meanwhile) {
        ProcessFolder folder = started.folder();
        ControlClient client = new ControlClient(folder);
        Process process = started.process();
        boolean decided = Await.until(patience, () -> {
            meanwhile.run();
            return !process.isAlive() || (Files.exists(folder.control()) && client.answers(ANSWER));
        });
        if (!process.isAlive()) {
            throw new CommandFailure(
                    exitCode(process),
                    folder.name() + " did not start: " + lastWords(folder) + advice(process, folder));
        } else if (!decided) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%s is not ready after %d s; see %s".formatted(folder.name(), patience.toSeconds(), folder.log()));
        }
    }

    private List<String> command(ProcessFolder folder) {
        Distribution distribution = Distribution.own();
        String role = folder.role().word();
        List<String> command = new ArrayList<>(List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(distribution.flags(role));
        words(environment.getOrDefault("BEEFS_JAVA_OPTS", "")).forEach(command::add);
        command.addAll(List.of("-cp", distribution.classPath(), Distribution.MAIN, role));
        command.addAll(List.of("--state", hive.path().toString(), "--background"));
        if (folder.role() == Role.DESKTOP) {
            command.add(folder.name());
        }
        return command;
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+")).stream()
                .filter(Predicate.not(String::isEmpty))
                .toList();
    }

    private static int exitCode(Process process) {
        return process.exitValue() == 0 ? ExitCode.FAILED : process.exitValue();
    }

    /** It is configured once, and whoever has taken it meanwhile may keep it. */
    private static String advice(Process process, ProcessFolder folder) {
        if (process.exitValue() != ExitCode.ADDRESS) {
            return "";
        }
        String also = folder.role() == Role.QUEENBEE ? ", and in address of each desktop's file" : "";
        return "; choose another port in " + folder.configuration() + also;
    }

    /** The line that a failing daemon ends with, or what the JVM said. */
    private static String lastWords(ProcessFolder folder) {
        try {
            List<String> lines = Files.readString(folder.output()).lines().toList();
            return lines.reversed().stream()
                    .filter(line -> line.startsWith(LINE_FOR_PEOPLE))
                    .map(line -> line.substring(LINE_FOR_PEOPLE.length()))
                    .findFirst()
                    .orElseGet(() -> lines.isEmpty() ? silence(folder) : lines.getFirst());
        } catch (IOException e) {
            return "see " + folder.log();
        }
    }

    /** Its words go to its folder, so on a full disk nothing is left of them. */
    private static String silence(ProcessFolder folder) {
        return folder.path().toFile().getUsableSpace() < A_FEW_LINES
                ? "the disk of %s is full; free some space there, and start it again".formatted(folder.path())
                : "it said nothing";
    }
}
