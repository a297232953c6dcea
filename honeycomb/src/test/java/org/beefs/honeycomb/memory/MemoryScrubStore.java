package org.beefs.honeycomb.memory;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Map;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.ScrubStore;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.jspecify.annotations.Nullable;

/** Checksums in memory. They outlive the daemon that uses them. */
public final class MemoryScrubStore implements ScrubStore {
    private record Known(long version, ByteString checksum) {}

    private final Map<ReplicaId, Known> checksums = new HashMap<>();
    private ScrubRound round = ScrubRound.getDefaultInstance();
    private boolean forgetful;
    private boolean unreadable;
    private boolean full;

    /** From now on no checksum is known when it is asked for. */
    public synchronized void forget() {
        forgetful = true;
    }

    /** From now on asking for a checksum fails, or does not, as when a block of the catalog cannot be read. */
    public synchronized void failReads(boolean failing) {
        unreadable = failing;
    }

    /** From now on nothing more can be put here, or it can, as when the catalog's disk is full. */
    public synchronized void failWrites(boolean failing) {
        full = failing;
    }

    private static void check(boolean failing) {
        if (failing) {
            throw new PosixException(Errno.EIO, "the catalog was made to fail");
        }
    }

    /** Whether there is a checksum of that version, whatever is answered to who asks for it. */
    public synchronized boolean has(ReplicaId id, long version) {
        Known known = checksums.get(id);
        return known != null && known.version() == version;
    }

    @Override
    public synchronized @Nullable ByteString checksum(ReplicaId id, long version) {
        check(unreadable);
        Known known = checksums.get(id);
        return known != null && known.version() == version && !forgetful ? known.checksum() : null;
    }

    @Override
    public synchronized void putChecksum(ReplicaId id, long version, ByteString checksum) {
        check(full);
        checksums.put(id, new Known(version, checksum));
    }

    @Override
    public synchronized ScrubRound round() {
        return round;
    }

    @Override
    public synchronized void putRound(ScrubRound latest) {
        check(full);
        round = latest;
    }
}
