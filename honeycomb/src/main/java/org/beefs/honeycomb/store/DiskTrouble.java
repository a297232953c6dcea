package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log what keeps the disk from doing what programs ask for: that it is full, or fails. Each kind is told
 * once, and again only when it still goes on a while later. Thread-safe.
 */
final class DiskTrouble {
    static final Duration SILENCE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(DiskTrouble.class);

    private static final Set<Errno> KINDS =
            EnumSet.of(Errno.ENOSPC, Errno.EDQUOT, Errno.EROFS, Errno.EIO, Errno.ENFILE);

    private final Timers timers;
    private final Set<Errno> told = ConcurrentHashMap.newKeySet();

    DiskTrouble(Timers timers) {
        this.timers = timers;
    }

    /** Something that a program asked for has failed. */
    void noticed(Throwable failure) {
        if (failure instanceof PosixException known && KINDS.contains(known.errno()) && told.add(known.errno())) {
            LOG.warn("programs get {} from this honeycomb: {}", known.errno(), known.getMessage());
            timers.schedule(SILENCE, () -> told.remove(known.errno()));
        }
    }
}
