package org.beefs.queenbee.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.queenbee.lock.LockTable.Limits;
import org.beefs.queenbee.lock.LockTable.Outcome;
import org.junit.jupiter.api.Test;

class LockTableTest {
    private static final long FILE = 7;
    private static final long OTHER_FILE = 8;

    private final Owner a = owner(1, 1);
    private final Owner b = owner(1, 2);
    private final Owner c = owner(2, 1);
    private final AtomicLong numbers = new AtomicLong();
    private final List<Lock> held = new ArrayList<>();
    private final List<Long> granted = new ArrayList<>();
    private final LockTable table = table(new Limits(100, 100, 100));
    private long ticket;

    @Test
    void shouldShareSharedLocks() {
        assertThat(tryLock(a, Mode.SHARED, 0, 9)).isEqualTo(Outcome.GRANTED);
        assertThat(tryLock(b, Mode.SHARED, 5, 14)).isEqualTo(Outcome.GRANTED);
        assertThat(tryLock(c, Mode.EXCLUSIVE, 9, 9)).isEqualTo(Outcome.CONFLICT);
        assertThat(tryLock(c, Mode.EXCLUSIVE, 15, Range.MAX)).isEqualTo(Outcome.GRANTED);
    }

    @Test
    void shouldNeverPutALockInItsOwnersWay() {
        tryLock(a, Mode.EXCLUSIVE, 0, 9);

        assertThat(tryLock(a, Mode.SHARED, 3, 5)).isEqualTo(Outcome.GRANTED);
        assertThat(describe()).containsExactlyInAnyOrder("E 0-2", "S 3-5", "E 6-9");
    }

    @Test
    void shouldMergeWhatTouches() {
        tryLock(a, Mode.EXCLUSIVE, 0, 4);
        tryLock(a, Mode.EXCLUSIVE, 10, 14);
        tryLock(a, Mode.EXCLUSIVE, 5, 9);

        assertThat(describe()).containsExactly("E 0-14");
    }

    @Test
    void shouldNotMergeWhatIsHeldDifferently() {
        tryLock(a, Mode.EXCLUSIVE, 0, 4);
        tryLock(a, Mode.SHARED, 5, 9);

        assertThat(describe()).containsExactlyInAnyOrder("E 0-4", "S 5-9");
    }

    @Test
    void shouldSplitWhenTheMiddleIsUnlocked() {
        tryLock(a, Mode.EXCLUSIVE, 0, Range.MAX);
        table.unlock(FILE, a, new Range(10, 19));

        assertThat(describe()).containsExactlyInAnyOrder("E 0-9", "E 20-" + Range.MAX);
        assertThat(tryLock(b, Mode.EXCLUSIVE, 10, 19)).isEqualTo(Outcome.GRANTED);
        assertThat(tryLock(b, Mode.SHARED, Range.MAX, Range.MAX)).isEqualTo(Outcome.CONFLICT);
    }

    @Test
    void shouldChangeNothingWhenALockIsAskedForAgain() {
        tryLock(a, Mode.SHARED, 0, 9);
        long before = numbers.get();

        assertThat(tryLock(a, Mode.SHARED, 2, 5)).isEqualTo(Outcome.GRANTED);
        assertThat(numbers).hasValue(before);
    }

    @Test
    void shouldKeepWhatIsSharedWhileItIsNotGrantedExclusively() {
        tryLock(a, Mode.SHARED, 0, 9);
        tryLock(b, Mode.SHARED, 0, 9);

        assertThat(tryLock(a, Mode.EXCLUSIVE, 0, 9)).isEqualTo(Outcome.CONFLICT);
        assertThat(table.isHeldBy(FILE, a)).isTrue();
    }

    @Test
    void shouldServeWaitersInTheirOrder() {
        tryLock(a, Mode.EXCLUSIVE, 0, 9);
        assertThat(waitFor(b, Mode.EXCLUSIVE, 0, 0)).isEqualTo(Outcome.WAITING);
        assertThat(waitFor(c, Mode.EXCLUSIVE, 0, 9)).isEqualTo(Outcome.WAITING);

        table.unlock(FILE, a, Range.ALL);

        assertThat(granted).containsExactly(1L);
        table.unlock(FILE, b, Range.ALL);
        assertThat(granted).containsExactly(1L, 2L);
    }

