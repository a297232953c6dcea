package org.beefs.honeycomb.store;

import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.honeycomb.store.OpenReplicas.Use;
import org.beefs.honeycomb.store.content.Arrival;
import org.beefs.honeycomb.store.content.GroupSync;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secondary replicas, which come from other honeycombs. A version arrives in a file of its own; when it is whole its
 * description is written on it, both are brought to disk, and then it takes the replica's name. So whoever opens the
 * replica finds one version or another, whole and on disk, and who has an older one open goes on reading that.
 * Thread-safe.
 */
public final class Arrivals {
    private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

    private final ReplicaFiles files;
    private final Unfinished unfinished;
    private final GroupSync groupSync;
    private final Catalog catalog;
    private final Space space;
    private final OpenReplicas open;
    private final Existence existence;
    private final CheckQueue checks;
    private final ByteBufAllocator buffers;
    private final KeptArrivals kept;
    private final UnwrittenSeals unwritten;
    private final ExpectedVersions expected = new ExpectedVersions();

    /** Replicas of which a version is being taken in: each has one place for what arrives. */
    private final Set<ReplicaId> busy = ConcurrentHashMap.newKeySet();

    Arrivals(
            ReplicaFiles files,
            Unfinished unfinished,
            GroupSync groupSync,
            Catalog catalog,
            Space space,
            OpenReplicas open,
            Existence existence,
            CheckQueue checks,
            KeptArrivals kept,
            UnwrittenSeals unwritten,
            ByteBufAllocator buffers) {
        this.files = files;
        this.unfinished = unfinished;
        this.groupSync = groupSync;
        this.catalog = catalog;
        this.space = space;
        this.open = open;
        this.existence = existence;
        this.checks = checks;
        this.kept = kept;
        this.unwritten = unwritten;
        this.buffers = buffers;
    }

    /**
     * Expects a version; {@link #expectNoMore} follows. It does not come if its replica is removed, or another version
     * of it is expected, after this, however long before it is begun.
     */
    public void expect(Fetch fetch) {
        existence.expect(ReplicaId.of(fetch.getReplica()));
        expected.begin(fetch);
    }

    /** The request for the version is over. */
    public void expectNoMore(Fetch fetch) {
        expected.end(fetch);
    }

    /**
     * Begins to take a version in; {@link #end} follows. Null when the replica is that version already, or is it now
     * because it was kept. Fails with ENOSPC when there is no room for it, with ESTALE when there is another kind of
     * replica, or another version is expected since, and with EAGAIN while another version of it is being taken in.
     *
     * @param keepContent whether what an earlier version or attempt has left is of use
     */
    public @Nullable Arrival begin(Fetch fetch, boolean keepContent) {
        ReplicaId id = ReplicaId.of(fetch.getReplica());
        if (!busy.add(id)) {
            throw new PosixException(Errno.EAGAIN, id + " is being fetched already");
        }
        Arrival arrival = null;
        try {
            checkNotOvertaken(id, fetch);
            arrival = beginUsing(id, fetch, keepContent);
            return arrival;
        } finally {
            if (arrival == null) {
                busy.remove(id);
            }
        }
    }

    /** Asked once nothing else of the replica is taken in: what is expected later can only come after this then. */
    private void checkNotOvertaken(ReplicaId id, Fetch fetch) {
        if (expected.isOvertaken(fetch)) {
            throw new PosixException(
                    Errno.ESTALE, "%s is to be another version than %d by now".formatted(id, fetch.getVersion()));
        }
    }

    private @Nullable Arrival beginUsing(ReplicaId id, Fetch fetch, boolean keepContent) {
        try (Use use = open.useToReplace(id)) {
            return beginWith(use.replica(), fetch, keepContent);
        }
    }

