package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SealTest {
    private final StoreFixture fixture = new StoreFixture();

    private static Seal seal(ReplicaStatus committed, long version) {
        return Seal.newBuilder()
                .setReplica(name(committed.getInode()))
                .setVersion(version)
                .setSize(committed.getSize())
                .setMtime(committed.getMtime())
                .build();
    }

    private @Nullable ReplicaDescription description(long inode) {
        ReplicaFile file = fixture.files.open(new ReplicaId(inode, 0));
        return Objects.requireNonNull(file, "replica file").description();
    }

    private long version(long inode) {
        return Objects.requireNonNull(description(inode), "description").getVersion();
    }

    @Test
    void shouldWriteTheVersionOnceTheContentIsOnDisk() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        assertThat(fixture.seal(List.of(seal(committed, 3)))).isNull();

        assertThat(version(5)).isEqualTo(3);
        assertThat(fixture.status(target(5)).getMtime()).isEqualTo(committed.getMtime());
        ReplicaDescription indexed = fixture.catalog.find(new ReplicaId(5, 0));
        assertThat(indexed).isEqualTo(description(5));
        fixture.disk.losePower();
        fixture.restart();
        assertThat(fixture.read(target(5))).isEqualTo("honey");
    }

    @Test
    void shouldTellOfContentThatIsNotWhatWasCommitted() {
        Seal seal = seal(fixture.write(target(5), 0, "honey"), 3);
        fixture.write(target(5), 5, "comb");
        List<Long> changed = new ArrayList<>();

        assertThat(fixture.store.seal(List.of(seal, seal(fixture.write(target(6), 0, "wax"), 3)), changed::add))
                .isNull();

        assertThat(changed).containsExactly(5L);
        assertThat(version(5)).isZero();
        assertThat(version(6)).isEqualTo(3);
    }

    /** A child of this process has inherited descriptors for a moment: nobody else would have it sealed again. */
    @Test
    void shouldTellOfAReplicaThatOnlySeemsOpenForWriting() {
        Seal seal = seal(fixture.write(target(5), 0, "honey"), 3);
        seemOpenAfterThe(Operation.STATUS);
        List<Long> changed = new ArrayList<>();

        assertThat(fixture.store.seal(List.of(seal), changed::add)).isNull();

        assertThat(changed).containsExactly(5L);
        assertThat(version(5)).isZero();
        fixture.disk.setOutsideWriter(new ReplicaId(5, 0), false);
        assertThat(fixture.store.seal(List.of(seal), changed::add)).isNull();
        assertThat(changed).as("nothing more").hasSize(1);
        assertThat(version(5)).isEqualTo(3);
    }

    @Test
    void shouldTellOfAReplicaThatSeemsOpenForWritingWhenItIsOnDisk() {
        Seal seal = seal(fixture.write(target(5), 0, "honey"), 3);
        seemOpenAfterThe(Operation.SYNC);
        List<Long> changed = new ArrayList<>();

        assertThat(fixture.store.seal(List.of(seal), changed::add)).isNull();

        assertThat(changed).containsExactly(5L);
        assertThat(version(5)).isZero();
    }

    /** Of which there is one: it does not begin again once it has ended. */
    private void seemOpenAfterThe(Operation first) {
        AtomicBoolean seen = new AtomicBoolean();
        fixture.disk.setFaults(operation -> {
            if (operation == first && seen.compareAndSet(false, true)) {
                fixture.disk.setOutsideWriter(new ReplicaId(5, 0), true);
            }
            return null;
        });
    }

    @Test
    void shouldCarryTheVersionAfterALossOfPowerOnceItIsAnswered() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        assertThat(fixture.seal(List.of(seal(committed, 3)))).isNull();

        fixture.disk.losePower();
        fixture.restart();

        assertThat(version(5)).isEqualTo(3);
    }

    /** What is written in place may reach the disk before anything else. */
    @Test
    void shouldSayOnDiskThatItIsNoVersionBeforeItIsOverwritten() {
        fixture.seal(List.of(seal(fixture.write(target(5), 0, "honey"), 3)));
        fixture.write(target(5), 0, "HONEY");

        fixture.disk.losePower();

        fixture.restart();
        assertThat(version(5)).isZero();
    }

    /** File systems bring a file's attributes and its length to disk in order. */
    @Test
    void shouldNotWaitForTheDiskBeforeItIsEmptied() {
        fixture.seal(List.of(seal(fixture.write(target(5), 0, "honey"), 3)));
        fixture.disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);

        fixture.store.truncate(target(5), 0).join();

        assertThat(version(5)).isZero();
    }

    @Test
    void shouldKeepTheVersionWhenItCannotBeTakenOffOnDisk() {
        fixture.seal(List.of(seal(fixture.write(target(5), 0, "honey"), 3)));
        fixture.disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);

        assertThat(errnoOf(() -> fixture.write(target(5), 0, "HONEY"))).isEqualTo(Errno.EIO);

        assertThat(fixture.read(target(5))).isEqualTo("honey");
        assertThat(version(5)).isEqualTo(3);
        fixture.disk.setFaults(_ -> null);
        fixture.restart();
        assertThat(version(5)).as("nothing has changed").isEqualTo(3);
    }

    @Test
    void shouldKeepTheVersionWhenTheCatalogCannotBeToldThatItIsTakenOff() {
        fixture.seal(List.of(seal(fixture.write(target(5), 0, "honey"), 3)));
        fixture.catalog.failWrites(true);

        assertThat(errnoOf(() -> fixture.write(target(5), 0, "HONEY"))).isEqualTo(Errno.EIO);

        assertThat(fixture.read(target(5))).isEqualTo("honey");
        assertThat(version(5)).isEqualTo(3);
        fixture.catalog.failWrites(false);
        fixture.write(target(5), 0, "HONEY");
        assertThat(fixture.catalog.find(new ReplicaId(5, 0))).isEqualTo(description(5));
    }

    @Test
    void shouldTakeTheVersionOffBeforeItIsWrittenInPassthrough() {
        fixture.seal(List.of(seal(fixture.write(target(5), 0, "honey"), 3)));

        fixture.store.prepareToWrite(target(5)).join();
        fixture.store.prepareToWrite(target(6)).join();

        fixture.disk.losePower();
        fixture.restart();
        assertThat(version(5)).isZero();
        assertThat(fixture.disk.replicas()).containsExactly(new ReplicaId(5, 0));
    }

    @Test
    void shouldBringAMarkToDiskThatAnEarlierRequestCouldNot() {
        Seal seal = seal(fixture.write(target(5), 0, "honey"), 3);
        boolean[] described = {false};
        fixture.disk.setFaults(operation -> {
            described[0] |= operation == Operation.DESCRIBE;
            return described[0] && operation == Operation.SYNC ? Errno.EIO : null;
        });
        assertThat(fixture.seal(List.of(seal))).isNotNull();
        fixture.disk.setFaults(operation -> null);
        fixture.restart();

        assertThat(fixture.seal(List.of(seal))).isNull();

        fixture.disk.losePower();
        fixture.restart();
        assertThat(version(5)).isEqualTo(3);
    }

    @Test
    void shouldTellTheCatalogWhatAnEarlierRequestCouldNot() {
        Seal seal = seal(fixture.write(target(5), 0, "honey"), 3);
        fixture.catalog.failWrites(true);
        assertThat(fixture.seal(List.of(seal))).isNotNull();
        fixture.catalog.failWrites(false);

        assertThat(fixture.seal(List.of(seal))).isNull();

        assertThat(fixture.catalog.find(new ReplicaId(5, 0))).isEqualTo(description(5));
        assertThat(version(5)).isEqualTo(3);
    }

    @Test
    void shouldLeaveAReplicaAloneThatWasWrittenSinceTheCommit() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        fixture.write(target(5), 0, "HONEY");
        assertThat(fixture.seal(List.of(seal(committed, 3)))).isNull();
        assertThat(version(5)).isZero();
    }

    @Test
    void shouldLeaveAReplicaAloneThatIsWrittenWhileItsContentGoesToDisk() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        SetTimes restored = SetTimes.newBuilder().setMtime(committed.getMtime()).build();
        boolean[] written = {false};
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.SYNC && !written[0]) {
                written[0] = true;
                fixture.write(target(5), 0, "HONEY");
                fixture.store.setTimes(target(5), restored).join();
            }
            return null;
        });
        fixture.seal(List.of(seal(committed, 3)));
        assertThat(version(5)).isZero();
    }

    @Test
    void shouldTakeTheVersionOffBeforeTheNextChange() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        fixture.seal(List.of(seal(committed, 3)));
        fixture.store
                .setTimes(
                        target(5),
                        SetTimes.newBuilder().setAtime(committed.getMtime()).build())
                .join();
        assertThat(version(5)).isEqualTo(3);

        fixture.disk.setFaults(operation -> operation == Operation.WRITE ? Errno.EIO : null);
        StoreFixture.errnoOf(() -> fixture.write(target(5), 0, "x"));
        assertThat(version(5)).isZero();
    }

    @Test
    void shouldNeverGoBackToAnEarlierVersion() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        fixture.seal(List.of(seal(committed, 4)));
        fixture.seal(List.of(seal(committed, 3)));
        assertThat(version(5)).isEqualTo(4);
    }

    @Test
    void shouldIgnoreReplicasThatAreGoneOrOfAnotherEpoch() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        Seal otherEpoch = seal(committed, 3).toBuilder()
                .setReplica(name(5).toBuilder().setEpoch(EPOCH + 1))
                .build();
        Seal gone = seal(fixture.write(target(6), 0, "comb"), 3);
        fixture.store.drop(name(6));
        assertThat(fixture.seal(List.of(otherEpoch, gone))).isNull();
        assertThat(version(5)).isZero();
    }

    /** A loss of power has taken it before it was sealed. */
    @Test
    void shouldFailForAReplicaThatIsMissing() {
        Seal missing = seal(fixture.write(target(5), 0, "honey"), 3);
        fixture.disk.losePower();
        fixture.restart();
        Seal other = seal(fixture.write(target(6), 0, "comb"), 3);
        List<Long> changed = new ArrayList<>();

        PosixException failure = fixture.store.seal(List.of(missing, other), changed::add);

        assertThat(failure).hasMessageContaining("is missing");
        assertThat(Objects.requireNonNull(failure).errno()).isEqualTo(Errno.EIO);
        assertThat(changed).isEmpty();
        assertThat(version(6)).isEqualTo(3);
    }

    @Test
    void shouldSealManyAtOnceWithOneSyncForContentsAndOneForVersions() {
        List<Seal> seals = new ArrayList<>();
        for (int inode = 1; inode <= 600; inode++) {
            seals.add(seal(fixture.write(target(inode), 0, "content"), 9));
        }
        int[] syncs = {0};
        fixture.disk.setFaults(operation -> {
            syncs[0] += operation == Operation.SYNC ? 1 : 0;
            return null;
        });
        assertThat(fixture.seal(seals)).isNull();
        assertThat(syncs[0]).isEqualTo(2);
        for (int inode = 1; inode <= 600; inode++) {
            assertThat(version(inode)).isEqualTo(9);
        }
    }

    @Test
    void shouldNotBeginAnotherBatchWhileOneIsUnderWay() {
        Seal seal = seal(fixture.write(target(5), 0, "honey"), 3);
        List<@Nullable PosixException> second = new ArrayList<>();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.SYNC && second.isEmpty()) {
                second.add(fixture.seal(List.of(seal)));
            }
            return null;
        });
        assertThat(fixture.seal(List.of(seal))).isNull();

        assertThat(second)
                .singleElement()
                .satisfies(failure ->
                        assertThat(Objects.requireNonNull(failure).errno()).isEqualTo(Errno.EAGAIN));
        assertThat(fixture.seal(List.of(seal))).isNull();
    }

    @Test
    void shouldSyncFileByFileWhereASyncOfTheFileSystemDoesNotTellWhatIsLost() {
        List<Seal> seals = new ArrayList<>();
        for (int inode = 1; inode <= 6; inode++) {
            seals.add(seal(fixture.write(target(inode), 0, "content"), 9));
        }
        fixture.disk.hideLostWrites();
        int[] syncs = {0};
        fixture.disk.setFaults(operation -> {
            syncs[0] += operation == Operation.SYNC ? 1 : 0;
            return operation == Operation.SYNC && syncs[0] == 1 ? Errno.EIO : null;
        });

        assertThat(Objects.requireNonNull(fixture.seal(seals)).errno()).isEqualTo(Errno.EIO);

        assertThat(version(1)).isZero();
        assertThat(version(6)).isEqualTo(9);
    }

    @Test
    void shouldSealNothingWhoseContentCannotBeBroughtToDisk() {
        List<Seal> seals = new ArrayList<>();
        for (int inode = 1; inode <= 6; inode++) {
            seals.add(seal(fixture.write(target(inode), 0, "content"), 9));
        }
        int[] syncs = {0};
        // The sync of all fails, and then the third of the six alone.
        fixture.disk.setFaults(operation -> {
            syncs[0] += operation == Operation.SYNC ? 1 : 0;
            return operation == Operation.SYNC && (syncs[0] == 1 || syncs[0] == 6) ? Errno.EIO : null;
        });
        assertThat(Objects.requireNonNull(fixture.seal(seals)).errno()).isEqualTo(Errno.EIO);
        fixture.disk.setFaults(operation -> null);
        List<Long> versions = new ArrayList<>();
        for (int inode = 1; inode <= 6; inode++) {
            versions.add(version(inode));
        }
        assertThat(versions).containsExactly(9L, 9L, 0L, 9L, 9L, 9L);
    }

    /** What the first was told may have been about the content of the second, which was written before. */
    @Test
    void shouldSyncReplicasOneByOneOnceASyncOfAllHasFailed() {
        List<Seal> first = seals(1, 6);
        List<Seal> second = seals(11, 16);
        failSync(1);
        assertThat(fixture.seal(first)).as("each is synced by itself").isNull();

        failSync(3);
        assertThat(Objects.requireNonNull(fixture.seal(second)).errno()).isEqualTo(Errno.EIO);

        assertThat(List.of(version(11), version(12), version(13))).containsExactly(9L, 0L, 9L);
        assertThat(fixture.store.isInOrder()).as("the catalog may be believed").isFalse();
    }

    private List<Seal> seals(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(inode -> seal(fixture.write(target(inode), 0, "content"), 9))
                .toList();
    }

    /** The one of that number, from now on. Names are not on disk yet: each file takes two. */
    private void failSync(int number) {
        AtomicInteger syncs = new AtomicInteger();
        fixture.disk.setFaults(
                operation -> operation == Operation.SYNC && syncs.incrementAndGet() == number ? Errno.EIO : null);
    }

    @Test
    void shouldCompareTheCommittedTimeToTheNanosecond() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        Timestamp mtime = committed.getMtime();
        ReplicaStatus off = committed.toBuilder()
                .setMtime(mtime.toBuilder().setNanos(mtime.getNanos() + 1))
                .build();
        fixture.seal(List.of(seal(off, 3)));
        assertThat(version(5)).isZero();
    }
}
