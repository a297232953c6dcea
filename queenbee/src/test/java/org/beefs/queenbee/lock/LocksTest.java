package org.beefs.queenbee.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.FoundLock;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockPart;
import org.beefs.common.wire.LockRange;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetLock;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Locks as desktops see them. */
class LocksTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop one = new TestDesktop(hive, "one").registered();
    private final TestDesktop two = new TestDesktop(hive, "two").registered();
    private final long file =
            one.ok(Ask.mknod(ROOT, "f", 0100644)).getNode().getAttributes().getInode();

    @Test
    void shouldKeepOthersOut() {
        lock(one, exclusive(1));

        assertThat(two.fails(Ask.set(exclusive(1)))).isEqualTo(Errno.EAGAIN);
        assertThat(one.fails(Ask.set(exclusive(2)))).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldRefuseMoreLocksThanAFileMayHave() {
        long most = Locks.LIMITS.locksOfFile();
        for (long i = 0; i < most; i++) {
            lock(one, Ask.lock(file, 1, LockMode.EXCLUSIVE, 2 * i, 2 * i));
        }
        SetLock.Builder more = Ask.lock(file, 1, LockMode.EXCLUSIVE, 2 * most, 2 * most);

        assertThat(two.fails(Ask.set(more))).isEqualTo(Errno.ENOLCK);

        lock(one, unlocked(1, 0, 0));
        lock(two, more);
    }

    @Test
    void shouldSayWhetherAnOwnerHoldsAnythingMore() {
        assertThat(lock(one, exclusive(1)).getHeld()).isTrue();
        assertThat(lock(one, unlocked(1, 3, 4)).getHeld()).isTrue();
        assertThat(lock(one, unlocked(1, 0, Range.MAX)).getHeld()).isFalse();
    }

    @Test
    void shouldTellWhoIsInTheWay() {
        lock(one, exclusive(1));

        FoundLock here = one.ok(Ask.find(exclusive(2))).getFoundLock();
        assertThat(here.getMode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(here.getRange().getEnd()).isEqualTo(9);
        assertThat(here.getPid()).isEqualTo(1001);
        assertThat(two.ok(Ask.find(exclusive(2))).getFoundLock().getPid())
                .as("of a process elsewhere")
                .isZero();
        assertThat(one.ok(Ask.find(exclusive(1))).hasFoundLock()).isFalse();
    }

    @Test
    void shouldTellAWaiterThatItHasTheLock() {
        lock(one, exclusive(1));
        assertThat(lock(two, waiting(1, 7)).getWaiting()).isTrue();
        assertThat(granted(two)).isEmpty();

        lock(one, unlocked(1, 0, Range.MAX));

        assertThat(granted(two)).containsExactly(7L);
        assertThat(one.fails(Ask.set(exclusive(1)))).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldTellAWaiterAgainUntilItIsHeard() {
        lock(one, exclusive(1));
        lock(two, waiting(1, 7));
        two.setAnswering(false);
        lock(one, unlocked(1, 0, Range.MAX));
        two.setAnswering(true);

        hive.advance(Duration.ofSeconds(3));

        assertThat(granted(two)).containsExactly(7L, 7L);
    }

    @Test
    void shouldGrantNothingToAWaiterWhoHasGivenUp() {
        lock(one, exclusive(1));
        lock(two, waiting(1, 7));
        lock(two, unlocked(1, 0, 9).setTicket(7));

        lock(one, unlocked(1, 0, Range.MAX));

        assertThat(granted(two)).isEmpty();
        lock(one, exclusive(1));
    }

    @Test
    void shouldTakeAwayWhatWasGrantedToAWaiterWhoHasGivenUp() {
        lock(one, exclusive(1));
        lock(two, waiting(1, 7));
        lock(one, unlocked(1, 0, Range.MAX));

        lock(two, unlocked(1, 0, 9).setTicket(7));

        lock(one, exclusive(1));
    }

    @Test
    void shouldRestoreWhatAnUndoneRequestHasTakenThePlaceOf() {
        lock(one, Ask.lock(file, 1, LockMode.SHARED, 2, 3));
        lock(one, exclusive(1).setTicket(7));

        lock(one, restoring(7));

        lock(two, Ask.lock(file, 1, LockMode.SHARED, 0, 9));
        assertThat(two.fails(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 3, 3))))
                .isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldKeepWhatIsHeldWhenAWaitingUpgradeIsUndone() {
        lock(one, Ask.lock(file, 1, LockMode.SHARED, 2, 3));
        lock(two, Ask.lock(file, 1, LockMode.SHARED, 2, 3));
        lock(one, waiting(1, 7));

        lock(one, restoring(7));
        lock(two, unlocked(1, 0, Range.MAX));

        assertThat(granted(one)).isEmpty();
        assertThat(two.fails(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 3, 3))))
                .isEqualTo(Errno.EAGAIN);
        lock(two, Ask.lock(file, 1, LockMode.EXCLUSIVE, 4, 9));
    }

    @Test
    void shouldNotRestoreWhatWasLostWithASession() {
        lock(one, restoring(7));

        lock(two, exclusive(1));
    }

    /** Undoes an exclusive lock of bytes 0 to 9, of which 2 and 3 were shared before. */
    private SetLock.Builder restoring(long ticket) {
        return unlocked(1, 0, 9)
                .setTicket(ticket)
                .addFormer(part(LockMode.UNLOCKED, 0, 1))
                .addFormer(part(LockMode.SHARED, 2, 3))
                .addFormer(part(LockMode.UNLOCKED, 4, 9));
    }

    private static LockPart part(LockMode mode, long start, long end) {
        return LockPart.newBuilder()
                .setMode(mode)
                .setRange(LockRange.newBuilder().setStart(start).setEnd(end))
                .build();
    }

    @Test
    void shouldUndoARequestThatHasToWaitForTheEndOfTheGrace() {
        hive.restart();
        two.registered();
        two.submit(Ask.set(waiting(1, 7)));
        two.submit(Ask.set(unlocked(1, 0, 9).setTicket(7)));

        one.registered();

        lock(one, exclusive(1));
    }

    @Test
    void shouldRefuseToLetTwoDesktopsWaitForEachOther() {
        lock(one, exclusive(1));
        long other =
                one.ok(Ask.mknod(ROOT, "g", 0100644)).getNode().getAttributes().getInode();
        lock(two, Ask.lock(other, 1, LockMode.EXCLUSIVE, 0, 0));
        lock(two, waiting(1, 7));

        assertThat(one.fails(Ask.set(Ask.lock(other, 1, LockMode.EXCLUSIVE, 0, 0)
                        .setWait(true)
                        .setTicket(1))))
                .isEqualTo(Errno.EDEADLK);
    }

    @Test
    void shouldKeepLocksOverARestart() {
        lock(one, exclusive(1));
        lock(one, unlocked(1, 2, 3));
        hive.restart();
        one.registered();
        two.registered();

        assertThat(two.fails(Ask.set(exclusive(1)))).isEqualTo(Errno.EAGAIN);
        lock(two, Ask.lock(file, 1, LockMode.EXCLUSIVE, 2, 3));
        lock(one, unlocked(1, 0, Range.MAX));
        lock(two, exclusive(1));
    }

    @Test
    void shouldServeAWaiterWhoAsksAgainAfterARestart() {
        lock(one, exclusive(1));
        lock(two, waiting(1, 7));
        hive.restart();
        one.registered();
        two.registered();
        assertThat(lock(two, waiting(1, 7)).getWaiting()).isTrue();

        lock(one, unlocked(1, 0, Range.MAX));

        assertThat(granted(two)).containsExactly(7L);
    }

    @Test
    void shouldAnswerAWaiterWhoHasMissedThatItHasTheLock() {
        lock(one, exclusive(1));
        lock(two, waiting(1, 7));
        two.disconnect();
        lock(one, unlocked(1, 0, Range.MAX));
        two.registered();

        assertThat(lock(two, waiting(1, 7)).getWaiting()).isFalse();
    }

    @Test
    void shouldEndLocksWithTheirSession() {
        lock(one, exclusive(1));
        lock(two, waiting(1, 7));
        for (int second = 0; second < 34; second++) {
            hive.advance(Duration.ofSeconds(1));
            two.ok(Ask.attributes(ROOT));
        }

        assertThat(granted(two)).containsExactly(7L);
        hive.restart();
        two.registered();
        lock(two, exclusive(1));
    }

    @Test
    void shouldEndLocksWhenADaemonIsStartedAgain() {
        lock(one, exclusive(1));

        one.disconnect();
        new TestDesktop(hive, "one", 2, 2).registered();

        lock(two, exclusive(1));
    }

    @Test
    void shouldGiveUpOnesSharedFlockForGoodWhenItCannotBeConverted() {
        lock(one, flock(1, LockMode.SHARED));
        lock(two, flock(1, LockMode.SHARED));

        assertThat(one.fails(Ask.set(flock(1, LockMode.EXCLUSIVE)))).isEqualTo(Errno.EAGAIN);
        lock(two, flock(1, LockMode.EXCLUSIVE));
    }

    @Test
    void shouldUnlockAFileThatIsGone() {
        lock(one, exclusive(1));
        one.ok(Ask.unlink(ROOT, "f"));

        assertThat(lock(one, unlocked(1, 0, Range.MAX)).getHeld()).isFalse();
        assertThat(one.fails(Ask.set(exclusive(1)))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldRefuseWhatCannotBeLocked() {
        assertThat(one.fails(Ask.set(Ask.lock(ROOT, 1, LockMode.SHARED, 0, 0)))).isEqualTo(Errno.EINVAL);
        assertThat(one.fails(Ask.set(Ask.lock(file, 1, LockMode.SHARED, 4, 3)))).isEqualTo(Errno.EINVAL);
        assertThat(one.fails(Ask.set(Ask.lock(file, 1, LockMode.SHARED, -1, 3))))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldCountLocksAndWaiters() {
        lock(one, exclusive(1));
        lock(one, unlocked(1, 3, 3));
        lock(two, waiting(1, 7));

        var report = one.ok(QueenRequest.newBuilder().setHiveStatus(HiveStatus.getDefaultInstance()))
                .getHiveReport();
        assertThat(report.getLocks()).isEqualTo(2);
        assertThat(report.getWaitingForLocks()).isEqualTo(1);
    }

    private static LockState lock(TestDesktop desktop, SetLock.Builder lock) {
        QueenReply reply = desktop.ok(Ask.set(lock));
        return reply.getLockState();
    }

    private static List<Long> granted(TestDesktop desktop) {
        return desktop.received().stream()
                .filter(DesktopRequest::hasLocksGranted)
                .flatMap(request -> request.getLocksGranted().getTicketsList().stream())
                .toList();
    }

    private SetLock.Builder exclusive(long owner) {
        return Ask.lock(file, owner, LockMode.EXCLUSIVE, 0, 9);
    }

    private SetLock.Builder waiting(long owner, long ticket) {
        return exclusive(owner).setWait(true).setTicket(ticket);
    }

    private SetLock.Builder unlocked(long owner, long start, long end) {
        return Ask.lock(file, owner, LockMode.UNLOCKED, start, end);
    }

    private SetLock.Builder flock(long owner, LockMode mode) {
        SetLock.Builder lock = Ask.lock(file, owner, mode, 0, Range.MAX);
        lock.getOwnerBuilder().setFlock(true);
        return lock;
    }
}
