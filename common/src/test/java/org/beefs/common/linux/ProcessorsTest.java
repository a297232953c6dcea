package org.beefs.common.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ProcessorsTest {
    @Test
    void shouldCountAsTheKernelLists() {
        assertThat(Processors.countOf("0")).isEqualTo(1);
        assertThat(Processors.countOf("0-7")).isEqualTo(8);
        assertThat(Processors.countOf("0-3,8,10-11")).isEqualTo(7);
    }

    @Test
    void shouldKnowAtLeastThoseThatAreThere() throws IOException {
        assertThat(Processors.possible())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void shouldBindToNoProcessorThatCannotBeThere() throws InterruptedException {
        AtomicBoolean bound = new AtomicBoolean(true);
        Thread thread = new Thread(() -> bound.set(Processors.bindThread(1_000_000)));
        thread.start();
        thread.join();

        assertThat(bound).isFalse();
    }
}
