package org.beefs.cli.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
public final class AndrewCommand extends TreeBenchmark {
    @Option(
            names = "--compile",
            paramLabel = "COMMAND",
            description = "How to build the copy, for the shell. Default: ${DEFAULT-VALUE}")
    private String compile = "./configure && make";

    @Override
    Workload workload(SourceTree tree) {
        return new TreeWorkload(tree, TreeWorkload.ANDREW, new BuildCommand(compile));
    }
}
