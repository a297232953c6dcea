package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.beefs.honeycomb.store.StoreFixture.MIB;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of replicas that programs write in passthrough when the lease runs out. */
class FenceTest {
    private static final ReplicaId FIVE = new ReplicaId(5, 0);
    private static final ReplicaId SIX = new ReplicaId(6, 0);
    private static final Duration LEASE = Duration.ofSeconds(25);

    private final StoreFixture fixture = new StoreFixture(8, 8192 * MIB);

    @BeforeEach
    void register() {
        fixture.gate = new WriteGate(fixture.clock, Set.of());
        fixture.store = fixture.store(8);
        settle(Set.of());
    }

    @Test
    void shouldTakeNoChangesBeforeTheFirstRegistration() {
        fixture.gate = new WriteGate(fixture.clock, Set.of());
        fixture.store = fixture.store(8);

        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.EAGAIN);
        assertThat(fixture.store.pin(target(5), true, false)).isEmpty();
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldCloseWhatProgramsWriteWhenTheLeaseRunsOut() {
        pin(5);
        fixture.write(target(6), 0, "six");
        fixture.timers.advance(LEASE.minusMillis(1));
        assertThat(fixture.disk.immutable()).isEmpty();

        fixture.timers.advance(Duration.ofMillis(1));

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
        assertThat(errnoOf(() -> fixture.disk.appendOutside(FIVE, bytes("x")))).isEqualTo(Errno.EPERM);
        assertThat(fixture.store.fenced()).isEqualTo(1);
    }

