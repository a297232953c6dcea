package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestWindowTest {
    private final RequestWindow window = new RequestWindow(1);

    @Test
    void shouldCountFromOne() {
        assertThat(window.acknowledged()).isEqualTo(1);
        assertThat(window.begin()).isEqualTo(1);
        assertThat(window.begin()).isEqualTo(2);
    }

    @Test
    void shouldAcknowledgeOnlyBelowTheOldestUnderWay() {
        long first = window.begin();
        long second = window.begin();
        window.end(second);
        assertThat(window.acknowledged()).isEqualTo(first);

        window.end(first);
        assertThat(window.acknowledged()).isEqualTo(second + 1);
    }

    @Test
    void shouldSpanFromTheOldestUnderWayToTheLast() {
        assertThat(window.span()).isZero();
        long first = window.begin();
        window.end(window.begin());
        assertThat(window.span()).isEqualTo(2);

        window.end(first);
        assertThat(window.span()).isZero();
    }
}
