package org.beefs.queenbee.records;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.RecordsState;
import org.beefs.queenbee.hive.HighestKnown;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.InodeListener;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.state.CatalogHive;

/**
 * Tells the honeycombs' catalogs of every change, a little later and many at once. What a pass changes is gathered; at
 * its end each honeycomb's {@link Feed} takes up what concerns it; when the first has waited for {@link #DELAY}, all
 * become a {@link RecordBatch}. Belongs to the namespace thread.
 */
public final class RecordFeeds implements InodeListener {
    /**
     * How long a change waits for others of the same inode, above all of a directory in which files are made one after
     * the other.
     */
    public static final Duration DELAY = Duration.ofMillis(250);

    private static final int MAX_RECORDS = 4096;

    private final ByteString hive;
    private final Namespace namespace;
    private final Numbering numbering;
    private final Honeycombs honeycombs;
    private final Journal journal;
    private final Clock clock;
    private final Supplier<CatalogHive> hiveRecord;
    private final RecordPlaces places;
    private final Tombstones tombstones;
    private final Substitution substitution;
    private final RecordScans scans;
    private final UnawaitedHoneycombs unawaited;

    /** Feeds; that of honeycomb n is at index n − 1. */
    private final List<Feed> feeds = new ArrayList<>();

    /**
     * Retired honeycombs whose records were once completely held by honeycombs that were connected, or that nobody was
     * to take over.
     */
    private final Set<Honeycomb> takenOver = new HashSet<>();

    /** Inodes that the running pass has changed. */
    private final List<Inode> changed = new ArrayList<>();

    /** Batches that are encoded, and not sent before what they tell is on disk. */
    private final List<RecordBatch> encoded = new ArrayList<>();

    private final List<RecordBatch> failed = new ArrayList<>();
    private long passBegan;

    /** The value of {@link Honeycombs#changes} that all feeds have taken up. */
    private long hiveChanges;

    /** The incarnation that all feeds have taken up. */
    private long incarnation;

    private long lastBatch;

    /**
     * @param hive the hive's own number
     * @param hiveRecord what catalogs keep about the hive itself
     */
    public RecordFeeds(
            ByteString hive,
            Namespace namespace,
            Numbering numbering,
            Honeycombs honeycombs,
            Journal journal,
            Clock clock,
            Supplier<CatalogHive> hiveRecord) {
        this.hive = hive;
        this.namespace = namespace;
        this.numbering = numbering;
        this.honeycombs = honeycombs;
        this.journal = journal;
        this.clock = clock;
        this.hiveRecord = hiveRecord;
        Substitutes substitutes = new Substitutes(journal);
        places = new RecordPlaces(honeycombs, substitutes);
        substitution = new Substitution(namespace, honeycombs, journal, substitutes, places, this::feedOf);
        tombstones =
                new Tombstones(journal, number -> honeycombs.numbered(number).isForgotten());
        unawaited = new UnawaitedHoneycombs(honeycombs, tombstones, places::keepers);
        scans = new RecordScans(
                namespace,
                places,
                feed -> tombstones.waitingFor(feed.honeycomb().number()));
        passBegan = journal.next();
        incarnation = numbering.incarnation();
    }

    @Override
    public void changed(Inode inode, long before) {
        if (before < passBegan) {
            changed.add(inode);
        }
    }

    @Override
    public void gone(Inode inode) {
        Set<Integer> holders = new TreeSet<>();
        boolean absent = false;
        for (Honeycomb honeycomb : substitution.withOwn(inode)) {
            Feed feed = feedOf(honeycomb);
            if (!feed.withdraw(inode.number())) {
                holders.add(honeycomb.number());
                absent |= !feed.isConnected();
            }
        }
        substitution.end(inode.number());
        if (!holders.isEmpty()) {
            Tombstone tombstone = Tombstone.of(inode.number(), inode.changed(), holders);
            if (absent) {
                tombstone.spread(places.keepers(inode.number()));
            }
            tombstones.add(tombstone);
            tell(tombstone);
        }
    }

    /** A honeycomb has dropped its replica of an inode: it forgets the record too. */
    public void dropped(Honeycomb honeycomb, long inode) {
        feedOf(honeycomb).add(inode, clock.bootNanos());
    }

