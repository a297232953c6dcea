package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SequenceNumbersTest {
    private final SequenceNumbers numbers = new SequenceNumbers();

    @Test
    void shouldCountFromOne() {
        assertThat(numbers.acknowledged()).isEqualTo(1);
        assertThat(numbers.begin()).isEqualTo(1);
        assertThat(numbers.begin()).isEqualTo(2);
    }

    @Test
    void shouldAcknowledgeOnlyBelowTheOldestUnderWay() {
        long first = numbers.begin();
        long second = numbers.begin();
        numbers.end(second);
        assertThat(numbers.acknowledged()).isEqualTo(first);

        numbers.end(first);
        assertThat(numbers.acknowledged()).isEqualTo(second + 1);
    }

    @Test
    void shouldSpanFromTheOldestUnderWayToTheLast() {
        assertThat(numbers.span()).isZero();
        long first = numbers.begin();
        numbers.end(numbers.begin());
        assertThat(numbers.span()).isEqualTo(2);

        numbers.end(first);
        assertThat(numbers.span()).isZero();
    }
}
