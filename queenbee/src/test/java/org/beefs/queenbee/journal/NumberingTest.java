package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NumberingTest {
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

    private void giveAllBut(int left) {
        for (long rest = GIVEN_IN_AN_INCARNATION - left; rest > 0; rest -= Integer.MAX_VALUE) {
            numbering.give((int) Math.min(rest, Integer.MAX_VALUE));
        }
    }
}
