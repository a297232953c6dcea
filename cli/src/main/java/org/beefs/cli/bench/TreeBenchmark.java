package org.beefs.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Parameters;

/** What benchmarks have in common that copy a source tree. */
abstract class TreeBenchmark extends Benchmark {
    @Parameters(
            index = "0",
            paramLabel = "SOURCE",
            description = "Folder that is copied, such as an unpacked source package.")
    private Path source = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "DIR",
            description = "Directories to compare; ratios are to the first one.")
    private List<Path> directories = List.of();

    /** What is done with a tree. */
    abstract Workload workload(SourceTree tree, PrintWriter err) throws IOException, InterruptedException;

    @Override
    final Workload workload(PrintWriter err) throws IOException, InterruptedException {
        return workload(SourceTree.scan(source), err);
    }

    @Override
    final List<Path> directories() {
        return directories;
    }
}