    @Test
    void shouldServeAllWhoCanShare() {
        tryLock(a, Mode.EXCLUSIVE, 0, 9);
        waitFor(b, Mode.SHARED, 0, 9);
        waitFor(c, Mode.SHARED, 5, 5);

        assertThat(tryLock(a, Mode.SHARED, 0, 9)).as("the downgrade").isEqualTo(Outcome.GRANTED);

        assertThat(granted).containsExactly(1L, 2L);
    }

    @Test
    void shouldGrantAtOnceWhatIsInConflictOnlyWithSomebodyWhoWaits() {
        tryLock(a, Mode.SHARED, 0, 9);
        waitFor(b, Mode.EXCLUSIVE, 0, 9);

        assertThat(tryLock(c, Mode.SHARED, 0, 9)).isEqualTo(Outcome.GRANTED);
    }

    @Test
    void shouldNotLoseThePlaceOfAWaiterWhoAsksAgain() {
        tryLock(a, Mode.EXCLUSIVE, 0, 0);
        waitFor(b, Mode.EXCLUSIVE, 0, 0);
        waitFor(c, Mode.EXCLUSIVE, 0, 0);

        assertThat(table.lock(wanted(FILE, b, Mode.EXCLUSIVE, 0, 0), 1, true)).isEqualTo(Outcome.WAITING);
        table.unlock(FILE, a, Range.ALL);

        assertThat(granted).containsExactly(1L);
    }

    @Test
    void shouldEndWaitingWhenItIsAskedForWithoutWaiting() {
        tryLock(a, Mode.EXCLUSIVE, 0, 0);
        waitFor(b, Mode.EXCLUSIVE, 0, 0);

        assertThat(table.lock(wanted(FILE, b, Mode.EXCLUSIVE, 0, 0), 1, false)).isEqualTo(Outcome.CONFLICT);
        table.unlock(FILE, a, Range.ALL);

        assertThat(granted).isEmpty();
        assertThat(table.waiting()).isZero();
        assertThat(table.size()).isZero();
    }

    @Test
    void shouldSayThatALockIsGrantedWhenWaitingIsEndedTooLate() {
        tryLock(a, Mode.EXCLUSIVE, 0, 0);
        waitFor(b, Mode.EXCLUSIVE, 0, 0);
        table.unlock(FILE, a, Range.ALL);

        assertThat(table.lock(wanted(FILE, b, Mode.EXCLUSIVE, 0, 0), 1, false)).isEqualTo(Outcome.GRANTED);
    }

    @Test
    void shouldRefuseToWaitForOneself() {
        lock(FILE, a);
        lock(OTHER_FILE, b);
        assertThat(waitFor(OTHER_FILE, a)).isEqualTo(Outcome.WAITING);

        assertThat(waitFor(FILE, b)).isEqualTo(Outcome.DEADLOCK);
    }

    @Test
    void shouldRefuseToWaitForOneselfOverOthersAndAllWhoAreInTheWay() {
        Owner d = owner(3, 1);
        tryLock(a, Mode.SHARED, 0, 0);
        tryLock(d, Mode.SHARED, 0, 0);
        lock(OTHER_FILE, b);
        lock(9, c);
        waitFor(9, b);
        waitFor(OTHER_FILE, d);

        assertThat(waitFor(FILE, c)).isEqualTo(Outcome.DEADLOCK);
    }

    @Test
    void shouldRefuseTheSecondOfTwoWhoShareAndWantItForThemselves() {
        tryLock(a, Mode.SHARED, 0, 0);
        tryLock(b, Mode.SHARED, 0, 0);
        assertThat(waitFor(a, Mode.EXCLUSIVE, 0, 0)).isEqualTo(Outcome.WAITING);
        assertThat(waitFor(b, Mode.EXCLUSIVE, 0, 0)).isEqualTo(Outcome.DEADLOCK);

        table.unlock(FILE, b, Range.ALL);

        assertThat(granted).containsExactly(1L);
    }

    @Test
    void shouldWaitForWhoDoesNotWaitForIt() {
        lock(FILE, a);
        waitFor(FILE, b);
        lock(OTHER_FILE, c);

        assertThat(waitFor(OTHER_FILE, b)).as("two threads of a process").isEqualTo(Outcome.WAITING);
        assertThat(waitFor(OTHER_FILE, a)).isEqualTo(Outcome.WAITING);
    }

    @Test
    void shouldKeepLocksOfFlockApart() {
        lock(FILE, a);

        assertThat(flock(flockOwner(2), Mode.EXCLUSIVE, false)).isEqualTo(Outcome.GRANTED);
        assertThat(flock(flockOwner(3), Mode.EXCLUSIVE, false)).isEqualTo(Outcome.CONFLICT);
    }

