package org.beefs.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Commands as somebody types them, and what they all have said. */
public final class CommandRun {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Answers the exit code. */
    public int run(String... words) {
        return commandLine().execute(words);
    }

    /** Likewise, for the hive of a state folder. */
    public int runIn(Path state, String... words) {
        return run(Stream.of(List.of(words), List.of("--state", state.toString()))
                .flatMap(List::stream)
                .toArray(String[]::new));
    }

    public CommandLine commandLine() {
        return Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }
}
