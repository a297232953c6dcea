package org.beefs.honeycomb.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.honeycomb.store.content.Arrival;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldServeAVersionThatHasArrivedToWhoWantsJustThat() {
        arrive(5, 7, "honey");

        assertThat(fixture.read(exact(5, 7))).isEqualTo("honey");
        assertThat(errnoOf(() -> fixture.read(exact(5, 8)))).isEqualTo(Errno.ESTALE);
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.ESTALE);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "late"))).isEqualTo(Errno.ESTALE);
        assertThat(Objects.requireNonNull(fixture.disk.look().getFirst().description())
                        .getKind())
                .isEqualTo(ReplicaKind.REPLICA_KIND_SECONDARY);
        assertThat(Objects.requireNonNull(fixture.catalog.find(new ReplicaId(5, 0)))
                        .getVersion())
                .isEqualTo(7);
    }

    @Test
    void shouldReplaceAnOlderVersion() {
        arrive(5, 7, "an old and long text");
        assertThat(fixture.read(exact(5, 7))).isNotEmpty();
        arrive(5, 8, "new");

        assertThat(fixture.read(exact(5, 8))).isEqualTo("new");
        assertThat(errnoOf(() -> fixture.read(exact(5, 7)))).isEqualTo(Errno.ESTALE);
        assertThat(fixture.space.used()).isEqualTo(4096);
    }

    @Test
    void shouldNotShowWhatHasNotArrivedAsAWhole() {
        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, 5), false));
        write(arrival, 0, "ho");
        assertThat(fixture.disk.replicas()).isEmpty();
        fixture.store.arrivals().end(arrival);

        fixture.restart();

        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(fixture.space.used()).isZero();
    }

    @Test
    void shouldTakeInOneVersionOfAReplicaAtATime() {
        Arrival first = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, 5), false));
        assertThat(errnoOf(() -> fixture.store.arrivals().begin(fetch(5, 8, 5), false)))
                .isEqualTo(Errno.EAGAIN);
        fixture.store.arrivals().end(first);
        arrive(5, 8, "honey");
        assertThat(fixture.read(exact(5, 8))).isEqualTo("honey");
    }

    @Test
    void shouldTakeInTheVersionThatWasAskedForLastAlsoWhenThatRequestIsOver() {
        Arrivals arrivals = fixture.store.arrivals();
        arrivals.expect(fetch(5, 8, 5));
        arrive(5, 7, "honey");

        assertThat(errnoOf(() -> arrivals.begin(fetch(5, 8, 5), false))).isEqualTo(Errno.ESTALE);
        arrivals.expectNoMore(fetch(5, 8, 5));

        assertThat(fixture.read(exact(5, 7))).isEqualTo("honey");
        arrive(5, 8, "money");
        assertThat(fixture.read(exact(5, 8))).isEqualTo("money");
    }

    /** It does not take the replica's place. */
    @Test
    void shouldTakeInAVersionWhateverCheckpointWasAskedForSince() {
        Arrivals arrivals = fixture.store.arrivals();
        Fetch checkpoint = fetch(5, 8, 5).toBuilder().setCheckpoint(true).build();
        arrivals.expect(fetch(5, 7, 5));
        arrivals.expect(checkpoint);

        Arrival version = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 5), false));
        arrivals.end(version);
        arrivals.expectNoMore(checkpoint);
        arrivals.expectNoMore(fetch(5, 7, 5));
    }

    @Test
    void shouldTakeAVersionInThoughTheReplicaCouldNotBeOpenedBefore() {
        arrive(5, 7, "honey");
        fixture.restart();
        fixture.disk.setFaults(operation -> operation == Operation.OPEN ? Errno.ENFILE : null);
        assertThat(errnoOf(() -> fixture.store.arrivals().begin(fetch(5, 8, 5), false)))
                .isEqualTo(Errno.ENFILE);

        fixture.disk.setFaults(operation -> null);

        arrive(5, 8, "money");
        assertThat(fixture.read(exact(5, 8))).isEqualTo("money");
    }

    @Test
    void shouldSurviveALossOfPowerOnceItIsInstalled() {
        arrive(5, 7, "honey");
        fixture.disk.losePower();
        fixture.restart();
        assertThat(fixture.read(exact(5, 7))).isEqualTo("honey");
    }

    @Test
    void shouldNotInstallWhatTheDiskDoesNotTake() {
        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, 5), false));
        write(arrival, 0, "honey");
        fixture.disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);
        assertThat(errnoOf(() -> fixture.store.arrivals().install(List.of(arrival))))
                .isEqualTo(Errno.EIO);
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldNotInstallWhatWasDroppedMeanwhile() {
        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, 5), false));
        write(arrival, 0, "honey");
        fixture.store.drop(name(5));

        assertThat(errnoOf(() -> fixture.store.arrivals().install(List.of(arrival))))
                .isEqualTo(Errno.ESTALE);
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldLeaveNothingInTheCatalogOfWhatIsRemovedWhileItIsInstalled() throws InterruptedException {
        Thread removing = Thread.ofPlatform().unstarted(() -> fixture.store.drop(name(5)));
        fixture.catalog.setBeforePut(() -> {
            removing.start();
            while (removing.isAlive() && removing.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        });

        arrive(5, 7, "honey");
        removing.join();

        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(fixture.catalog.find(new ReplicaId(5, 0))).isNull();
        assertThat(fixture.space.used()).isZero();
    }

    @Test
    void shouldNotInstallWhatWasDroppedBeforeItWasBegun() {
        fixture.store.arrivals().expect(fetch(5, 7, 5));
        fixture.store.drop(name(5));
        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, 5), false));
        write(arrival, 0, "honey");

        assertThat(errnoOf(() -> fixture.store.arrivals().install(List.of(arrival))))
                .isEqualTo(Errno.ESTALE);
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldDropAVersionThatHasReplacedAnother() {
        arrive(5, 7, "old");
        assertThat(fixture.read(exact(5, 7))).isEqualTo("old");
        arrive(5, 8, "new");
        fixture.store.drop(name(5));
        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(fixture.space.used()).isZero();

        arrive(5, 8, "again");
        assertThat(fixture.read(exact(5, 8))).isEqualTo("again");
    }

    @Test
    void shouldHaveNothingToDoForAVersionThatIsThere() {
        arrive(5, 7, "honey");
        assertThat(fixture.store.arrivals().begin(fetch(5, 7, 5), false)).isNull();
    }

    @Test
    void shouldTellTheCatalogWhatAnEarlierRequestCouldNot() {
        arrive(5, 7, "old");
        fixture.catalog.failWrites(true);
        assertThat(errnoOf(() -> arrive(5, 8, "new"))).isEqualTo(Errno.EIO);
        fixture.catalog.failWrites(false);
        fixture.store = fixture.store(4); // which has the replica's file of before no longer open

        assertThat(fixture.store.arrivals().begin(fetch(5, 8, 3), false)).isNull();

        assertThat(fixture.catalog.find(new ReplicaId(5, 0)))
                .isEqualTo(fixture.disk.look().getFirst().description());
        assertThat(fixture.read(exact(5, 8))).isEqualTo("new");
    }

    @Test
    void shouldNotTakeThePrimarysPlace() {
        fixture.write(target(5), 0, "honey");
        assertThat(errnoOf(() -> fixture.store.arrivals().begin(fetch(5, 7, 5), false)))
                .isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldRefuseWhatThereIsNoRoomFor() {
        assertThat(errnoOf(() -> fixture.store.arrivals().begin(fetch(5, 7, StoreFixture.DISK), false)))
                .isEqualTo(Errno.ENOSPC);
    }

    @Test
    void shouldGoOnWithWhatAnEarlierVersionOrAttemptHasLeft() {
        arrive(5, 7, "one two");
        Arrival first = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 8, 9), true));
        assertThat(first.hasContent()).isTrue();
        first.fillTo(5);
        write(first, 0, "ONE");
        fixture.store.arrivals().end(first);

        Arrival second = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 8, 9), true));
        second.fillTo(9);
        write(second, 7, "!!");
        fixture.store.arrivals().install(List.of(second));
        fixture.store.arrivals().end(second);

        assertThat(fixture.read(exact(5, 8))).isEqualTo("ONE two!!");
    }

    @Test
    void shouldKeepTheHolesOfTheVersionBefore() {
        long size = 64 * 4096;
        Arrival sparse = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 7, size), false));
        write(sparse, 0, "honey");
        write(sparse, size - 5, "money");
        fixture.store.arrivals().install(List.of(sparse));
        fixture.store.arrivals().end(sparse);

        Arrival next = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 8, size), true));
        next.fillTo(size);
        write(next, 0, "HONEY");
        fixture.store.arrivals().install(List.of(next));
        fixture.store.arrivals().end(next);

        assertThat(fixture.read(exact(5, 8), 0, 5)).isEqualTo("HONEY");
        assertThat(fixture.read(exact(5, 8), size - 5, 5)).isEqualTo("money");
        assertThat(fixture.space.used()).as("two pages").isEqualTo(2 * 4096);
    }

    /** What is copied is admitted part by part, so that it is paced as what is fetched. */
    @Test
    void shouldCopyNoMoreOfTheVersionBeforeThanIsAskedFor() {
        arrive(5, 7, "x".repeat(3 * 4096));
        AtomicInteger written = new AtomicInteger();
        fixture.disk.setFaults(operation -> {
            written.addAndGet(operation == Operation.WRITE ? 1 : 0);
            return null;
        });

        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 8, 3 * 4096), true));
        assertThat(written).hasValue(0);
        arrival.fillTo(4096);
        assertThat(written).hasValue(1);
        arrival.fillTo(4096);
        assertThat(written).hasValue(1);
        fixture.store.arrivals().end(arrival);

        Arrival second = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(5, 8, 3 * 4096), true));
        assertThat(second.filled()).as("so far as the attempt before has come").isEqualTo(4096);
        second.fillTo(3 * 4096);
        fixture.store.arrivals().install(List.of(second));
        fixture.store.arrivals().end(second);
        assertThat(fixture.read(exact(5, 8), 0, 3 * 4096)).isEqualTo("x".repeat(3 * 4096));
    }

    @Test
    void shouldSyncArrivalsOneByOneOnceASyncOfAllHasFailed() {
        failFirstSync();
        arriveTogether(1);
        List<Operation> syncs = new ArrayList<>();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.SYNC) {
                syncs.add(operation);
            }
            return null;
        });

        arriveTogether(11);

        assertThat(syncs).as("a content and a name for each").hasSize(2 * 5);
        fixture.disk.losePower();
        fixture.restart();
        assertThat(fixture.read(exact(1, 7))).isEqualTo("honey");
        assertThat(fixture.read(exact(11, 7))).isEqualTo("honey");
    }

    @Test
    void shouldNotGoOnWithWhatCouldNotBeBroughtToDisk() {
        Arrivals arrivals = fixture.store.arrivals();
        Arrival first = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 5), true));
        write(first, 0, "honey");
        failFirstSync();
        assertThat(errnoOf(() -> arrivals.install(List.of(first)))).isEqualTo(Errno.EIO);
        arrivals.end(first);

        Arrival second = Objects.requireNonNull(arrivals.begin(fetch(5, 7, 5), true));

        assertThat(second.hasContent()).isFalse();
    }

    private void failFirstSync() {
        AtomicBoolean once = new AtomicBoolean(true);
        fixture.disk.setFaults(operation -> operation == Operation.SYNC && once.getAndSet(false) ? Errno.EIO : null);
    }

    private void arriveTogether(long firstInode) {
        Arrivals arrivals = fixture.store.arrivals();
        List<Arrival> begun = LongStream.range(firstInode, firstInode + 5)
                .mapToObj(inode -> Objects.requireNonNull(arrivals.begin(fetch(inode, 7, 5), false)))
                .toList();
        begun.forEach(arrival -> write(arrival, 0, "honey"));
        arrivals.install(begun);
        begun.forEach(arrivals::end);
    }

    @Test
    void shouldKeepACheckpointBesideTheReplicaUntilItIsAskedFor() {
        arrive(5, 7, "before");
        keep(5, 8, "after");
        assertThat(fixture.read(exact(5, 7))).isEqualTo("before");

        assertThat(fixture.store.arrivals().begin(fetch(5, 8, 5), false)).isNull();

        assertThat(fixture.read(exact(5, 8))).isEqualTo("after");
        fixture.disk.losePower();
        fixture.restart();
        assertThat(fixture.read(exact(5, 8))).isEqualTo("after");
    }

    @Test
    void shouldForgetACheckpointWhenAnotherVersionComes() {
        keep(5, 8, "checkpoint");
        arrive(5, 9, "closed");

        assertThat(fixture.store.arrivals().begin(fetch(5, 8, 10), false)).isNotNull();
        assertThat(fixture.read(exact(5, 9))).isEqualTo("closed");
    }

    @Test
    void shouldForgetACheckpointOfWhatIsDropped() {
        keep(5, 8, "checkpoint");
        fixture.store.drop(name(5));

        assertThat(fixture.store.arrivals().begin(fetch(5, 8, 10), false)).isNotNull();
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldInstallEachCheckpointThatItHasKept() {
        for (long inode = 1; inode <= 64; inode++) {
            keep(inode, 8, "checkpoint");
        }
        assertThat(errnoOf(() -> keep(65, 8, "checkpoint"))).isEqualTo(Errno.EAGAIN);
        keep(3, 9, "a later one");

        for (long inode = 1; inode <= 64; inode++) {
            Fetch kept = inode == 3 ? fetch(3, 9, 11) : fetch(inode, 8, 10);
            assertThat(fixture.store.arrivals().begin(kept, false)).isNull();
        }
    }

    @Test
    void shouldKeepAnotherCheckpointInsteadOfOneThatNobodyAsksFor() {
        for (long inode = 1; inode <= 64; inode++) {
            keep(inode, 8, "checkpoint");
        }
        fixture.timers.advance(Duration.ofMinutes(11));

        keep(65, 8, "checkpoint");

        assertThat(fixture.store.arrivals().begin(fetch(65, 8, 10), false)).isNull();
        assertThat(fixture.store.arrivals().begin(fetch(2, 8, 10), false)).isNull();
        assertThat(fixture.store.arrivals().begin(fetch(1, 8, 10), false)).isNotNull();
    }

    @Test
    void shouldNotLetALateChangeGoToTheFileThatAVersionHasJustReplaced() {
        bePrimaryOnce();
        whenALeaseIsLookedAt(() -> arrive(ofTheNextEpoch(8), "newer"));

        assertThat(errnoOf(() -> fixture.write(target(5), 0, "late"))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldNotLetALateChangeGoToAReplacedFileThoughTheCatalogCouldNotBeToldOfTheNewOne() {
        bePrimaryOnce();
        Arrival newer = Objects.requireNonNull(fixture.store.arrivals().begin(ofTheNextEpoch(8), false));
        write(newer, 0, "newer");
        fixture.catalog.failWrites(true);
        assertThat(errnoOf(() -> fixture.store.arrivals().install(List.of(newer))))
                .isEqualTo(Errno.EIO);
        fixture.store.arrivals().end(newer);
        fixture.catalog.failWrites(false);

        assertThat(errnoOf(() -> fixture.write(target(5), 0, "late"))).isEqualTo(Errno.ESTALE);
        assertThat(fixture.store.arrivals().begin(ofTheNextEpoch(8), false))
                .as("it is there, and only the catalog is to be told")
                .isNull();
        assertThat(fixture.catalog.find(new ReplicaId(5, 0)))
                .isEqualTo(fixture.disk.look().getFirst().description());
        assertThat(fixture.read(exact(5, 8))).isEqualTo("newer");
    }

    @Test
    void shouldReplaceAFormerPrimaryThatShowsWhatItsFullDiskCouldNotSeal() {
        beUnsealedPrimaryOnce();

        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(ofTheNextEpoch(8), false));
        write(arrival, 0, "newer");
        fixture.store.arrivals().install(List.of(arrival));
        fixture.store.arrivals().end(arrival);

        assertThat(fixture.read(exact(5, 8))).isEqualTo("newer");
    }

    @Test
    void shouldKeepAFormerPrimaryThatWasChangedSinceItsFullDiskCouldNotSealIt() {
        beUnsealedPrimaryOnce();
        fixture.write(target(5), 0, "changed");

        assertThat(errnoOf(() -> fixture.store.arrivals().begin(ofTheNextEpoch(8), false)))
                .isEqualTo(Errno.ESTALE);
    }

    /** Of a file that has its primary elsewhere by now. */
    private void bePrimaryOnce() {
        assertThat(seal(fixture.write(target(5), 0, "former"))).isNull();
    }

    /** The same, on a disk that had become full when it was to be sealed. */
    private void beUnsealedPrimaryOnce() {
        ReplicaStatus former = fixture.write(target(5), 0, "former");
        fixture.disk.setFaults(operation -> operation == Operation.DESCRIBE ? Errno.ENOSPC : null);
        assertThat(seal(former)).isNotNull();
        fixture.disk.setFaults(operation -> null);
    }

    private @Nullable PosixException seal(ReplicaStatus shown) {
        return fixture.seal(List.of(Seal.newBuilder()
                .setReplica(name(5))
                .setVersion(7)
                .setSize(shown.getSize())
                .setMtime(shown.getMtime())
                .build()));
    }

    private static Fetch ofTheNextEpoch(long version) {
        return fetch(5, version, 5).toBuilder()
                .setReplica(name(5).toBuilder().setEpoch(2 * Targets.EPOCH))
                .build();
    }

    /** Which whoever changes something does when he has found the replica, and before he has its file. */
    private void whenALeaseIsLookedAt(Runnable meanwhile) {
        AtomicBoolean once = new AtomicBoolean(true);
        fixture.gate = StoreFixture.openGate(new Clock() {
            @Override
            public long bootNanos() {
                if (once.getAndSet(false)) {
                    meanwhile.run();
                }
                return fixture.clock.bootNanos();
            }

            @Override
            public Instant now() {
                return fixture.clock.now();
            }
        });
        fixture.store = fixture.store(4);
    }

    private void keep(long inode, long version, String text) {
        Arrivals arrivals = fixture.store.arrivals();
        Arrival arrival = Objects.requireNonNull(arrivals.begin(fetch(inode, version, text.length()), false));
        try {
            write(arrival, 0, text);
            arrivals.keep(arrival);
        } finally {
            arrivals.end(arrival);
        }
    }

    private void arrive(long inode, long version, String text) {
        arrive(fetch(inode, version, text.length()), text);
    }

    private void arrive(Fetch fetch, String text) {
        Arrivals arrivals = fixture.store.arrivals();
        arrivals.expect(fetch);
        try {
            Arrival arrival = Objects.requireNonNull(arrivals.begin(fetch, false));
            write(arrival, 0, text);
            arrivals.install(List.of(arrival));
            arrivals.end(arrival);
        } finally {
            arrivals.expectNoMore(fetch);
        }
    }

    static void write(Arrival arrival, long offset, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        ByteBuf content = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
        arrival.write(offset, content);
        content.release();
    }

    static Fetch fetch(long inode, long version, long size) {
        return Fetch.newBuilder()
                .setReplica(name(inode))
                .setVersion(version)
                .setSize(size)
                .build();
    }

    static ReplicaTarget exact(long inode, long version) {
        return Targets.committed(inode, version).toBuilder()
                .setExactVersion(version)
                .build();
    }
}
