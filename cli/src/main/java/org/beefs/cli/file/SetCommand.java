package org.beefs.cli.file;

import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.view.Json;
import org.beefs.cli.view.Output;
import org.beefs.common.config.Durations;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.queenbee.namespace.ReplicationSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes how a file is replicated. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = {
            "Changes how a file is replicated, or what files get that are made in a directory from now on. Only its owner may. "
                    + "With --json it tells what then is set, as beefs get --json does.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is so", "1:the path is in no hive, or is not yours"},
        footer = {
            "",
            "Examples:",
            "  beefs set hive/thesis --replicas 4 --coherence 5s",
            "  beefs set hive/ledger.db --p-factor 2    close and fsync return when two desktops have the content on disk"
        })
public final class SetCommand implements Runnable {
    @Parameters(paramLabel = "PATH", description = "A file or directory in a mount.")
    private Path path = Path.of("");

    @Option(names = "--replicas", paramLabel = "N", description = "Replicas altogether, 1 to 16.")
    private @Nullable Integer replicas;

    @Option(
            names = "--coherence",
            paramLabel = "TIME",
            description = "How long after a close other replicas than the primary may stay stale: 30s, 5m, 24h.")
    private @Nullable String coherence;

    @Option(
            names = "--p-factor",
            paramLabel = "N",
            description =
                    "Desktops that must have the content on disk when close or fsync returns, 0 to 16. 0: close waits for none, fsync "
                            + "for one. Counts from the next open.")
    private @Nullable Integer pFactor;

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        if (replicas == null && coherence == null && pFactor == null) {
            throw new CommandFailure(ExitCode.USAGE, "say what to set: --replicas, --coherence or --p-factor");
        }
        checkNumber("--replicas", replicas, 1);
        checkNumber("--p-factor", pFactor, 0);
        checkCoherence();
        HiveAttributes attributes = new HiveAttributes(path);
        set(attributes, ReplicationXattr.REPLICAS, replicas);
        set(attributes, ReplicationXattr.TIME_TO_COHERENCE, coherence);
        set(attributes, ReplicationXattr.P_FACTOR, pFactor);
        if (output.isJson()) {
            output.say(Json.of(FileSettings.of(path)));
        }
    }

    /** The hive would not take it either, but cannot say why. */
    private static void checkNumber(String option, @Nullable Integer number, int least) {
        if (number != null && (number < least || number > ReplicationSettings.MOST_REPLICAS)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "%s is from %d to %d".formatted(option, least, ReplicationSettings.MOST_REPLICAS));
        }
    }

    /** Likewise. */
    private void checkCoherence() {
        try {
            if (coherence != null && Durations.parse(coherence).compareTo(ReplicationSettings.LONGEST) > 0) {
                throw new CommandFailure(
                        ExitCode.USAGE, "--coherence is at most " + Durations.approximate(ReplicationSettings.LONGEST));
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--coherence: " + Reasons.of(e));
        }
    }

    private static void set(HiveAttributes attributes, String name, @Nullable Object value) {
        if (value != null) {
            attributes.set(name, value.toString());
        }
    }
}
