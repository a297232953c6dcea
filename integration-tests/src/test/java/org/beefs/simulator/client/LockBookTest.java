package org.beefs.simulator.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.wire.LockMode;
import org.beefs.simulator.client.LockBook.Owner;
import org.junit.jupiter.api.Test;

/** What is held twice must be seen, and nothing else. */
class LockBookTest {
    private static final long ENDED = 9;
    private static final int ALL = LockBook.bytes(0, LockBook.BYTES - 1);
    private static final Owner ONE = owner("desktop1", 1);
    private static final Owner OTHER = owner("desktop2", 2);

    private final LockBook book = new LockBook(session -> session != ENDED);

    private static Owner owner(String desktop, long session) {
        return new Owner(desktop, session, 7, 1, false);
    }

    private void grant(Owner owner, LockMode mode, int bytes) {
        book.ask(owner, mode, bytes, false);
        book.grant(owner, mode, bytes);
    }

    @Test
    void shouldSeeALockThatTwoHaveForThemselves() {
        grant(ONE, LockMode.EXCLUSIVE, ALL);
        grant(OTHER, LockMode.SHARED, LockBook.bytes(3, 3));

        assertThat(book.contradictions()).isNotEmpty();
    }

    @Test
    void shouldLetOwnersShareAndHaveDifferentBytes() {
        grant(ONE, LockMode.SHARED, ALL);
        grant(OTHER, LockMode.SHARED, ALL);
        book.giveUp(ONE, LockBook.bytes(0, 2));
        grant(OTHER, LockMode.EXCLUSIVE, LockBook.bytes(0, 2));

        assertThat(book.contradictions()).isEmpty();
    }

    @Test
    void shouldLetOthersShareWhatSomebodyWhoHasItForHimselfBeginsToShare() {
        grant(ONE, LockMode.EXCLUSIVE, ALL);
        book.ask(ONE, LockMode.SHARED, LockBook.bytes(0, 2), false);
        grant(OTHER, LockMode.SHARED, LockBook.bytes(0, 2));

        assertThat(book.contradictions()).isEmpty();

        grant(OTHER, LockMode.SHARED, LockBook.bytes(3, 3));

        assertThat(book.contradictions()).isNotEmpty();
    }

    @Test
    void shouldNotCountLocksOfASessionThatHasEnded() {
        grant(owner("desktop3", ENDED), LockMode.EXCLUSIVE, ALL);
        grant(OTHER, LockMode.EXCLUSIVE, ALL);

        assertThat(book.contradictions()).isEmpty();
    }

    @Test
    void shouldExplainARefusalOnlyByWhatSomebodyElseMayHaveHeldSinceAllWasCalm() {
        grant(ONE, LockMode.EXCLUSIVE, ALL);
        book.giveUp(ONE, ALL);
        book.gaveUp(ONE, ALL);

        assertThat(book.mayBeRefused(OTHER, LockMode.SHARED, ALL)).isTrue();
        assertThat(book.mayBeRefused(ONE, LockMode.SHARED, ALL)).isFalse();
        book.settle();
        assertThat(book.mayBeRefused(OTHER, LockMode.SHARED, ALL)).isFalse();
    }

    @Test
    void shouldTellWhoMayHaveALockFromWhoWaitsForWhatIsFree() {
        grant(ONE, LockMode.EXCLUSIVE, LockBook.bytes(0, 3));

        assertThat(book.isBlocked(OTHER, LockMode.SHARED, LockBook.bytes(3, 3))).isTrue();
        assertThat(book.isBlocked(OTHER, LockMode.SHARED, LockBook.bytes(4, 4))).isFalse();
        book.giveUp(ONE, ALL);
        assertThat(book.isBlocked(OTHER, LockMode.SHARED, ALL)).isTrue();
        book.gaveUp(ONE, ALL);
        assertThat(book.isBlocked(OTHER, LockMode.SHARED, ALL)).isFalse();
    }

    @Test
    void shouldCountWhatSomebodyAsksToShareAsHisOwnUntilHeIsAnswered() {
        grant(ONE, LockMode.EXCLUSIVE, ALL);
        book.ask(ONE, LockMode.SHARED, ALL, true);

        assertThat(book.isBlocked(OTHER, LockMode.SHARED, ALL)).isTrue();
        book.grant(ONE, LockMode.SHARED, ALL);
        assertThat(book.isBlocked(OTHER, LockMode.SHARED, ALL)).isFalse();
    }

    @Test
    void shouldExplainADeadlockOnlyByOneWhoMayHaveWaitedForItsOwner() {
        grant(ONE, LockMode.EXCLUSIVE, LockBook.bytes(0, 0));
        grant(OTHER, LockMode.EXCLUSIVE, LockBook.bytes(1, 1));

        assertThat(book.mayDeadlock(ONE, LockMode.SHARED, LockBook.bytes(1, 1))).isFalse();
        book.ask(OTHER, LockMode.SHARED, LockBook.bytes(0, 0), true);
        assertThat(book.mayDeadlock(ONE, LockMode.SHARED, LockBook.bytes(1, 1))).isTrue();
        assertThat(book.mayDeadlock(ONE, LockMode.SHARED, LockBook.bytes(2, 2))).isFalse();
    }
}
