package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.RunningProgram;

/**
 * A program on a host that opens a file once, appends lines of its own, and acknowledges each when it was synced. It
 * ends when one fails. For one thread.
 */
final class Writer implements AutoCloseable {
    /** Longer than an fsync tries to reach a primary. */
    private static final Duration STANDSTILL = Duration.ofMinutes(3);

    private static final String SCRIPT = """
            echo $$
            n=0
            exec 3>>"$HIVE/FILE"
            while printf 'NAME line %d\\n' $n | dd status=none conv=fsync >&3; do
              echo "NAME line $n"
              n=$((n + 1))
              sleep 0.02
            done
            exit 1
            """;

    private final Hosts hosts;
    private final String host;
    private final String name;
    private final String file;
    private final RunningProgram program;

    /** @param file from the root of the hive */
    Writer(Hosts hosts, String host, String name, String file) {
        this.hosts = hosts;
        this.host = host;
        this.name = name;
        this.file = file;
        this.program = hosts.on(host, SCRIPT.replace("NAME", name).replace("FILE", file))
                .start();
    }

    String host() {
        return host;
    }

    String file() {
        return file;
    }

    /** All lines that it was told are on disk. */
    List<String> acknowledged() {
        String output = program.outputSoFar();
        List<String> lines =
                output.substring(0, output.lastIndexOf('\n') + 1).lines().toList();
        return lines.isEmpty() ? lines : lines.subList(1, lines.size());
    }

    boolean isRunning() {
        return program.isRunning();
    }

    /** Waits for so many further ones. */
    void awaitProgress(int lines) {
        awaitProgressOrEnd(lines);
        assertThat(isRunning()).as(name + ": " + program.errorsSoFar()).isTrue();
    }

    /** Waits for so many further ones, or until one has failed. */
    void awaitProgressOrEnd(int lines) {
        int before = acknowledged().size();
        Await.until(
                STANDSTILL,
                () -> name + " gets on or ends: " + program.errorsSoFar(),
                () -> !isRunning() || acknowledged().size() >= before + lines);
    }

    /** Ends it. */
    void end() {
        String process = program.outputSoFar().lines().findFirst().orElseThrow();
        hosts.on(host, "kill " + process + " || true").run();
        awaitEnd();
    }

    /** Waits for the end that it comes to by itself. */
    void awaitEnd() {
        assertThat(program.endsWithin(STANDSTILL)).as(name + " ends").isTrue();
    }

    @Override
    public String toString() {
        return "%s on %s, %d lines: %s".formatted(name, host, acknowledged().size(), program.errorsSoFar());
    }

    @Override
    public void close() {
        program.close();
    }
}
