package org.beefs.cli.view;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import org.beefs.cli.process.Await;
import org.beefs.cli.terminal.Terminal;
import org.beefs.common.linux.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command writes, and whether it speaks to people or to scripts. */
public final class Output {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--json", description = "Print JSON for scripts; its fields stay as they are.")
    private boolean json;

    public boolean isJson() {
        return json;
    }

    /** Where goes what was asked for. */
    private PrintWriter out() {
        return commandLine().getOut();
    }

    /** Where goes what went otherwise than asked. */
    public PrintWriter err() {
        return commandLine().getErr();
    }

    private CommandLine commandLine() {
        return Objects.requireNonNull(command, "picocli sets it before it runs a command")
                .commandLine();
    }

    /** A line of what was asked for, or of progress. */
    public void say(String line) {
        say(out(), line);
    }

    /** Likewise, of a command that has nothing for scripts. */
    public static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
        StandardOutput.requireWritten();
    }

    /** Waits that long before there is more to say; answers whether the command was interrupted, and is to end. */
    public boolean endsWithin(Duration time) {
        boolean ends = Await.interruptWithin(time);
        StandardOutput.requireReader();
        return ends;
    }

    /** What was asked for: all that is in it for scripts, its text for people. */
    public void show(Report report) {
        show(report, report.render());
    }

    public void show(Object report, String text) {
        say(json ? Json.of(report) : text.stripTrailing());
    }

    /** One of many that are told: a line for scripts, its text for people. */
    public void line(Object record, String text) {
        say(json ? Json.line(record) : text);
    }

    /** What was done to a desktop, likewise. */
    public void done(String desktop, String done) {
        line(new Done(desktop, done), done);
    }

    /** Where to tell how it goes: scripts that read JSON find nothing else among that. */
    public PrintWriter progress() {
        return json ? err() : out();
    }

    /** Shows how so many daemons start. */
    public DaemonProgress starts(int daemons) {
        return new DaemonProgress(daemons, progress(), err(), Terminal.hasMessages(), new SystemClock());
    }

    public void warn(String line) {
        err().println("beefs: " + line);
        err().flush();
    }
}
