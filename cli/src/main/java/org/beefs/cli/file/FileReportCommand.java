package org.beefs.cli.file;

import java.nio.file.Path;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.Report;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What the commands have in common that show what the hive says of a file. */
abstract class FileReportCommand implements Runnable {
    @Parameters(paramLabel = "PATH", description = "A file or directory in a mount.")
    private Path path = Path.of("");

    @Mixin
    private Output output = new Output();

    /** Fails as a command does. */
    abstract Report report(Path file);

    @Override
    public final void run() {
        output.show(report(path));
    }
}