    private @Nullable Arrival beginWith(Replica replica, Fetch fetch, boolean keepContent) {
        if (isThere(replica, fetch)) {
            record(replica);
            files.syncName(replica.id()); // whoever gave it the name may have died before
            return null;
        }
        if (kept.take(replica.id(), fetch.getVersion()) && installKept(replica, fetch)) {
            return null;
        }
        space.checkNewFile();
        long growth = Math.max(0, fetch.getSize() - unfinished.bytes(replica.id()));
        reserve(replica.id(), growth);
        boolean begun = false;
        try {
            Arrival arrival = openArrival(replica, fetch, keepContent, growth);
            begun = true;
            return arrival;
        } finally {
            if (!begun) {
                space.release(growth);
            }
        }
    }

    /** What an earlier attempt has left would take the room that there is for as long as there is not enough. */
    private void reserve(ReplicaId id, long growth) {
        try {
            space.reserve(growth);
        } catch (PosixException e) {
            if (e.errno().saysFull()) {
                unfinished.discard(id);
            }
            throw e;
        }
    }

    /** Has the catalog know an installed replica: whoever gave it the name may have failed to. */
    private void record(Replica replica) {
        try (var _ = replica.holdExclusively()) {
            if (!replica.isDropped() && !replica.isSuperseded()) {
                catalog.ensure(replica.description());
            }
        }
    }

    private boolean isThere(Replica replica, Fetch fetch) {
        checkReplaceable(replica, fetch);
        return replica.exists() && !replica.isRotten() && replica.description().getVersion() == fetch.getVersion();
    }

    /**
     * Fails if the replica must not be replaced. A former primary may be if nobody has changed it since: it carries a
     * version, or shows what could not be sealed there.
     */
    private void checkReplaceable(Replica replica, Fetch fetch) {
        ReplicaDescription present = replica.isLookedUp() ? replica.description() : unread(replica.id());
        if (replica.isLookedUp() && !replica.exists() && !Replica.isUnusable(present)) {
            return;
        }
        boolean former =
                Long.compareUnsigned(present.getEpoch(), fetch.getReplica().getEpoch()) < 0;
        boolean unchanged = present.getVersion() != 0 || showsUnwrittenSeal(replica, fetch);
        if (present.getKind() != ReplicaKind.REPLICA_KIND_SECONDARY && !(former && unchanged)) {
            throw new PosixException(Errno.ESTALE, replica.id() + " is no secondary");
        }
    }

    private boolean showsUnwrittenSeal(Replica replica, Fetch fetch) {
        Seal seal = unwritten.find(replica.id());
        if (seal == null || Long.compareUnsigned(seal.getVersion(), fetch.getVersion()) > 0) {
            return false;
        }
        try (var _ = replica.holdExclusively()) {
            ReplicaFile file = replica.file();
            return file != null && Sealer.isUnchanged(seal, replica, file);
        }
    }

    /**
     * The description of a replica whose file cannot be read, by the catalog, which hears of a change before the file
     * says that it is no version any more.
     */
    private ReplicaDescription unread(ReplicaId id) {
        ReplicaDescription known = catalog.find(id);
        if (known == null) {
            throw new PosixException(
                    Errno.EIO, id + " cannot be read, and may have changes that nobody else has; it is kept");
        }
        return known;
    }

    private Arrival openArrival(Replica replica, Fetch fetch, boolean keepContent, long reserved) {
        ReplicaFile file = unfinished.open(replica.id());
        @Nullable ReplicaFile basis = null;
        boolean taken = false;
        try {
            long present = file.status().size();
            long left = keepContent ? Math.min(present, fetch.getSize()) : 0;
            basis = keepContent ? basis(replica) : null;
            boolean hasContent = left > 0 || basis != null;
            long filled = hasContent ? left : fetch.getSize();
            if (present > left) {
                file.truncate(left);
            }
            if (filled > left) {
                file.truncate(filled);
            }
            taken = true;
            return new Arrival(fetch, file, hasContent, filled, basis, reserved, buffers);
        } finally {
            if (!taken) {
                if (basis != null) {
                    basis.close();
                }
                file.close();
            }
        }
    }

