package org.beefs.cli.file;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.Reasons;
import org.beefs.common.config.Durations;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.queenbee.namespace.ReplicationSettings;
import org.jspecify.annotations.Nullable;

/** What a file's settings are to be. Refuses what the hive would not take either, but could not say why. */
final class WantedSettings {
    /** In place of a value: what the hive says. */
    static final String DEFAULT = "default";

    /** By the names of the attributes. */
    private final Map<String, String> values = new LinkedHashMap<>();

    WantedSettings(@Nullable String replicas, @Nullable String coherence, @Nullable String pFactor) {
        number("--replicas", ReplicationXattr.REPLICAS, replicas, 1);
        if (coherence != null && !coherence.equals(DEFAULT)) {
            checkCoherence(coherence);
        }
        add(ReplicationXattr.TIME_TO_COHERENCE, coherence);
        number("--p-factor", ReplicationXattr.P_FACTOR, pFactor, 0);
        if (values.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "say what to set: --replicas, --coherence or --p-factor");
        }
    }

    void applyTo(Path path) {
        HiveAttributes attributes = new HiveAttributes(path);
        values.forEach((name, value) -> {
            if (value.equals(DEFAULT)) {
                attributes.remove(name);
            } else {
                attributes.set(name, value);
            }
        });
    }

    private void number(String option, String name, @Nullable String value, int least) {
        if (value != null && !value.equals(DEFAULT)) {
            checkNumber(option, value, least);
        }
        add(name, value);
    }

    private void add(String name, @Nullable String value) {
        if (value != null) {
            values.put(name, value);
        }
    }

    private static void checkNumber(String option, String text, int least) {
        int most = ReplicationSettings.MOST_REPLICAS;
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException _) {
            number = least - 1;
        }
        if (number < least || number > most) {
            throw new CommandFailure(
                    ExitCode.USAGE, "%s is from %d to %d, or %s".formatted(option, least, most, DEFAULT));
        }
    }

    private static void checkCoherence(String coherence) {
        try {
            if (Durations.parse(coherence).compareTo(ReplicationSettings.LONGEST) > 0) {
                throw new CommandFailure(
                        ExitCode.USAGE, "--coherence is at most " + Durations.approximate(ReplicationSettings.LONGEST));
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--coherence: " + Reasons.of(e));
        }
    }
}
