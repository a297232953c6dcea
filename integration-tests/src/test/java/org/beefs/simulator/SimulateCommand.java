package org.beefs.simulator;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Terminal;
import org.beefs.common.linux.SystemClock;
import org.beefs.simulator.hive.Sabotage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The simulator as a tool. The launcher starts it; it is no part of the distribution. */
@Command(
        name = "beefs simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs whole hives of production code in virtual time, each under a seed, and checks every answer.",
            "",
            "A seed decides everything that happens: what programs ask, how long messages take, which are lost, who dies when. "
                    + "The first run that goes wrong ends the command, with its seed and step, what happened before it, and the "
                    + "command that replays it event by event (with the same code)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing was wrong", "1:a run went wrong", "2:wrong arguments"})
public final class SimulateCommand implements Callable<Integer> {
    /** Of the help: each scenario and each fault has one line. */
    private static final int WIDTH = 136;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "How many seeds of each scenario. Default: 100, or 1 with --seed.")
    private @Nullable Long seeds;

    @Option(names = "--seed", paramLabel = "S", description = "The first seed. Default: 1.")
    private @Nullable Long first;

    @Option(names = "--scenario", paramLabel = "NAME", description = "Only this one of the scenarios below.")
    private @Nullable String scenario;

    @Option(
            names = "--sabotage",
            paramLabel = "FAULT",
            defaultValue = "NONE",
            description = "Plants one of the faults below, to see that it is found.")
    private Sabotage sabotage = Sabotage.NONE;

    @Option(names = "--trace", description = "Prints everything that happens.")
    private boolean trace;

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(command().execute(arguments));
    }

    static CommandLine command() {
        CommandLine command = new CommandLine(new SimulateCommand()).setCaseInsensitiveEnumValuesAllowed(true);
        command.setUsageHelpWidth(WIDTH).getCommandSpec().usageMessage().footer(footer());
        return command;
    }

    private static String[] footer() {
        List<String> lines = new ArrayList<>();
        lines.add("%nScenarios:");
        Scenario.ALL.forEach(scenario -> lines.add("  %-14s %s".formatted(scenario.name(), scenario.text())));
        lines.add("%nSabotages:");
        EnumSet.complementOf(EnumSet.of(Sabotage.NONE))
                .forEach(planted -> lines.add("  %-24s %s".formatted(planted, planted.text())));
        lines.add("%nExamples:");
        lines.add("  beefs simulate --seeds 1000");
        lines.add("  beefs simulate --scenario overlapping --seed 4711 --trace");
        lines.add("  beefs simulate --scenario power --sabotage NEVER_SYNCS     must go wrong");
        return lines.toArray(String[]::new);
    }

    @Override
    public Integer call() {
        long from = first == null ? 1 : first;
        long count = seeds != null ? seeds : first == null ? 100 : 1;
        if (count < 1) {
            throw new ParameterException(commandLine(), "--seeds must be at least 1");
        }
        for (Scenario chosen : chosen()) {
            if (!run(chosen.with(sabotage), from, count)) {
                return 1;
            }
        }
        return 0;
    }

    /**
     * Whether no run went wrong. Each run has one thread; there are as many as processors, unless their traces would
     * mix.
     */
    private boolean run(Scenario chosen, long from, long count) {
        ProgressBar progress = new ProgressBar(
                chosen.name(), count, commandLine().getErr(), Terminal.hasMessages(), new SystemClock());
        LongStream range = LongStream.range(from, from + count);
        Marks marks = new Marks();
        try {
            long undecided = (trace ? range : range.parallel())
                    .filter(seed -> !runs(seed, chosen, progress, marks))
                    .count();
            progress.end();
            PrintWriter out = commandLine().getOut();
            if (undecided > 0) {
                out.println("%d of %d runs ended early: too much overlapped to be checked".formatted(undecided, count));
            }
            out.println("%s: what went wrong: %s".formatted(chosen.name(), marks));
            out.flush();
            return true;
        } catch (SimulationFailure failure) {
            progress.end();
            PrintWriter out = commandLine().getOut();
            out.println(failure.getMessage());
            out.flush();
            return false;
        }
    }

    /** Whether the run could be checked to its end. */
    private boolean runs(long seed, Scenario chosen, ProgressBar progress, Marks marks) {
        Simulation simulation = new Simulation(seed, chosen, trace);
        boolean decided = simulation.run();
        marks.addAll(simulation.marks());
        progress.advance();
        return decided;
    }

    private List<Scenario> chosen() {
        String name = scenario;
        if (name == null) {
            return Scenario.ALL;
        }
        return Scenario.find(name)
                .map(List::of)
                .orElseThrow(() -> new ParameterException(
                        commandLine(), "no scenario is named %s; --help lists them".formatted(name)));
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("picocli sets it before it runs a command");
        }
        return spec.commandLine();
    }
}
