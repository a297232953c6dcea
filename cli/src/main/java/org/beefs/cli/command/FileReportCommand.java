package org.beefs.cli.command;

import java.nio.file.Path;
import org.beefs.cli.option.JsonOption;
import org.beefs.cli.view.Report;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands have in common that show what the hive says of a file. */
abstract class FileReportCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "PATH", description = "A file or directory in a mount.")
    private Path path = Path.of("");

    @Mixin
    private JsonOption json = new JsonOption();

    /** Fails as a command does. */
    abstract Report report(Path file);

    @Override
    public final void run() {
        Output.of(spec).show(report(path), json);
    }
}