    @Test
    void shouldLetTwoWhoShareAFlockBothHaveItForThemselvesInTurn() {
        Owner first = flockOwner(1);
        Owner second = flockOwner(2);
        flock(first, Mode.SHARED, false);
        flock(second, Mode.SHARED, false);
        assertThat(flock(first, Mode.EXCLUSIVE, true)).isEqualTo(Outcome.WAITING);

        assertThat(flock(second, Mode.EXCLUSIVE, true))
                .as("the first gave his up")
                .isEqualTo(Outcome.GRANTED);

        table.unlock(FILE, second, Range.ALL);
        assertThat(granted).containsExactly(1L);
    }

    @Test
    void shouldLoseAFlockThatCannotBeConverted() {
        flock(flockOwner(1), Mode.SHARED, false);
        flock(flockOwner(2), Mode.SHARED, false);

        assertThat(flock(flockOwner(1), Mode.EXCLUSIVE, false)).isEqualTo(Outcome.CONFLICT);
        assertThat(table.isHeldBy(FILE, flockOwner(1))).isFalse();
    }

    @Test
    void shouldLetFlocksWaitForEachOtherForEver() {
        Owner first = flockOwner(1);
        Owner second = flockOwner(2);
        table.lock(new Wanted(FILE, first, Mode.EXCLUSIVE, Range.ALL, 0), 0, false);
        table.lock(new Wanted(OTHER_FILE, second, Mode.EXCLUSIVE, Range.ALL, 0), 0, false);
        table.lock(new Wanted(OTHER_FILE, first, Mode.EXCLUSIVE, Range.ALL, 0), 1, true);

        assertThat(table.lock(new Wanted(FILE, second, Mode.EXCLUSIVE, Range.ALL, 0), 2, true))
                .isEqualTo(Outcome.WAITING);
    }

    @Test
    void shouldForgetASession() {
        lock(FILE, a);
        lock(OTHER_FILE, c);
        waitFor(FILE, c);
        waitFor(OTHER_FILE, b);

        table.endSession(1);

        assertThat(granted).containsExactly(1L);
        assertThat(table.waiting()).isZero();
        assertThat(held).allMatch(lock -> lock.owner().equals(c)).hasSize(2);
    }

    @Test
    void shouldTellTheFirstLockInTheWay() {
        tryLock(a, Mode.SHARED, 10, 19);
        tryLock(b, Mode.EXCLUSIVE, 0, 9);

        Optional<Lock> conflict = table.conflict(wanted(FILE, c, Mode.SHARED, 5, 30));

        assertThat(conflict).map(Lock::owner).contains(b);
        assertThat(table.conflict(wanted(FILE, c, Mode.SHARED, 10, 30))).isEmpty();
        assertThat(table.conflict(wanted(FILE, c, Mode.EXCLUSIVE, 10, 30)))
                .map(Lock::range)
                .contains(new Range(10, 19));
    }

    @Test
    void shouldRefuseMoreLocksThanThereMayBe() {
        LockTable small = table(new Limits(2, 3, 1));
        small.lock(wanted(FILE, a, Mode.SHARED, 0, 0), 0, false);
        small.lock(wanted(FILE, a, Mode.SHARED, 2, 2), 0, false);

        assertThat(small.lock(wanted(FILE, c, Mode.SHARED, 4, 4), 0, false)).isEqualTo(Outcome.FULL);
        assertThat(small.lock(wanted(FILE, a, Mode.SHARED, 2, 2), 0, false)).isEqualTo(Outcome.GRANTED);
        assertThat(small.lock(wanted(OTHER_FILE, a, Mode.SHARED, 0, 9), 0, false))
                .isEqualTo(Outcome.GRANTED);
        assertThat(small.lock(wanted(9, a, Mode.SHARED, 0, 0), 0, false)).isEqualTo(Outcome.FULL);
        small.unlock(OTHER_FILE, a, new Range(3, 4));
        assertThat(small.size()).as("unlocking always succeeds").isEqualTo(4);
    }

    @Test
    void shouldRefuseMoreWaitersThanThereMayBe() {
        LockTable small = table(new Limits(9, 9, 1));
        small.lock(wanted(FILE, a, Mode.EXCLUSIVE, 0, 0), 0, false);

        assertThat(small.lock(wanted(FILE, b, Mode.SHARED, 0, 0), 1, true)).isEqualTo(Outcome.WAITING);
        assertThat(small.lock(wanted(FILE, b, Mode.SHARED, 0, 0), 2, true)).isEqualTo(Outcome.FULL);
        assertThat(small.lock(wanted(FILE, c, Mode.SHARED, 0, 0), 1, true)).isEqualTo(Outcome.WAITING);
    }

