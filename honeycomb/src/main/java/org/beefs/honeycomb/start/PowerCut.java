package org.beefs.honeycomb.start;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks replicas without version after the machine has lost its power. Then length and times say nothing of their
 * content: of what was written last they may be on disk and some pages not, or the other way round. So each is made to
 * look changed, by a nanosecond: it is not taken for what was committed, becomes a version of its own, and is copied as
 * it is. What carries a version is on disk as a whole.
 */
public final class PowerCut {
    private static final Logger LOG = LoggerFactory.getLogger(PowerCut.class);

    private PowerCut() {}

    /**
     * Marks replicas, on disk when this returns; to be done before anything is served.
     *
     * @return those that have to stay immutable, or that the disk does not let be marked, and that look as if nothing
     *     were the matter: nobody may look at them
     */
    public static List<ReplicaId> mark(ReplicaFiles files, Collection<ReplicaId> unsealed) {
        List<ReplicaId> unmarked = new ArrayList<>();
        int marked = 0;
        int immutable = 0;
        for (ReplicaId id : unsealed) {
            try (ReplicaFile file = files.open(id)) {
                if (file == null || file.status().size() == 0) {
                    continue;
                }
                if (moveOn(file)) {
                    marked++;
                } else {
                    unmarked.add(id);
                    immutable++;
                }
            } catch (PosixException e) {
                LOG.error(
                        "{} may have lost what was written last, and cannot be used before a start can mark it: {}",
                        id,
                        e.getMessage());
                unmarked.add(id);
            }
        }
        if (marked > 0) {
            files.syncAll();
            LOG.warn("the machine was not shut down in order: {} files may have lost what was written last", marked);
        }
        if (immutable > 0) {
            LOG.error(
                    "{} files may have lost what was written last, and are immutable since an earlier start: without"
                            + " CAP_LINUX_IMMUTABLE they cannot be used",
                    immutable);
        }
        return unmarked;
    }

    /** Moves the mtime on by a nanosecond; false when the file is immutable, and this process may not change that. */
    private static boolean moveOn(ReplicaFile file) {
        boolean immutable = file.isImmutable();
        if (immutable && !isMadeMutable(file)) {
            return false;
        }
        Instant shown = Timestamps.toInstant(file.status().mtime());
        file.setTimes(SetTimes.newBuilder()
                .setMtime(Timestamps.toWire(shown.plusNanos(1)))
                .build());
        if (immutable) {
            file.setImmutable(true);
        }
        return true;
    }

    private static boolean isMadeMutable(ReplicaFile file) {
        try {
            file.setImmutable(false);
            return true;
        } catch (PosixException e) {
            if (e.errno() != Errno.EPERM) {
                throw e;
            }
            return false;
        }
    }
}
