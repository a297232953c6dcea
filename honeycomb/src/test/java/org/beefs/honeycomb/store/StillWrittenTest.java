package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.MIB;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.target;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.Fetch;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.start.StartupScan;
import org.beefs.honeycomb.start.StillWritten;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas that programs still write when the honeycomb starts again. */
class StillWrittenTest {
    private static final ReplicaId ID = new ReplicaId(5, 0);

    private final StoreFixture fixture = new StoreFixture(8, 8192 * MIB);

    /** A program has the file open, and its daemon has died. */
    @BeforeEach
    void writeAndDie() {
        assertThat(fixture.store.pin(target(5), true, false)).isPresent();
        fixture.disk.setOutsideWriter(ID, true);
        append("before ");
        fixture.files = fixture.disk.mount();
    }

    @Test
    void shouldServeACopyWithAllThatWasWrittenBefore() {
        append("after");
        start();

        assertThat(fixture.read(target(5))).isEqualTo("before after");
        assertThat(errnoOf(() -> fixture.disk.appendFenced(bytes("x")))).isEqualTo(Errno.EPERM);
        fixture.append(target(5), " all");
        assertThat(fixture.read(target(5))).isEqualTo("before after all");
    }

    @Test
    void shouldLeaveAloneWhatNobodyWrites() {
        fixture.disk.setOutsideWriter(ID, false);
        assertThat(start()).isEmpty();
        assertThat(fixture.disk.fenced()).isZero();
    }

    @Test
    void shouldAskForWhatIsImmutableAndNobodyWrites() {
        fixture.disk.setOutsideWriter(ID, false);
        flag();

        assertThat(start()).containsExactly(ID);
        assertThat(fixture.disk.immutable()).containsExactly(ID);
    }

    @Test
    void shouldCopyWhatWasClosedBeforeTheCrash() {
        flag();

        assertThat(start()).isEmpty();
        assertThat(fixture.read(target(5))).isEqualTo("before ");
        assertThat(fixture.disk.immutable()).isEmpty();
    }

    @Test
    void shouldCountWhatIsLeftUntilNobodyHoldsIt() {
        start();
        assertThat(fixture.store.fenced()).isEqualTo(1);
        assertThat(fixture.space.used()).isEqualTo(2 * 4096);

        fixture.disk.letGoOfFenced();
        fixture.timers.advance(Leftovers.SWEEP);

        assertThat(fixture.store.fenced()).isZero();
        assertThat(fixture.space.used()).isEqualTo(4096);
        assertThat(fixture.disk.fenced()).isZero();
    }

    @Test
    void shouldFinishWhatACrashHasInterruptedAtAnyStep() {
        for (int steps = 0; !startUntil(steps); steps++) {
            assertThat(fixture.disk.replicas().contains(ID) || fixture.disk.fenced() == 1)
                    .as("content is there after %d steps", steps)
                    .isTrue();
            fixture.files = fixture.disk.mount();
            assertThat(steps).isLessThan(100);
        }
        assertThat(fixture.read(target(5))).isEqualTo("before ");
        assertThat(errnoOf(() -> fixture.disk.appendFenced(bytes("x")))).isEqualTo(Errno.EPERM);
        assertThat(fixture.disk.fenced()).isEqualTo(1);
    }

    @Test
    void shouldStartWithoutWhatCannotBeCopiedAndBringItBackLater() {
        append("after");
        writeOther();
        fail(Operation.COPY, Errno.EIO);
        start();

        assertThat(fixture.read(target(6))).isEqualTo("other");
        assertThatFiveCannotBeUsed();
        assertThat(fixture.space.used()).isEqualTo(2 * 4096);

        fail(Operation.COPY, Errno.ENOSPC);
        startAgain();
        assertThat(fixture.read(target(6))).isEqualTo("other");
        assertThatFiveCannotBeUsed();
        assertThat(fixture.space.used()).isEqualTo(2 * 4096);

        fixture.disk.setFaults(operation -> null);
        startAgain();
        assertThat(fixture.read(target(5))).isEqualTo("before after");
    }