    @Test
    void shouldRefuseAWaiterTooManyBeforeItLooksForDeadlocks() {
        LockTable small = table(new Limits(9, 9, 0));
        small.lock(wanted(FILE, a, Mode.EXCLUSIVE, 0, 0), 0, false);

        assertThat(small.lock(wanted(FILE, b, Mode.EXCLUSIVE, 0, 0), 1, true)).isEqualTo(Outcome.FULL);
        assertThat(small.lookedAt()).isZero();
    }

    @Test
    void shouldFindADeadlockOverAHundredOwners() {
        LockTable large = chain(100);

        assertThat(large.lock(wanted(FILE, owner(1, 0), Mode.EXCLUSIVE, 1, 1), 0, true))
                .isEqualTo(Outcome.DEADLOCK);
    }

    @Test
    void shouldWaitWhenItWouldHaveToLookTooFar() {
        int owners = 300;
        LockTable large = chain(owners);
        long before = large.lookedAt();

        assertThat(large.lock(wanted(FILE, owner(1, 0), Mode.EXCLUSIVE, 1, 1), 0, true))
                .isEqualTo(Outcome.WAITING);
        assertThat(large.lookedAt() - before).isLessThan(LockTable.MOST_LOOKED_AT + owners);
    }

    @Test
    void shouldLookOnlyAtThoseWhoWaitForWhatWasGivenUp() {
        long owners = 100;
        LockTable large = chain(owners);
        long before = large.lookedAt();

        large.unlock(FILE, owner(1, 50), Range.ALL);

        assertThat(granted).containsExactly(49L);
        assertThat(large.lookedAt() - before).isLessThanOrEqualTo(3 * owners);
    }

    /** Each owner but the first waits for the byte of the next one; the last one's next is the first. */
    private LockTable chain(long owners) {
        LockTable large = table(new Limits(1000, 1000, 1000));
        for (long i = 0; i < owners; i++) {
            large.lock(wanted(FILE, owner(1, i), Mode.EXCLUSIVE, i, i), 0, false);
        }
        for (long i = owners - 1; i > 0; i--) {
            long next = (i + 1) % owners;
            assertThat(large.lock(wanted(FILE, owner(1, i), Mode.EXCLUSIVE, next, next), i, true))
                    .isEqualTo(Outcome.WAITING);
        }
        return large;
    }

    private LockTable table(Limits limits) {
        return new LockTable(limits, numbers::incrementAndGet, new LockTable.Listener() {
            @Override
            public void added(Lock lock) {
                held.add(lock);
            }

            @Override
            public void removed(Lock lock) {
                assertThat(held.remove(lock)).isTrue();
            }

            @Override
            public void granted(Waiter waiter) {
                granted.add(waiter.ticket());
            }
        });
    }

    private void lock(long file, Owner owner) {
        assertThat(table.lock(wanted(file, owner, Mode.EXCLUSIVE, 0, 0), 0, false))
                .isEqualTo(Outcome.GRANTED);
    }

    private Outcome waitFor(long file, Owner owner) {
        return table.lock(wanted(file, owner, Mode.EXCLUSIVE, 0, 0), ++ticket, true);
    }

    private Outcome tryLock(Owner owner, Mode mode, long start, long end) {
        return table.lock(wanted(FILE, owner, mode, start, end), 0, false);
    }

    private Outcome waitFor(Owner owner, Mode mode, long start, long end) {
        return table.lock(wanted(FILE, owner, mode, start, end), ++ticket, true);
    }

    private Outcome flock(Owner owner, Mode mode, boolean wait) {
        return table.lock(new Wanted(FILE, owner, mode, Range.ALL, 0), wait ? ++ticket : 0, wait);
    }

    private List<String> describe() {
        return held.stream()
                .map(lock -> "%s %d-%d"
                        .formatted(
                                lock.mode().name().substring(0, 1),
                                lock.range().start(),
                                lock.range().end()))
                .toList();
    }

    private static Wanted wanted(long file, Owner owner, Mode mode, long start, long end) {
        return new Wanted(file, owner, mode, new Range(start, end), 0);
    }

    private static Owner owner(long session, long id) {
        return new Owner(session, 1, id, Owner.Kind.RECORD);
    }

    private static Owner flockOwner(long id) {
        return new Owner(1, 1, id, Owner.Kind.FLOCK);
    }
}
