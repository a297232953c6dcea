package org.beefs.queenbee.records;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.rpc.Allowance;
import org.beefs.queenbee.hive.HighestKnown;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.journal.Numbering;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inodes of which one honeycomb's catalog has yet to be told, each once, whatever happens to it meanwhile. Belongs to
 * the namespace thread.
 */
final class Feed {
    /** Inodes that may wait; with more, all that has changed is looked for again when it has heard these. */
    static final int MAX_WAITING = 65_536;

    /**
     * How long others that share a scan wait for one that has no room. Who is told at a usual pace has some again after
     * a batch or two, and should stay with the others: what is looked at and encoded once is for all of them.
     */
    static final Duration PATIENCE = Duration.ofMillis(500);

    /**
     * Bytes of records that it is told at a time at first; two seconds at 250 kbit/s. Heartbeats and recalls wait
     * behind them on the same connection. How soon they are written its disk decides as well.
     */
    private static final int LEAST_BYTES = 64 * 1024;

    /** Bytes of records that it is told at a time at most: some thousand records. */
    private static final int MOST_BYTES = 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
    private static final long COMPLETE = -1;

    private final Honeycomb honeycomb;

    /** Oldest first. */
    private final Set<Long> waiting = new LinkedHashSet<>();

    /** When the oldest of them began to wait, or earlier (boot clock, ns). */
    private long waitingSince;

    /** Since when there has been no room for more from a scan, while there is none (boot clock, ns). */
    private long fullSince;

    private @Nullable RecordBatch underWay;

    /** Of what is under way, in bytes, and since when it is (boot clock, ns). */
    private int toldBytes;

    private long toldAt;

    /** Outlives connections: one that broke off because a batch took too long must not begin with as large a one. */
    private final Allowance allowance = new Allowance(LEAST_BYTES, MOST_BYTES);

    private boolean connected;

    /** Whether the record of the hive itself is to be told. */
    private boolean hiveChanged;

    /** Whether it is to be told how far it is complete, though nothing may wait. */
    private boolean completed;

    /** It has, or does not need, all changes up to this sequence. */
    private long complete;

    private boolean wantsScan;
    private boolean scanned;

    /** Whether it has heard, since it was connected, all that it had missed. */
    private boolean caughtUp;

    /** Inodes whose records have been found to be missing or old since it was connected. */
    private long renewed;

    /** The highest inode number that there was when records were last told to it: it knows nothing of higher ones. */
    private long highestTold;

    /**
     * The highest number that desktops had been given when it was connected last. It has heard of no higher ones, and
     * its desktop, which may yet say that it has made inodes, has none of them.
     */
    private long highestGiven;

    /** The last change that it may have been told of. */
    private long lastTold;

    /** Since when the catalog has lacked something (boot clock, ns). */
    private long behindSince;

    Feed(Honeycomb honeycomb, HighestKnown highest, long now) {
        this.honeycomb = honeycomb;
        this.highestTold = highest.told();
        this.highestGiven = highest.given();
        this.lastTold = highest.change();
        this.behindSince = now;
    }

    Honeycomb honeycomb() {
        return honeycomb;
    }

    /**
     * It is connected anew.
     *
     * @param complete the change up to which its catalog is complete; 0 when that is not known: then it is told
     *     everything
     */
    void connect(long complete, long now) {
        stop(now);
        this.complete = complete;
        renewed = 0;
        connected = true;
        hiveChanged = true;
        wantsScan = true;
    }

    /** Takes nothing up any more, as it is not connected. Answers the inodes of which it has perhaps not heard. */
    List<Long> disconnect(long lastGiven, long now) {
        highestGiven = lastGiven;
        List<Long> unheard = new ArrayList<>(waiting);
        if (underWay != null) {
            unheard.addAll(underWay.inodes());
        }
        stop(now);
        return unheard;
    }

    private void stop(long now) {
        connected = false;
        wantsScan = false;
        scanned = false;
        caughtUp = false;
        if (underWay != null) {
            allowance.halve();
        }
        underWay = null;
        waiting.clear();
        behind(now);
    }

    boolean isConnected() {
        return connected;
    }

    /** Whether it is connected, and has heard all that was changed before. */
    boolean hasCaughtUp() {
        return caughtUp;
    }

    /** The highest inodes that its catalog may know, while it is not connected. */
    HighestKnown highestKnown() {
        return new HighestKnown(highestTold, highestGiven, lastTold);
    }

    /** It may have to have records now that it has not been told, though they have not changed. */
    void lookAgain(long now) {
        if (connected) {
            scanned = false;
            wantsScan = true;
            behind(now);
        }
    }

    void hiveChanged() {
        hiveChanged = true;
    }

    boolean isHiveChanged() {
        return hiveChanged;
    }

