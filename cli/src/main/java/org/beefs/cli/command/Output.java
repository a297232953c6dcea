package org.beefs.cli.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import org.beefs.cli.option.JsonOption;
import org.beefs.cli.process.Await;
import org.beefs.cli.view.DaemonProgress;
import org.beefs.cli.view.Done;
import org.beefs.cli.view.Json;
import org.beefs.cli.view.Report;
import org.beefs.cli.view.Terminal;
import org.beefs.common.linux.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a command writes.
 *
 * @param out what was asked for
 * @param err what went otherwise than asked
 */
record Output(PrintWriter out, PrintWriter err) {
    /** Of the command line that runs the command. */
    static Output of(@Nullable CommandSpec spec) {
        var commandLine = Objects.requireNonNull(spec, "picocli sets it before it runs a command")
                .commandLine();
        return new Output(commandLine.getOut(), commandLine.getErr());
    }

    /** A line of progress. */
    void say(String line) {
        out.println(line);
        out.flush();
        StandardOutput.requireWritten();
    }

    /** Waits that long before there is more to say; answers whether the command was interrupted, and is to end. */
    boolean endsWithin(Duration time) {
        boolean ends = Await.interruptWithin(time);
        StandardOutput.requireReader();
        return ends;
    }

    /** What was asked for, for people or for scripts. */
    void show(Report report, JsonOption json) {
        say(json.isChosen() ? Json.of(report) : report.render().stripTrailing());
    }

    /** What was done to a desktop, likewise. */
    void done(String desktop, String done, JsonOption json) {
        say(json.isChosen() ? Json.line(new Done(desktop, done)) : done);
    }

    /** Where to tell how it goes: scripts that read JSON find nothing else among that. */
    PrintWriter progress(JsonOption json) {
        return json.isChosen() ? err : out;
    }

    /** Shows how so many daemons start. */
    DaemonProgress starts(int daemons, JsonOption json) {
        return new DaemonProgress(daemons, progress(json), err, Terminal.hasMessages(), new SystemClock());
    }

    void warn(String line) {
        err.println("beefs: " + line);
        err.flush();
    }
}
