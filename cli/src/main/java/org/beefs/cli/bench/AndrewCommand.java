package org.beefs.cli.bench;

import java.io.PrintWriter;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares directories by copying and building a source package in them. */
@Command(
        name = "andrew",
        mixinStandardHelpOptions = true,
        description = {
            "The Andrew benchmark: what a developer's day asks of a file system.",
            "",
            "In each DIR it has mkdir make each folder of SOURCE (Mkdir), copies its files (Copy), looks at all of them (Stat), reads all "
                    + "bytes (Grep) and builds the copy (Compile). The directories take turns, after one round without "
                    + "Compile that only warms up. The copies are removed afterwards.",
            "",
            "Stat and Grep are measured twice: cold, after a hive was mounted anew and the kernel's caches were dropped, for which it takes "
                    + "root, and warm. Of a hive it also tells what all of its daemons on this machine have used."
        },
        footer = {
            "Example: how much slower than the local disk is the hive?",
            "  tar xf hello-2.10.tar.gz -C /tmp && beefs bench andrew /tmp/hello-2.10 /var/tmp hive"
        })
public final class AndrewCommand extends TreeBenchmark {
    @Option(
            names = "--compile",
            paramLabel = "COMMAND",
            description =
                    "How to build the copy, for the shell. Default: what SOURCE has of ./configure and make; '' for nothing")
    private @Nullable String compile;

    @Override
    Workload workload(SourceTree tree, PrintWriter err) {
        String build = compile == null ? build(tree) : compile;
        if (build.isEmpty() && compile == null) {
            say(
                    err,
                    "nothing is compiled: " + tree.top()
                            + " has neither a configure nor a Makefile, and there is no --compile");
        }
        return new AndrewWorkload(tree, build);
    }

    private static String build(SourceTree tree) {
        if (Files.isExecutable(tree.top().resolve("configure"))) {
            return "./configure && make";
        }
        return Files.exists(tree.top().resolve("Makefile")) ? "make" : "";
    }
}
