package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.hive.ErrandRequests;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.PrimaryChooser;
import org.beefs.queenbee.hive.inventory.InventoryComparisons;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.lease.Grace;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lock.Locks;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.records.OlderState;
import org.beefs.queenbee.records.RecordFeeds;
import org.beefs.queenbee.replication.Replication;
import org.beefs.queenbee.session.LostChanges;
import org.beefs.queenbee.session.Sessions;
import org.beefs.queenbee.state.HiveRecord;

/**
 * Everything that operations work on. Belongs to the namespace thread.
 *
 * @param memory that all of it is in
 * @param hive the hive's own number, 16 bytes
 */
public record QueenState(
        QueenBeeConfig config,
        Clock clock,
        MemoryRoom memory,
        ByteString hive,
        Journal journal,
        Numbering numbering,
        Namespace namespace,
        Sessions sessions,
        LostChanges lostChanges,
        Grace grace,
        Leases leases,
        Mutator mutator,
        Occasions occasions,
        Honeycombs honeycombs,
        InventoryComparisons inventories,
        PrimaryChooser primaryChooser,
        ErrandRequests errandRequests,
        Replication replication,
        Opens opens,
        LeftFiles leftFiles,
        Locks locks,
        RecordFeeds records,
        OlderState olderState) {
    /** Layout of the records; a change that an older program misreads raises it. */
    public static final int FORMAT = 5;

    /** Whether nothing may be changed, neither for others nor by the queen-bee herself. */
    public boolean isReadOnly() {
        return mutator.isReadOnly();
    }

    /**
     * Fails with ENOSPC when there is no memory for a larger namespace, but for what a desktop has decided already:
     * refusing that would lose what a program has made.
     */
    public void requireMemory(Request request) {
        if (!request.body().hasDecision()) {
            memory.require();
        }
    }

    /** The number of this start, or of a jump above the numbers that others know. */
    public long incarnation() {
        return numbering.incarnation();
    }

    /** Puts the hive's own record into the batch. */
    public void writeHive() {
        HiveRecord record = HiveRecord.newBuilder()
                .setFormat(FORMAT)
                .setHive(hive)
                .setIncarnation(numbering.incarnation())
                .addAllLastInodes(numbering.lastInodes())
                .addAllLastChanges(numbering.lastChanges())
                .setGivenUpBelow(olderState.givenUpBelow())
                .setRebuilt(sessions.areSomeUnknown())
                .setMachineStart(lostChanges.machineStart())
                .build();
        journal.batch().put(StateKey.HIVE, () -> record);
    }
}
