package org.beefs.cli.file;

import java.nio.file.Path;
import java.util.List;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.terminal.Table;
import org.beefs.cli.view.Report;
import org.beefs.common.replica.ReplicationXattr;

/**
 * How a file is replicated, or what is made in a directory, and whether it says so itself.
 *
 * @param path as it was asked for
 * @param replicas wanted altogether
 * @param timeToCoherence how long after a close other replicas than the primary may stay stale
 * @param pFactor desktops that have a version on disk before close returns
 * @param own which of these it says itself, {@code replicas}, {@code time-to-coherence} or {@code p-factor}; the others
 *     are the hive's
 */
record FileSettings(String path, int replicas, String timeToCoherence, int pFactor, List<String> own)
        implements Report {
    /** Fails for what is not in a hive. */
    static FileSettings of(Path path) {
        HiveAttributes attributes = new HiveAttributes(path);
        return new FileSettings(
                path.toString(),
                Integer.parseInt(required(attributes, ReplicationXattr.REPLICAS, path)),
                required(attributes, ReplicationXattr.TIME_TO_COHERENCE, path),
                Integer.parseInt(required(attributes, ReplicationXattr.P_FACTOR, path)),
                words(required(attributes, ReplicationXattr.OWN, path)));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }

    private static String required(HiveAttributes attributes, String name, Path path) {
        return attributes
                .get(name)
                .orElseThrow(() ->
                        new CommandFailure(ExitCode.FAILED, path + " is neither a file nor a directory of a hive"));
    }

    @Override
    public String render() {
        Table table = new Table("setting", "value", "from");
        table.add("replicas", Integer.toString(replicas), from("replicas"));
        table.add("time to coherence", timeToCoherence, from("time-to-coherence"));
        table.add("P-factor", Integer.toString(pFactor), from("p-factor"));
        return table.render();
    }

    private String from(String setting) {
        return own.contains(setting) ? "its own" : "the hive";
    }
}
