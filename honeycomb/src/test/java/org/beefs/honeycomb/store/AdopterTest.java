package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.MIB;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.target;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.start.StillWritten;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.junit.jupiter.api.Test;

/** Replicas whose content becomes another file's. */
class AdopterTest {
    private static final ReplicaId FIVE = new ReplicaId(5, 0);
    private static final ReplicaId NINE = new ReplicaId(9, 0);

    private final StoreFixture fixture = new StoreFixture(8, 8192 * MIB);

    @Test
    void shouldKeepContentAndTimesUnderAnotherNumber() {
        ReplicaStatus before = fixture.write(target(5), 0, "changes");

        ReplicaStatus after = fixture.store.adopt(fiveBecomesNine());

        assertThat(after.getSize()).isEqualTo(7);
        assertThat(after.getMtime()).isEqualTo(before.getMtime());
        assertThat(fixture.disk.replicas()).containsExactly(NINE);
        assertThat(fixture.read(target(9))).isEqualTo("changes");
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.ESTALE);
        assertThat(fixture.space.used()).isEqualTo(4096);
        assertThat(fixture.catalog.find(FIVE)).isNull();
        assertThat(fixture.catalog.find(NINE)).isNotNull();
    }

    @Test
    void shouldAnswerTheSameWhenAskedAgain() {
        fixture.write(target(5), 0, "changes");
        fixture.store.adopt(fiveBecomesNine());
        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);

        fixture.restart();
        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);
    }

    @Test
    void shouldAnswerThatThereIsNothingToAdopt() {
        assertThat(fixture.store.adopt(fiveBecomesNine()).getExists()).isFalse();
        fixture.write(target(5), 0, "of another epoch");
        Adoption other = fiveBecomesNine().toBuilder()
                .setFrom(name(5).setEpoch(EPOCH + 1))
                .build();

        assertThat(fixture.store.adopt(other).getExists()).isFalse();
        assertThat(fixture.disk.replicas()).containsExactly(FIVE);
    }

    @Test
    void shouldKeepProgramsFromWritingTheOtherFile() {
        ReplicaPin pin = fixture.store.pin(target(5), true, false).orElseThrow();
        fixture.disk.setOutsideWriter(FIVE, true);
        fixture.disk.appendOutside(FIVE, bytes("changes"));

        fixture.store.adopt(fiveBecomesNine());

        assertThat(errnoOf(() -> fixture.disk.appendFenced(bytes("x")))).isEqualTo(Errno.EPERM);
        assertThat(fixture.read(target(9))).isEqualTo("changes");
        assertThat(fixture.store.fenced()).isEqualTo(1);
        fixture.disk.letGoOfFenced();
        pin.release();
        fixture.timers.advance(Duration.ofSeconds(10));
        assertThat(fixture.store.fenced()).isZero();
    }

    @Test
    void shouldLetGoOfTheOneReplicaWhenTheOtherCannotBeOpened() {
        fixture.write(target(5), 0, "changes");
        fixture.write(target(9), 0, "other");
        fixture.restart();
        AtomicInteger opened = new AtomicInteger();
        fixture.disk.setFaults(
                operation -> operation == Operation.OPEN && opened.incrementAndGet() == 2 ? Errno.ENFILE : null);

        assertThat(errnoOf(() -> fixture.store.adopt(fiveBecomesNine()))).isEqualTo(Errno.ENFILE);

        assertThat(fixture.store.close()).as("nothing is in use").isDone();
    }

    @Test
    void shouldAdoptOneAtATimeSoThatRepetitionsTakeNoThreads() {
        fixture.write(target(5), 0, "changes");
        List<Errno> second = new ArrayList<>();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.COPY && second.isEmpty()) {
                second.add(errnoOf(() -> fixture.store.adopt(fiveBecomesNine())));
            }
            return null;
        });

        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);

        assertThat(second).containsExactly(Errno.EAGAIN);
        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);
    }

    @Test
    void shouldCopyNothingThatThereIsNoRoomFor() {
        StoreFixture small = new StoreFixture();
        for (int i = 0; i < 12; i++) {
            small.write(target(5), i * MIB, new byte[(int) MIB]);
            small.write(target(6), i * MIB, new byte[(int) MIB]);
        }

        assertThat(errnoOf(() -> small.store.adopt(fiveBecomesNine()))).isEqualTo(Errno.ENOSPC);
        assertThat(small.disk.replicas()).contains(FIVE).doesNotContain(NINE);
        assertThat(small.disk.fenced()).isZero();

        small.store.drop(Targets.name(6));
        assertThat(small.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(12 * MIB);
        assertThat(small.space.available()).isEqualTo(small.capacity - small.space.used());
    }

    @Test
    void shouldLeaveNoCopyBehindThatTheCatalogDoesNotHave() {
        fixture.write(target(5), 0, "changes");
        fixture.catalog.failWrites(true);

        assertThat(errnoOf(() -> fixture.store.adopt(fiveBecomesNine()))).isEqualTo(Errno.EIO);
        assertThat(fixture.disk.replicas()).isEmpty();

        fixture.catalog.failWrites(false);
        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);
        assertThat(fixture.catalog.find(NINE)).isNotNull();
        assertThat(fixture.space.used()).isEqualTo(4096);
    }

    @Test
    void shouldGoOnAfterAFailureAtAnyStep() {
        fixture.write(target(5), 0, "changes");
        for (int steps = 0; !adoptUntil(steps); steps++) {
            assertThat(steps).isLessThan(100);
        }
        assertThat(fixture.read(target(9))).isEqualTo("changes");
        assertThat(fixture.disk.replicas()).containsExactly(NINE);
        assertThat(fixture.disk.fenced()).isZero();
    }

    @Test
    void shouldGoOnAfterACrashAtAnyStep() {
        fixture.write(target(5), 0, "changes");
        for (int steps = 0; !adoptUntil(steps); steps++) {
            fixture.files = fixture.disk.mount();
            new StillWritten(fixture.files).finish();
            fixture.restart();
            assertThat(steps).isLessThan(100);
        }
        assertThat(fixture.read(target(9))).isEqualTo("changes");
        assertThat(fixture.disk.replicas()).containsExactly(NINE);
    }

    @Test
    void shouldAdoptWhatAFailedAttemptHasTakenThoughNothingHasItOpenAnyMore() {
        failToAdoptFive();

        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);

        assertThat(fixture.read(target(9))).isEqualTo("changes");
        assertThat(fixture.disk.fenced()).isZero();
        assertThat(fixture.catalog.find(FIVE)).isNull();
        assertThat(fixture.space.used())
                .isEqualTo(fixture.disk.replicas().size() * 4096L)
                .isEqualTo(10 * 4096);
    }

    @Test
    void shouldAdoptWhatAFailedAttemptHasTakenAndKeepWhatHasItsNameByNow() {
        failToAdoptFive();
        ReplicaDescription secondary = ReplicaDescription.newBuilder()
                .setInode(5)
                .setEpoch(EPOCH + 1)
                .setKind(ReplicaKind.REPLICA_KIND_SECONDARY)
                .setVersion(7)
                .build();
        fixture.files.create(secondary).close();
        fixture.catalog.put(secondary);

        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);

        assertThat(fixture.read(target(9))).isEqualTo("changes");
        assertThat(fixture.disk.replicas()).contains(FIVE);
        assertThat(fixture.catalog.find(FIVE)).isEqualTo(secondary);
        assertThat(fixture.disk.fenced()).isZero();
    }

    @Test
    void shouldNotTakeForAnEpochWhatWasTakenOfAnother() {
        failToAdoptFive();
        Adoption other = fiveBecomesNine().toBuilder()
                .setFrom(name(5).setEpoch(EPOCH + 1))
                .build();

        assertThat(fixture.store.adopt(other).getExists()).isFalse();

        assertThat(fixture.store.adopt(fiveBecomesNine()).getSize()).isEqualTo(7);
    }

    /** The replica is taken from its name and not copied, and then others are used until its file is closed. */
    private void failToAdoptFive() {
        fixture.write(target(5), 0, "changes");
        fixture.disk.setFaults(operation -> operation == Operation.COPY ? Errno.ENOSPC : null);
        assertThat(errnoOf(() -> fixture.store.adopt(fiveBecomesNine()))).isEqualTo(Errno.ENOSPC);
        fixture.disk.setFaults(operation -> null);
        for (int inode = 21; inode < 30; inode++) {
            fixture.write(target(inode), 0, "other");
        }
    }

    private boolean adoptUntil(int steps) {
        AtomicInteger left = new AtomicInteger(steps);
        fixture.disk.setFaults(operation -> changes(operation) && left.getAndDecrement() <= 0 ? Errno.EIO : null);
        try {
            fixture.store.adopt(fiveBecomesNine());
            return true;
        } catch (PosixException failed) {
            return false;
        } finally {
            fixture.disk.setFaults(operation -> null);
        }
    }

    private static boolean changes(Operation operation) {
        return switch (operation) {
            case RENAME, COPY, FLAG, DELETE -> true;
            default -> false;
        };
    }

    private static Adoption fiveBecomesNine() {
        return Adoption.newBuilder().setFrom(name(5)).setTo(name(9)).build();
    }

    private static ReplicaName.Builder name(long inode) {
        return ReplicaName.newBuilder().setInode(inode).setEpoch(EPOCH);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