    @Test
    void shouldLoseNothingWhateverStepFails() {
        for (int steps = 0; steps < 5; steps++) {
            AtomicInteger left = new AtomicInteger(steps);
            fixture.disk.setFaults(operation -> changes(operation) && left.getAndDecrement() <= 0 ? Errno.EIO : null);
            startAgain();
            assertThat(fixture.disk.replicas().contains(ID) || fixture.disk.fenced() == 1)
                    .as("content is there after %d steps", steps)
                    .isTrue();
        }
        fixture.disk.setFaults(operation -> null);
        startAgain();
        assertThat(fixture.read(target(5))).isEqualTo("before ");
    }

    @Test
    void shouldStartWithoutWhatCannotBeTakenFromItsName() {
        writeOther();
        fail(Operation.RENAME, Errno.EIO);
        start();

        assertThat(fixture.read(target(6))).isEqualTo("other");
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);

        fixture.disk.setFaults(operation -> null);
        startAgain();
        assertThat(fixture.read(target(5))).isEqualTo("before ");
    }

    @Test
    void shouldAdoptWhatCouldNotBeCopiedAtTheStart() {
        fail(Operation.COPY, Errno.EIO);
        start();
        fixture.disk.setFaults(operation -> null);

        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);

        assertThat(fixture.read(target(9))).isEqualTo("before ");
        assertThat(fixture.catalog.find(ID)).isNull();
        fixture.disk.letGoOfFenced();
        fixture.timers.advance(Leftovers.SWEEP);
        assertThat(fixture.space.used()).isEqualTo(4096);
    }

    @Test
    void shouldLetNoOtherReplicaTakeTheNameOfWhatCouldNotBeCopied() {
        fail(Operation.COPY, Errno.EIO);
        start();
        fixture.disk.setFaults(operation -> null);
        Fetch fetch = Fetch.newBuilder()
                .setReplica(Targets.name(5).toBuilder().setEpoch(EPOCH + 1))
                .setVersion(7)
                .build();

        assertThat(errnoOf(() -> fixture.store.arrivals().begin(fetch, true))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldStartWithoutRoomForWhatWasTaken() {
        fixture.files.fenced().take(ID);
        fixture.disk.setForeign(8192 * MIB - 4096);
        start();
        assertThatFiveCannotBeUsed();

        fixture.disk.setForeign(0);
        startAgain();
        assertThat(fixture.read(target(5))).isEqualTo("before ");
    }

    @Test
    void shouldStartThoughWhatWasCopiedCannotBeOpened() {
        start();
        fixture.disk.letGoOfFenced();
        fixture.files = fixture.disk.mount();
        fixture.space =
                new Space(fixture.files, fixture.clock, OptionalLong.of(fixture.capacity), fixture.reserve, 4096);
        AtomicInteger opened = new AtomicInteger(); // of the folder, and then of the file
        fixture.disk.setFaults(
                operation -> operation == Operation.OPEN && opened.incrementAndGet() > 1 ? Errno.EIO : null);

        fixture.store = fixture.store(8);

        assertThat(fixture.store.fenced()).isEqualTo(1);
        fixture.disk.setFaults(operation -> null);
        fixture.timers.advance(Leftovers.SWEEP);
        assertThat(fixture.store.fenced()).isZero();
        assertThat(fixture.space.used()).isEqualTo(4096);
    }

    private void writeOther() {
        fixture.files.create(description(6)).close();
        fixture.disk.appendOutside(new ReplicaId(6, 0), bytes("other"));
    }

    private static ReplicaDescription description(long inode) {
        return ReplicaDescription.newBuilder()
                .setInode(inode)
                .setEpoch(EPOCH)
                .setKind(ReplicaKind.REPLICA_KIND_PRIMARY)
                .build();
    }

    private void fail(Operation failing, Errno errno) {
        fixture.disk.setFaults(operation -> operation == failing ? errno : null);
    }

    private void assertThatFiveCannotBeUsed() {
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "new"))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.status(target(5)))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.store.examine(Targets.name(5)))).isEqualTo(Errno.EIO);
        assertThat(fixture.files.fenced().uncopied()).hasSize(1);
    }

    private void startAgain() {
        fixture.files = fixture.disk.mount();
        start();
    }

    @Test
    void shouldLetWritersGoOnWhenThereIsNoRoomForACopy() {
        fixture.disk.setForeign(8192 * MIB - 4096);

        start();

        append("after");
        assertThat(fixture.read(target(5))).isEqualTo("before after");
    }

    @Test
    void shouldPutBackWhatWasTakenAndCannotBeClosed() {
        fixture.files.fenced().take(ID);
        startWithoutTheRightToFlag();

        append("after");
        assertThat(fixture.read(target(5))).isEqualTo("before after");
        assertThat(fixture.disk.fenced()).isZero();
    }

    @Test
    void shouldCopyWhatWasTakenAndClosedAndKeepItUntilAStartThatCanRemoveIt() {
        String name = fixture.files.fenced().take(ID);
        Objects.requireNonNull(fixture.files.fenced().open(name)).setImmutable(true);
        startWithoutTheRightToFlag();
        fixture.disk.letGoOfFenced();
        fixture.timers.advance(Leftovers.SWEEP);

        fixture.append(target(5), "after");
        assertThat(fixture.read(target(5))).isEqualTo("before after");
        assertThat(fixture.store.fenced()).isEqualTo(1);
        assertThat(fixture.space.used()).isEqualTo(2 * 4096);
    }

    @Test
    void shouldAskForWhatIsImmutableThoughItCannotBeOpenedAgain() {
        flag();

        assertThat(startWithoutTheRightToFlag()).containsExactly(ID);
        assertThat(fixture.read(target(5))).isEqualTo("before ");
        assertThat(fixture.disk.immutable()).containsExactly(ID);
    }

    /** An adoption has failed, and the file came back to its name as another desktop's. */
    @Test
    void shouldKeepWhatWasTakenWhenItsNameIsAnothers() {
        fixture.files.fenced().take(ID);
        fixture.files
                .create(ReplicaDescription.newBuilder()
                        .setInode(5)
                        .setEpoch(EPOCH + 1)
                        .setKind(ReplicaKind.REPLICA_KIND_SECONDARY)
                        .setVersion(7)
                        .build())
                .close();
        fixture.disk.letGoOfFenced();

        start();
        fixture.timers.advance(Leftovers.SWEEP);

        assertThat(fixture.disk.fenced()).isEqualTo(1);
        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);
        assertThat(fixture.read(target(9))).isEqualTo("before ");
        assertThat(fixture.disk.fenced()).isZero();
        assertThat(fixture.disk.replicas()).contains(ID);
    }

    private static Adoption fiveBecomesNine() {
        return Adoption.newBuilder()
                .setFrom(Targets.name(5))
                .setTo(Targets.name(9))
                .build();
    }

    private Set<ReplicaId> startWithoutTheRightToFlag() {
        fixture.disk.forbidFlags(true);
        fixture.files = fixture.disk.mount();
        return start();
    }

    /** Starts, and dies after so many changes of the disk. Whether it was done before. */
    private boolean startUntil(int steps) {
        AtomicInteger left = new AtomicInteger(steps);
        fixture.disk.setFaults(operation -> {
            if (changes(operation) && left.getAndDecrement() <= 0) {
                throw new IllegalStateException("it dies");
            }
            return null;
        });
        try {
            start();
            return true;
        } catch (IllegalStateException died) {
            return false;
        } finally {
            fixture.disk.setFaults(operation -> null);
        }
    }

    private static boolean changes(Operation operation) {
        return operation == Operation.RENAME || operation == Operation.COPY || operation == Operation.FLAG;
    }

    /** As {@link org.beefs.honeycomb.Honeycomb} does. */
    private Set<ReplicaId> start() {
        StillWritten stillWritten = new StillWritten(fixture.files);
        stillWritten.finish();
        StartupScan.Found found = StartupScan.run(fixture.files, fixture.catalog);
        Set<ReplicaId> closed = stillWritten.replaceWritten(found.unsealed());
        stillWritten.unusable().forEach(says -> StartupScan.refuse(says, fixture.catalog));
        fixture.space = new Space(
                fixture.files, fixture.clock, OptionalLong.of(fixture.capacity), fixture.reserve, found.used());
        fixture.store = fixture.store(8);
        return closed;
    }

    private void flag() {
        try (ReplicaFile file = fixture.files.open(ID)) {
            if (file != null) {
                file.setImmutable(true);
            }
        }
    }

    private void append(String text) {
        fixture.disk.appendOutside(ID, bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
