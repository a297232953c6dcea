package org.beefs.cli.bench;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Parameters;

/** What benchmarks have in common that make their files themselves. */
abstract class FileBenchmark extends Benchmark {
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Directories to compare; ratios are to the first one.")
    private List<Path> directories = List.of();

    @Override
    final List<Path> directories() {
        return directories;
    }
}
