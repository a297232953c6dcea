package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.MIB;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.committed;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.readOnly;
import static org.beefs.honeycomb.store.Targets.target;
import static org.beefs.honeycomb.store.Targets.writeOnly;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.linux.Inodes;
import org.beefs.common.posix.Errno;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replicas whose files are written in passthrough. */
class PinTest {
    private static final ReplicaId ID = new ReplicaId(5, 0);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final StoreFixture fixture = new StoreFixture(1, 8192 * MIB);

    @Test
    void shouldMakeAReplicaThatIsToBeWritten() {
        ReplicaPin pin = pin(true);

        assertThat(fixture.disk.replicas()).containsExactly(ID);
        ReplicaStatus status = pin.release().join();
        assertThat(status.getExists()).isTrue();
        assertThat(status.getSize()).isZero();
    }

    @Test
    void shouldSayOfAReplicaThatItIsUntouchedUntilItsContentChanges() {
        assertThat(pin(true).release().join().getUntouched()).isTrue();
        assertThat(pin(true).release().join().getUntouched()).as("opened again").isTrue();

        assertThat(fixture.write(target(5), 0, "honey").getUntouched()).isFalse();
        assertThat(fixture.store.truncate(target(5), 0).join().getUntouched())
                .as("empty again")
                .isFalse();
    }

    @Test
    void shouldNotMakeAReplicaThatIsOnlyRead() {
        assertThat(fixture.store.pin(target(5), false, false)).isEmpty();
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldNotPinACommittedReplicaThatIsMissing() {
        assertThat(fixture.store.pin(committed(5, 3), false, false))
                .as("who reads it asks the store, and then others")
                .isEmpty();
        assertThat(errnoOf(() -> fixture.store.pin(committed(5, 3), true, false)))
                .isEqualTo(Errno.EIO);
    }

    @Test
    void shouldNotPinForAReaderWhatCannotBeOpened() {
        fixture.catalog.see(ID.inode());
        fixture.disk.addUndescribed(ID);

        assertThat(fixture.store.pin(committed(5, 3), false, false))
                .as("who reads it asks the store, and then others")
                .isEmpty();
        assertThat(errnoOf(() -> fixture.store.pin(committed(5, 3), true, false)))
                .isEqualTo(Errno.EIO);
    }

    @Test
    void shouldAskForTheRightToReadOrWrite() {
        fixture.write(target(5), 0, "honey");

        assertThat(errnoOf(() -> fixture.store.pin(readOnly(5), true, false))).isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> fixture.store.pin(writeOnly(5), false, false))).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldTakeTheVersionOffBeforeAnybodyCanWrite() {
        sealed(3);
        pin(false);
        assertThat(version()).isEqualTo(3);

        pin(true);

        assertThat(version()).isZero();
        assertThat(Objects.requireNonNull(fixture.catalog.find(ID)).getVersion())
                .isZero();
    }

    @Test
    void shouldNotSealWhatMayBeWritten() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        ReplicaPin pin = pin(true);

        fixture.seal(List.of(seal(committed, 3)));
        assertThat(version()).as("while it is pinned").isZero();

        fixture.disk.setOutsideWriter(ID, true);
        pin.release();
        fixture.seal(List.of(seal(committed, 3)));
        assertThat(version()).as("while it is mapped").isZero();

