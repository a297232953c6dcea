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
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Fetch;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.Arrival;
import org.junit.jupiter.api.Test;

/** Arrivals that break off, and those that take the place of what cannot be read. */
class UnfinishedTest {
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
                .as("a start empties the folder")
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
        arrivals.expectNoMore(fetch);
    }
}
