package org.beefs.cli.bench.queen;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.beefs.cli.bench.queen.QueenBench.Plan;
import org.beefs.cli.option.QueenBeeOption;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.view.Output;
import org.beefs.common.posix.PosixException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a queen-bee. */
@Command(
        name = "queen",
        mixinStandardHelpOptions = true,
        description = {
            "What the queen-bee serves, and how fast.",
            "",
            "Sessions as those of desktops ask for one small thing after the other (Round trip), look names and attributes up (Look), and make, "
                    + "close and remove files (Change; each of the three counts), as fast as answers come, and paced at half of what that came to. "
                    + "Each works in a folder of its own, and has DEPTH requests under way. One round that only warms up comes first.",
            "",
            "If she is on this machine, her processor time for a request is told as well: of the thread that serves, and of all threads with the "
                    + "compiler, the collector and the database. This program takes processors too, so that 'a core serves', which "
                    + "follows from the thread's time, says more than what was reached here. All that was made is removed."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured",
            "1:the queen-bee does not answer, or refuses something",
            "7:there is no queen-bee"
        },
        footer = {"", "Examples:", "  beefs bench queen", "  beefs bench queen --sessions 8 --depth 16 --seconds 10"})
public final class QueenCommand implements Runnable {
    private static final int MOST_SESSIONS = 256;
    private static final int MOST_DEPTH = 1024;
    private static final int MOST_SECONDS = 600;
    private static final int MOST_ROUNDS = 1000;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private QueenBeeOption queenBee = new QueenBeeOption();

    @Option(names = "--sessions", paramLabel = "N", description = "Sessions that ask. Default: ${DEFAULT-VALUE}")
    private int sessions = 4;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Requests that each session has under way. Default: ${DEFAULT-VALUE}")
    private int depth = 64;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long each phase of each round is. Default: ${DEFAULT-VALUE}")
    private int seconds = 3;

    @Option(
            names = "--pace",
            paramLabel = "N",
            description = "Requests a second of the paced phases. Default: half of what was reached before.")
    private int pace;

    @Option(names = "--rounds", paramLabel = "N", description = "How often to measure. Default: ${DEFAULT-VALUE}")
    private int rounds = 5;

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        CommandSpec known = Objects.requireNonNull(spec, "picocli sets it before it runs a command");
        require(sessions, MOST_SESSIONS, "--sessions", known);
        require(depth, MOST_DEPTH, "--depth", known);
        require(seconds, MOST_SECONDS, "--seconds", known);
        require(rounds, MOST_ROUNDS, "--rounds", known);
        if (pace < 0) {
            throw new ParameterException(known.commandLine(), "--pace is 0 or more");
        }
        Plan plan = new Plan(
                address(),
                queenBee.key(),
                queenBee.process(),
                sessions,
                depth,
                rounds,
                Duration.ofSeconds(seconds),
                pace);
        output.show(measure(plan, output.err()));
    }

    private static QueenReport measure(Plan plan, PrintWriter err) {
        QueenBench bench = new QueenBench(plan, line -> {
            err.println(line);
            err.flush();
        });
        try (InterruptAtExit _ = new InterruptAtExit("the folders .bench-* of the hive's top")) {
            return bench.run();
        } catch (IOException | PosixException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark failed: " + Reasons.of(e));
        } catch (InterruptedException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark was interrupted");
        }
    }

    private InetSocketAddress address() {
        try {
            return queenBee.address();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, Reasons.of(e));
        }
    }

    private static void require(int value, int most, String option, CommandSpec spec) {
        if (value < 1 || value > most) {
            throw new ParameterException(spec.commandLine(), option + " is from 1 to " + most);
        }
    }
}
