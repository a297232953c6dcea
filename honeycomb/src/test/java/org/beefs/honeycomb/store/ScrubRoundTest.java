package org.beefs.honeycomb.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.InspectReplicas;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.memory.MemoryScrubStore;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.pace.Pressure;
import org.beefs.honeycomb.pace.User;
import org.beefs.honeycomb.scrub.Scrubber;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.Verifier.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a round reads, and what is believed before it is over. */
class ScrubRoundTest {
    private static final Duration PERIOD = Duration.ofDays(14);
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final StoreFixture fixture = new StoreFixture();
    private final Pace pace =
            new Pace(fixture.clock, fixture.timers, Pressure.UNKNOWN, User.UNKNOWN, new ByteSize(4 << 20));

    @Test
    void shouldStillDoubtWhatARoundHasNotReachedWhenAnOrderlyStopHasInterruptedIt() {
        sealedMebibytes(5, 8);
        sealed(6, "money");
        learnAll();
        fixture.disk.flipABit(id(6));
        interruptADoubtfulRound();

        Scrubber scrubber = scrubber(false);
        scrubber.start();

        assertThat(errnoOf(() -> fixture.read(target(6)))).isEqualTo(Errno.EIO);
        fixture.timers.advance(A_WHILE);
        assertThat(scrubber.report().getRunning()).isFalse();
        assertThat(scrubber.report().getReplicas()).as("the round has gone on").isEqualTo(1);
    }

    @Test
    void shouldBelieveReplicasAgainAfterTheEndOfARoundThatWasInterrupted() {
        sealedMebibytes(5, 8);
        sealed(6, "money");
        learnAll();
        interruptADoubtfulRound();
        try (Scrubber scrubber = scrubber(false)) {
            scrubber.start();
            fixture.timers.advance(A_WHILE);
            assertThat(scrubber.report().getRunning()).isFalse();
        }
        fixture.restart(fixture.catalog.scrub());
        fixture.disk.flipABit(id(6));

        scrubber(false).start();

        assertThat(fixture.read(target(6))).isNotEqualTo("money");
    }

    @Test
    void shouldReadNothingMoreOfAReplicaThatWasRemoved() {
        sealedMebibytes(5, 12);
        AtomicInteger reads = countReads();
        try (Scrubber scrubber = scrubber(false)) {
            scrubber.start();
            fixture.timers.advance(Duration.ofSeconds(3));
            assertThat(reads).hasPositiveValue();
            fixture.store.drop(name(5));
            reads.set(0);

            fixture.timers.advance(A_WHILE);

            assertThat(reads).hasValue(0);
        }
    }

    @Test
    void shouldCloseALargeFileThatIsSetAsideWhenItIsRemoved() {
        sealedMebibytes(5, 28);
        try (Scrubber scrubber = scrubber(false)) {
            scrubber.start();
            fixture.timers.advance(Duration.ofSeconds(7));
            sealed(6, "honey");
            fixture.timers.advance(Duration.ofMillis(1100));
            assertThat(fixture.store.checks().isEmpty())
                    .as("replica 5 is set aside")
                    .isTrue();
            fixture.store.drop(name(5));

            fixture.timers.advance(Duration.ofSeconds(1));

            assertThat(fixture.store.close()).as("nothing is in use").isDone();
        }
    }

