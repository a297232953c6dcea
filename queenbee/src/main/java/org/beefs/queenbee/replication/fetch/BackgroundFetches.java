package org.beefs.queenbee.replication.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.config.ByteSize;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetches;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * Fetches that nobody waits for. Each honeycomb has at most one request for them under way. Belongs to the namespace
 * thread.
 */
public final class BackgroundFetches {
    /**
     * Bytes that one request names; the file that is named last may exceed it. The request counts for no more against
     * the budget, because little of a large file is in work at a time: so several honeycombs copy large ones at once.
     */
    private static final long MOST_NAMED = 64 << 20;

    /** Files that may wait for all honeycombs together that can copy; each has the same share. */
    private static final int MOST_WAITING = 65_536;

    /** A honeycomb's share is at least about what one request names of small files. */
    private static final int LEAST_SHARE = 1024;

    /**
     * Checkpoints that one request names. Their honeycomb keeps them until it is asked to install them, which the next
     * request does; it keeps 64, some of which are made for who waits for them.
     */
    private static final int MOST_CHECKPOINTS = 32;

    private final Namespace namespace;
    private final FetchMaker maker;
    private final Clock clock;
    private final Pauses pauses;
    private final int batch;
    private final ByteSize budget;
    private final Duration patience;
    private final Map<Honeycomb, FetchQueue> queues = new HashMap<>();
    private final Set<Honeycomb> full = new HashSet<>();
    private int share = MOST_WAITING;
    private long lastNumber;
    private int lastServed;

    /**
     * @param batch files that one request names
     * @param budget what is copied at the same time in the whole hive; the file that is begun last may go beyond
     *     ({@link #MOST_NAMED})
     * @param patience after which a honeycomb answers with what it has done
     */
    public BackgroundFetches(
            Namespace namespace,
            FetchMaker maker,
            Clock clock,
            Pauses pauses,
            int batch,
            ByteSize budget,
            Duration patience) {
        this.namespace = namespace;
        this.maker = maker;
        this.clock = clock;
        this.pauses = pauses;
        this.batch = batch;
        this.budget = budget;
        this.patience = patience;
    }

    /** The honeycomb is to hold the file's newest version. */
    public void add(Honeycomb honeycomb, long inode) {
        of(honeycomb).add(inode, clock.bootNanos());
    }

    /**
     * As {@link #add}, at the head of the queue: the honeycomb already has the version beside its replica and only
     * installs it.
     */
    public void addKept(Honeycomb honeycomb, long inode) {
        of(honeycomb).addFirst(inode, clock.bootNanos());
    }

    /** As {@link #add}, of one that its last request named, and that it has not copied yet. */
    public void addAgain(Honeycomb honeycomb, long inode) {
        of(honeycomb).addAgain(inode, clock.bootNanos());
    }

    /** Called now and then. */
    public void tick() {
        int able = (int) queues.keySet().stream().filter(Honeycomb::canCopy).count();
        share = Math.max(LEAST_SHARE, MOST_WAITING / Math.max(1, able));
    }

    /**
     * Whether more may wait for the honeycomb. If not, {@link #takeDrained} tells when it may, and what was passed by
     * is to be looked for again.
     */
    public boolean admits(Honeycomb honeycomb) {
        boolean admitted = of(honeycomb).waiting() < share;
        if (!admitted) {
            full.add(honeycomb);
        }
        return admitted;
    }

    /** Whether a honeycomb that admitted no more has worked its queue down to half; told once for each. */
    public boolean takeDrained() {
        return full.removeIf(honeycomb -> of(honeycomb).waiting() <= share / 2);
    }

    /** The honeycomb has copied a part of the file, which waits. */
    public void goOn(Honeycomb honeycomb, long inode) {
        of(honeycomb).goOn(inode);
    }

