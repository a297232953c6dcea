package org.beefs.cli.command;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a command writes.
 *
 * @param out what was asked for
 * @param err what went otherwise than asked
 */
record Console(PrintWriter out, PrintWriter err) {
    /** Of the command line that runs the command. */
    static Console of(@Nullable CommandSpec spec) {
        var commandLine = Objects.requireNonNull(spec, "picocli sets it before it runs a command")
                .commandLine();
        return new Console(commandLine.getOut(), commandLine.getErr());
    }

    /** A line of progress. */
    void say(String line) {
        out.println(line);
        out.flush();
    }

    void warn(String line) {
        err.println("beefs: " + line);
        err.flush();
    }
}
