package org.beefs.honeybee.filesystem.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockPart;
import org.beefs.common.wire.LockRange;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.SetLock;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.Test;

/** Locks through a mount whose queen-bee says what the test wants. */
class FileLocksTest {
    private static final Duration WHILE = Duration.ofSeconds(3);
    private static final LockState WAITING =
            LockState.newBuilder().setWaiting(true).build();
    private static final long PROCESS = 77;

    private final FakeHive hive = FakeHive.started();
    private final FakeQueen queen = hive.queen;
    private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
    private final long inode = queen.addFile(
            "file", hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
    private long handle = open(true);

    @Test
    void shouldWaitUntilTheQueenBeeGrants() {
        queen.lockState = WAITING;
        CompletableFuture<Void> locked = lock(true);
        hive.pass(Duration.ofHours(1));
        assertThat(locked).isNotDone();

        queen.grantLocks(asked().getFirst().getTicket());

        hive.get(locked);
        assertThat(asked()).as("no asking again and again").hasSize(1);
    }

    @Test
    void shouldAskAgainWithTheSameTicketAfterARegistration() {
        queen.lockState = WAITING;
        CompletableFuture<Void> locked = lock(true);
        hive.timers.runDue();
        queen.stop();
        hive.pass(Duration.ofMinutes(5));
        queen.start(FakeQueen.PORT);
        queen.lockState = LockState.newBuilder().setHeld(true).build();

        hive.get(locked, WHILE);

        assertThat(asked())
                .extracting(SetLock::getTicket)
                .containsOnly(asked().getFirst().getTicket());
    }

    @Test
    void shouldWithdrawAWaitThatIsInterrupted() {
        queen.lockState = WAITING;
        CompletableFuture<Void> locked = lock(true);
        hive.timers.runDue();
        queen.lockRefusal = conflict();

        interrupted.complete(null);

        assertThat(hive.failure(locked)).isEqualTo(Errno.EINTR);
        assertThat(asked().getLast().getWait()).isFalse();
        assertThat(asked().getLast().getTicket()).isEqualTo(asked().getFirst().getTicket());
    }

    @Test
    void shouldSayThatALockIsHeldThatWasGrantedBeforeTheInterrupt() {
        queen.lockState = WAITING;
        CompletableFuture<Void> locked = lock(true);
        hive.timers.runDue();
        queen.lockState = LockState.newBuilder().setHeld(true).build();

        interrupted.complete(null);

        hive.get(locked);
    }

    @Test
    void shouldUnlockWhatIsGrantedToNobodyBeforeItsOwnerLocksAgain() {
        queen.lockState = WAITING;
        CompletableFuture<Void> abandoned = lock(true);
        hive.timers.runDue();
        queen.stop();
        hive.timers.runDue();
        interrupted.complete(null);
        abandoned.cancel(false);
        CompletableFuture<Void> again = lock(false);
        queen.lockState = LockState.newBuilder().setHeld(true).build();
        queen.start(FakeQueen.PORT);

        hive.get(again, WHILE);

        assertThat(asked())
                .extracting(SetLock::getMode)
                .endsWith(LockMode.EXCLUSIVE, LockMode.UNLOCKED, LockMode.EXCLUSIVE);
    }

    @Test
    void shouldHoldWhatWasHeldBeforeAnUpgradeThatIsGrantedToNobody() {
        hive.get(set(LockMode.SHARED, false, false));
        queen.lockState = WAITING;
        CompletableFuture<Void> abandoned = lock(true);
        hive.timers.runDue();
        abandoned.cancel(false);
        queen.lockState = LockState.newBuilder().setHeld(true).build();

        queen.grantLocks(asked().getLast().getTicket());
        hive.timers.runDue();

        SetLock undoing = asked().getLast();
        assertThat(undoing.getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(undoing.getFormerList()).extracting(LockPart::getMode).containsExactly(LockMode.SHARED);
    }

    @Test
    void shouldAskNobodyWhenAFileWithoutLocksIsClosed() {
        hive.get(hive.files.flush(handle, inode, PROCESS));
        hive.get(hive.files.release(handle));

        assertThat(asked()).isEmpty();
    }

    @Test
    void shouldUnlockEverythingWhenItsOwnerClosesADescriptor() {
        hive.get(lock(false));
        queen.lockState = LockState.getDefaultInstance();

        hive.get(hive.files.flush(handle, inode, PROCESS + 1));
        assertThat(asked()).as("another process").hasSize(1);
        hive.get(hive.files.flush(handle, inode, PROCESS));

        SetLock unlock = asked().getLast();
        assertThat(unlock.getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(unlock.getRange().getEnd()).isEqualTo(Long.MAX_VALUE);
        assertThat(unlock.getOwner().getId()).isEqualTo(PROCESS);
    }

    @Test
    void shouldAskNobodyAtCloseWhenEverythingIsUnlockedAlready() {
        hive.get(lock(false));
        queen.lockState = LockState.getDefaultInstance();
        hive.get(set(LockMode.UNLOCKED, false, false));

        hive.get(hive.files.flush(handle, inode, PROCESS));

        assertThat(asked()).hasSize(2);
    }

    @Test
    void shouldUnlockWhatWasLockedThroughAnOpenFileThatIsGone() {
        hive.get(set(LockMode.SHARED, false, true));

        hive.get(hive.files.release(handle));

        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(asked().getLast().getOwner().getFlock()).isTrue();
    }

    @Test
    void shouldUnlockEverythingWhenTheMountIsGone() {
        hive.get(lock(false));

        hive.get(hive.files.releaseAll());

        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
    }

    @Test
    void shouldNotLetACloseWaitLongButUnlockInTheEnd() {
        hive.get(lock(false));
        queen.stop();
        CompletableFuture<Void> closed = hive.files.flush(handle, inode, PROCESS);
        hive.get(closed, Duration.ofSeconds(1));
        assertThat(asked()).hasSize(1);
        hive.pass(Duration.ofHours(3));

        queen.start(FakeQueen.PORT);
        hive.pass(WHILE);

        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
    }

    @Test
    void shouldLockOnlyAfterWhatItsOwnerHasToUnlockFirst() {
        hive.get(lock(false));
        queen.stop();
        hive.get(hive.files.flush(handle, inode, PROCESS), Duration.ofSeconds(1));
        CompletableFuture<Void> again = lock(false);
        queen.start(FakeQueen.PORT);

        hive.get(again, WHILE);

        assertThat(asked())
                .extracting(SetLock::getMode)
                .containsExactly(LockMode.EXCLUSIVE, LockMode.UNLOCKED, LockMode.EXCLUSIVE);
    }

    @Test
    void shouldNotLetALockWaitLongForAnUnlockWhenItsProgramDoesNot() {
        unlockWithoutTheQueenBee();
        CompletableFuture<Void> again = lock(false);
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(again)).isEqualTo(Errno.EIO);

        queen.start(FakeQueen.PORT);
        hive.pass(WHILE);

        assertThat(asked()).extracting(SetLock::getMode).containsExactly(LockMode.EXCLUSIVE, LockMode.UNLOCKED);
    }

    @Test
    void shouldLetALockWaitForAnUnlockWhenItsProgramDoes() {
        unlockWithoutTheQueenBee();
        CompletableFuture<Void> again = lock(true);
        hive.pass(Duration.ofMinutes(5));
        assertThat(again).isNotDone();

        queen.start(FakeQueen.PORT);

        hive.get(again, WHILE);
    }

    /** A child may keep a file open that its parent has closed, unlocked, opened and locked again. */
    @Test
    void shouldKeepWhatWasLockedThroughAnotherOpenFileWhenAnOldOneEnds() {
        long old = handle;
        long other = open(true);
        unlockWithoutTheQueenBee();
        handle = other;
        CompletableFuture<Void> again = lock(false);
        queen.lockState = LockState.getDefaultInstance();
        queen.start(FakeQueen.PORT);
        hive.get(again, WHILE);

        hive.get(hive.files.release(old));
        hive.pass(WHILE);
        assertThat(asked()).extracting(SetLock::getMode).endsWith(LockMode.EXCLUSIVE);

        hive.get(hive.files.release(handle));
        hive.pass(WHILE);
        assertThat(asked()).extracting(SetLock::getMode).endsWith(LockMode.UNLOCKED);
    }

    /** The kernel says only after a program's close(2), and maybe its next open(2), that the old one is gone. */
    @Test
    void shouldKeepWhatWasLockedBeforeItIsSaidThatTheOpenFileBeforeIsGone() {
        handle = openToWrite();
        long old = handle;
        hive.get(lock(false));
        handle = openToWrite();
        hive.get(lock(false));

        hive.get(hive.files.release(old));
        hive.pass(WHILE);
        assertThat(asked()).extracting(SetLock::getMode).containsExactly(LockMode.EXCLUSIVE, LockMode.EXCLUSIVE);

        hive.get(hive.files.release(handle));
        hive.pass(WHILE);
        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(asked().getLast().getRange()).isEqualTo(range(0, Long.MAX_VALUE));
    }

    @Test
    void shouldKeepAFlockThatWasTakenBeforeItIsSaidThatTheOpenFileBeforeIsGone() {
        handle = openToWrite();
        long old = handle;
        hive.get(set(LockMode.EXCLUSIVE, false, true));
        handle = openToWrite();
        hive.get(set(LockMode.EXCLUSIVE, false, true));

        hive.get(hive.files.release(old));
        hive.pass(WHILE);

        assertThat(asked()).extracting(SetLock::getMode).containsExactly(LockMode.EXCLUSIVE, LockMode.EXCLUSIVE);
    }

    @Test
    void shouldUnlockWhatWasLockedOnlyThroughTheOpenFileThatIsGone() {
        handle = openToWrite();
        long old = handle;
        hive.get(lock(range(0, 9)));
        handle = openToWrite();
        hive.get(lock(range(5, 14)));

        hive.get(hive.files.release(old));
        hive.pass(WHILE);

        assertThat(asked()).hasSize(3);
        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(asked().getLast().getRange()).isEqualTo(range(0, 4));
    }

    @Test
    void shouldNotTakeAwayWhatIsJustBeingAskedFor() {
        handle = openToWrite();
        long old = handle;
        hive.get(lock(false));
        handle = openToWrite();
        queen.lockState = WAITING;
        CompletableFuture<Void> next = lock(true);
        hive.timers.runDue();

        hive.get(hive.files.release(old));
        queen.grantLocks(asked().getLast().getTicket());
        hive.get(next);
        hive.pass(WHILE);

        assertThat(asked()).extracting(SetLock::getMode).containsExactly(LockMode.EXCLUSIVE, LockMode.EXCLUSIVE);
    }

    @Test
    void shouldUnlockWithTheOpenFileWhatWasAskedForInVainThroughAnother() {
        handle = openToWrite();
        long old = handle;
        hive.get(set(LockMode.SHARED, range(0, 9), false, false));
        handle = openToWrite();
        queen.lockRefusal = conflict();
        assertThat(hive.failure(lock(range(0, 9)))).isEqualTo(Errno.EAGAIN);

        hive.get(hive.files.release(old));
        hive.pass(WHILE);

        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
    }

    @Test
    void shouldUnlockWhatIsAskedForInVainWhileItIsSaidThatTheOpenFileBeforeIsGone() {
        handle = openToWrite();
        long old = handle;
        hive.get(set(LockMode.SHARED, range(0, 9), false, false));
        handle = openToWrite();
        queen.lockState = WAITING;
        CompletableFuture<Void> next = set(LockMode.EXCLUSIVE, range(5, 14), true, false);
        hive.timers.runDue();
        queen.lockState = LockState.newBuilder().setHeld(true).build();

        hive.get(hive.files.release(old));
        hive.timers.runDue();
        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(asked().getLast().getRange()).isEqualTo(range(0, 4));

        queen.lockRefusal = conflict();
        interrupted.complete(null);
        assertThat(hive.failure(next)).isEqualTo(Errno.EINTR);
        hive.timers.runDue();
        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(asked().getLast().getRange()).isEqualTo(range(0, Long.MAX_VALUE));
    }

    @Test
    void shouldUnlockEverythingWhenTheOpenFileIsGoneThatWasUsedLast() {
        handle = openToWrite();
        long first = handle;
        hive.get(lock(range(0, 9)));
        handle = openToWrite();
        hive.get(lock(range(20, 29)));

        hive.get(hive.files.release(handle));
        hive.pass(WHILE);

        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(asked().getLast().getRange()).isEqualTo(range(0, Long.MAX_VALUE));
        hive.get(hive.files.release(first));
    }

    private void unlockWithoutTheQueenBee() {
        hive.get(lock(false));
        queen.stop();
        hive.get(hive.files.flush(handle, inode, PROCESS), Duration.ofSeconds(1));
    }

    @Test
    void shouldUnlockWhatMayHaveBeenLockedWithoutAnAnswer() {
        queen.held = OperationCase.SET_LOCK;
        CompletableFuture<Void> locked = lock(false);
        hive.timers.runDue();
        queen.stop();
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(locked)).isEqualTo(Errno.EIO);
        queen.held = OperationCase.OPERATION_NOT_SET;

        queen.start(FakeQueen.PORT);
        hive.pass(WHILE);

        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
    }

    @Test
    void shouldEndTheWaitingThatItsProgramHasGivenUpWhileTheQueenBeeWasAway() {
        queen.lockState = WAITING;
        CompletableFuture<Void> locked = lock(true);
        hive.timers.runDue();
        queen.stop();
        interrupted.complete(null);
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(locked)).isEqualTo(Errno.EIO);

        queen.start(FakeQueen.PORT);
        hive.pass(WHILE);

        assertThat(asked().getLast().getMode()).isEqualTo(LockMode.UNLOCKED);
        assertThat(asked().getLast().getTicket()).isEqualTo(asked().getFirst().getTicket());
    }

