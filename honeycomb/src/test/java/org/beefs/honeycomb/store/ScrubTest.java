package org.beefs.honeycomb.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.memory.MemoryScrubStore;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.pace.Pressure;
import org.beefs.honeycomb.pace.User;
import org.beefs.honeycomb.scrub.Scrubber;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.Verifier.Outcome;
import org.beefs.honeycomb.store.content.Arrival;
import org.beefs.honeycomb.store.content.ContentDigest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rot is found, fenced, remembered and reported, and never mistaken for a change. */
class ScrubTest {
    private static final Duration PERIOD = Duration.ofDays(14);
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final StoreFixture fixture = new StoreFixture();
    private final Pace pace = pace(new ByteSize(4 << 20));

    @Test
    void shouldFindABitThatHasFlippedAndServeTheReplicaNoMore() {
        sealed(5, 3, "honey");
        assertThat(verify(5)).isEqualTo(Outcome.LEARNED);
        assertThat(verify(5)).isEqualTo(Outcome.SOUND);
        fixture.disk.flipABit(id(5));
        assertThat(verify(5)).isEqualTo(Outcome.ROTTEN);

        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.store.readAtHand(target(5), 0, 10))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "more"))).isEqualTo(Errno.EIO);
        assertThat(fixture.store.pin(target(5), false, false)).isEmpty();
        assertThat(fixture.disk.replicas()).as("it is kept").containsExactly(id(5));
        fixture.restart();
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
    }

    /** Only the catalog says that replica 5 is rotten, and its file is opened again. */
    private void rotWithoutAMarkOnTheFile() {
        sealed(5, 3, "honey");
        verify(5);
        fixture.disk.flipABit(id(5));
        fixture.disk.setFaults(operation -> operation == Operation.DESCRIBE ? Errno.EIO : null);
        assertThat(verify(5)).isEqualTo(Outcome.ROTTEN);
        fixture.disk.setFaults(operation -> null);
        fixture.store = fixture.store(4);
    }

    @Test
    void shouldNotForgetRotThatTheFileCouldNotBeMarkedWithWhenItIsSealedAgain() {
        rotWithoutAMarkOnTheFile();

        fixture.seal(List.of(Seal.newBuilder().setReplica(name(5)).setVersion(3).build()));

        assertThat(Objects.requireNonNull(fixture.catalog.find(id(5))).getRotten())
                .isTrue();
    }

    @Test
    void shouldNotServeRotThatTheFileCouldNotBeMarkedWithWhenItIsOpenedAgain() {
        rotWithoutAMarkOnTheFile();

        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldFindThatAReplicasFileIsCut() {
        sealed(5, 3, "honey");
        verify(5);
        ReplicaFile file = Objects.requireNonNull(fixture.files.open(id(5)));
        file.truncate(2);

        assertThat(verify(5)).isEqualTo(Outcome.ROTTEN);
    }

    @Test
    void shouldFindThatAReplicasFileCannotBeOpened() {
        sealed(5, 3, "honey");
        fixture.disk.makeUnreadable(id(5));

        assertThat(verify(5)).isNull();

        assertThat(rotten()).containsExactly(id(5));
    }

    @Test
    void shouldFindThatAReplicasFileIsMissingThoughItIsStillOpen() {
        sealed(5, 3, "honey");
        verify(5);
        fixture.disk.removeBehindBack(id(5));

        assertThat(verify(5)).isNull();

        assertThat(rotten()).containsExactly(id(5));
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "lost"))).isEqualTo(Errno.EIO);
        arrive(5, 7, "honey");
        assertThat(fixture.space.used()).isEqualTo(4096);
    }

    @Test
    void shouldNotTakeAChangeForRot() {
        sealed(5, 3, "honey");
        verify(5);
        Verification begun = Objects.requireNonNull(fixture.store.verifier().begin(id(5)));
        fixture.write(target(5), 0, "money");
        assertThat(begun.read(Long.MAX_VALUE)).isEqualTo(Outcome.UNDECIDED);
        begun.close();
        assertThat(verify(5))
                .as("without a version there is nothing to compare")
                .isNull();

        sealed(5, 4, "sunny");
        assertThat(verify(5)).isEqualTo(Outcome.LEARNED);
        assertThat(fixture.read(target(5))).isEqualTo("sunny");
        assertThat(rotten()).isEmpty();
    }

    @Test
    void shouldNotTakeAFailureToReadTheCatalogForRot() {
        sealed(5, 3, "honey");
        MemoryScrubStore checksums = restartWithChecksumsOfItsOwn();
        checksums.failReads(true);

        assertThat(verify(5)).isEqualTo(Outcome.UNDECIDED);

        assertServed(5, "honey");
    }

    @Test
    void shouldNotTakeAFailureToWriteTheCatalogForRot() {
        sealed(5, 3, "honey");
        MemoryScrubStore checksums = restartWithChecksumsOfItsOwn();
        checksums.failWrites(true);

        assertThat(verify(5)).isEqualTo(Outcome.UNDECIDED);

        assertServed(5, "honey");
    }

    @Test
    void shouldServeWhatIsOpenedFirstAndCheckItLaterWhenItsChecksumCannotBeRead() {
        sealed(5, 3, "honey");
        MemoryScrubStore checksums = restartWithChecksumsOfItsOwn();
        checksums.failReads(true);
        fixture.store.doubts().begin();

        assertThat(fixture.read(target(5))).isEqualTo("honey");

        assertThat(fixture.store.checks().poll()).isEqualTo(id(5));
        assertServed(5, "honey");
    }

    private MemoryScrubStore restartWithChecksumsOfItsOwn() {
        MemoryScrubStore checksums = new MemoryScrubStore();
        fixture.restart(checksums);
        return checksums;
    }

    /** Now, and by another daemon: no mark was left. */
    private void assertServed(long inode, String content) {
        assertThat(fixture.read(target(inode))).isEqualTo(content);
        assertThat(rotten()).isEmpty();
        fixture.restart();
        assertThat(fixture.read(target(inode))).isEqualTo(content);
        assertThat(verify(inode)).isEqualTo(Outcome.LEARNED);
    }

    @Test
    void shouldMarkWhatIsRottenOnceTheCatalogTakesTheMark() {
        sealed(5, 3, "honey");
        verify(5);
        fixture.disk.flipABit(id(5));
        fixture.catalog.failWrites(true);
        assertThat(verify(5)).isEqualTo(Outcome.UNDECIDED);
        assertThat(fixture.read(target(5))).as("it is not marked anywhere").isNotEmpty();

        fixture.catalog.failWrites(false);

        assertThat(verify(5)).isEqualTo(Outcome.ROTTEN);
        assertThat(rotten()).containsExactly(id(5));
    }

    @Test
    void shouldNotServeWhatIsKnownToDifferThoughTheCatalogDoesNotTakeTheMark() {
        sealed(5, 3, "honey");
        verify(5);
        fixture.disk.flipABit(id(5));
        restartWithChecksums();
        fixture.store.doubts().begin();
        fixture.catalog.failWrites(true);
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);

        fixture.catalog.failWrites(false);

        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        assertThat(rotten()).containsExactly(id(5));
    }

    @Test
    void shouldNeverLearnWhatAVersionIsFromTheFileOfTheOneBefore() {
        int moments = 0;
        while (isLearnedThoughTheNextVersionComesAt(moments, 10L + moments)) {
            moments++;
        }
        assertThat(moments)
                .as("times that a comparison asks the disk for something")
                .isBetween(3, 100);
        fixture.assertNothingLeaks();
    }

    /** Whether the comparison was not over before. */
    private boolean isLearnedThoughTheNextVersionComesAt(int moment, long inode) {
        arrive(inode, 7, "honey");
        AtomicInteger left = new AtomicInteger(moment);
        fixture.disk.setFaults(operation -> {
            if (left.getAndDecrement() == 0) {
                arrive(inode, 8, "money");
            }
            return null;
        });
        verify(inode);
        fixture.disk.setFaults(operation -> null);
        if (left.get() >= 0) {
            return false;
        }
        assertThat(verify(inode)).as("moment %d", moment).isIn(Outcome.LEARNED, Outcome.SOUND);
        assertThat(verify(inode)).as("moment %d", moment).isEqualTo(Outcome.SOUND);
        assertThat(fixture.read(target(inode).toBuilder().setExactVersion(8).build()))
                .isEqualTo("money");
        return true;
    }

    @Test
    void shouldTellTheSameOfHolesAndOfZeros() {
        ReplicaStatus sparse = fixture.store.truncate(target(5), 300_000).join();
        fixture.write(target(6), 0, new byte[300_000]);

        assertThat(sparse.getBlocks()).isZero();
        assertThat(digest(5)).isEqualTo(digest(6));
        fixture.write(target(6), 200_000, "x");
        assertThat(digest(5)).isNotEqualTo(digest(6));
        fixture.store.truncate(target(5), 300_001).join();
        fixture.write(target(6), 200_000, new byte[1]);
        assertThat(digest(5)).isNotEqualTo(digest(6));
    }

    @Test
    void shouldLetTheVersionBeFetchedAgainOverTheRottenOne() {
        arrive(5, 7, "honey");
        verify(5);
        fixture.disk.flipABit(id(5));
        verify(5);
        assertThat(rotten()).containsExactly(id(5));

        arrive(5, 7, "honey");

        assertThat(fixture.read(target(5).toBuilder().setExactVersion(7).build()))
                .isEqualTo("honey");
        assertThat(rotten()).isEmpty();
        assertThat(verify(5)).isEqualTo(Outcome.SOUND);
    }

    @Test
    void shouldCheckWhatIsOpenedFirstAfterADisorderlyStop() {
        sealed(5, 3, "honey");
        sealed(6, 3, "money");
        verify(5);
        fixture.disk.flipABit(id(5));
        fixture.disk.flipABit(id(6));
        restartWithChecksums();
        fixture.store.doubts().begin();

        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        assertThat(fixture.read(target(6))).as("nobody knows what it was").isNotEmpty();
        assertThat(fixture.store.checks().poll()).isEqualTo(id(6));
    }

    @Test
    void shouldNotMarkWhatWasReplacedBeforeItWasCompared() {
        arrive(5, 7, "honey");
        verify(5);
        fixture.disk.flipABit(id(5));
        Replica former = new Replica(id(5), false);
        former.lookUp(fixture.files, fixture.catalog);
        arrive(5, 8, "money");
        former.supersede();
        fixture.store.doubts().begin();

        fixture.store.doubts().settle(former);

        assertThat(rotten()).isEmpty();
        assertThat(Objects.requireNonNull(fixture.catalog.find(id(5))).getVersion())
                .isEqualTo(8);
    }

    @Test
    void shouldBelieveReplicasAgainWhenAllWereChecked() {
        sealed(5, 3, "honey");
        verify(5);
        restartWithChecksums();
        fixture.store.doubts().begin();
        fixture.store.doubts().end();
        fixture.disk.flipABit(id(5));

        assertThat(fixture.read(target(5))).isNotEqualTo("honey");
    }

    @Test
    void shouldCheckAllReplicasInEachPeriodAndWhenAsked() {
        Scrubber scrubber = scrubber(false);
        scrubber.start();
        sealed(5, 3, "honey");
        sealed(6, 3, "money");
        fixture.timers.advance(A_WHILE);
        assertThat(scrubber.report().getReplicas()).isEqualTo(2);

        fixture.disk.flipABit(id(6));
        fixture.timers.advance(A_WHILE);
        assertThat(scrubber.report().getRottenList()).as("it is not time yet").isEmpty();
        fixture.timers.advance(PERIOD);
        fixture.timers.advance(A_WHILE);
        ReplicaName expected = name(6).toBuilder().setVersion(3).build();
        assertThat(scrubber.report().getRottenList()).containsExactly(expected);

        fixture.disk.flipABit(id(5));
        scrubber.scrubNow();
        assertThat(scrubber.report().getRunning()).isTrue();
        fixture.timers.advance(A_WHILE);
        assertThat(scrubber.report().getRunning()).isFalse();
        assertThat(scrubber.report().getRottenCount()).isEqualTo(2);
        fixture.assertNothingLeaks();
    }

    @Test
    void shouldGoOnWhenThereWasNoMemoryForABuffer() {
        sealed(5, 3, "honey");
        verify(5);
        Scrubber scrubber = scrubber(false);
        AtomicBoolean once = new AtomicBoolean(true);
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.READ && once.getAndSet(false)) {
                throw new InternalError("made to fail"); // after an OutOfMemoryError JUnit would not go on
            }
            return null;
        });
        scrubber.start();
        fixture.timers.advance(A_WHILE);
        assertThat(once).as("it has failed").isFalse();
        assertThat(scrubber.report().getRottenList()).isEmpty();
        fixture.disk.flipABit(id(5));

        scrubber.scrubNow();
        fixture.timers.advance(A_WHILE);

        assertThat(scrubber.report().getRottenCount()).isEqualTo(1);
        scrubber.close();
        assertThat(fixture.store.close()).as("nothing is in use").isDone();
    }

    @Test
    void shouldGoOnWithARoundAfterARestart() {
        sealed(5, 3, "honey");
        sealedMebibytes(6, 12);
        forgetWhatHasComeLately();
        Scrubber first = scrubber(true);
        first.start();
        fixture.timers.advance(Duration.ofSeconds(3));
        assertThat(first.report().getReplicas()).isEqualTo(1);
        first.close();

        Scrubber second = scrubber(false);
        assertThat(second.report().getRunning()).isTrue();
        second.start();
        fixture.timers.advance(A_WHILE);
        ScrubReport report = second.report();
        assertThat(report.getRunning()).isFalse();
        assertThat(report.getReplicas()).isEqualTo(2);
        assertThat(report.hasCompletedAt()).isTrue();
    }

    @Test
    void shouldCompleteARoundOfReplicasOfWhichOnlySomeAreReadBetweenTwoStarts() {
        for (int inode = 1; inode <= 12; inode++) {
            sealedMebibytes(inode, 1);
        }
        forgetWhatHasComeLately();
        Scrubber scrubber = scrubber(false, slow());
        int starts = 1;
        scrubber.scrubNow();
        for (scrubber.start(); isRunning(scrubber) && starts < 12; starts++) {
            long before = scrubber.report().getReplicas();
            while (isRunning(scrubber) && scrubber.report().getReplicas() < before + 3) {
                fixture.timers.advance(A_WHILE);
            }
            scrubber.close();
            scrubber = scrubber(false, slow());
            scrubber.start();
        }

        assertThat(isRunning(scrubber)).isFalse();
        assertThat(scrubber.report().getReplicas()).isBetween(12L, 15L);
    }

    @Test
    void shouldPassByWhatWasNotReadToItsEndByTwoStarts() {
        sealedMebibytes(1, 1);
        sealedMebibytes(2, 16);
        sealedMebibytes(3, 1);
        forgetWhatHasComeLately();
        scrubFor(Duration.ofMinutes(5));
        scrubFor(Duration.ofMinutes(5));

        ScrubReport report = scrubFor(Duration.ofMinutes(5));

        assertThat(report.getRunning()).isFalse();
        assertThat(report.getReplicas()).isEqualTo(2);
    }

    @Test
    void shouldLearnWhatHasComeLatelyBeforeALargeFileWasReadToItsEnd() {
        sealedMebibytes(1, 28);
        try (Scrubber scrubber = scrubber(false, slow())) {
            scrubber.start();
            fixture.timers.advance(A_WHILE);
            sealed(2, 3, "honey");

            fixture.timers.advance(Duration.ofMinutes(25));

            assertThat(fixture.catalog.scrub().checksum(id(2), 3)).isNotNull();
            assertThat(fixture.catalog.scrub().checksum(id(1), 3)).isNull();
            fixture.timers.advance(Duration.ofMinutes(10));
            assertThat(fixture.catalog.scrub().checksum(id(1), 3)).isNotNull();
        }
    }

    /** From one start to its end. */
    private ScrubReport scrubFor(Duration time) {
        try (Scrubber scrubber = scrubber(false, slow())) {
            scrubber.start();
            fixture.timers.advance(time);
            return scrubber.report();
        }
    }

    private static boolean isRunning(Scrubber scrubber) {
        return scrubber.report().getRunning();
    }

    private void sealedMebibytes(long inode, int mebibytes) {
        byte[] part = "h".repeat(1 << 20).getBytes(UTF_8);
        for (long mebibyte = 0; mebibyte < mebibytes; mebibyte++) {
            fixture.write(target(inode), mebibyte << 20, part);
        }
        sealed(inode, 3, "large");
    }

    private void forgetWhatHasComeLately() {
        while (fixture.store.checks().poll() != null) {
            // what has come lately is not of the round
        }
    }

    @Test
    void shouldGoOnWhenAPauseIsEndedThatBeganWhileItWasReading() {
        sealed(5, 3, "honey");
        sealed(6, 3, "money");
        Scrubber scrubber = scrubber(false);
        AtomicBoolean once = new AtomicBoolean(true);
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.READ && once.getAndSet(false)) {
                pace.pause(Duration.ofHours(8));
            }
            return null;
        });
        scrubber.start();
        fixture.timers.advance(A_WHILE);
        assertThat(scrubber.report().getRunning()).isFalse();

        pace.pause(Duration.ZERO);
        fixture.timers.advance(A_WHILE);

        assertThat(scrubber.report().getReplicas()).isEqualTo(2);
        assertThat(scrubber.report().getRunning()).isFalse();
    }

    private Scrubber scrubber(boolean doubtful) {
        return scrubber(doubtful, pace);
    }

    private Scrubber scrubber(boolean doubtful, Pace at) {
        return new Scrubber(
                fixture.store, fixture.catalog, fixture.clock, fixture.timers, Runnable::run, at, PERIOD, doubtful);
    }

    /** A mebibyte takes 64 s. */
    private Pace slow() {
        return pace(new ByteSize(16 << 10));
    }

    private Pace pace(ByteSize rate) {
        return new Pace(fixture.clock, fixture.timers, Pressure.UNKNOWN, User.UNKNOWN, rate);
    }

    private @Nullable Outcome verify(long inode) {
        Verification begun = fixture.store.verifier().begin(id(inode));
        try (begun) {
            return begun == null ? null : begun.read(Long.MAX_VALUE);
        }
    }

    private List<ReplicaId> rotten() {
        return fixture.store.rot().list(null, 10).stream().map(ReplicaId::of).toList();
    }

    private Object digest(long inode) {
        return ContentDigest.of(Objects.requireNonNull(fixture.files.open(id(inode))), fixture.buffers);
    }

    private void sealed(long inode, long version, String content) {
        ReplicaStatus committed = fixture.write(target(inode), 0, content);
        Seal seal = Seal.newBuilder()
                .setReplica(name(inode))
                .setVersion(version)
                .setSize(committed.getSize())
                .setMtime(committed.getMtime())
                .build();
        assertThat(fixture.seal(List.of(seal))).isNull();
    }

    private void arrive(long inode, long version, String content) {
        Fetch fetch = Fetch.newBuilder()
                .setReplica(name(inode))
                .setVersion(version)
                .setSize(content.length())
                .build();
        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch, true));
        ByteBuf bytes = Unpooled.copiedBuffer(content, UTF_8);
        arrival.write(0, bytes);
        bytes.release();
        fixture.store.arrivals().install(List.of(arrival));
        fixture.store.arrivals().end(arrival);
    }

    private void restartWithChecksums() {
        fixture.restart(fixture.catalog.scrub());
    }

    private static ReplicaId id(long inode) {
        return new ReplicaId(inode, 0);
    }
}
