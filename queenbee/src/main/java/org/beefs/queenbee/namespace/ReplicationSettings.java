package org.beefs.queenbee.namespace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.beefs.queenbee.state.ReplicationRecord;

/**
 * How a file is replicated, or what is made in a directory; what is empty is as the hive has it.
 *
 * @param replicas of a file altogether
 * @param timeToCoherence how long after a close secondaries may stay stale, in milliseconds
 * @param pFactor honeycombs that must hold a version on disk before close or fsync returns
 */
public record ReplicationSettings(OptionalInt replicas, OptionalLong timeToCoherence, OptionalInt pFactor) {
    /** The most replicas that a file may have. */
    public static final int MOST_REPLICAS = 16;

    /** The longest time to coherence. */
    public static final Duration LONGEST = Duration.ofDays(365);

    /** All as the hive has it. */
    public static final ReplicationSettings DEFAULT =
            new ReplicationSettings(OptionalInt.empty(), OptionalLong.empty(), OptionalInt.empty());

    public ReplicationSettings withReplicas(OptionalInt other) {
        return new ReplicationSettings(other, timeToCoherence, pFactor);
    }

    public ReplicationSettings withTimeToCoherence(OptionalLong other) {
        return new ReplicationSettings(replicas, other, pFactor);
    }

    public ReplicationSettings withPFactor(OptionalInt other) {
        return new ReplicationSettings(replicas, timeToCoherence, other);
    }

    /** Names of the settings that are not the hive's. */
    public List<String> own() {
        List<String> own = new ArrayList<>();
        replicas.ifPresent(_ -> own.add("replicas"));
        timeToCoherence.ifPresent(_ -> own.add("time-to-coherence"));
        pFactor.ifPresent(_ -> own.add("p-factor"));
        return List.copyOf(own);
    }

    ReplicationRecord toRecord() {
        ReplicationRecord.Builder record = ReplicationRecord.newBuilder();
        replicas.ifPresent(record::setReplicas);
        timeToCoherence.ifPresent(record::setTimeToCoherence);
        pFactor.ifPresent(record::setPFactor);
        return record.build();
    }

    static ReplicationSettings of(ReplicationRecord record) {
        return new ReplicationSettings(
                record.hasReplicas() ? OptionalInt.of(record.getReplicas()) : OptionalInt.empty(),
                record.hasTimeToCoherence() ? OptionalLong.of(record.getTimeToCoherence()) : OptionalLong.empty(),
                record.hasPFactor() ? OptionalInt.of(record.getPFactor()) : OptionalInt.empty());
    }
}
