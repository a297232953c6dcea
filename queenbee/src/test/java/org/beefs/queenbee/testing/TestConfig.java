package org.beefs.queenbee.testing;

import java.nio.file.Path;
import java.time.Duration;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.QueenBeeConfig;

/** The default settings but for those that a test is about, and the grace time: a day passes faster than four. */
public final class TestConfig {
    private static final QueenBeeConfig USUAL = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    private static final Duration GRACE_TIME = Duration.ofHours(24);

    /** Of the settings here. */
    public static final Duration LONGER_THAN_THE_GRACE_TIME = GRACE_TIME.plus(Duration.ofHours(1));

    private TestConfig() {}

    public static QueenBeeConfig usual() {
        return withMaxLeases(USUAL.maxLeases());
    }

    public static QueenBeeConfig withMaxLeases(int maxLeases) {
        return of(USUAL.cacheTime(), USUAL.recallTimeout(), maxLeases, USUAL.replicateOnRead(), false);
    }

    public static QueenBeeConfig withCacheTime(Duration cacheTime) {
        return of(cacheTime, USUAL.recallTimeout(), USUAL.maxLeases(), USUAL.replicateOnRead(), false);
    }

    public static QueenBeeConfig withRecallTimeout(Duration recallTimeout) {
        return of(USUAL.cacheTime(), recallTimeout, USUAL.maxLeases(), USUAL.replicateOnRead(), false);
    }

    public static QueenBeeConfig acceptingAnOlderState() {
        return of(USUAL.cacheTime(), USUAL.recallTimeout(), USUAL.maxLeases(), USUAL.replicateOnRead(), true);
    }

    public static QueenBeeConfig withReplicateOnRead(int percent) {
        return of(USUAL.cacheTime(), USUAL.recallTimeout(), USUAL.maxLeases(), percent, false);
    }

    /**
     * With little room for requests that wait for the namespace thread, and for answers of a session that are not
     * acknowledged.
     */
    public static QueenBeeConfig withRoomFor(int maxQueued, int maxAnswers) {
        return of(
                USUAL.cacheTime(),
                USUAL.recallTimeout(),
                USUAL.maxLeases(),
                USUAL.replicateOnRead(),
                false,
                maxQueued,
                maxAnswers,
                USUAL.flushInterval(),
                USUAL.copyBudget());
    }

    /** What nobody waits for stays that long in memory only. */
    public static QueenBeeConfig withFlushInterval(Duration flushInterval) {
        return of(
                USUAL.cacheTime(),
                USUAL.recallTimeout(),
                USUAL.maxLeases(),
                USUAL.replicateOnRead(),
                false,
                USUAL.maxQueued(),
                USUAL.maxAnswers(),
                flushInterval,
                USUAL.copyBudget());
    }

    /** What is copied at the same time. */
    public static QueenBeeConfig withCopyBudget(ByteSize copyBudget) {
        return of(
                USUAL.cacheTime(),
                USUAL.recallTimeout(),
                USUAL.maxLeases(),
                USUAL.replicateOnRead(),
                false,
                USUAL.maxQueued(),
                USUAL.maxAnswers(),
                USUAL.flushInterval(),
                copyBudget);
    }

    private static QueenBeeConfig of(
            Duration cacheTime, Duration recallTimeout, int maxLeases, int replicateOnRead, boolean acceptOlderState) {
        return of(
                cacheTime,
                recallTimeout,
                maxLeases,
                replicateOnRead,
                acceptOlderState,
                USUAL.maxQueued(),
                USUAL.maxAnswers(),
                USUAL.flushInterval(),
                USUAL.copyBudget());
    }

    private static QueenBeeConfig of(
            Duration cacheTime,
            Duration recallTimeout,
            int maxLeases,
            int replicateOnRead,
            boolean acceptOlderState,
            int maxQueued,
            int maxAnswers,
            Duration flushInterval,
            ByteSize copyBudget) {
        return new QueenBeeConfig(
                USUAL.listen(),
                USUAL.state(),
                USUAL.lease(),
                USUAL.fenceMargin(),
                USUAL.heartbeat(),
                cacheTime,
                recallTimeout,
                flushInterval,
                USUAL.placementRoom(),
                USUAL.passLimit(),
                maxQueued,
                USUAL.maxParked(),
                USUAL.maxSessions(),
                maxLeases,
                USUAL.maxOpenFiles(),
                maxAnswers,
                USUAL.errandBatch(),
                USUAL.errandDeadline(),
                USUAL.sealDelay(),
                USUAL.replicas(),
                USUAL.timeToCoherence(),
                GRACE_TIME,
                USUAL.checkpointDistance(),
                copyBudget,
                USUAL.lowWater(),
                USUAL.highWater(),
                replicateOnRead,
                USUAL.relocateAtRandom(),
                acceptOlderState);
    }
}
