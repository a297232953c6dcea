package org.beefs.queenbee.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.beefs.common.config.Altered;
import org.beefs.common.config.ByteSize;
import org.beefs.common.rpc.Reconnector;
import org.beefs.queenbee.QueenBeeConfig;

/** The default settings but for those that a test is about, and the grace time: a day passes faster than four. */
public final class TestConfig {
    private static final Duration GRACE_TIME = Duration.ofHours(24);

    private static final QueenBeeConfig USUAL = Altered.copy(
            QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused")), Map.of("graceTime", GRACE_TIME));

    /** Of the settings here. */
    public static final Duration LONGER_THAN_THE_GRACE_TIME = GRACE_TIME.plus(Duration.ofHours(1));

    private TestConfig() {}

    public static QueenBeeConfig usual() {
        return USUAL;
    }

    public static QueenBeeConfig withMaxLeases(int maxLeases) {
        return with(Map.of("maxLeases", maxLeases));
    }

    public static QueenBeeConfig withCacheTime(Duration cacheTime) {
        return with(Map.of("cacheTime", cacheTime));
    }

    public static QueenBeeConfig withRecallTimeout(Duration recallTimeout) {
        return with(Map.of("recallTimeout", recallTimeout));
    }

    public static QueenBeeConfig acceptingAnOlderState() {
        return with(Map.of("acceptOlderState", true));
    }

    public static QueenBeeConfig withReplicateOnRead(int percent) {
        return with(Map.of("replicateOnRead", percent));
    }

    /**
     * With as little room as can be for requests that wait for the namespace thread, and for answers of a session that
     * are not acknowledged.
     */
    public static QueenBeeConfig withLeastRoom() {
        return with(Map.of("maxQueued", Reconnector.MAX_CALLS, "maxAnswers", Reconnector.MAX_CALLS));
    }

    /** What nobody waits for stays that long in memory only. */
    public static QueenBeeConfig withFlushInterval(Duration flushInterval) {
        return with(Map.of("flushInterval", flushInterval));
    }

    /** What is copied at the same time. */
    public static QueenBeeConfig withCopyBudget(ByteSize copyBudget) {
        return with(Map.of("copyBudget", copyBudget));
    }

    private static QueenBeeConfig with(Map<String, ?> changes) {
        return Altered.copy(USUAL, changes);
    }
}
