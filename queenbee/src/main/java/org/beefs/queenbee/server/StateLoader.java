package org.beefs.queenbee.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.content.Commits;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.content.OpenInodes;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.hive.ErrandRequests;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.PrimaryChooser;
import org.beefs.queenbee.hive.inventory.InventoryComparisons;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.lease.Grace;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lock.Locks;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.InodeListener;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.NamespaceLoader;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.records.OlderState;
import org.beefs.queenbee.records.RecordFeeds;
import org.beefs.queenbee.replication.Replication;
import org.beefs.queenbee.replication.ReplicationParts;
import org.beefs.queenbee.session.LostChanges;
import org.beefs.queenbee.session.Sessions;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.HiveRecord;
import org.beefs.queenbee.state.JournalRecord;
import org.jspecify.annotations.Nullable;

/** Brings the state of a store into memory, or makes a new hive in an empty one, and begins the next incarnation. */
final class StateLoader {
    /** Each change of them is told to all catalogs, with all of them. */
    private static final int MOST_CONFLICTS = 1000;

    private final QueenBeeConfig config;
    private final StateStore store;
    private final Clock clock;
    private final String machineStart;
    private final MemoryRoom memory;
    private final String readOnly;
    private @Nullable HiveRecord hive;
    private JournalRecord last = JournalRecord.getDefaultInstance();
    private @Nullable Loading loading;

    private record Loading(QueenState state, NamespaceLoader namespace) {}

    private StateLoader(QueenBeeConfig config, StateStore store, QueenBeeEnvironment environment, String readOnly) {
        this.config = config;
        this.store = store;
        this.clock = environment.clock();
        this.machineStart = environment.machineStart();
        this.memory = environment.memory();
        this.readOnly = readOnly;
    }

    /**
     * Fails with {@link StateException} for a state that cannot be used; then nothing was changed in it.
     *
     * @param readOnly why nothing may be changed; empty if it may
     */
    static QueenState run(QueenBeeConfig config, StateStore store, QueenBeeEnvironment environment, String readOnly)
            throws IOException {
        StateLoader loader = new StateLoader(config, store, environment, readOnly);
        loader.load();
        QueenState state = loader.hive == null ? loader.makeHive(environment.random()) : loader.loading().state;
        loader.beginIncarnation(state);
        state.sessions().beginServing();
        state.grace().beginServing();
        return state;
    }

    private void load() throws IOException {
        try {
            store.load(this::take);
            if (hive != null) {
                loading().namespace.finish();
                restoreNumbers(hive, loading().state);
            }
        } catch (StateException e) {
            throw e;
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw new StateException(
                    "the queen-bee's state is damaged (%s); %s".formatted(e.getMessage(), StateException.RESTORE), e);
        }
    }

    private void restoreNumbers(HiveRecord former, QueenState state) {
        Namespace namespace = state.namespace();
        namespace.raiseHighest(last.getLastInode());
        former.getLastInodesList().forEach(state.numbering()::addLastInode);
        if (Numbering.incarnationOf(namespace.highestOwn()) == former.getIncarnation()) {
            state.numbering().addLastInode(namespace.highestOwn());
        }
        former.getLastChangesList().forEach(state.numbering()::addLastChange);
        state.numbering().addLastChange(last.getSequence());
        state.olderState().load(former.getGivenUpBelow());
    }

    private void take(StateKey key, CodedInputStream record) throws IOException {
        switch (key.kind()) {
            case HIVE -> hive = checked(HiveRecord.parseFrom(record));
            case JOURNAL -> last = JournalRecord.parseFrom(record);
            case HONEYCOMB -> loading().state.honeycombs().load((int) key.a(), record);
            case SESSION -> loading().state.sessions().load(key.a(), record);
            case ANSWER -> loading().state.sessions().loadAnswer(key.a(), key.b(), record);
            case LOCK -> loading().state.locks().load(key.a(), key.b(), record);
            case DROP -> loading().state.honeycombs().errandQueues().loadDrop((int) key.a(), key.b(), record);
            case INODE -> inode(loading(), loading().namespace.inode(key.a(), record));
            case CONFLICT -> loading().state.honeycombs().errandQueues().loadConflict((int) key.a(), key.b(), record);
            case TOMBSTONE -> loading().state.records().loadTombstone(key.a(), record);
            case SUBSTITUTES -> loading().state.records().loadSubstitutes(key.a(), record);
            case ENTRY -> loading().namespace.entry(key.a(), key.b(), record);
        }
    }

    private static void inode(Loading loading, Inode inode) {
        int honeycombs = loading.state.honeycombs().everRegistered().size();
        if (inode.isRegular() && inode.replicas().anyMatch(number -> number < 1 || number > honeycombs)) {
            throw new IllegalStateException("inode " + inode.number() + " is in a honeycomb that there never was");
        }
        loading.state.leftFiles().loaded(inode);
    }