        fixture.disk.setOutsideWriter(ID, false);
        fixture.timers.advance(LONG);
        fixture.seal(List.of(seal(committed, 3)));
        assertThat(version()).isEqualTo(3);
    }

    @Test
    void shouldNotSealWhatIsPinnedWhileItsContentGoesToDisk() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.SYNC) {
                fixture.disk.setFaults(none -> null);
                pin(true).release();
            }
            return null;
        });

        fixture.seal(List.of(seal(committed, 3)));

        assertThat(version()).isZero();
    }

    @Test
    void shouldShowAtOnceWhatWasWrittenInPassthrough() {
        pin(true);
        fixture.disk.appendOutside(ID, bytes("honey"));

        assertThat(fixture.status(target(5)).getSize()).isEqualTo(5);
        assertThat(fixture.read(target(5))).isEqualTo("honey");
        fixture.append(target(5), "comb");
        assertThat(fixture.read(target(5))).isEqualTo("honeycomb");
    }

    @Test
    void shouldCountTheSpaceThatWasTakenInPassthrough() {
        ReplicaPin pin = pin(true);
        fixture.disk.appendOutside(ID, new byte[(int) MIB]);
        fixture.store.recount();
        assertThat(fixture.space.used()).isEqualTo(MIB);

        fixture.disk.appendOutside(ID, new byte[(int) MIB]);
        pin.release().join();
        assertThat(fixture.space.used()).isEqualTo(2 * MIB);
    }

    @Test
    void shouldTellTheLastStateOnlyWhenNobodyWritesAnyMore() {
        ReplicaPin pin = pin(true);
        fixture.disk.setOutsideWriter(ID, true);

        CompletableFuture<ReplicaStatus> last = pin.release();
        fixture.timers.advance(LONG);
        assertThat(last).isNotDone();
        fixture.disk.appendOutside(ID, bytes("honey"));
        fixture.disk.setOutsideWriter(ID, false);
        fixture.timers.advance(LONG);

        assertThat(last.join().getSize()).isEqualTo(5);
        assertThat(fixture.timers.size()).isZero();
    }

    @Test
    void shouldBePinnedToWriteUntilNobodyWritesAnyMore() {
        assertThat(fixture.store.isPinnedToWrite(target(5))).isFalse();
        ReplicaPin pin = pin(true);
        assertThat(fixture.store.isPinnedToWrite(target(5))).isTrue();
        assertThat(fixture.store.isPinnedToWrite(target(6))).isFalse();

        fixture.disk.setOutsideWriter(ID, true);
        pin.release();
        assertThat(fixture.store.isPinnedToWrite(target(5)))
                .as("while it is mapped")
                .isTrue();

        fixture.disk.setOutsideWriter(ID, false);
        fixture.timers.advance(LONG);
        assertThat(fixture.store.isPinnedToWrite(target(5))).isFalse();
        pin(false);
        assertThat(fixture.store.isPinnedToWrite(target(5))).as("by a reader").isFalse();
    }

    @Test
    void shouldLookLessAndLessOften() {
        ReplicaPin pin = pin(true);
        fixture.disk.setOutsideWriter(ID, true);
        int[] looks = {0};
        fixture.disk.setFaults(operation -> {
            looks[0] += operation == Operation.STATUS ? 1 : 0;
            return null;
        });

        pin.release();
        fixture.timers.advance(Duration.ofMillis(2));
        assertThat(looks[0]).isEqualTo(2);
        fixture.timers.advance(Duration.ofMinutes(1));
        assertThat(looks[0]).isLessThan(45);
    }

    @Test
    void shouldLeaveTheLastLookToAnotherPinThatMayWrite() {
        ReplicaPin first = pin(true);
        ReplicaPin second = pin(true);
        fixture.disk.setOutsideWriter(ID, true);

        assertThat(first.release()).as("while another is there").isCompleted();
        CompletableFuture<ReplicaStatus> last = second.release();
        assertThat(last).isNotDone();
        ReplicaPin third = pin(true);
        assertThat(last).as("when another comes").isCompleted();

        CompletableFuture<ReplicaStatus> end = third.release();
        assertThat(end).isNotDone();
        fixture.disk.setOutsideWriter(ID, false);
        fixture.timers.advance(LONG);
        assertThat(end.join().getObservation()).isGreaterThan(last.join().getObservation());
    }

    @Test
    void shouldReleaseAReaderAtOnce() {
        fixture.write(target(5), 0, "honey");
        fixture.disk.setOutsideWriter(ID, true);

        assertThat(pin(false).release()).isCompleted();
    }

    @Test
    void shouldNotCallAReplicaExaminedThatIsStillWritten() {
        ReplicaPin pin = pin(true);
        assertThat(errnoOf(() -> fixture.store.examine(name(5)))).isEqualTo(Errno.EBUSY);

        fixture.disk.setOutsideWriter(ID, true);
        pin.release();
        assertThat(errnoOf(() -> fixture.store.examine(name(5)))).isEqualTo(Errno.EBUSY);

        fixture.disk.setOutsideWriter(ID, false);
        assertThat(fixture.store.examine(name(5)).getExists()).isTrue();
    }

    @Test
    void shouldFindAWriterThatItsDaemonHasNotSurvived() {
        pin(true);
        fixture.disk.setOutsideWriter(ID, true);

        fixture.restart();

        assertThat(errnoOf(() -> fixture.store.examine(name(5)))).isEqualTo(Errno.EBUSY);
    }

    @Test
    void shouldKeepARemovedFileForThoseWhoHaveItPinned() {
        ReplicaPin pin = pin(true);
        fixture.disk.appendOutside(ID, new byte[(int) MIB]);
        fixture.store.recount();

        fixture.store.drop(name(5));

        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(pin.release()).isCompletedWithValueMatching(status -> status.getSize() == MIB);
        assertThat(fixture.space.used()).isZero();
    }

    @Test
    void shouldGoThroughTheStoreWhereSpaceIsShort() {
        assertThat(fixture.store.pin(target(5), true, false)).isPresent();
        fixture.disk.setForeign(8192 * MIB - fixture.reserve - 1000 * MIB);
        fixture.clock.advance(Duration.ofSeconds(1));

        assertThat(fixture.store.pin(target(6), true, false)).isEmpty();
        assertThat(fixture.store.pin(target(5), true, true)).as("required").isPresent();
    }

    @Test
    void shouldGoThroughAHoneycombThatIsSmall() {
        StoreFixture small = new StoreFixture();

        assertThat(small.store.pin(target(5), true, false)).isEmpty();
        assertThat(small.disk.replicas()).isEmpty();
    }

    @Test
    void shouldGoThroughAHoneycombWhoseDiskTakesNoMoreFiles() {
        fixture.disk.setInodes(new Inodes(1_000_000, 0));
        fixture.clock.advance(Duration.ofSeconds(1));

        assertThat(fixture.store.pin(target(5), true, false)).isEmpty();
        assertThat(errnoOf(() -> fixture.store.pin(target(5), true, true))).isEqualTo(Errno.ENOSPC);
    }

    /** Nobody makes room for an open, but for a write that goes through the store. */
    @ParameterizedTest
    @EnumSource(names = {"ENOSPC", "EDQUOT"})
    void shouldGoThroughAHoneycombWhoseDiskRefusesAFile(Errno full) {
        fixture.disk.setFaults(operation -> operation == Operation.CREATE ? full : null);

        assertThat(fixture.store.pin(target(5), true, false)).isEmpty();
        assertThat(errnoOf(() -> fixture.store.pin(target(5), true, true))).isEqualTo(full);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(full);

        fixture.disk.setFaults(none -> null);
        fixture.write(target(5), 0, "x");
    }

    @Test
    void shouldPinNoMoreThanItsBound() {
        for (int i = 0; i < Pins.MOST; i++) {
            pin(true);
        }
        assertThat(fixture.store.pin(target(5), true, false)).isEmpty();
        assertThat(fixture.store.pin(target(5), true, true)).isPresent();
    }

    @Test
    void shouldReserveNothingForWritesInsideWhatWasWrittenInPassthrough() {
        pin(true);
        fixture.disk.appendOutside(ID, new byte[(int) (8 * MIB)]);
        fixture.disk.setForeign(8192 * MIB - fixture.reserve - 8 * MIB);
        fixture.clock.advance(Duration.ofSeconds(1));

        fixture.write(target(5), 7 * MIB, new byte[(int) MIB]);
        assertThat(errnoOf(() -> fixture.write(target(5), 8 * MIB, "x"))).isEqualTo(Errno.ENOSPC);
    }

    @Test
    void shouldGiveUpWaitingWhenItStops() {
        ReplicaPin departing = pin(true);
        fixture.disk.setOutsideWriter(ID, true);
        CompletableFuture<ReplicaStatus> last = departing.release();
        ReplicaPin kept = fixture.store.pin(target(6), true, false).orElseThrow();

        CompletableFuture<Void> closed = fixture.store.close();

        assertThat(errnoOf(last::join)).isEqualTo(Errno.ENOTCONN);
        assertThat(errnoOf(() -> kept.release().join())).isEqualTo(Errno.ENOTCONN);
        assertThat(errnoOf(closed::join)).as("what is used may change").isEqualTo(Errno.EBUSY);
        assertThat(errnoOf(() -> pin(true))).isEqualTo(Errno.ENOTCONN);
        fixture.timers.advance(LONG);
        assertThat(fixture.timers.size()).isZero();
    }

    @Test
    void shouldTellAFailureOfTheDiskToWhoeverReleases() {
        ReplicaPin pin = pin(true);
        fixture.disk.setFaults(operation -> operation == Operation.STATUS ? Errno.EIO : null);

        assertThat(errnoOf(() -> pin.release().join())).isEqualTo(Errno.EIO);
    }

    private ReplicaPin pin(boolean write) {
        return fixture.store.pin(target(5), write, false).orElseThrow();
    }

    private void sealed(long version) {
        fixture.seal(List.of(seal(fixture.write(target(5), 0, "honey"), version)));
    }

    private static Seal seal(ReplicaStatus committed, long version) {
        return Seal.newBuilder()
                .setReplica(name(committed.getInode()))
                .setVersion(version)
                .setSize(committed.getSize())
                .setMtime(committed.getMtime())
                .build();
    }

    private long version() {
        ReplicaFile file = Objects.requireNonNull(fixture.files.open(ID), "replica file");
        return Objects.requireNonNull(file.description(), "description").getVersion();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
