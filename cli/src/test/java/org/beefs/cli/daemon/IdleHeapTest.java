package org.beefs.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.time.ManualTimers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdleHeapTest {
    private final ManualTimers timers = new ManualTimers();
    private final FakeHeap heap = new FakeHeap();

    @BeforeEach
    void startWatching() {
        IdleHeap.watch(timers, heap);
        look();
    }

    private void look() {
        timers.advance(IdleHeap.LOOK);
    }

    @Test
    void shouldGiveBackWhatTheHeapHasGrownByWhenItIsQuiet() {
        heap.grown = IdleHeap.WORTH_IT;

        look();

        assertThat(heap.asked).isOne();
    }

    @Test
    void shouldNotStopADaemonThatIsBusy() {
        heap.grown = IdleHeap.WORTH_IT;
        heap.collections++;

        look();

        assertThat(heap.asked).isZero();
    }

    @Test
    void shouldGiveBackWhenABusyDaemonBecomesQuiet() {
        heap.grown = IdleHeap.WORTH_IT;
        heap.collections++;
        look();

        look();

        assertThat(heap.asked).isOne();
    }

    @Test
    void shouldNotCollectForLittle() {
        heap.grown = IdleHeap.WORTH_IT - 1;

        look();

        assertThat(heap.asked).isZero();
    }

    @Test
    void shouldCollectAgainOnlyWhenItHasGrownAgain() {
        heap.grown = IdleHeap.WORTH_IT;
        look();
        look();
        assertThat(heap.asked).isOne();

        heap.grown = IdleHeap.WORTH_IT;
        look();

        assertThat(heap.asked).isEqualTo(2);
    }

    private static final class FakeHeap implements IdleHeap.Heap {
        private long collections;
        private long grown;
        private int asked;

        @Override
        public long collections() {
            return collections;
        }

        @Override
        public long grown() {
            return grown;
        }

        @Override
        public void collect() {
            asked++;
            collections++;
            grown = 0;
        }
    }
}
