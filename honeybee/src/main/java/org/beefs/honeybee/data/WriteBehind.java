package org.beefs.honeybee.data;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.cache.MetadataCache;
import org.beefs.honeybee.heldback.HeldBack;
import org.jspecify.annotations.Nullable;

/**
 * What a desktop holds back of files on other desktops for which it has the write lease: writes are answered before the
 * honeycomb has them. Everybody on this desktop who looks at such a file, through whatever mount, waits until they are
 * there; so does the queen-bee when somebody elsewhere wants to look. Thread-safe.
 */
public final class WriteBehind implements HeldBack {
    /**
     * Requests that may be held back, or under way, of all files. One honeycomb may have to answer all of them: of
     * these and of what others ask of it, no more may wait for their turn than {@link RemoteReplicas} lets wait.
     */
    static final int MOST_REQUESTS = RemoteReplicas.MOST_WAITING / 2;

    private record Counted(DelayedFile file, int handles) {}

    private final MetadataCache leases;
    private final long most;
    private final Runnable startAnew;
    private final Map<Long, Counted> files = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();

    /**
     * @param leases knows which write leases hold, and says when they end
     * @param most bytes of memory; what comes when they are used up is not held back
     * @param startAnew cuts off what is under way to honeycombs, and sends it again as far as it may be
     */
    WriteBehind(MetadataCache leases, long most, Runnable startAnew) {
        this.leases = leases;
        this.most = most;
        this.startAnew = startAnew;
    }

    /** A handle was opened under the write lease; {@link #close} follows. */
    public DelayedFile open(long inode) {
        return files.merge(
                        inode,
                        new Counted(new DelayedFile(this, inode), 1),
                        (known, fresh) -> new Counted(known.file(), known.handles() + 1))
                .file();
    }

    /** What may be held back of a file; null when nobody here has it open under the write lease. */
    public @Nullable DelayedFile find(long inode) {
        Counted known = files.get(inode);
        return known == null ? null : known.file();
    }

    /**
     * A change of a file's replica has ended, through whatever handle.
     *
     * @param begun what {@link #lease} was when it began
     * @param status what it has left behind; null when that is not known
     */
    public void observe(long inode, long begun, @Nullable ReplicaStatus status) {
        Counted known = files.get(inode);
        if (known != null) {
            known.file().observe(begun, status);
        }
    }

    /**
     * What a file's replica is like, if only this desktop changes it, behind all that is held back; empty when its
     * honeycomb has to be asked.
     */
    public CompletableFuture<Optional<ReplicaStatus>> status(long inode) {
        Counted known = files.get(inode);
        return known == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : known.file().status();
    }

    /** A handle is closed, after all that was written through it was flushed. */
    public void close(DelayedFile file) {
        Counted left = files.computeIfPresent(
                file.inode(),
                (inode, known) -> known.handles() == 1 ? null : new Counted(known.file(), known.handles() - 1));
        if (left == null) {
            leases.endWriting(file.inode());
        }
    }

    @Override
    public CompletableFuture<Void> flush(long inode) {
        Counted known = files.get(inode);
        return known == null
                ? CompletableFuture.completedFuture(null)
                : known.file().flush();
    }

    /** As {@link #flush} of several files. */
    CompletableFuture<Void> flush(List<Long> inodes) {
        return files.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.allOf(inodes.stream().map(this::flush).toArray(CompletableFuture[]::new));
    }

    @Override
    public CompletableFuture<Void> flushAll() {
        return flush(List.copyOf(files.keySet()));
    }

    @Override
    public List<Long> inodes() {
        return files.values().stream()
                .map(Counted::file)
                .filter(file -> file.bytes() > 0)
                .map(DelayedFile::inode)
                .toList();
    }

    @Override
    public void giveUp(List<Long> inodes) {
        List<DelayedFile> overtaken =
                inodes.stream().map(this::find).filter(Objects::nonNull).toList();
        overtaken.forEach(DelayedFile::giveUp);
    }

    /** A honeycomb runs anew, and may have lost with its power what it had answered. */
    void restarted() {
        files.values().forEach(known -> known.file().doubt());
    }

    @Override
    public void cutOff() {
        startAnew.run();
    }

    /** What is held back now. Bytes. */
    public long bytes() {
        return bytes.get();
    }

    /** What is held back of a file now. Bytes. */
    public int bytes(long inode) {
        Counted known = files.get(inode);
        return known == null ? 0 : known.file().bytes();
    }

    /** As {@link MetadataCache#writeLease}. */
    public long lease(long inode) {
        return leases.writeLease(inode);
    }

    /**
     * Takes room for content, until it is given back; false when there is not enough.
     *
     * @param begun how many requests begin with it
     */
    boolean reserve(int length, int begun) {
        long allBytes = bytes.addAndGet(length);
        int allRequests = requests.addAndGet(begun);
        if (allBytes <= most && allRequests <= MOST_REQUESTS) {
            return true;
        }
        giveBack(length, begun);
        return false;
    }

    void giveBack(int length, int ended) {
        bytes.addAndGet(-length);
        requests.addAndGet(-ended);
    }
}