    /** The inode's record, or that there is none any more, is to be told. */
    void add(Long inode, long now) {
        if (!connected || wantsScan) {
            return;
        }
        if (waiting.isEmpty()) {
            waitingSince = now;
        }
        if (waiting.size() < MAX_WAITING) {
            boolean hadRoom = hasRoom();
            waiting.add(inode);
            fullSince = hadRoom ? now : fullSince;
        } else {
            waiting.clear();
            scanned = false;
            wantsScan = true;
            caughtUp = false;
        }
        behind(now);
    }

    /** The catalog's record of the inode is missing or old. */
    void renew(long inode, long now) {
        renewed++;
        if (waiting.size() == MAX_WAITING) {
            complete = 0; // more is wrong than can wait: all is told again
        }
        add(inode, now);
    }

    long renewed() {
        return renewed;
    }

    private void behind(long now) {
        behindSince = behindSince == COMPLETE ? now : behindSince;
    }

    /** It cannot have heard of the inode yet, and now need not. */
    boolean withdraw(long inode) {
        if (mayKnow(inode)) {
            return false;
        }
        waiting.remove(inode);
        if (hasHeardAll()) {
            behindSince = COMPLETE;
        }
        return true;
    }

    private boolean mayKnow(long inode) {
        boolean inNoOrder = connected && Numbering.isGiven(inode);
        return inNoOrder || highestKnown().includes(inode);
    }

    private boolean hasHeardAll() {
        boolean looksForMore = scanned || wantsScan;
        return connected && waiting.isEmpty() && underWay == null && !completed && !looksForMore;
    }

    /** Whether it has to be told all that has changed since {@link #complete}. */
    boolean wantsScan() {
        return wantsScan && underWay == null;
    }

    long complete() {
        return complete;
    }

    void beginScan() {
        wantsScan = false;
        scanned = true;
    }

    boolean isScanned() {
        return scanned;
    }

    void endScan() {
        LOG.info("the catalog of {} is told {} records again, which were missing or old", honeycomb.desktop(), renewed);
        scanned = false;
        completed = true;
    }

    /** Whether it is to be told something now, because that has waited long enough. */
    boolean isReady(long now, long delay) {
        return isTellable() && (hiveChanged || completed || now - waitingSince >= delay);
    }

    /** Whether it may be told something now. */
    boolean isTellable() {
        boolean hasSomething = hiveChanged || completed || !waiting.isEmpty();
        return connected && underWay == null && !wantsScan && hasSomething;
    }

    /** Whether it will have to be told something, without anything else happening. */
    boolean isExpecting() {
        return connected && underWay == null && !waiting.isEmpty();
    }

    Iterable<Long> waiting() {
        return waiting;
    }

    boolean isWaiting(long inode) {
        return waiting.contains(inode);
    }

    int size() {
        return waiting.size() + (underWay == null ? 0 : underWay.inodes().size());
    }

    /** Whether it can take up more from a scan. */
    boolean hasRoom() {
        return waiting.size() < MAX_WAITING / 2;
    }

    /** Whether it has had no room for so long that others should not wait for it any more. */
    boolean isDelaying(long now) {
        return !hasRoom() && now - fullSince >= PATIENCE.toNanos();
    }

    /** Whether it is complete when it has heard all of a batch that takes so many of those that wait. */
    boolean isCompleteAfter(int taken) {
        return taken == waiting.size() && !scanned && !wantsScan;
    }

    /** How many bytes it may be told at a time. */
    int batchBytes() {
        return allowance.bytes();
    }

    /** @param bytes of the batch, about */
    void begin(RecordBatch batch, int bytes, long highest, long now) {
        batch.inodes().forEach(waiting::remove);
        underWay = batch;
        toldBytes = bytes;
        toldAt = now;
        highestTold = highest;
        lastTold = batch.asOf();
        hiveChanged = false;
        completed = false;
    }

    boolean isUnderWay(RecordBatch batch) {
        return underWay != null && underWay.number() == batch.number();
    }

    /** Answers whether it has caught up with that. */
    boolean succeeded(RecordBatch batch, long now) {
        underWay = null;
        allowance.came(toldBytes >= allowance.bytes(), now - toldAt);
        long until = batch.records().getComplete();
        boolean before = caughtUp;
        if (until != 0) {
            complete = until;
            if (!wantsScan) {
                behindSince = waiting.isEmpty() ? COMPLETE : waitingSince;
                caughtUp = true;
            }
        }
        return caughtUp && !before;
    }

    /** All of it waits again. */
    void failed(RecordBatch batch, long now) {
        underWay = null;
        allowance.halve();
        hiveChanged = true;
        completed = completed || batch.records().getComplete() != 0;
        batch.inodes().forEach(inode -> add(inode, now));
    }

    /** Whether the catalog has all that was added up to a moment of the boot clock. */
    boolean hasHeardAllUntil(long nanos) {
        return behindSince == COMPLETE || behindSince > nanos;
    }

    /** Nanoseconds since the catalog was complete. */
    long lag(long now) {
        return behindSince == COMPLETE ? 0 : now - behindSince;
    }
}
