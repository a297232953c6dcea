package org.beefs.honeycomb;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.FolderStart;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.RecordsState;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.state.Identity;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.Start;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts together what a registration tells the queen-bee of the honeycomb. Thread-safe. */
final class OfferMaker {
    private static final Logger LOG = LoggerFactory.getLogger(OfferMaker.class);

    private final FolderInUse folder;
    private final String lock;
    private final Catalog catalog;
    private final Supplier<Optional<WakeAddresses>> wake;
    private volatile RecordsState lastRecords;

    OfferMaker(FolderInUse folder, String lock, Catalog catalog, Supplier<Optional<WakeAddresses>> wake) {
        this.folder = folder;
        this.lock = lock;
        this.catalog = catalog;
        this.wake = wake;
        this.lastRecords = catalog.records().state();
    }

    /**
     * @param questions replicas of which the queen-bee is asked whether they may be written
     * @param address where others reach the honeycomb
     */
    HoneycombOffer make(Set<ReplicaId> questions, String address, HoneycombSpace space) {
        Identity identity = folder.identity();
        HoneycombOffer.Builder offer = HoneycombOffer.newBuilder()
                .setUuid(identity.uuidBytes())
                .setBoot(identity.boot())
                .addAllStarts(identity.starts().stream().map(OfferMaker::toWire).toList())
                .setLock(lock)
                .setAddress(address)
                .setSpace(space)
                .setHighestInode(catalog.highestInode())
                .setRecords(records())
                .addAllWritten(questions.stream().map(this::name).toList());
        wake.get().ifPresent(offer::setWake);
        return offer.build();
    }

    private static FolderStart toWire(Start start) {
        FolderStart.Builder told =
                FolderStart.newBuilder().setBoot(start.boot()).setNumber(start.at());
        if (start.marked() != null) {
            told.setMarked(start.marked());
        }
        return told.build();
    }

    /** What is kept of the queen-bee's records; as it was last known while the catalog cannot be read. */
    private RecordsState records() {
        try {
            lastRecords = catalog.records().state();
        } catch (PosixException e) {
            LOG.warn("the records that are kept here are not known: {}", e.getMessage());
        }
        return lastRecords;
    }

    /**
     * A replica as the catalog knows it. Of one that is not known, or while the catalog cannot be read, it is that of
     * no epoch: it is closed until another registration has asked about it.
     */
    private ReplicaName name(ReplicaId id) {
        ReplicaDescription known = null;
        try {
            known = catalog.find(id);
        } catch (PosixException e) {
            LOG.warn("{} cannot be written before the next registration: {}", id, e.getMessage());
        }
        return ReplicaName.newBuilder()
                .setInode(id.inode())
                .setGeneration(id.generation())
                .setEpoch(known == null ? 0 : known.getEpoch())
                .build();
    }
}