    @Test
    void shouldLookTwiceBeforeItSaysThatAFlockIsTaken() {
        queen.lockRefusal = conflict();
        CompletableFuture<Void> locked = set(LockMode.EXCLUSIVE, false, true);
        hive.timers.runDue();
        assertThat(locked).isNotDone();
        queen.lockRefusal = null;

        hive.get(locked, WHILE);
    }

    @Test
    void shouldSayAtOnceThatARecordIsTaken() {
        queen.lockRefusal = conflict();

        assertThat(hive.failure(lock(false))).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldWantToHearOfClosesThatMayTakeLocksAway() {
        long reading = open(false);
        long writing = openToWrite();
        assertThat(hive.files.wantsFlush(handle)).as("for reading and writing").isTrue();
        assertThat(hive.files.wantsFlush(reading)).as("for reading").isFalse();
        assertThat(hive.files.wantsFlush(writing)).as("for writing").isFalse();

        hive.get(lock(false));

        assertThat(hive.files.wantsFlush(reading)).as("others lock").isTrue();
        assertThat(hive.files.wantsFlush(writing)).as("others lock").isTrue();
    }

    private static PosixException conflict() {
        return new PosixException(Errno.EAGAIN, "somebody has it");
    }

    private CompletableFuture<Void> lock(boolean wait) {
        return set(LockMode.EXCLUSIVE, wait, false);
    }

    private CompletableFuture<Void> set(LockMode mode, boolean wait, boolean flock) {
        return set(mode, range(0, Long.MAX_VALUE), wait, flock);
    }

    private CompletableFuture<Void> lock(LockRange range) {
        return set(LockMode.EXCLUSIVE, range, false, false);
    }

    private CompletableFuture<Void> set(LockMode mode, LockRange range, boolean wait, boolean flock) {
        FileLock lock = new FileLock(PROCESS, flock, mode, range, 1, wait);
        return hive.files.setLock(handle, inode, lock, wait ? interrupted : new CompletableFuture<>());
    }

    private static LockRange range(long start, long end) {
        return LockRange.newBuilder().setStart(start).setEnd(end).build();
    }

    private long openToWrite() {
        return hive.get(hive.files.open(FakeHive.ROOT, inode, new OpenFlags(false, true, false, false, false, false)))
                .handle();
    }

    private long open(boolean write) {
        return hive.get(hive.files.open(FakeHive.ROOT, inode, new OpenFlags(true, write, false, false, false, false)))
                .handle();
    }

    private List<SetLock> asked() {
        return queen.requestsOf(OperationCase.SET_LOCK).stream()
                .map(QueenRequest::getSetLock)
                .toList();
    }
}
