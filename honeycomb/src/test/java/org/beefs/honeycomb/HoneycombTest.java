package org.beefs.honeycomb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.Adoptions;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Examine;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetches;
import org.beefs.common.wire.FolderStart;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.Seals;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.memory.MemoryCatalog;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.memory.MemoryRecords;
import org.beefs.honeycomb.memory.MemoryScrubStore;
import org.beefs.honeycomb.state.Identity;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.StoreFixture;
import org.junit.jupiter.api.Test;

class HoneycombTest extends HoneycombFixture {
    @Test
    void shouldKeepItsUuidAndCountItsStarts() throws IOException {
        Honeycomb first = start(catalog);
        HoneycombOffer offer = first.offer(null).join();
        first.close();
        Honeycomb second = start(catalog);

        assertThat(offer.getUuid().size()).isEqualTo(16);
        assertThat(second.uuid()).isEqualTo(offer.getUuid());
        assertThat(offer.getBoot()).isEqualTo(1);
        assertThat(second.boot()).isEqualTo(2);
        assertThat(offer.getAddress()).startsWith("127.0.0.1:");
        assertThat(offer.getSpace().getCapacity()).isEqualTo(32 * MIB);
        assertThat(offer.getSpace().getAvailable()).isEqualTo(32 * MIB);
    }

    @Test
    void shouldMarkItsFolderAsInUseNowAndThen() throws IOException {
        Honeycomb first = start(catalog);
        long begun = first.marked();
        timers.advance(FolderInUse.INTERVAL);
        first.marked(); // has it made
        long marked = first.marked();
        assertThat(marked).isGreaterThan(begun);
        assertThat(lastStart(first).getMarked()).isEqualTo(marked);
        first.close();

        assertThat(start(catalog).offer(null).join().getStarts(0).getMarked()).isEqualTo(marked);
    }

    /** Another process may use it then. */
    @Test
    void shouldNotMarkAFolderThatItHasClosed() throws IOException {
        Honeycomb first = start(catalog);
        long begun = first.marked();
        first.close();
        timers.advance(FolderInUse.INTERVAL);
        first.marked();

        assertThat(first.marked()).isEqualTo(begun);
    }

    private static FolderStart lastStart(Honeycomb honeycomb) {
        List<FolderStart> starts = honeycomb.offer(null).join().getStartsList();
        return starts.getLast();
    }

