package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.ArrivalsTest.exact;
import static org.beefs.honeycomb.store.ArrivalsTest.fetch;
import static org.beefs.honeycomb.store.ArrivalsTest.write;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.beefs.common.linux.Inodes;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Fetch;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.Arrival;
import org.junit.jupiter.api.Test;

/** Arrivals that break off, and those that take the place of what cannot be read. */
class UnfinishedTest {
    private static final String MEBIBYTE = "x".repeat((int) StoreFixture.MIB);

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldCountWhatHasComeOfAVersionUntilItIsInstalledOrGivenUp() {
        Arrivals arrivals = fixture.store.arrivals();
        long available = fixture.space.available();
        begin(fetch(5, 7, 3 * 4096), "honey");
        assertThat(fixture.space.used()).isEqualTo(4096);
        assertThat(fixture.space.report().getUsed()).isEqualTo(4096);
        assertThat(fixture.space.available()).isEqualTo(available - 4096);
        assertThat(fixture.space.usedByReplicas())
                .as("a start counts these anew")
                .isZero();

        Arrival again = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 3 * 4096), true));
        write(again, 4096, "money");
        arrivals.install(List.of(again));
        arrivals.end(again);
        assertThat(fixture.space.used()).isEqualTo(2 * 4096);
        assertThat(fixture.space.usedByReplicas()).isEqualTo(2 * 4096);

        begin(fetch(5, 8, 4096), "honey");
        assertThat(fixture.space.used()).isEqualTo(3 * 4096);
        fixture.store.drop(name(5));
        assertThat(fixture.space.used()).isZero();
        assertThat(fixture.space.available()).isEqualTo(available);
    }

    @Test
    void shouldCountACheckpointThatIsKept() {
        keep(5, 8, "checkpoint");
        assertThat(fixture.space.used()).isEqualTo(4096);
        assertThat(fixture.space.usedByReplicas()).isZero();

        assertThat(fixture.store.arrivals().begin(fetch(5, 8, 10), false)).isNull();
        assertThat(fixture.space.used()).isEqualTo(4096);
        assertThat(fixture.space.usedByReplicas()).isEqualTo(4096);
    }

    @Test
    void shouldGoOnWithWhatHasComeThoughThereIsNoRoomForAllOfItBesideThat() {
        int most = (int) (fixture.capacity / StoreFixture.MIB * 3 / 4);
        Fetch large = fetch(5, 7, most * StoreFixture.MIB);
        Arrivals arrivals = fixture.store.arrivals();
        Arrival first = Objects.requireNonNull(arrivals.begin(large, true));
        String mebibyte = "x".repeat((int) StoreFixture.MIB);
        for (int i = 0; i < most / 2; i++) {
            write(first, i * StoreFixture.MIB, mebibyte);
        }
        arrivals.end(first);
        assertThat(errnoOf(() -> arrivals.begin(fetch(6, 7, most * StoreFixture.MIB), true)))
                .isEqualTo(Errno.ENOSPC);

        Arrival second = Objects.requireNonNull(arrivals.begin(large, true));
        arrivals.install(List.of(second));
        arrivals.end(second);
        assertThat(fixture.space.used()).isEqualTo(most / 2 * StoreFixture.MIB);
    }

    @Test
    void shouldGiveBackWhatHasComeOfAVersionForWhichThereIsNoRoomAnyMore() {
        Arrivals arrivals = fixture.store.arrivals();
        begin(fetch(5, 7, 3 * 4096), "honey");
        assertThat(fixture.space.used()).isEqualTo(4096);
        fixture.disk.setForeign(StoreFixture.DISK - fixture.reserve);
        fixture.clock.advance(Duration.ofSeconds(1));

        assertThat(errnoOf(() -> arrivals.begin(fetch(5, 7, 3 * 4096), true))).isEqualTo(Errno.ENOSPC);

        assertThat(fixture.space.used()).isZero();
    }

    @Test
    void shouldGiveBackWhatHasComeOfAVersionThatTheDiskDoesNotTake() {
        for (Errno errno : List.of(Errno.ENOSPC, Errno.EDQUOT)) {
            Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, 3 * 4096), true));
            write(arrival, 0, "honey");
            fixture.disk.setFaults(operation -> operation == Operation.WRITE ? errno : null);
            assertThat(errnoOf(() -> write(arrival, 4096, "money"))).isEqualTo(errno);
            fixture.disk.setFaults(operation -> null);

            fixture.store.arrivals().end(arrival);

            assertThat(fixture.space.used()).isZero();
            assertThat(fixture.files.space().free()).isEqualTo(StoreFixture.DISK);
        }
    }

    @Test
    void shouldGoOnAfterAStartWithWhatHasComeOfALargeVersion() {
        beginLarge(5, 2);
        fixture.restart();
        assertOnDisk(2);
        assertThat(fixture.disk.replicas()).isEmpty();

        Arrivals arrivals = fixture.store.arrivals();
        Arrival again = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 3 * StoreFixture.MIB), true));
        assertThat(again.hasContent()).as("it is to be compared").isTrue();
        assertThat(fixture.space.used()).isEqualTo(2 * StoreFixture.MIB);
        assertThat(fixture.space.usedByReplicas()).isZero();
        write(again, 2 * StoreFixture.MIB, "the rest");
        arrivals.install(List.of(again));
        arrivals.end(again);

        assertThat(fixture.read(exact(5, 7), 2 * StoreFixture.MIB - 1, 9)).isEqualTo("xthe rest");
        assertThat(fixture.space.usedByReplicas()).isEqualTo(2 * StoreFixture.MIB + 4096);
    }

    @Test
    void shouldCountWhatIsLeftOfBeforeAStartAsFree() {
        beginLarge(5, 2);
        fixture.disk.setForeign(StoreFixture.DISK - fixture.reserve - 5 * StoreFixture.MIB);
        fixture.restart();

        assertThat(fixture.space.used()).isZero();
        assertThat(fixture.space.available()).isEqualTo(5 * StoreFixture.MIB);
        assertThat(fixture.space.report().getUsed()).isZero();
        assertThat(fixture.space.report().getAvailable()).isEqualTo(5 * StoreFixture.MIB);

        Arrival goesOn =
                Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, 3 * StoreFixture.MIB), true));
        assertThat(fixture.space.available()).isEqualTo(2 * StoreFixture.MIB);
        fixture.store.arrivals().end(goesOn);
        assertThat(fixture.space.available()).isEqualTo(3 * StoreFixture.MIB);
    }

    @Test
    void shouldMakeRoomForPassthroughOfWhatIsLeftOfBeforeAStart() {
        StoreFixture large = new StoreFixture(4, 4 * Space.ROOM_FOR_PASSTHROUGH);
        beginLarge(large, 5, 2);
        large.disk.setForeign(3 * Space.ROOM_FOR_PASSTHROUGH - large.reserve - StoreFixture.MIB);
        large.restart();

        assertThat(large.space.hasRoomForPassthrough()).isTrue();

        assertThat(large.files.unfinished()).isEmpty();
    }

    @Test
    void shouldKeepRoomForThoseWhoWriteInPassthroughAlready() {
        StoreFixture large = new StoreFixture(4, 4 * Space.ROOM_FOR_PASSTHROUGH);
        beginLarge(large, 5, 2);
        large.restart();
        large.store.recount();
        assertThat(large.files.unfinished()).containsExactly(id(5));

        large.disk.setForeign(3 * Space.ROOM_FOR_PASSTHROUGH - large.reserve - StoreFixture.MIB);
        large.clock.advance(Duration.ofSeconds(1));
        large.store.recount();

        assertThat(large.files.unfinished()).isEmpty();
    }

    @Test
    void shouldNotTakeACheckpointOfBeforeAStartForTheVersion() {
        keep(5, 8, MEBIBYTE);
        fixture.restart();
        assertOnDisk(1);

        assertThat(fixture.store.arrivals().begin(fetch(5, 8, StoreFixture.MIB), true))
                .isNotNull();
    }

    @Test
    void shouldKeepNothingSmallOverAStart() {
        begin(fetch(5, 7, 3 * 4096), "honey");
        fixture.restart();
        assertOnDisk(0);
    }

    @Test
    void shouldKeepNothingOverAStartThatHasNotGoneOnForAMonth() {
        beginLarge(5, 2);
        fixture.clock.advance(Duration.ofDays(29));
        fixture.restart();
        fixture.store.recount();
        assertOnDisk(2);

        fixture.clock.advance(Duration.ofDays(2));
        fixture.restart();
        assertOnDisk(0);
    }

    @Test
    void shouldDiscardWhatHasNotGoneOnForAMonthAlsoWithoutAnotherStart() {
        beginLarge(5, 2);
        fixture.restart();
        fixture.clock.advance(Duration.ofDays(31));

        fixture.store.recount();

        assertOnDisk(0);
        assertThat(fixture.space.available()).isEqualTo(fixture.capacity);
    }

    @Test
    void shouldRemoveWhatIsLeftOfBeforeAStartWithItsReplica() {
        beginLarge(5, 2);
        fixture.restart();
        fixture.store.drop(name(5));
        assertOnDisk(0);
        assertThat(fixture.space.available()).isEqualTo(fixture.capacity);
    }

    @Test
    void shouldNotFindAgainAfterALossOfPowerWhatWasRemovedWithItsReplica() {
        beginLarge(5, 2);
        fixture.files.syncAll();
        fixture.store.drop(name(5));
        fixture.store.syncDrops(List.of(name(5)));

        fixture.disk.losePower();
        fixture.restart();

        assertOnDisk(0);
    }

    @Test
    void shouldGiveUpWhatIsLeftOfBeforeAStartForWhatNeedsTheRoom() {
        beginLarge(5, 2);
        beginLarge(6, 2);
        fixture.restart();
        Arrivals arrivals = fixture.store.arrivals();
        Arrival goesOn = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 3 * StoreFixture.MIB), true));

        long room = fixture.capacity - 3 * StoreFixture.MIB;
        assertThat(arrivals.begin(fetch(9, 7, room), true)).isNotNull();

        assertThat(fixture.space.used()).as("somebody works on one").isEqualTo(2 * StoreFixture.MIB);
        assertOnDisk(2);
        arrivals.end(goesOn);
    }

    @Test
    void shouldGiveUpNothingForWhatDoesNotFitAfterThatEither() {
        beginLarge(5, 2);
        beginLarge(6, 3);
        fixture.restart();

        assertThat(errnoOf(() -> fixture.space.reserve(1L << 40))).isEqualTo(Errno.ENOSPC);
        assertThat(errnoOf(() -> fixture.space.reserve(fixture.capacity + 1))).isEqualTo(Errno.ENOSPC);

        assertOnDisk(5);
        assertThat(fixture.space.available()).isEqualTo(fixture.capacity);
    }

    @Test
    void shouldGiveUpNoMoreThanIsNeeded() {
        beginLarge(5, 2);
        beginLarge(6, 4);
        beginLarge(8, 3);
        fixture.restart();

        fixture.space.reserve(fixture.capacity - 7 * StoreFixture.MIB);
        assertThat(fixture.files.unfinished()).as("2 MiB are enough").containsExactly(id(6), id(8));

        fixture.space.reserve(5 * StoreFixture.MIB);
        assertThat(fixture.files.unfinished()).as("nothing alone is enough").isEmpty();
        assertThat(fixture.space.available()).isEqualTo(2 * StoreFixture.MIB);
    }

    /** As where blocks are shared with the version of before. */
    @Test
    void shouldRefuseWhatDoesNotFitBecauseTooLittleHasBecomeFree() {
        beginLarge(5, 2);
        long foreign = StoreFixture.DISK - fixture.reserve - 2 * StoreFixture.MIB;
        fixture.disk.setForeign(foreign);
        fixture.restart();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.DELETE) {
                fixture.disk.setForeign(foreign + 2 * StoreFixture.MIB);
            }
            return null;
        });

        assertThat(errnoOf(() -> fixture.space.reserve(StoreFixture.MIB))).isEqualTo(Errno.ENOSPC);
        assertThat(errnoOf(() -> fixture.space.reserve(StoreFixture.MIB))).isEqualTo(Errno.ENOSPC);

        assertThat(fixture.space.available()).isZero();
        fixture.disk.setForeign(foreign);
        fixture.space.reserve(StoreFixture.MIB);
    }

    @Test
    void shouldGiveUpSomethingWhenAQuotaIsUsedUp() {
        beginLarge(5, 2);
        beginLarge(6, 3);
        fixture.restart();
        fixture.disk.setFaults(operation -> operation == Operation.WRITE ? Errno.EDQUOT : null);

        assertThat(errnoOf(() -> fixture.write(target(9), 0, "honey"))).isEqualTo(Errno.EDQUOT);

        assertThat(fixture.files.unfinished()).containsExactly(id(6));
    }

    /** As on Btrfs. */
    @Test
    void shouldNotGiveUpAllWhereTheDiskTellsLaterOfWhatHasBecomeFree() {
        beginLarge(5, 2);
        beginLarge(6, 3);
        long foreign = StoreFixture.DISK - fixture.reserve - 5 * StoreFixture.MIB;
        fixture.disk.setForeign(foreign);
        fixture.restart();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.DELETE) {
                fixture.disk.setForeign(foreign + 2 * StoreFixture.MIB);
            }
            return null;
        });

        for (int second = 0; second < 3; second++) {
            assertThat(errnoOf(() -> fixture.space.reserve(StoreFixture.MIB))).isEqualTo(Errno.ENOSPC);
            fixture.clock.advance(Duration.ofSeconds(1));
        }
        assertThat(fixture.files.unfinished()).containsExactly(id(6));

        fixture.disk.setForeign(foreign);
        fixture.space.reserve(StoreFixture.MIB);
        assertThat(fixture.files.unfinished()).containsExactly(id(6));
    }

    @Test
    void shouldKeepNothingOverAStartOnADiskThatIsFull() {
        beginLarge(5, 2);
        fixture.disk.setForeign(StoreFixture.DISK - fixture.reserve - StoreFixture.MIB);
        fixture.restart();
        fixture.store.recount();
        assertOnDisk(0);
    }

    @Test
    void shouldKeepOverAStartWhatHasComeThoughTheDiskHasHardlyAnyInodes() {
        beginLarge(5, 2);
        fixture.disk.setInodes(new Inodes(1_000_000, 1023));
        fixture.restart();
        fixture.store.recount();
        assertOnDisk(2);
    }

    @Test
    void shouldStartWithWhatIsLeftOfACopyThatCannotBeRead() {
        beginLarge(5, 2);
        fixture.disk.setFaults(operation -> operation == Operation.STATUS ? Errno.EIO : null);
        fixture.restart();
        fixture.disk.setFaults(operation -> null);
        assertOnDisk(0);
    }

    private static ReplicaId id(long inode) {
        return new ReplicaId(inode, 0);
    }

    private void assertOnDisk(int mebibytes) {
        assertThat(fixture.disk.allocated()).isEqualTo(mebibytes * StoreFixture.MIB);
    }

    @Test
    void shouldBeginAnewWhenTheDiskCannotReadWhatHasCome() {
        beginLarge(5, 2);
        Arrivals arrivals = fixture.store.arrivals();
        Arrival again = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 3 * StoreFixture.MIB), true));
        fixture.disk.setFaults(operation -> operation == Operation.READ ? Errno.EIO : null);
        assertThat(errnoOf(() -> again.checksums(0, 1))).isEqualTo(Errno.EIO);
        arrivals.end(again);
        fixture.disk.setFaults(operation -> null);

        Arrival anew = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 3 * StoreFixture.MIB), true));

        assertThat(anew.hasContent()).isFalse();
    }

    private void beginLarge(long inode, int mebibytes) {
        beginLarge(fixture, inode, mebibytes);
    }

    /** And breaks off after so much; one more was to come. */
    private static void beginLarge(StoreFixture fixture, long inode, int mebibytes) {
        Arrivals arrivals = fixture.store.arrivals();
        Fetch fetch = fetch(inode, 7, (mebibytes + 1) * StoreFixture.MIB);
        Arrival arrival = Objects.requireNonNull(arrivals.begin(fetch, true));
        for (int i = 0; i < mebibytes; i++) {
            write(arrival, i * StoreFixture.MIB, MEBIBYTE);
        }
        arrivals.end(arrival);
    }

    @Test
    void shouldLeaveNothingOfWhatWasDroppedBeforeItHasCome() {
        Arrivals arrivals = fixture.store.arrivals();
        arrivals.expect(fetch(5, 7, 5));
        fixture.store.drop(name(5));

        begin(fetch(5, 7, 5), "honey");

        assertThat(fixture.space.used()).isZero();
        assertThat(fixture.files.space().free()).isEqualTo(StoreFixture.DISK);
    }

    /** And breaks off. */
    private void begin(Fetch fetch, String text) {
        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch, false));
        write(arrival, 0, text);
        fixture.store.arrivals().end(arrival);
    }

    @Test
    void shouldFetchAllOfItWhenTheContentOfBeforeCannotBeRead() {
        arrive(5, 7, "one two");
        fixture.disk.setFaults(operation -> operation == Operation.READ ? Errno.EIO : null);

        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 8, 3), true));
        arrival.fillTo(3);
        write(arrival, 0, "new");
        fixture.store.arrivals().install(List.of(arrival));
        fixture.store.arrivals().end(arrival);

        fixture.disk.setFaults(operation -> null);
        assertThat(fixture.read(exact(5, 8))).isEqualTo("new");
    }

    @Test
    void shouldTakeThePlaceOfAReplicaThatCannotBeOpened() {
        arrive(5, 7, "old");
        fixture.store = fixture.store(4);
        fixture.disk.makeUnreadable(new ReplicaId(5, 0));
        assertThat(errnoOf(() -> fixture.read(exact(5, 7)))).isEqualTo(Errno.EIO);

        arrive(5, 8, "new");

        assertThat(fixture.read(exact(5, 8))).isEqualTo("new");
        assertThat(fixture.store.isInOrder())
                .as("what the unreadable one took is counted anew at the next start")
                .isFalse();
    }

    @Test
    void shouldFetchTheSameVersionAgainWhenItCannotBeOpened() {
        arrive(5, 7, "honey");
        fixture.store = fixture.store(4);
        fixture.disk.makeUnreadable(new ReplicaId(5, 0));
        assertThat(fixture.store.verifier().begin(new ReplicaId(5, 0))).isNull();

        arrive(5, 7, "honey");

        assertThat(fixture.read(exact(5, 7))).isEqualTo("honey");
    }

    @Test
    void shouldKeepAnUnreadablePrimaryThatCarriesNoVersion() {
        fixture.write(target(5), 0, "honey");
        fixture.store = fixture.store(4);
        fixture.disk.makeUnreadable(new ReplicaId(5, 0));

        assertThat(errnoOf(() -> arrive(5, 8, "new"))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldKeepAnUnreadableReplicaOfWhichNobodyKnowsWhatItIs() {
        arrive(5, 7, "honey");
        fixture.disk.makeUnreadable(new ReplicaId(5, 0));
        fixture.restart();

        assertThat(errnoOf(() -> arrive(5, 8, "new"))).isEqualTo(Errno.EIO);
    }

    private void keep(long inode, long version, String text) {
        Arrivals arrivals = fixture.store.arrivals();
        Arrival arrival = Objects.requireNonNull(arrivals.begin(fetch(inode, version, text.length()), false));
        write(arrival, 0, text);
        arrivals.keep(arrival);
        arrivals.end(arrival);
    }

    private void arrive(long inode, long version, String text) {
        Arrivals arrivals = fixture.store.arrivals();
        Fetch fetch = fetch(inode, version, text.length());
        arrivals.expect(fetch);
        Arrival arrival = Objects.requireNonNull(arrivals.begin(fetch, false));
        write(arrival, 0, text);
        arrivals.install(List.of(arrival));
        arrivals.end(arrival);
    }
}