    @Test
    void shouldCloseWhatIsStillMappedAfterItsRelease() {
        ReplicaPin pin = pin(5);
        fixture.disk.setOutsideWriter(FIVE, true);
        pin.release();

        fixture.timers.advance(LEASE);

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldCloseWhatProgramsWriteThoughTheDiskHadTooMuchToDoBefore() {
        AtomicBoolean busy = refuseWorkWhile(() -> {
            throw new RejectedExecutionException();
        });
        settle(Set.of());
        pin(5);
        busy.set(true);
        fixture.timers.advance(LEASE);
        assertThat(fixture.disk.immutable()).isEmpty();
        busy.set(false);

        fixture.timers.advance(Fence.LOOK);

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldLookAgainAfterAnError() {
        AtomicBoolean broken = refuseWorkWhile(() -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        settle(Set.of());
        pin(5);
        broken.set(true);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> fixture.timers.advance(LEASE));
        assertThat(fixture.disk.immutable()).isEmpty();
        broken.set(false);

        fixture.timers.advance(Fence.LOOK);

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    /** So that the registration begins again, as after every failure. */
    @Test
    void shouldFailARegistrationThatTheDiskHasNoTimeFor() {
        AtomicBoolean busy = refuseWorkWhile(() -> {
            throw new RejectedExecutionException();
        });
        settle(Set.of());
        pin(5);
        busy.set(true);
        fixture.clock.advance(LEASE);

        CompletableFuture<Set<ReplicaId>> questions = fixture.store.questions();
        CompletableFuture<Boolean> settled = fixture.store.settle(end(), Set.of(FIVE), Set.of());

        assertThat(errnoOf(questions::join)).isEqualTo(Errno.EAGAIN);
        assertThat(errnoOf(settled::join)).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldNotCloseWhatIsOnlyRead() {
        fixture.write(target(5), 0, "five");
        assertThat(fixture.store.pin(target(5), false, false)).isPresent();

        fixture.timers.advance(LEASE.multipliedBy(2));

        assertThat(fixture.disk.immutable()).isEmpty();
    }

    @Test
    void shouldTakeNoChangesWhenTheLeaseHasRunOut() {
        fixture.write(target(5), 0, "five");
        fixture.timers.advance(LEASE);

        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.EAGAIN);
        assertThat(errnoOf(() -> fixture.store.truncate(target(5), 0).join())).isEqualTo(Errno.EAGAIN);
        assertThat(errnoOf(() -> fixture.store
                        .setTimes(target(5), SetTimes.getDefaultInstance())
                        .join()))
                .isEqualTo(Errno.EAGAIN);
        assertThat(fixture.store.pin(target(5), true, false)).isEmpty();
        assertThat(errnoOf(() -> fixture.store.pin(target(5), true, true))).isEqualTo(Errno.EIO);
        assertThat(fixture.read(target(5))).isEqualTo("five");
    }

    @Test
    void shouldGoOnWhileTheLeaseIsKept() {
        pin(5);
        for (int i = 0; i < 10; i++) {
            fixture.timers.advance(LEASE.dividedBy(2));
            assertThat(fixture.store.extendLease(end())).isTrue();
        }
        assertThat(fixture.disk.immutable()).isEmpty();
        fixture.write(target(5), 0, "x");
    }

    @Test
    void shouldKeepTheTermsOfTheLastRegistration() {
        pin(5);
        long soon = fixture.clock.bootNanos() + 1_000_000_000;
        Set<ReplicaId> asked = fixture.store.questions().join();
        assertThat(fixture.store.settle(soon, asked, Set.of()).join()).isTrue();

        fixture.timers.advance(Duration.ofSeconds(2));

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldGetALeaseBackThatHasRunOutOnlyByRegistering() {
        fixture.timers.advance(LEASE);

        assertThat(fixture.store.extendLease(end())).isFalse();
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.EAGAIN);

        settle(Set.of());
        fixture.write(target(5), 0, "x");
    }

    /** The clock has gone on, but no timer ran, as after a sleep or a SIGSTOP. */
    @Test
    void shouldCloseFilesBeforeItRegistersAfterASleep() {
        pin(5);
        fixture.clock.advance(LEASE);
        assertThat(fixture.disk.immutable()).isEmpty();

        assertThat(fixture.store.questions().join()).containsExactly(FIVE);

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldOpenWhatIsStillItsOwn() {
        pin(5);
        pin(6);
        fixture.timers.advance(LEASE);

        settle(Set.of(SIX));

        assertThat(fixture.disk.immutable()).containsExactly(SIX);
        fixture.disk.appendOutside(FIVE, bytes("five"));
        fixture.append(target(5), " more");
        assertThat(fixture.read(target(5))).isEqualTo("five more");
        assertThat(errnoOf(() -> fixture.write(target(6), 0, "x"))).isEqualTo(Errno.ESTALE);
    }

    /** Who is told ESTALE asks where the file is now, and gives up when it is here still. */
    @Test
    void shouldLetWritersWaitUntilFilesAreOpenAgain() {
        pin(5);
        fixture.timers.advance(LEASE);
        List<Errno> meanwhile = new ArrayList<>();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.FLAG) {
                meanwhile.add(errnoOf(() -> fixture.write(target(5), 0, "x")));
            }
            return null;
        });

        settle(Set.of());

        assertThat(meanwhile).containsExactly(Errno.EAGAIN);
        fixture.write(target(5), 0, "x");
    }

    @Test
    void shouldLetAWriterWaitWhoSawTheLeaseBeforeItRanOut() {
        pin(5);
        fixture.timers.advance(LEASE);

        assertThat(errnoOf(() -> fixture.gate.checkOpen(FIVE))).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldOpenNothingWhenTheLeaseIsOverBeforeItBegins() {
        pin(5);
        fixture.timers.advance(LEASE);
        Set<ReplicaId> asked = fixture.store.questions().join();
        long end = end();
        fixture.clock.advance(LEASE);

        assertThat(fixture.store.settle(end, asked, Set.of()).join()).isFalse();

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
        assertThat(settle(Set.of())).isTrue();
        assertThat(fixture.disk.immutable()).isEmpty();
    }

    @Test
    void shouldOpenNoMoreWhenTheLeaseEndsMeanwhile() {
        pin(5);
        pin(6);
        fixture.timers.advance(LEASE);
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.FLAG) {
                fixture.clock.advance(LEASE);
            }
            return null;
        });

        settle(Set.of());