    /** Honeycombs that have the record of an inode, or are to have it, and may be there again. */
    public List<Honeycomb> holders(Inode inode) {
        return substitution.withOwn(inode).stream()
                .filter(honeycomb -> !honeycomb.isRetired() || honeycomb.presence() != Presence.LOST)
                .toList();
    }

    /**
     * Connected honeycombs that are to keep records in the place of a retired one, and do not have all of them yet.
     * Once connected ones had all of them, or there was none to take over, the answer stays 0, although newcomers lack
     * records: an administrator may have been told that the desktop can be switched off.
     */
    public int takingOver(Honeycomb retired) {
        if (takenOver.contains(retired)) {
            return 0;
        }
        int missing = (int) successors(retired).stream()
                .filter(feed -> feed.complete() < retired.retired())
                .count();
        if (missing == 0 && isAnySuccessorThere(retired) && retired.isRetired() && !honeycombs.isSomeExpected()) {
            takenOver.add(retired);
        }
        return missing;
    }

    /** Whether connected honeycombs have all that is to be kept in the place of a retired one, or none has to. */
    public boolean isTakenOver(Honeycomb retired) {
        return takingOver(retired) == 0 && (takenOver.contains(retired) || isAnySuccessorThere(retired));
    }

    /** Also true when no honeycomb is connected that could take over and none is away that could. */
    private boolean isAnySuccessorThere(Honeycomb retired) {
        return !successors(retired).isEmpty() || noneIsAway(retired);
    }

    private List<Feed> successors(Honeycomb retired) {
        return feeds.stream()
                .filter(feed -> isSuccessor(feed, retired) && !feed.honeycomb().isRetired())
                .toList();
    }

    /** Whether no honeycomb that is to take its place is away and may come back. */
    private boolean noneIsAway(Honeycomb retired) {
        return honeycombs.all().stream()
                .filter(other -> other.number() > retired.number() && !other.isRetired())
                .noneMatch(other -> other.presence() == Presence.ASLEEP);
    }

    /** Only honeycombs that came after a retired one keep records in its place. */
    private static boolean isSuccessor(Feed feed, Honeycomb retired) {
        return feed.isConnected() && feed.honeycomb().number() > retired.number();
    }

    /**
     * What a honeycomb's catalog has of an inode, which need not exist any more, was found to be wrong: it is told
     * again.
     */
    public void tellAgain(Honeycomb honeycomb, long inode) {
        feedOf(honeycomb).renew(inode, clock.bootNanos());
    }

    /** A honeycomb has registered, with this in its catalog. */
    public void connected(Honeycomb honeycomb, RecordsState state) {
        boolean known = state.getHive().equals(hive) && journal.hasMade(state.getComplete());
        feedOf(honeycomb).connect(known ? state.getComplete() : 0, clock.bootNanos());
    }

    /** While loading. */
    public void loadTombstone(long inode, CodedInputStream record) throws IOException {
        tombstones.load(inode, record);
    }

    /** While loading. */
    public void loadSubstitutes(long inode, CodedInputStream record) throws IOException {
        substitution.load(inode, record);
    }

    /** All is loaded, and nobody is connected yet. */
    public void start() {
        unawaited.start();
        takeUpLosses();
        honeycombs.retire();
        tombstones.spreadAll(places::keepers);
    }

    /** At the end of a pass, before its batch is written: lets honeycombs take up what it has changed. */
    public void endPass() {
        long now = clock.bootNanos();
        for (Honeycomb honeycomb : honeycombs.all()) {
            Feed feed = feedOf(honeycomb);
            if (feed.isConnected() && !honeycomb.isConnected()) {
                List<Long> unheard = feed.disconnect(numbering.lastGiven(), now);
                unheard.stream().map(namespace::find).filter(Objects::nonNull).forEach(changed::add);
                tombstones.spread(honeycomb.number(), places::keepers).forEach(this::tell);
            }
        }
        for (Inode inode : changed) {
            Long number = inode.number();
            if (namespace.find(number) != null) {
                places.withConnected(inode)
                        .forEach(honeycomb -> feedOf(honeycomb).add(number, now));
                substitution.changed(inode, now);
            }
        }
        substitution.runSlice(now);
        takeUpHiveChanges();
        changed.clear();
        unawaited.runSlice().forEach(this::tell);
        passBegan = journal.next();
        scans.runSlice(feeds, now);
        List<Feed> ready = feeds.stream()
                .filter(feed -> feed.isReady(now, DELAY.toNanos()))
                .toList();
        if (!ready.isEmpty()) {
            encode(ready.stream().allMatch(feed -> feed.size() >= MAX_RECORDS) ? ready : tellable());
        }
    }

