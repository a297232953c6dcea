package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NumberingTest {
    /** Some incarnations. */
    private static final long LATER = 50L << 40;

    private static final long GIVEN_IN_AN_INCARNATION = 1L << 39;

    private final Numbering numbering = new Numbering(5);

    @Test
    void shouldGiveNoNumbersOfTheNextIncarnation() {
        giveAllBut(100);

        assertThat(numbering.canGive(101)).isFalse();
        assertThatThrownBy(() -> numbering.give(101)).hasMessageContaining("used up");
        long last = numbering.give(100) + 99;
        assertThat(Numbering.isGiven(last)).isTrue();
        assertThat(Numbering.incarnationOf(last)).isEqualTo(5);
    }

    @Test
    void shouldGiveAtLeastOneNumber() {
        numbering.give(100);
        long last = numbering.lastGiven();

        assertThatThrownBy(() -> numbering.give(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> numbering.give(-50)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> numbering.canGive(-50)).isInstanceOf(IllegalArgumentException.class);
        assertThat(numbering.lastGiven()).isEqualTo(last);
    }

    @Test
    void shouldGiveTheSameCountAgainInTheNextIncarnation() {
        giveAllBut(0);
        long lastGiven = numbering.lastGiven();
        long issued = numbering.after(0);

        numbering.beginNext(issued, 7);

        assertThat(numbering.canGive(Integer.MAX_VALUE)).isTrue();
        assertThat(numbering.mayHaveIssued(lastGiven, issued)).isTrue();
        assertThat(numbering.hasIssued(issued, issued)).isTrue();
        assertThat(numbering.hasIssued(issued + 1, issued)).isFalse();
        assertThat(numbering.lastChanges()).containsExactly(7L);
    }

    /** Each is not far from the one before. */
    @Test
    void shouldNotBeRaisedFurtherAndFurther() {
        long last = numbering.base();
        for (int claims = 0; claims < 10_000 && !numbering.isBeyond(last + LATER); claims++) {
            last = numbering.base() + LATER;
            numbering.raiseAbove(last);
        }

        assertThat(numbering.isBeyond(last + LATER)).isTrue();
        assertThat(numbering.isBeyond(numbering.after(0)))
                .as("what she has issued since")
                .isFalse();
        assertThat(numbering.incarnation()).isLessThan(10_000);
        assertThat(new Numbering(numbering.incarnation() + 1).isBeyond(last + LATER))
                .as("after a start")
                .isFalse();
    }

    private void giveAllBut(int left) {
        for (long rest = GIVEN_IN_AN_INCARNATION - left; rest > 0; rest -= Integer.MAX_VALUE) {
            numbering.give((int) Math.min(rest, Integer.MAX_VALUE));
        }
    }

    @Test
    void shouldNotBeCertainOfWhatOnlyARecoveryHasFound() {
        long found = Numbering.endOf(3);
        Numbering numbering = new Numbering(70);
        long before = new Numbering(68).base() + 5;
        numbering.addLastChange(found);
        numbering.addLastChange(before);

        assertThat(numbering.hasMade(found - 1, 0)).isTrue();
        assertThat(numbering.hasCertainlyMade(found - 1, 0)).isFalse();
        assertThat(numbering.hasCertainlyMade(1, 0)).isFalse();
        assertThat(numbering.hasCertainlyMade(before - 1, 0)).isTrue();
        assertThat(numbering.hasCertainlyMade(before + 1, 0)).isFalse();
        assertThat(numbering.hasCertainlyMade(numbering.base() + 1, numbering.base() + 1))
                .isTrue();
    }
}