    /** Its room must not stay taken for as long as the pause. */
    @Test
    void shouldCloseAFileThatIsRemovedInAPauseThatBeganWhileItWasRead() {
        sealedMebibytes(5, 12);
        AtomicBoolean once = new AtomicBoolean(true);
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.READ && once.getAndSet(false)) {
                pace.pause(Duration.ofHours(8));
            }
            return null;
        });
        try (Scrubber scrubber = scrubber(false)) {
            scrubber.start();
            fixture.timers.advance(Duration.ofSeconds(3));
            assertThat(once).isFalse();
            fixture.store.drop(name(5));

            fixture.timers.advance(Duration.ofSeconds(3));

            assertThat(fixture.store.close()).as("nothing is in use").isDone();
        }
    }

    @Test
    void shouldReadEverythingOnceAfterADisorderlyStop() {
        sealedMebibytes(5, 8);
        sealed(6, "money");
        learnAll();
        sealed(7, "without a checksum");

        int doubtful = readsOfARound(true);

        assertThat(doubtful).isEqualTo(readsOfARound(false));
    }

    /** After a start. */
    private int readsOfARound(boolean doubtful) {
        fixture.restart(fixture.catalog.scrub());
        AtomicInteger reads = countReads();
        try (Scrubber scrubber = scrubber(doubtful)) {
            scrubber.scrubNow();
            scrubber.start();
            fixture.timers.advance(A_WHILE);
            assertThat(scrubber.report().getRunning()).isFalse();
        }
        return reads.get();
    }

    @Test
    void shouldBelieveWhatTheScrubHasComparedAfterADisorderlyStop() {
        sealed(5, "honey");
        learnAll();
        fixture.restart(fixture.catalog.scrub());
        fixture.store.doubts().begin();
        fixture.disk.setMemory(() -> true);

        assertThat(verify(5)).isEqualTo(Outcome.SOUND);

        Payload read = fixture.store.readAtHand(target(5), 0, 10);
        assertThat(read).as("without comparing it first").isNotNull();
        Objects.requireNonNull(read).close();
    }

    @Test
    void shouldGoOnWithALargeFileThatIsOpenedWhileItIsReadAfterADisorderlyStop() {
        sealedMebibytes(5, 28);
        fixture.restart(fixture.catalog.scrub());
        try (Scrubber scrubber = scrubber(true)) {
            scrubber.start();
            fixture.timers.advance(Duration.ofSeconds(7));
            assertThat(fixture.read(target(5))).isNotEmpty();
            fixture.timers.advance(Duration.ofSeconds(3));

            assertThat(scrubber.report().getReplicas()).isEqualTo(1);
        }
    }

    @Test
    void shouldStillDoubtAReplicaThatARoundCouldNotLookAt() {
        sealed(5, "honey");
        learnAll();
        fixture.restart(fixture.catalog.scrub());
        fixture.disk.flipABit(id(5));
        fixture.disk.setFaults(operation -> operation == Operation.OPEN ? Errno.ENFILE : null);
        try (Scrubber scrubber = scrubber(true)) {
            scrubber.start();
            fixture.timers.advance(A_WHILE);
            assertThat(scrubber.report().getRunning()).isFalse();
            fixture.disk.setFaults(operation -> null);

            assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        }
    }

    @Test
    void shouldCompareInTheEndWhatItCouldNotLookAt() {
        sealed(5, "honey");
        learnAll();
        fixture.disk.flipABit(id(5));
        fixture.restart(fixture.catalog.scrub());
        fixture.disk.setFaults(operation -> operation == Operation.OPEN ? Errno.ENFILE : null);
        try (Scrubber scrubber = scrubber(true)) {
            scrubber.start();
            fixture.timers.advance(A_WHILE);
            fixture.disk.setFaults(operation -> null);

            fixture.timers.advance(Duration.ofMinutes(2));

            assertThat(scrubber.progress().getRottenTotal()).isEqualTo(1);
        }
    }

    @Test
    void shouldStillDoubtAReplicaOfWhichTheCatalogDidNotTellTheChecksum() {
        sealed(5, "honey");
        sealed(6, "money");
        learnAll();
        MemoryScrubStore checksums = (MemoryScrubStore) fixture.catalog.scrub();
        fixture.restart(checksums);
        fixture.disk.flipABit(id(5));
        checksums.failReads(true);
        try (Scrubber scrubber = scrubber(true)) {
            scrubber.start();
            fixture.timers.advance(A_WHILE);
            checksums.failReads(false);

            assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
            fixture.timers.advance(Duration.ofMinutes(2));
            fixture.disk.flipABit(id(6));
            assertThat(fixture.read(target(6)))
                    .as("it was compared, and is believed")
                    .isNotEqualTo("money");
        }
    }

    /** As one whose checksum lies in a damaged block of the catalog: the others would be in doubt for ever. */
    @Test
    void shouldLeaveToTheNextRoundWhatCouldNotBeCheckedInManyAttempts() {
        sealed(5, "honey");
        learnAll();
        MemoryScrubStore checksums = (MemoryScrubStore) fixture.catalog.scrub();
        fixture.restart(checksums);
        checksums.failReads(true);
        try (Scrubber scrubber = scrubber(true)) {
            scrubber.start();
            fixture.timers.advance(Duration.ofMinutes(10));
            checksums.failReads(false);
            fixture.disk.flipABit(id(5));

            assertThat(fixture.read(target(5))).as("it is believed again").isNotEqualTo("honey");
            scrubber.scrubNow();
            fixture.timers.advance(A_WHILE);
            assertThat(scrubber.progress().getRottenTotal()).isEqualTo(1);
        }
    }

    /** Reading and hashing what is going to be thrown away would keep the threads busy on which others sync. */
    @Test
    void shouldNotCompareWhatIsRemovedAfterADisorderlyStop() {
        sealed(5, "honey");
        learnAll();

        AtomicInteger reads = countReadsAfterADisorderlyStop();
        fixture.store.drop(name(5));

        assertThat(reads).as("its description").hasValue(1);
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldNotCompareWhatIsOnlyInspectedAfterADisorderlyStop() {
        sealed(5, "honey");
        learnAll();

        AtomicInteger reads = countReadsAfterADisorderlyStop();
        InspectReplicas next = InspectReplicas.newBuilder().setLimit(1).build();
        List<ReplicaLook> looks = fixture.store.inspect(next).join();

        assertThat(looks).singleElement().matches(ReplicaLook::hasStatus, "was looked at");
        assertThat(reads)
                .as("its description, by the store and from the folder")
                .hasValue(2);
    }

    private AtomicInteger countReadsAfterADisorderlyStop() {
        fixture.restart(fixture.catalog.scrub());
        fixture.store.doubts().begin();
        return countReads();
    }

    private @Nullable Outcome verify(long inode) {
        try (Verification begun = fixture.store.verifier().begin(id(inode))) {
            return begun == null ? null : begun.read(Long.MAX_VALUE);
        }
    }

    private AtomicInteger countReads() {
        AtomicInteger reads = new AtomicInteger();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.READ) {
                reads.incrementAndGet();
            }
            return null;
        });
        return reads;
    }

    /** Before it has come to the end of replica 5. The next start finds what an orderly stop leaves. */
    private void interruptADoubtfulRound() {
        fixture.restart(fixture.catalog.scrub());
        try (Scrubber scrubber = scrubber(true)) {
            scrubber.start();
        }
        fixture.restart(fixture.catalog.scrub());
    }

    private void learnAll() {
        try (Scrubber scrubber = scrubber(false)) {
            scrubber.start();
            fixture.timers.advance(A_WHILE);
        }
        assertThat(fixture.store.checks().isEmpty()).isTrue();
    }

    private Scrubber scrubber(boolean doubtful) {
        return new Scrubber(
                fixture.store, fixture.catalog, fixture.clock, fixture.timers, Runnable::run, pace, PERIOD, doubtful);
    }

    private void sealedMebibytes(long inode, int mebibytes) {
        byte[] part = "h".repeat(1 << 20).getBytes(UTF_8);
        for (long mebibyte = 0; mebibyte < mebibytes; mebibyte++) {
            fixture.write(target(inode), mebibyte << 20, part);
        }
        sealed(inode, "large");
    }

    private void sealed(long inode, String begins) {
        ReplicaStatus committed = fixture.write(target(inode), 0, begins);
        Seal seal = Seal.newBuilder()
                .setReplica(name(inode))
                .setVersion(3)
                .setSize(committed.getSize())
                .setMtime(committed.getMtime())
                .build();
        assertThat(fixture.seal(List.of(seal))).isNull();
    }

    private static ReplicaId id(long inode) {
        return new ReplicaId(inode, 0);
    }
}