    /** Batches that may leave, because what they tell is on disk. */
    public List<RecordBatch> takeSendable() {
        if (encoded.isEmpty()) {
            return List.of();
        }
        List<RecordBatch> sendable = new ArrayList<>();
        encoded.removeIf(batch -> batch.asOf() <= journal.durable() && sendable.add(batch));
        return sendable.stream()
                .filter(batch -> feedOf(batch.honeycomb()).isUnderWay(batch))
                .toList();
    }

    Substitution substitution() {
        return substitution;
    }

    /** Whether a scan could go on at once. */
    public boolean isScanning() {
        return scans.canGoOn();
    }

    /** A honeycomb is forgotten: from now on nothing is kept for it. */
    public void forget(Honeycomb honeycomb) {
        substitution.replace(List.of(honeycomb), clock.bootNanos());
        unawaited.addForgotten(honeycomb);
    }

    /** Whether more could be ended at once of what was kept for such honeycombs, or in the place of others. */
    public boolean isForgetting() {
        return unawaited.hasMore() || substitution.hasMore();
    }

    /** Whether something will be told after {@link #DELAY}. */
    public boolean isExpecting() {
        return feeds.stream().anyMatch(Feed::isExpecting);
    }

    /** The honeycomb has written the batch. */
    public void succeeded(RecordBatch batch) {
        Feed feed = feedOf(batch.honeycomb());
        if (!feed.isUnderWay(batch)) {
            return;
        }
        if (feed.succeeded(batch, clock.bootNanos())) {
            substitution.lookAgain();
        }
        batch.records().getRecordsList().stream()
                .filter(Record::getRemoved)
                .forEach(record -> heard(batch.honeycomb(), record.getInode(), false));
        for (Long inode : batch.records().getForgottenList()) {
            heard(batch.honeycomb(), inode, true);
            substitution.forgotten(batch.honeycomb(), inode);
        }
    }

    /** The honeycomb has not answered, or refused: it is told again after {@link #retry}. */
    public void failed(RecordBatch batch) {
        failed.add(batch);
    }

    /** Lets what has failed be told again. Called now and then. */
    public void retry() {
        for (RecordBatch batch : failed) {
            Feed feed = feedOf(batch.honeycomb());
            if (feed.isUnderWay(batch)) {
                feed.failed(batch, clock.bootNanos());
            }
        }
        failed.clear();
        honeycombs.all().stream().filter(Honeycomb::isConnected).forEach(this::forgetDropped);
    }

    /**
     * Each catalog hears of all honeycombs then. Those that are found to be lost at one time are marked in one pass.
     */
    private void takeUpHiveChanges() {
        if (hiveChanges != honeycombs.changes() || incarnation != numbering.incarnation()) {
            hiveChanges = honeycombs.changes();
            incarnation = numbering.incarnation();
            feeds.forEach(Feed::hiveChanged);
            takeUpLosses();
            replaceRetired();
        }
    }

    /**
     * Writes down what catalogs may know at most whose honeycombs are newly lost: they need not hear that an inode is
     * gone that was made later, also after a restart. And nobody waits for them where they only keep a tombstone.
     */
    private void takeUpLosses() {
        List<Honeycomb> lost = honeycombs.all().stream()
                .filter(honeycomb -> honeycomb.presence() == Presence.LOST
                        && honeycomb.absence().highestKnown() == null)
                .toList();
        if (!lost.isEmpty()) {
            lost.forEach(honeycomb ->
                    honeycombs.setHighestKnown(honeycomb, feedOf(honeycomb).highestKnown()));
            unawaited.addLost(lost);
            substitution.replace(lost, clock.bootNanos());
        }
    }

    /** Honeycombs that came later look for the records that they have to keep in the place of newly retired ones. */
    private void replaceRetired() {
        for (Honeycomb retired : honeycombs.retire()) {
            feeds.stream()
                    .filter(feed -> isSuccessor(feed, retired))
                    .forEach(feed -> feed.lookAgain(clock.bootNanos()));
        }
    }

