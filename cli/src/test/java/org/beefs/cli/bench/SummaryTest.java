package org.beefs.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void shouldTakeTheMiddleOfAnOddNumber() {
        assertThat(Summary.of(List.of(9.0, 1.0, 3.0))).isEqualTo(new Summary(3, 1, 9));
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleTwo() {
        assertThat(Summary.of(List.of(4.0, 1.0, 2.0, 100.0)).median()).isEqualTo(3);
    }

    @Test
    void shouldRelateSpreadAndRatioToTheMedian() {
        Summary summary = new Summary(2, 1.5, 2.5);
        assertThat(summary.spread()).isEqualTo(0.5);
        assertThat(summary.ratioTo(new Summary(4, 1, 9))).isEqualTo(0.5);
    }

    @Test
    void shouldNotDivideByNothing() {
        Summary nothing = new Summary(0, 0, 0);
        assertThat(nothing.spread()).isZero();
        assertThat(nothing.ratioTo(nothing)).isEqualTo(1);
        assertThatThrownBy(() -> Summary.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
