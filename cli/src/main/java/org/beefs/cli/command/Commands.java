package org.beefs.cli.command;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import org.beefs.cli.completion.CompletionCommand;
import org.beefs.cli.completion.ManCommand;
import org.beefs.cli.file.GetCommand;
import org.beefs.cli.file.InfoCommand;
import org.beefs.cli.file.SetCommand;
import org.beefs.cli.fsck.FsckCommand;
import org.beefs.cli.posixtest.PosixTestCommand;
import org.beefs.cli.queen.ConsoleCommand;
import org.beefs.cli.queen.DfCommand;
import org.beefs.cli.queen.DrainCommand;
import org.beefs.cli.queen.DuCommand;
import org.beefs.cli.queen.EventsCommand;
import org.beefs.cli.queen.FindCommand;
import org.beefs.cli.queen.ForgetCommand;
import org.beefs.cli.queen.LostCommand;
import org.beefs.cli.queen.LsCommand;
import org.beefs.cli.queen.TopCommand;
import org.beefs.cli.queen.WakeCommand;
import org.beefs.cli.warmup.WarmupCommand;
import picocli.CommandLine.HelpCommand;

/**
 * What commands there are. To know one of them picocli looks through its class, which takes an interpreting JVM some
 * milliseconds: so of a call that names one only that is looked at.
 */
public final class Commands {
    /** In the order in which the help shows them. A new one is a class in its room and a line here. */
    private static final List<Entry<String, Class<?>>> ALL = List.of(
            entry("up", UpCommand.class),
            entry("down", DownCommand.class),
            entry("recover", RecoverCommand.class),
            entry("status", StatusCommand.class),
            entry("df", DfCommand.class),
            entry("du", DuCommand.class),
            entry("fsck", FsckCommand.class),
            entry("console", ConsoleCommand.class),
            entry("ls", LsCommand.class),
            entry("find", FindCommand.class),
            entry("events", EventsCommand.class),
            entry("top", TopCommand.class),
            entry("trace", TraceCommand.class),
            entry("mount", MountCommand.class),
            entry("umount", UmountCommand.class),
            entry("drain", DrainCommand.class),
            entry("pause", PauseCommand.class),
            entry("scrub", ScrubCommand.class),
            entry("lost", LostCommand.class),
            entry("forget", ForgetCommand.class),
            entry("wake", WakeCommand.class),
            entry("set", SetCommand.class),
            entry("get", GetCommand.class),
            entry("warmup", WarmupCommand.class),
            entry("info", InfoCommand.class),
            entry("queenbee", QueenBeeCommand.class),
            entry("desktop", DesktopCommand.class),
            entry("bench", BenchCommand.class),
            entry("posix-test", PosixTestCommand.class),
            entry("completion", CompletionCommand.class),
            entry("man", ManCommand.class),
            entry("version", VersionCommand.class),
            entry("help", HelpCommand.class));

    /** Of the program itself: no command matters. */
    private static final Set<String> OF_NONE = Set.of("--version", "-V");

    /** They tell about the others. */
    private static final Set<String> OF_ALL = Set.of("help", "completion", "man");

    private Commands() {}

    /** All by their names. */
    public static List<Entry<String, Class<?>>> all() {
        return ALL;
    }

    /** Those that can matter to what somebody has called. */
    public static List<Entry<String, Class<?>>> calledBy(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        if (OF_NONE.contains(first) && arguments.length == 1) {
            return List.of();
        }
        List<Entry<String, Class<?>>> named =
                ALL.stream().filter(command -> command.getKey().equals(first)).toList();
        return named.isEmpty() || OF_ALL.contains(first) ? ALL : named;
    }
}
