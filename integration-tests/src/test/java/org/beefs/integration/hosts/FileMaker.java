package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.RunningProgram;

/**
 * Programs on one host, one after the other, each of which overwrites a few files for ever, and tells of each the
 * checksum of what it is told to be on disk. A program ends with its host; one that only fails goes on. For one thread.
 */
final class FileMaker implements AutoCloseable {
    private static final Duration STANDSTILL = Duration.ofMinutes(3);
    private static final String BEGUN = "begun";
    private static final String DONE = "done";

    /** The checksum is of what was to be written, and of nothing that the hive has answered. */
    private static final String SCRIPT = """
            echo $$
            mkdir -p "$HIVE/FOLDER"
            n=0
            while :; do
              file=FOLDER/$((n % 20))
              head -c $((n * 7919 % 300000 + 1)) /dev/urandom >"$BEEFS_STATE/content"
              sum=$(sha256sum <"$BEEFS_STATE/content")
              echo "begun $file"
              if dd if="$BEEFS_STATE/content" of="$HIVE/$file" bs=64K conv=fsync status=none; then
                echo "done $file ${sum%% *}"
              else
                sleep 0.5
              fi
              n=$((n + 1))
            done
            """;

    private final Hosts hosts;
    private final String host;
    private final List<RunningProgram> programs = new ArrayList<>();

    FileMaker(Hosts hosts, String host) {
        this.hosts = hosts;
        this.host = host;
    }

    /** Starts a program, unless one runs. */
    void ensureRunning() {
        if (programs.isEmpty() || !programs.getLast().isRunning()) {
            programs.add(
                    hosts.on(host, SCRIPT.replace("FOLDER", "soak/" + host)).start());
        }
    }

    /** Waits for so many further files. */
    void awaitProgress(int files) {
        RunningProgram program = programs.getLast();
        long before = done();
        Await.until(STANDSTILL, () -> host + " gets on: " + program.errorsSoFar(), () -> {
            assertThat(program.isRunning())
                    .as(host + ": " + program.errorsSoFar())
                    .isTrue();
            return done() >= before + files;
        });
    }

    /** Files that were said to be on disk so far. */
    long done() {
        return told().filter(words -> words[0].equals(DONE)).count();
    }

    /**
     * What each file must hold, as its SHA-256; nothing where a program began another content and was not told that it
     * is on disk.
     */
    Map<String, Optional<String>> acknowledged() {
        Map<String, Optional<String>> files = new TreeMap<>();
        told().forEach(words ->
                files.put(words[1], words[0].equals(DONE) ? Optional.of(words[2]) : Optional.<String>empty()));
        return files;
    }

    private Stream<String[]> told() {
        return programs.stream()
                .flatMap(program -> {
                    String output = program.outputSoFar();
                    return output.substring(0, output.lastIndexOf('\n') + 1).lines();
                })
                .map(line -> line.split(" ", -1))
                .filter(words -> words[0].equals(BEGUN) || words[0].equals(DONE));
    }

    /** Ends the program that runs, wherever it is; one that has ended with its host has left its number to others. */
    void end() {
        RunningProgram program = programs.getLast();
        if (!program.isRunning()) {
            return;
        }
        String process = program.outputSoFar().lines().findFirst().orElseThrow();
        hosts.on(host, "kill -KILL " + process + " || true").run();
        assertThat(program.endsWithin(STANDSTILL))
                .as("the program on " + host + " ends")
                .isTrue();
    }

    @Override
    public void close() {
        programs.forEach(RunningProgram::close);
    }
}
