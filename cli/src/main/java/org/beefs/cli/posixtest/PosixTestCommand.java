package org.beefs.cli.posixtest;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.TemporaryFolder;
import org.beefs.cli.state.WritableFolder;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.common.linux.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs POSIX test suites in a directory. */
@Command(
        name = "posix-test",
        mixinStandardHelpOptions = true,
        description = {
            "Shows how far a file system is POSIX: runs test suites in a folder of their own in DIR, which may be a mounted hive or "
                    + "any other directory, and removes that folder afterwards.",
            "",
            "  pjdfstest  398 tests of system calls: their errors, and what they do to attributes. Needs root.",
            "  fsx        random reads, writes, truncations and mappings of a file, against a model.",
            "",
            "Both are installed first where they are missing and Rust's cargo is there."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all tests passed, or were skipped by the suite",
            "1:some failed, or a suite could not run",
            "5:DIR cannot be used"
        },
        footer = {
            "",
            "Examples:",
            "  beefs posix-test hive",
            "  beefs posix-test /var/tmp        what the local disk scores",
            "  beefs posix-test --suite fsx --seeds 20 hive"
        })
public final class PosixTestCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "A directory of the file system to test.")
    private Path directory = Path.of("");

    @Option(
            names = "--suite",
            paramLabel = "NAME",
            split = ",",
            completionCandidates = Names.class,
            description = "Only these: ${COMPLETION-CANDIDATES}. Default: both.")
    private List<String> chosen = new ArrayList<>();

    private static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("pjdfstest", "fsx").iterator();
        }
    }

    @Option(names = "--seeds", paramLabel = "N", description = "Runs of fsx. Default: ${DEFAULT-VALUE}")
    private int seeds = 5;

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "Operations in each run of fsx. Default: ${DEFAULT-VALUE}")
    private int operations = 20_000;

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        CommandSpec known = Objects.requireNonNull(spec, "picocli sets it before it runs a command");
        PrintWriter err = output.err();
        PosixReport report = report(suites(known), WritableFolder.of(directory, err::println), err);
        output.show(report);
        if (!report.succeeded()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%d of %d tests failed%s"
                            .formatted(
                                    report.count(Outcome.Verdict.FAILED),
                                    report.outcomes().size(),
                                    report.missing().isEmpty()
                                            ? ""
                                            : ", and these did not run: "
                                                    + String.join(
                                                            ", ",
                                                            report.missing().keySet())));
        }
    }

    private List<Suite> suites(CommandSpec known) {
        if (seeds < 1 || operations < 1) {
            throw new ParameterException(known.commandLine(), "--seeds and --operations must be 1 or more");
        }
        List<Suite> all = List.of(new Pjdfstest(), new Fsx(seeds, operations));
        for (String name : chosen) {
            if (all.stream().noneMatch(suite -> suite.name().equals(name))) {
                throw new ParameterException(
                        known.commandLine(), "there is no suite " + name + "; there are pjdfstest and fsx");
            }
        }
        return all.stream()
                .filter(suite -> chosen.isEmpty() || chosen.contains(suite.name()))
                .toList();
    }

    private PosixReport report(List<Suite> suites, Path tested, PrintWriter err) {
        try (InterruptAtExit _ = new InterruptAtExit(
                        "the folders " + TemporaryFolder.name("posix") + " there and in that for temporary files");
                TemporaryFolder inside = TemporaryFolder.in(tested, "posix");
                TemporaryFolder scratch = TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")), "posix")) {
            return run(suites, new Places(inside.path(), scratch.path()), tested, err);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "the tests cannot run: " + Reasons.of(e));
        } catch (InterruptedException e) {
            throw new CommandFailure(ExitCode.FAILED, "the tests were interrupted");
        }
    }

    private static PosixReport run(List<Suite> suites, Places places, Path tested, PrintWriter err)
            throws IOException, InterruptedException {
        Map<String, String> missing = new LinkedHashMap<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (Suite suite : suites) {
            Optional<String> obstacle = SuiteProgram.find(suite.name()).isEmpty()
                    ? Optional.of("it is not installed; with Rust's cargo it is installed by itself")
                    : suite.obstacle();
            if (obstacle.isPresent()) {
                missing.put(suite.name(), obstacle.get());
                continue;
            }
            ProgressBar bar =
                    new ProgressBar(suite.name(), suite.size(), err, Terminal.hasMessages(), new SystemClock());
            outcomes.addAll(suite.run(places, bar::advance));
            bar.end();
        }
        return new PosixReport(tested.toString(), missing, outcomes);
    }
}