        assertThat(fixture.disk.immutable()).hasSize(1);
        fixture.disk.setFaults(operation -> null);
        fixture.timers.advance(Fence.LOOK);
        assertThat(fixture.disk.immutable()).hasSize(2);
    }

    @Test
    void shouldCloseWhatIsLostAlsoWhenTheLeaseHadNotRunOut() {
        pin(5);

        settle(Set.of(FIVE));

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldTakeNoChangesOfWhatIsLostThoughItsFileCannotBeClosed() {
        pin(5);
        fixture.disk.setFaults(operation -> operation == Operation.FLAG ? Errno.EIO : null);
        settle(Set.of(FIVE));
        assertThat(fixture.disk.immutable()).isEmpty();

        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.ESTALE);
        assertThat(fixture.store.pin(target(5), true, false)).isEmpty();

        fixture.disk.setFaults(operation -> null);
        fixture.timers.advance(Fence.LOOK);
        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldHaveNothingToCloseWhenWhatIsLostWasRemoved() {
        pin(5);
        fixture.store.drop(name(5));

        settle(Set.of(FIVE));

        assertThat(fixture.store.fenced()).isZero();
        assertThat(settle(Set.of())).isTrue();
    }

    @Test
    void shouldAskAgainForWhatWasClosedAfterTheQuestion() {
        Set<ReplicaId> asked = fixture.store.questions().join();
        pin(5);
        fixture.timers.advance(LEASE);

        assertThat(fixture.store.settle(end(), asked, Set.of()).join()).isFalse();
        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x")))
                .as("it may be here still")
                .isEqualTo(Errno.EAGAIN);

        assertThat(settle(Set.of())).isTrue();
        assertThat(fixture.disk.immutable()).isEmpty();
    }

    @Test
    void shouldCloseAndAskAboutWhatIsJustBeingOpenedForWriting() {
        fixture.write(target(5), 0, "five");
        AtomicBoolean opening = new AtomicBoolean(true);
        Set<ReplicaId> asked = new HashSet<>();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.STATUS && opening.getAndSet(false)) {
                fixture.timers.advance(LEASE);
                asked.addAll(fixture.store.questions().join());
                assertThat(fixture.disk.immutable()).containsExactly(FIVE);
            }
            return null;
        });

        pin(5);

        assertThat(opening).isFalse();
        assertThat(asked).containsExactly(FIVE);
    }

    @Test
    void shouldTryAgainWhenAFileCannotBeClosed() {
        pin(5);
        fixture.disk.setFaults(operation -> operation == Operation.FLAG ? Errno.EIO : null);
        fixture.timers.advance(LEASE);
        assertThat(fixture.disk.immutable()).isEmpty();

        fixture.disk.setFaults(operation -> null);
        fixture.timers.advance(Fence.LOOK);

        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldFailSyncsOfWhatCouldNotBeBroughtToDiskWhenItWasClosed() {
        pin(5);
        closeOnADiskThatFails();
        fixture.disk.setFaults(operation -> null);
        settle(Set.of());

        assertThat(errnoOf(() -> fixture.store.sync(target(5), false).join()))
                .as("the kernel has told it once")
                .isEqualTo(Errno.EIO);
    }

    @Test
    void shouldOpenWhatIsStillItsOwnThoughItCouldNotBeBroughtToDisk() {
        pin(5);
        closeOnADiskThatFails();

        settle(Set.of());

        assertThat(fixture.disk.immutable()).isEmpty();
        fixture.disk.appendOutside(FIVE, bytes("five"));
        assertThat(fixture.read(target(5))).isEqualTo("five");
    }

    private void closeOnADiskThatFails() {
        fixture.disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);
        fixture.timers.advance(LEASE);
        assertThat(fixture.disk.immutable()).containsExactly(FIVE);
    }

    @Test
    void shouldRemoveWhatIsClosed() {
        pin(5);
        fixture.timers.advance(LEASE);

        fixture.store.drop(name(5));

        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(fixture.store.fenced()).isZero();
    }

    @Test
    void shouldLeaveNothingClosedWhenItStops() {
        pin(5);
        fixture.timers.advance(LEASE);

        fixture.store.close();
        fixture.timers.advance(LEASE);

        assertThat(fixture.disk.immutable()).isEmpty();
    }

    @Test
    void shouldLookAfterTheLeaseOnlyWhileSomethingIsWritten() {
        ReplicaPin pin = pin(5);
        pin.release();
        fixture.timers.advance(Fence.LOOK);

        assertThat(fixture.timers.size()).isZero();
    }

    /** The store's disk takes no work while that is set. */
    private AtomicBoolean refuseWorkWhile(Runnable refusal) {
        AtomicBoolean refuses = new AtomicBoolean();
        fixture.store = fixture.store(8, work -> (refuses.get() ? refusal : work).run());
        return refuses;
    }

    private boolean settle(Set<ReplicaId> lost) {
        Set<ReplicaId> asked = fixture.store.questions().join();
        return fixture.store.settle(end(), asked, lost).join();
    }

    private long end() {
        return fixture.clock.bootNanos() + LEASE.toNanos();
    }

    private ReplicaPin pin(long inode) {
        return fixture.store.pin(target(inode), true, false).orElseThrow();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
