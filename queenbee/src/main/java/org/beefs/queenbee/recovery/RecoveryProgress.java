package org.beefs.queenbee.recovery;

import java.io.IOException;
import java.time.Duration;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.memory.MemoryRoom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people how far a recovery is, once a second, and ends it when something is not as it should be. */
final class RecoveryProgress implements CollectionListener {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryProgress.class);
    private static final int MOST_TOLD = 100;
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

    private final Clock clock;
    private final MemoryRoom memory;
    private final long begun;
    private long told;
    private long done;
    private long all;
    private int inUnknown;

    RecoveryProgress(Clock clock, MemoryRoom memory) {
        this.clock = clock;
        this.memory = memory;
        begun = clock.bootNanos();
        told = begun;
    }

    @Override
    public void reached(long done, long all) throws IOException {
        this.done = done;
        this.all = all;
        long now = clock.bootNanos();
        if (now - told >= INTERVAL && done > 0) {
            told = now;
            checkMemory();
            Duration left = Duration.ofNanos((long) ((double) (now - begun) / done * Math.max(0, all - done)));
            LOG.info(
                    "recovery: {} of {} records collected ({} %), about {}:{} left",
                    done, all, done * 100 / Math.max(1, all), left.toMinutes(), "%02d".formatted(left.toSecondsPart()));
        }
    }

    /**
     * A process that has used up its heap ends without a sentence for people. The last collection may have come when
     * there was much garbage: before this ends the recovery, another one is made, for which nobody waits.
     */
    void checkMemory() throws MemoryFullException {
        if (!isScarce()) {
            return;
        }
        System.gc();
        if (isScarce()) {
            throw new MemoryFullException(
                    ("%d of %d records have filled the %d MB of memory that the recovery has: give it more, 600 bytes for each file"
                                    + " (in its unit  Environment=BEEFS_JAVA_OPTS=-Xmx4g)")
                            .formatted(done, all, memory.heap() >> 20));
        }
    }

    private boolean isScarce() {
        return memory.percentUsed() >= MemoryRoom.SCARCE_PERCENT;
    }

    @Override
    public void forgotten(String catalog) {
        LOG.info("{} is left out: its desktop was forgotten", catalog);
    }

    @Override
    public void leftOut(long inode, String catalog) {
        LOG.warn(
                "the record of inode {} in {} is left out: no queen-bee can have written it",
                Long.toHexString(inode),
                catalog);
    }

    @Override
    public void inUnknownHoneycomb(long file, String name, String catalog, boolean kept) {
        if (++inUnknown > MOST_TOLD) {
            return;
        }
        LOG.warn(
                "the record of inode {} ({}) in {} names a honeycomb that the hive does not have: {}",
                Long.toHexString(file),
                name,
                catalog,
                kept
                        ? "the file goes on with what others have"
                        : "it is left out, as no other one has its newest content");
    }

    @Override
    public void damaged(long inode, String catalog, IOException cause) throws IOException {
        throw new StateException(
                "the record of inode %x in %s is damaged: %s".formatted(inode, catalog, cause.getMessage()), cause);
    }
}