    /** A feed that is about to look at everything takes nothing up, and would not find what is to be forgotten. */
    private void forgetDropped(Honeycomb honeycomb) {
        for (Long inode : honeycomb.errandQueue().drops().forgetting(MAX_RECORDS)) {
            dropped(honeycomb, inode);
        }
    }

    /** Records that a honeycomb's catalog does not have yet, as far as known. */
    public int waiting(Honeycomb honeycomb) {
        return feedOf(honeycomb).size();
    }

    /** Since when its catalog is not complete; zero when it is. */
    public Duration behind(Honeycomb honeycomb) {
        return Duration.ofNanos(feedOf(honeycomb).lag(clock.bootNanos()));
    }

    /** Whether its catalog has all changes of the passes that have ended before a moment of the boot clock. */
    public boolean hasHeardAllUntil(Honeycomb honeycomb, long nanos) {
        return feedOf(honeycomb).hasHeardAllUntil(nanos);
    }

    /**
     * Records of connected honeycombs' catalogs that were missing or old when these registered last, as far as was
     * looked.
     */
    public long renewed() {
        return feeds.stream().filter(Feed::isConnected).mapToLong(Feed::renewed).sum();
    }

    /** Whether an inode is gone, and a catalog has yet to hear of that. */
    public boolean isRemembered(long inode) {
        return tombstones.find(inode) != null;
    }

    /** Inodes that are gone, and not forgotten by all catalogs. */
    public int tombstones() {
        return tombstones.size();
    }

    private Feed feedOf(Honeycomb honeycomb) {
        while (feeds.size() < honeycomb.number()) {
            feeds.add(newFeed(honeycombs.numbered(feeds.size() + 1)));
        }
        return feeds.get(honeycomb.number() - 1);
    }

    private Feed newFeed(Honeycomb honeycomb) {
        HighestKnown highest = honeycomb.absence().highestKnown();
        return new Feed(
                honeycomb,
                highest != null
                        ? highest
                        : new HighestKnown(namespace.highestOwn(), numbering.lastGiven(), journal.applied()),
                clock.bootNanos());
    }

    private void heard(Honeycomb honeycomb, long inode, boolean forgotten) {
        for (Integer holder : tombstones.heard(honeycomb.number(), inode, forgotten)) {
            feeds.get(holder - 1).add(inode, clock.bootNanos());
        }
        honeycombs.errandQueues().recordForgotten(honeycomb, inode);
    }

    private void tell(Tombstone tombstone) {
        for (Integer holder : tombstone.waiting()) {
            feedOf(honeycombs.numbered(holder)).add(tombstone.number(), clock.bootNanos());
        }
    }

    /**
     * All feeds that may send now, not only the one whose delay is over: they mostly need the same encoded records.
     * Feeds that are catching up send alone, a batch as soon as the one before is answered: honeycombs sync each.
     */
    private List<Feed> tellable() {
        return feeds.stream().filter(Feed::isTellable).toList();
    }

    private void encode(List<Feed> told) {
        RecordEncoder encoder =
                new RecordEncoder(namespace, places, tombstones, journal.applied(), told.size() > 1, hiveRecord);
        told.forEach(feed -> encode(feed, encoder));
    }

    private void encode(Feed feed, RecordEncoder encoder) {
        Records.Builder records = Records.newBuilder().setHive(hive).setAsOf(journal.applied());
        List<Long> taken = new ArrayList<>();
        int bytes = 0;
        if (feed.isHiveChanged()) {
            records.addRecords(encoder.encodeHive());
        }
        for (Long inode : feed.waiting()) {
            if (taken.size() == MAX_RECORDS || bytes >= feed.batchBytes()) {
                break;
            }
            taken.add(inode);
            bytes += encoder.add(inode, feed.honeycomb(), records);
        }
        if (feed.isCompleteAfter(taken.size())) {
            records.setComplete(journal.applied());
        }
        RecordBatch batch = new RecordBatch(++lastBatch, feed.honeycomb(), records.build(), journal.applied(), taken);
        feed.begin(batch, bytes, namespace.highestOwn(), clock.bootNanos());
        encoded.add(batch);
    }
}