    private static HiveRecord checked(HiveRecord record) throws StateException {
        if (record.getFormat() > QueenState.FORMAT) {
            throw new StateException(
                    "the queen-bee's state has format %d, and this program knows formats up to %d: install the newer BeeFS"
                            .formatted(record.getFormat(), QueenState.FORMAT));
        }
        return record;
    }

    private Loading loading() {
        if (loading == null) {
            if (hive == null) {
                throw new IllegalStateException("the hive's own record is missing");
            }
            QueenState state =
                    assemble(hive.getHive(), hive.getIncarnation() + 1, hive.getRebuilt(), hive.getMachineStart());
            loading = new Loading(state, new NamespaceLoader(state.namespace()));
        }
        return loading;
    }

    private QueenState makeHive(RandomGenerator random) throws IOException {
        byte[] number = new byte[16];
        random.nextBytes(number);
        QueenState state = assemble(ByteString.copyFrom(number), 1, false, "");
        StateStore.Owner owner = store.owner();
        state.namespace()
                .makeRoot(
                        owner.user(),
                        owner.group(),
                        PackedTime.of(clock.now()),
                        state.journal().next(),
                        state.journal().batch());
        state.journal().advance();
        return state;
    }

    private QueenState assemble(ByteString number, long incarnation, boolean rebuilt, String formerStart) {
        Numbering numbering = new Numbering(incarnation);
        Namespace namespace = new Namespace();
        Journal journal = new Journal(store, numbering, last.getSequence(), namespace::highestOwn);
        Sessions sessions = new Sessions(clock, config.lease(), rebuilt);
        Grace grace = new Grace(clock, sessions, config.recallTimeout());
        Leases leases = new Leases(clock, sessions, grace, config.recallTimeout(), maxLeases(), memory);
        Mutator mutator = new Mutator(namespace, journal, leases, readOnly);
        Occasions occasions = new Occasions();
        Honeycombs honeycombs = new Honeycombs(journal, clock, config.lease());
        RecordFeeds records = new RecordFeeds(
                number,
                namespace,
                numbering,
                honeycombs,
                journal,
                clock,
                () -> catalogHive(number, numbering, honeycombs));
        Replication replication = ReplicationParts.of(
                namespace, honeycombs, mutator, occasions, numbering, clock, journal::applied, config);
        namespace.setListener(InodeListener.both(records, replication.securing()));
        Commits commits = new Commits(mutator, honeycombs, replication);
        OpenInodes open = new OpenInodes();
        LeftFiles leftFiles = new LeftFiles(open, namespace, mutator, commits, honeycombs, sessions, clock);
        Opens opens = new Opens(
                open,
                leftFiles,
                namespace,
                mutator,
                leases,
                honeycombs,
                replication.promotion(),
                replication.checkpoints(),
                sessions,
                config.maxOpenFiles());
        replication.promotion().setOpenFiles(opens);
        return new QueenState(
                config,
                clock,
                memory,
                number,
                journal,
                numbering,
                namespace,
                sessions,
                new LostChanges(journal, numbering, sessions, formerStart, machineStart),
                grace,
                leases,
                mutator,
                occasions,
                honeycombs,
                new InventoryComparisons(namespace, memory, occasions),
                new PrimaryChooser(honeycombs, config.placementRoom()),
                new ErrandRequests(namespace, honeycombs, clock, config.errandBatch(), config.sealDelay()),
                replication,
                opens,
                leftFiles,
                new Locks(journal, numbering),
                records,
                new OlderState(journal, numbering));
    }

    /**
     * Leases of one session; none read-only: that state is soon replaced by another one, whose queen-bee would have to
     * know who caches what.
     */
    private int maxLeases() {
        return readOnly.isEmpty() ? config.maxLeases() : 0;
    }

    private static CatalogHive catalogHive(ByteString number, Numbering numbering, Honeycombs honeycombs) {
        return CatalogHive.newBuilder()
                .setFormat(QueenState.FORMAT)
                .setHive(number)
                .setIncarnation(numbering.incarnation())
                .addAllHoneycombs(honeycombs.everRegistered().stream()
                        .map(Honeycomb::toRecord)
                        .toList())
                .addAllConflicts(honeycombs.errandQueues().pendingConflicts(MOST_CONFLICTS))
                .build();
    }

    private void beginIncarnation(QueenState state) throws IOException {
        state.records().start();
        state.writeHive();
        state.journal().write();
        store.sync();
        state.journal().flushed(state.journal().written());
    }
}
