package org.beefs.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.StreamSupport;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.mounts.MountPlace;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.option.TypedTime;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.TraceLine;
import org.beefs.cli.view.TraceView;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.time.Clock;
import org.beefs.honeybee.trace.TraceQuestion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows live what is asked of a file or by a process, and what it waits for. */
@Command(
        name = "trace",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what programs ask of a file or directory in the hive, or what a process asks of the hive, as it happens, until Ctrl-C. "
                    + "Run it on the desktop where something is slow, as who runs its daemon.",
            "",
            "Each line is a call: when it began, the operation, what it is about, the thread of the program that waits, how long it took, and how it ended. "
                    + "A call that takes longer than 100 ms is shown at once, with what it waits for: the queen-bee, and what she waits for; "
                    + "the honeycomb of another desktop, or a connection with it; a lock, and who has it; what was written and is on its way; this "
                    + "desktop's disk. It is shown again when it waits for something else, and when it has ended.",
            "",
            "The request at the end of a line is in the log lines of all roles that concern it, too: grep finds its way.",
            "",
            "Nothing of the file is looked up in the mount, so it works while the queen-bee or other desktops are away. What the kernel answers by "
                    + "itself, which is most reading and writing of files on this desktop, asks nobody and is not seen. Of a directory, "
                    + "everything below that this desktop knows is shown; a file that was opened before, and that it has forgotten, is not.",
            "",
            "With --json there is a line for each call."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown",
            "1:the desktop does not answer any more, or too many trace it, or there is no such process",
            "2:the command line is wrong, or PATH is in no hive that is mounted here",
            "7:no desktop runs here that has the path mounted",
            "130:ended by Ctrl-C"
        },
        footer = {
            "",
            "Examples:",
            "  beefs trace hive/projects",
            "  beefs trace hive/report.odt --slow 100ms",
            "  beefs trace $(pidof -s soffice.bin)",
            "  beefs trace hive --slow 1s --for 1h --json"
        })
public final class TraceCommand implements Runnable {
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration STATUS = Duration.ofSeconds(10);

    private final Clock clock = new SystemClock();

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(
            paramLabel = "PATH|PID",
            description =
                    "A path in a mounted hive, which need not exist; or the number of a process. A path that is a number begins with ./")
    private String what = "";

    @Option(
            names = "--slow",
            paramLabel = "TIME",
            description = "Only calls that take at least so long, such as 100ms.")
    private @Nullable String slow;

    @Option(names = "--for", paramLabel = "TIME", description = "End after this time. Default: by Ctrl-C.")
    private @Nullable String time;

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        long slowMillis = slow == null ? 0 : parsed(slow, "--slow").toMillis();
        Long end =
                time == null ? null : clock.bootNanos() + parsed(time, "--for").toNanos();
        List<TracedDesktop> traced = isProcess() ? ofProcess(slowMillis) : ofPath(slowMillis);
        boolean ends = false;
        while (!ends) {
            boolean isLast = end != null && clock.bootNanos() - end >= 0;
            boolean more = false;
            for (TracedDesktop desktop : traced) {
                more |= desktop.show(this::show, this::leftOut);
            }
            ends = isLast || output.endsWithin(more ? Duration.ZERO : LOOK);
        }
    }

    private static Duration parsed(String text, String option) {
        return TypedTime.parse(option, text, LONGEST, option + " is longer than nothing, and at most a day");
    }

    private boolean isProcess() {
        return !what.isEmpty() && what.chars().allMatch(character -> character >= '0' && character <= '9');
    }

    private List<TracedDesktop> ofProcess(long slowMillis) {
        if (!Files.exists(Path.of("/proc", what))) {
            throw new CommandFailure(ExitCode.FAILED, "there is no process " + what);
        }
        TraceQuestion question = new TraceQuestion(key(), null, Integer.parseInt(what), slowMillis);
        return RunningDesktops.of(state.hive(), null).stream()
                .map(desktop -> new TracedDesktop(desktop, question))
                .toList();
    }

    /** Nothing in the mount is looked at: it may be what hangs. */
    private List<TracedDesktop> ofPath(long slowMillis) {
        MountTable table = MountTable.read();
        Path path = MountPlace.resolve(Path.of(what), table);
        Path mount = table.hiveAbove(path)
                .orElseThrow(() -> new CommandFailure(ExitCode.USAGE, path + " is in no hive that is mounted here"));
        List<String> names = path.equals(mount)
                ? List.of()
                : StreamSupport.stream(mount.relativize(path).spliterator(), false)
                        .map(Path::toString)
                        .toList();
        TraceQuestion question = new TraceQuestion(key(), names, 0, slowMillis);
        return List.of(new TracedDesktop(serving(mount), question));
    }

    private ProcessFolder serving(Path mount) {
        for (ProcessFolder desktop : RunningDesktops.of(state.hive(), null)) {
            try {
                if (new ControlClient(desktop).status(STATUS).mounts().contains(mount.toString())) {
                    return desktop;
                }
            } catch (IOException e) {
                output.warn(Reasons.of(e));
            }
        }
        throw new CommandFailure(
                ExitCode.NOT_RUNNING,
                "no desktop of %s that answers has %s mounted"
                        .formatted(state.hive().path(), mount));
    }

    private static long key() {
        return new SecureRandom().nextLong();
    }

    private void show(TraceLine line) {
        output.line(line, TraceView.render(line, ZoneId.systemDefault()));
    }

    private void leftOut(long calls) {
        output.warn(calls + " calls were left out, because there were too many: use --slow");
    }
}