    @Test
    void shouldTrustTheCatalogAfterAnOrderlyStop() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 5, "honey");
        first.close();
        disk.addUndescribed(new ReplicaId(9, 0));
        Honeycomb second = start(catalog);

        assertThat(disk.lost()).isEmpty();
        assertThat(second.space().getUsed()).isEqualTo(4096);
        assertThat(second.offer(null).join().getHighestInode()).isEqualTo(5);
        assertThat(inventory(second)).containsExactly(name(5));
    }

    @Test
    void shouldCloseTheCatalogOnlyAfterWhatIsUnderWay() throws IOException {
        Honeycomb honeycomb = start(catalog);
        write(honeycomb, 5, "honey");
        List<Boolean> closedDuringSync = new ArrayList<>();
        disk.setFaults(operation -> {
            if (operation == Operation.SYNC && closedDuringSync.isEmpty()) {
                honeycomb.close(Duration.ZERO);
                closedDuringSync.add(catalog.isClosed());
            }
            return null;
        });
        honeycomb.replicas().sync(target(5), false).join();

        assertThat(closedDuringSync).containsOnly(false);
        assertThat(catalog.isClosed()).isTrue();
        assertThat(catalog.takeMark(2)).isPresent();
    }

    @Test
    void shouldScanTheFolderAfterAReplicaThatDidNotSayWhatItIs() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 10, "honey");
        disk.addUndescribed(new ReplicaId(9, 0));
        Examine examine = Examine.newBuilder().addReplicas(name(9)).build();
        DesktopRequest.Builder request = DesktopRequest.newBuilder().setExamine(examine);
        assertThat(ask(first, request).getFailure().getErrno()).isEqualTo(Errno.EIO.number());
        first.close();
        Honeycomb second = start(catalog);

        assertThat(disk.lost()).containsExactly("0000000000000009.00000000");
        assertThat(ask(second, request).getStatuses(0).getExists()).isFalse();
    }

    @Test
    void shouldCountAnewAfterAReplicasFileWasMissing() throws IOException {
        Honeycomb first = start(catalog);
        ReplicaStatus written = write(first, 5, "honey");
        Seal seal = Seal.newBuilder()
                .setReplica(name(5))
                .setVersion(3)
                .setSize(written.getSize())
                .setMtime(written.getMtime())
                .build();
        ask(first, DesktopRequest.newBuilder().setSeal(Seals.newBuilder().addSeals(seal)));
        first.close();
        Honeycomb second = start(catalog);
        disk.removeBehindBack(new ReplicaId(5, 0));
        assertThatThrownBy(() -> read(second, 5)).hasMessageContaining("missing");

        second.close();

        assertThat(start(catalog).space().getUsed()).isZero();
    }

    @Test
    void shouldScanTheFolderAfterAKill() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 5, "honey");
        catalog.put(ReplicaDescription.newBuilder().setInode(6).build());
        disk.addUndescribed(new ReplicaId(9, 0));
        Honeycomb second = start(catalog);

        assertThat(disk.lost()).containsExactly("0000000000000009.00000000");
        assertThat(second.space().getUsed()).isEqualTo(4096);
        assertThat(inventory(second)).containsExactly(name(5));
    }

    @Test
    void shouldScanTheFolderWhenAStopCouldNotBringEverythingToDisk() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 5, "honey");
        disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);
        first.close();
        disk.setFaults(operation -> null);
        disk.addUndescribed(new ReplicaId(9, 0));

        start(catalog);

        assertThat(disk.lost()).containsExactly("0000000000000009.00000000");
    }

    @Test
    void shouldNotWaitForEverWhenTheDiskDoesNotFinishWhatAStopBringsToIt() throws IOException {
        Deque<Runnable> stuck = new ArrayDeque<>();
        Honeycomb honeycomb = start(catalog, stuck::add);
        write(honeycomb, 5, "honey");

        honeycomb.close(Duration.ZERO);

        assertThat(catalog.isClosed()).as("the disk still works on it").isFalse();
        while (!stuck.isEmpty()) {
            stuck.removeFirst().run();
        }
        assertThat(catalog.isClosed()).isTrue();
        assertThat(catalog.takeMark(2)).isPresent();
    }

    @Test
    void shouldBelieveWhatTheFilesShowAfterAKill() throws IOException {
        Timestamp written = write(start(catalog), 1, "honey").getMtime();

        assertThat(mtime(start(catalog))).isEqualTo(Timestamps.toInstant(written));
    }

    @Test
    void shouldScanTheFolderWhenTheCatalogIsLost() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 5, "honey");
        first.close();
        assertThat(inventory(start(new MemoryCatalog()))).containsExactly(name(5));
    }

    @Test
    void shouldRefuseAFolderOfANewerFormat() {
        ReplicaFiles files = disk.mount();
        Identity identity = Identity.create(random);
        files.writeIdentity(new Identity(Identity.FORMAT + 1, identity.uuid(), 4, List.of(), null, null).encode());
        assertThatThrownBy(() -> start(catalog)).isInstanceOf(IOException.class).hasMessageContaining("newer BeeFS");
    }

    @Test
    void shouldRefuseAFolderWhoseIdentityIsGarbage() {
        disk.mount().writeIdentity("{".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> start(catalog)).isInstanceOf(IOException.class).hasMessageContaining("honeycomb.json");
    }

    @Test
    void shouldSayWhatIsWrongWhenTheDiskFailsAtTheStart() {
        disk.setFaults(operation -> operation == Operation.CREATE ? Errno.EROFS : null);
        assertThatThrownBy(() -> start(catalog)).isInstanceOf(IOException.class).hasMessageContaining("cannot start");
    }

    @Test
    void shouldNotListenWhenItCannotStart() throws IOException {
        MemoryScrubStore failing = new MemoryScrubStore();
        failing.failWrites(true);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        write(start(catalog), 5, "honey");
        assertThatThrownBy(() -> start(new MemoryCatalog(new MemoryRecords(), failing), Runnable::run, address))
                .isInstanceOf(IOException.class);

        Honeycomb next = start(catalog, Runnable::run, address);

        assertThat(next.address()).endsWith(":4711");
    }

    @Test
    void shouldCheckReplicasAtOnceAfterAKillAndNothingInANewFolder() throws IOException {
        Honeycomb first = start(catalog);
        assertThat(first.scrubber().progress().getRunning()).isFalse();
        write(first, 5, "honey");

        Honeycomb second = start(catalog);

        assertThat(second.scrubber().progress().getRunning()).isTrue();
    }

    @Test
    void shouldTellItsSpaceWhileTheDiskKeepsWaitingWhoCounts() throws IOException {
        List<Runnable> waiting = new ArrayList<>();
        Honeycomb honeycomb = start(catalog, waiting::add);
        waiting.clear();

        assertThat(honeycomb.space().getCapacity()).isEqualTo(32 * MIB);
        honeycomb.space();

        assertThat(waiting).as("one count at a time").hasSize(1);
    }

    /** All mounts of the desktop wait for the registration that this is for. */
    @Test
    void shouldOfferItselfAlsoWhenItsDiskCannotBeAsked() throws IOException {
        Honeycomb honeycomb = start(catalog);
        write(honeycomb, 5, "honey");
        disk.setFaults(operation -> operation == Operation.SPACE ? Errno.EIO : null);

        HoneycombOffer offer = honeycomb.offer(null).join();

        assertThat(offer.getSpace().getCapacity()).isEqualTo(32 * MIB);
        assertThat(offer.getSpace().getUsed()).isEqualTo(4096);
        assertThat(offer.getSpace().getAvailable()).isZero();
    }

    @Test
    void shouldOfferWhatItLastKnewWhenItsCatalogCannotBeRead() throws IOException {
        MemoryRecords records = new MemoryRecords();
        records.write(Records.newBuilder().setComplete(42).build());
        MemoryCatalog failing = new MemoryCatalog(records, new MemoryScrubStore());
        Honeycomb honeycomb = start(failing);
        write(honeycomb, 5, "honey");
        assertThat(honeycomb.replicas().pin(target(5), true, true)).isPresent();
        failing.failReads(true);
        records.failReads();

        HoneycombOffer offer = honeycomb.offer(null).join();

        assertThat(offer.getRecords().getComplete()).isEqualTo(42);
        assertThat(offer.getWrittenList())
                .containsExactly(ReplicaName.newBuilder().setInode(5).build());
    }

    @Test
    void shouldLeaveNothingBehindWhenItCannotListen() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 5, "honey");
        MemoryScrubStore scrub = new MemoryScrubStore();
        Catalog other = new MemoryCatalog(new MemoryRecords(), scrub);
        assertThatThrownBy(() -> start(other, Runnable::run, Addresses.parse(first.address())))
                .isInstanceOf(IOException.class);

        timers.advance(Duration.ofMinutes(1));

        assertThat(scrub.round().getRunning()).as("nobody goes on with it").isTrue();
    }

    @Test
    void shouldTellTheAddressFromWhichItTalksWithTheQueenBee() throws IOException {
        Honeycomb everywhere = start(catalog, Runnable::run, Addresses.parse("0.0.0.0:7412"));

        HoneycombOffer first =
                everywhere.offer(InetAddress.ofLiteral("10.1.0.7")).join();
        HoneycombOffer second =
                everywhere.offer(InetAddress.ofLiteral("192.168.5.9")).join();

        assertThat(first.getAddress()).isEqualTo("10.1.0.7:7412");
        assertThat(second.getAddress()).isEqualTo("192.168.5.9:7412");
        assertThat(everywhere.address()).isEqualTo("192.168.5.9:7412");
    }

    @Test
    void shouldNotDoubtWhatWasLeftInOrderAfterAStartThatCouldNotListen() throws IOException {
        Honeycomb other = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Honeycomb first = start(catalog);
        write(first, 5, "honey");
        first.close();

        assertThatThrownBy(() -> start(catalog, Runnable::run, Addresses.parse(other.address())))
                .isInstanceOf(IOException.class);

        Honeycomb third = start(catalog);
        assertThat(third.scrubber().progress().getRunning()).isFalse();
        assertThat(read(third, 5)).isEqualTo("honey");
    }

    @Test
    void shouldScanTheFolderAgainAfterAStartThatCouldNotReadAllOfIt() throws IOException {
        write(start(catalog), 5, "honey");
        disk.makeUnreadable(new ReplicaId(5, 0));
        Honeycomb second = start(catalog);

        second.close();

        assertThat(catalog.takeMark(3)).isEmpty();
    }

    @Test
    void shouldCloseTheFolderAlsoWhenAProgramHoldsAFileOfIt() throws IOException {
        Honeycomb honeycomb = start(catalog);
        write(honeycomb, 5, "honey");
        assertThat(honeycomb.replicas().pin(target(5), true, true)).isPresent();

        honeycomb.close();

        assertThat(catalog.isClosed()).isTrue();
        assertThat(catalog.takeMark(2))
                .as("what the program writes is not known")
                .isEmpty();
    }

    @Test
    void shouldListReplicasPageByPage() throws IOException {
        Honeycomb honeycomb = start(catalog);
        for (int inode = 1; inode <= 5; inode++) {
            write(honeycomb, inode, "content");
        }
        assertThat(honeycomb.inventory(null, 3).join()).containsExactly(name(1), name(2), name(3));
        assertThat(honeycomb.inventory(name(3), 3).join()).containsExactly(name(4), name(5));
        assertThat(honeycomb.inventory(name(5), 3).join()).isEmpty();
    }

    @Test
    void shouldDropExamineAndSealForTheQueenBee() throws IOException {
        Honeycomb honeycomb = start(catalog);
        ReplicaStatus written = write(honeycomb, 5, "honey");
        write(honeycomb, 6, "comb");

        Examine examine =
                Examine.newBuilder().addReplicas(name(5)).addReplicas(name(7)).build();
        List<ReplicaStatus> statuses =
                ask(honeycomb, DesktopRequest.newBuilder().setExamine(examine)).getStatusesList();
        assertThat(statuses).extracting(ReplicaStatus::getExists).containsExactly(true, false);
        assertThat(statuses.getFirst().getSize()).isEqualTo(5);

        Seals seals = Seals.newBuilder()
                .addSeals(Seal.newBuilder()
                        .setReplica(name(5))
                        .setVersion(2)
                        .setSize(5)
                        .setMtime(written.getMtime()))
                .build();
        assertThat(ask(honeycomb, DesktopRequest.newBuilder().setSeal(seals)).hasFailure())
                .isFalse();
        ReplicaDescription sealed = catalog.find(new ReplicaId(5, 0));
        assertThat(sealed)
                .isNotNull()
                .extracting(ReplicaDescription::getVersion)
                .isEqualTo(2L);

        assertThat(ask(honeycomb, drop(5, 6, 7)).hasFailure()).isFalse();
        assertThat(inventory(honeycomb)).isEmpty();
        assertThat(honeycomb.space().getUsed()).isZero();
    }

    @Test
    void shouldGoOnWithOtherDropsWhenOneFails() throws IOException {
        Honeycomb honeycomb = start(catalog);
        write(honeycomb, 5, "honey");
        write(honeycomb, 6, "comb");
        boolean[] failed = {false};
        disk.setFaults(operation -> {
            boolean fail = operation == Operation.DELETE && !failed[0];
            failed[0] |= fail;
            return fail ? Errno.EIO : null;
        });

        assertThat(ask(honeycomb, drop(5, 6)).getFailure().getErrno()).isEqualTo(Errno.EIO.number());
        assertThat(inventory(honeycomb)).containsExactly(name(5));
        assertThat(ask(honeycomb, drop(5, 6)).hasFailure()).isFalse();
        assertThat(inventory(honeycomb)).isEmpty();
    }

    @Test
    void shouldGoOnFetchingAfterASourceWhoseAddressMakesNoSense() throws IOException {
        Honeycomb honeycomb = start(catalog);
        Fetch fetch = Fetch.newBuilder()
                .setReplica(name(5))
                .setVersion(7)
                .addSources(ReplicaPlace.newBuilder().setAddress("nonsense"))
                .build();
        DesktopRequest.Builder request = DesktopRequest.newBuilder()
                .setFetch(Fetches.newBuilder().setPatienceMillis(1000).addFetches(fetch));

        for (int time = 0; time < 2; time++) {
            DesktopReply reply = ask(honeycomb, request);
            assertThat(reply.hasFailure()).as("another fetch is under way").isFalse();
            assertThat(reply.getFetched(0).getFailure().getReason()).contains("nonsense");
        }
    }

    @Test
    void shouldAdoptWhatAnAttemptBeforeAnOrderlyStopHasTaken() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 5, "honey");
        disk.setFaults(operation -> operation == Operation.COPY ? Errno.ENOSPC : null);
        assertThat(ask(first, fiveBecomesNine()).getFailure().getErrno()).isEqualTo(Errno.ENOSPC.number());
        disk.setFaults(operation -> null);
        first.close();

        Honeycomb second = start(catalog);

        assertThat(ask(second, fiveBecomesNine()).getStatuses(0).getSize()).isEqualTo(5);
        assertThat(read(second, 9)).isEqualTo("honey");
        assertThat(disk.fenced()).isZero();
        assertThat(inventory(second)).containsExactly(name(9));
    }

    @Test
    void shouldScanTheFolderAgainAfterAStartThatCouldNotCopyWhatProgramsWrite() throws IOException {
        write(start(catalog), 5, "honey");
        disk.setOutsideWriter(new ReplicaId(5, 0), true);
        disk.setFaults(operation -> operation == Operation.COPY ? Errno.EIO : null);
        Honeycomb second = start(catalog);
        assertThat(StoreFixture.errnoOf(() -> write(second, 5, "comb"))).isEqualTo(Errno.EIO);
        disk.setFaults(operation -> null);
        disk.letGoOfFenced();

        second.close();

        assertThat(catalog.takeMark(3)).isEmpty();
        assertThat(read(start(catalog), 5)).isEqualTo("honey");
    }

    private static DesktopRequest.Builder fiveBecomesNine() {
        Adoption adoption =
                Adoption.newBuilder().setFrom(name(5)).setTo(name(9)).build();
        return DesktopRequest.newBuilder()
                .setAdopt(Adoptions.newBuilder().addAdoptions(adoption).build());
    }

    @Test
    void shouldAnswerWhatItDoesNotKnow() throws IOException {
        assertThat(ask(start(catalog), DesktopRequest.newBuilder()).getFailure().getErrno())
                .isEqualTo(Errno.EOPNOTSUPP.number());
    }
}
