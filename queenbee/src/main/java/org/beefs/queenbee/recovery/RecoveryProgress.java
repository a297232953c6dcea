package org.beefs.queenbee.recovery;

import java.time.Duration;
import org.beefs.common.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people how far a recovery is, once a second. */
final class RecoveryProgress {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryProgress.class);
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

    private final Clock clock;
    private final long all;
    private final long begun;
    private long told;

    /** @param all records that there are */
    RecoveryProgress(Clock clock, long all) {
        this.clock = clock;
        this.all = Math.max(1, all);
        begun = clock.bootNanos();
        told = begun;
    }

    void reached(long done) {
        long now = clock.bootNanos();
        if (now - told >= INTERVAL && done > 0) {
            told = now;
            Duration left = Duration.ofNanos((long) ((double) (now - begun) / done * Math.max(0, all - done)));
            LOG.info(
                    "recovery: {} of {} records collected ({} %), about {}:{} left",
                    done, all, done * 100 / all, left.toMinutes(), "%02d".formatted(left.toSecondsPart()));
        }
    }
}
