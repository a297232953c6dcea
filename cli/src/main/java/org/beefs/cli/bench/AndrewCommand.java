package org.beefs.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WritableFolder;
import org.beefs.cli.view.Json;
import org.beefs.common.time.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares directories by copying and building a source package in them. */
@Command(
        name = "andrew",
        mixinStandardHelpOptions = true,
        description = {
            "The Andrew benchmark: what a developer's day asks of a file system.",
            "",
            "In each DIR it makes the folders of SOURCE (Mkdir), copies its files (Copy), looks at all of them (Stat), reads all "
                    + "bytes (Grep) and builds the copy (Compile). The directories take turns, after one round without "
                    + "Compile that only warms up. Caches are left as they are. The copies are removed afterwards."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured",
            "1:a phase failed, for example the build",
            "5:a folder cannot be used"
        },
        footer = {
            "",
            "Example: how much slower than the local disk is the hive?",
            "  tar xf hello-2.10.tar.gz -C /tmp && beefs bench andrew /tmp/hello-2.10 /var/tmp hive"
        })
public final class AndrewCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SOURCE", description = "Folder with an unpacked source package.")
    private Path source = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "DIR",
            description = "Directories to compare; ratios are to the first one.")
    private List<Path> directories = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "How often to measure. Default: ${DEFAULT-VALUE}")
    private int rounds = 5;

    @Option(
            names = "--compile",
            paramLabel = "COMMAND",
            description = "How to build the copy, for the shell. Default: ${DEFAULT-VALUE}")
    private String compile = "./configure && make";

    @Option(names = "--json", description = "Print JSON for scripts, with every single measurement.")
    private boolean json;

    @Override
    public void run() {
        CommandSpec known = Objects.requireNonNull(spec, "picocli sets it before it runs a command");
        PrintWriter out = known.commandLine().getOut();
        PrintWriter err = known.commandLine().getErr();
        if (rounds < 1) {
            throw new ParameterException(known.commandLine(), "--rounds must be 1 or more");
        }
        List<Path> chosen =
                directories.stream().map(WritableFolder::of).distinct().toList();
        SourceTree tree = SourceTree.scan(source);
        BuildCommand build = new BuildCommand(compile);
        AndrewReport report = AndrewReport.of(tree, build, rounds, measure(tree, build, chosen, err));
        out.println(json ? Json.of(report) : report.render().stripTrailing());
        out.flush();
    }

    private Measurements measure(SourceTree tree, BuildCommand build, List<Path> chosen, PrintWriter err) {
        Andrew andrew = new Andrew(new SystemClock(), tree, build, line -> {
            err.println(line);
            err.flush();
        });
        try (InterruptAtExit _ = new InterruptAtExit()) {
            return andrew.measure(chosen, rounds);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark failed: " + Reasons.of(e));
        } catch (InterruptedException e) {
            throw new CommandFailure(ExitCode.FAILED, "the benchmark was interrupted");
        }
    }
}