    /** Requests to be sent now; they count as under way. Asked in each pass. */
    public List<FetchErrand> begin() {
        List<FetchErrand> begun = new ArrayList<>();
        long left = budget.bytes() - bytesUnderWay();
        List<Honeycomb> ready = queues.keySet().stream()
                .filter(honeycomb -> honeycomb.canCopy() && of(honeycomb).isReady(clock.bootNanos()))
                .toList();
        for (Honeycomb honeycomb : inTurn(ready)) {
            FetchErrand errand = left > 0 ? make(honeycomb, of(honeycomb), Math.min(left, MOST_NAMED)) : null;
            if (errand != null) {
                of(honeycomb).begin(errand);
                begun.add(errand);
                left -= errand.bytes();
                lastServed = honeycomb.number();
            }
        }
        return begun;
    }

    /**
     * The honeycombs in turn, after the one that was served last: where the budget does not suffice for all, all get
     * their share.
     */
    private List<Honeycomb> inTurn(List<Honeycomb> ready) {
        return ready.stream()
                .sorted(Comparator.comparing((Honeycomb honeycomb) -> honeycomb.number() <= lastServed)
                        .thenComparingInt(Honeycomb::number))
                .toList();
    }

    private long bytesUnderWay() {
        return queues.values().stream().mapToLong(FetchQueue::bytesUnderWay).sum();
    }

    public boolean answered(FetchErrand errand) {
        return of(errand.honeycomb()).answered(errand);
    }

    public void failed(FetchErrand errand) {
        of(errand.honeycomb()).failed(errand, clock.bootNanos());
    }

    public void restart(Honeycomb honeycomb) {
        of(honeycomb).restart();
    }

    /** Whether a honeycomb has been asked to copy the file, and has not answered. */
    public boolean isUnderWay(long inode) {
        return queues.values().stream()
                .flatMap(queue -> queue.errand().stream())
                .anyMatch(errand -> errand.inodes().contains(inode));
    }

    /** Files that wait to be copied to honeycombs that can copy now. */
    public int waiting() {
        return queues.entrySet().stream()
                .filter(queue -> queue.getKey().canCopy())
                .mapToInt(queue -> queue.getValue().waiting())
                .sum();
    }

    /**
     * For how long the oldest version has waited to be copied, or is being copied, to a honeycomb that can copy now.
     */
    public Duration lag() {
        long now = clock.bootNanos();
        long since = queues.entrySet().stream()
                .filter(queue -> queue.getKey().canCopy())
                .mapToLong(queue -> queue.getValue().oldest())
                .min()
                .orElse(now);
        return Duration.ofNanos(Math.max(0, now - since));
    }

    public int underWay() {
        return queues.values().stream().mapToInt(FetchQueue::underWay).sum();
    }

    /**
     * What a honeycomb does at present, and has yet to do.
     *
     * @param leaving replicas that are to leave it
     */
    public HoneycombWork work(Honeycomb honeycomb, int leaving) {
        FetchQueue queue = of(honeycomb);
        return new HoneycombWork(honeycomb, queue.errand(), queue.waiting(), leaving);
    }

    private FetchQueue of(Honeycomb honeycomb) {
        return queues.computeIfAbsent(honeycomb, unknown -> new FetchQueue(pauses));
    }

    /**
     * Makes the next request; null when there is nothing to copy. A file that cannot be copied now is forgotten here:
     * it is looked at again when it is sealed, or when a source comes.
     */
    private @Nullable FetchErrand make(Honeycomb honeycomb, FetchQueue queue, long most) {
        Fetches.Builder fetches = Fetches.newBuilder().setPatienceMillis((int) patience.toMillis());
        List<Long> inodes = new ArrayList<>();
        long bytes = 0;
        int checkpoints = 0;
        while (inodes.size() < batch && checkpoints < MOST_CHECKPOINTS && bytes < most && queue.waiting() > 0) {
            long number = queue.take();
            Inode inode = namespace.find(number);
            Fetch fetch = inode == null ? null : maker.make(inode, honeycomb);
            if (inode != null && fetch != null) {
                fetches.addFetches(fetch);
                inodes.add(number);
                bytes = ByteSize.sum(bytes, inode.size());
                checkpoints += fetch.getCheckpoint() ? 1 : 0;
            } else {
                queue.forget(number);
            }
        }
        return inodes.isEmpty()
                ? null
                : new FetchErrand(
                        ++lastNumber,
                        honeycomb,
                        fetches.build(),
                        inodes,
                        Math.min(bytes, MOST_NAMED),
                        clock.bootNanos());
    }
}
