package org.beefs.cli.command;

import java.io.PrintWriter;
import java.util.Objects;
import org.beefs.cli.view.Done;
import org.beefs.cli.view.Json;
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

    /** Whether the launcher has found that what was asked for goes to a terminal, where it may be drawn again. */
    static boolean isScreen() {
        return Boolean.getBoolean("beefs.screen");
    }

    /** A line of progress. */
    void say(String line) {
        out.println(line);
        out.flush();
    }

    /** What was done to a desktop, for people or for scripts. */
    void done(String desktop, String done, boolean json) {
        say(json ? Json.line(new Done(desktop, done)) : done);
    }

    void warn(String line) {
        err.println("beefs: " + line);
        err.flush();
    }
}