    /**
     * The content of an earlier version, if there is one. Nobody changes it: it is a secondary, or was the primary and
     * carries a version.
     */
    private @Nullable ReplicaFile basis(Replica replica) {
        try {
            return replica.exists() && !replica.isRotten() ? files.open(replica.id()) : null;
        } catch (PosixException e) {
            if (e.errno() != Errno.EIO) {
                throw e;
            }
            LOG.warn("{} cannot be read, and is fetched as a whole: {}", replica.id(), e.getMessage());
            return null;
        }
    }

    /** The arrival is not worked on any more, whether it has become the replica or not. */
    public void end(Arrival arrival) {
        count(arrival);
        space.release(arrival.reserved());
        try {
            arrival.close();
        } finally {
            busy.remove(arrival.id());
        }
    }

    /**
     * Counts the space of what an arrival has left; nothing is left of one whose replica was removed when it began, nor
     * on a disk that is full.
     */
    private void count(Arrival arrival) {
        try {
            if (existence.wasDropped(arrival.id()) || arrival.isRefused()) {
                unfinished.discard(arrival.id());
            } else {
                unfinished.leave(arrival.id(), arrival.file());
            }
        } catch (PosixException e) { // it ends all the same
            LOG.debug("what has come of {} is not counted: {}", arrival.id(), e.getMessage());
        }
    }

    /**
     * Makes arrivals whose content has come as a whole the replicas. Fails if that is not certain for all; doing it
     * again does no harm.
     */
    public void install(List<Arrival> arrivals) {
        arrivals.forEach(arrival -> arrival.file().describe(arrival.description()));
        if (!groupSync.run(arrivals.size())) {
            arrivals.forEach(this::syncContent);
        }
        arrivals.forEach(this::rename);
        if (!groupSync.run(arrivals.size())) {
            arrivals.forEach(arrival -> files.syncName(arrival.id()));
        }
    }

    /**
     * Brings an arrival's content to disk; after a failure it is discarded. The kernel tells a file's failure once, and
     * keeps in memory what it could not write: a later attempt, which goes on with what is there, would take that for
     * being on disk.
     */
    private void syncContent(Arrival arrival) {
        boolean synced = false;
        try {
            arrival.file().sync(false);
            synced = true;
        } finally {
            if (!synced) {
                unfinished.discard(arrival.id());
            }
        }
    }

    /**
     * Keeps an arrival whose content has come as a whole while it is not decided whether that becomes a version: it
     * lies beside the replica, on disk, until that version is begun again. Fails with EAGAIN when too many lie there.
     */
    public void keep(Arrival arrival) {
        arrival.file().describe(arrival.description());
        syncContent(arrival);
        ReplicaId forgotten = kept.add(arrival.id(), arrival.fetch().getVersion());
        if (forgotten != null) {
            discard(forgotten);
        }
    }

    /** Discards what has come, unless another version is just arriving in that place. */
    private void discard(ReplicaId id) {
        if (busy.add(id)) {
            try {
                unfinished.discard(id);
            } finally {
                busy.remove(id);
            }
        }
    }

    /** Installs a kept version; false when it is not there any more, because the replica was removed meanwhile. */
    private boolean installKept(Replica replica, Fetch fetch) {
        try (Arrival arrival =
                new Arrival(fetch, unfinished.open(replica.id()), true, fetch.getSize(), null, 0, buffers)) {
            if (!Objects.equals(arrival.file().description(), arrival.description())) {
                return false;
            }
            rename(arrival);
            files.syncName(arrival.id());
            return true;
        }
    }

    private void rename(Arrival arrival) {
        try (Use use = open.useToReplace(arrival.id());
                var _ = use.replica().holdExclusively()) {
            replace(use.replica(), arrival);
        }
    }

    private void replace(Replica replica, Arrival arrival) {
        existence.checkExpected(replica);
        checkReplaceable(replica, arrival.fetch());
        long allocated = arrival.file().status().allocated();
        unfinished.install(arrival.id());
        replica.supersede(); // before anything can fail: what is written to its file now is lost
        try {
            space.countReplicas(allocated - replica.allocated());
            catalog.put(arrival.description());
            checks.add(arrival.id());
        } finally { // last: whoever opens the new file has an order of its own, and may remove it
            open.forget(replica);
        }
    }
}
