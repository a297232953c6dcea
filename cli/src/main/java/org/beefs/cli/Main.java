package org.beefs.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.beefs.cli.command.Beefs;
import org.beefs.cli.command.Commands;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.program.NoReaderException;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.terminal.Visible;
import org.beefs.common.config.ConfigurationException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program behind {@code ./beefs}: a failure is one line on stderr and an exit code, see {@link ExitCode}. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = commandLine(Commands.calledBy(arguments)).execute(arguments);
        InterruptAtExit.commandEnded();
        System.exit(exitCode);
    }

    /** The whole command line, as tests and the documentation use it too. */
    public static CommandLine commandLine() {
        return commandLine(Commands.all());
    }

    private static CommandLine commandLine(List<Entry<String, Class<?>>> commands) {
        CommandLine beefs = new CommandLine(new Beefs());
        commands.forEach(command -> beefs.addSubcommand(command.getKey(), command.getValue()));
        ExitCodeLists.complete(beefs);
        return beefs.setExpandAtFiles(false) // names of files may begin with @
                .setUsageHelpWidth(100)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(Main::misused)
                .setExecutionExceptionHandler(Main::failed);
    }

    /** As picocli does it, but the message looks like that of any other failure. */
    private static int misused(ParameterException wrong, String... arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("beefs: " + shown(wrong));
        if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
            command.usage(err, command.getColorScheme());
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof CommandFailure expected) {
            err.println("beefs: " + shown(expected));
            return expected.exitCode();
        }
        if (failure instanceof NoReaderException) {
            return ExitCode.NO_READER;
        }
        if (failure instanceof ConfigurationException wrong) {
            err.println("beefs: " + shown(wrong));
            return ExitCode.CONFIGURATION;
        }
        LoggerFactory.getLogger(Main.class).debug("unexpected", failure);
        err.println("beefs: this should not happen, please report it: " + failure + " at " + where(failure));
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** It may name files. */
    private static String shown(Exception failure) {
        return Reasons.of(failure).lines().map(Visible::of).collect(Collectors.joining("\n"));
    }

    private static String where(Exception failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return trace.length == 0 ? "an unknown place" : trace[0].toString();
    }
}
