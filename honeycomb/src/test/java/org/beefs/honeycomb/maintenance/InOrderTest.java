package org.beefs.honeycomb.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What comes to the threads of a disk in any order. */
class InOrderTest {
    private final List<Runnable> handedOver = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private final Executor inOrder = new InOrder(handedOver::add);

    /** Each thread takes one of those that wait, and nobody knows which is first. */
    private void runTheLastFirst() {
        while (!handedOver.isEmpty()) {
            handedOver.removeLast().run();
        }
    }

    @Test
    void shouldDoFirstWhatCameFirst() {
        inOrder.execute(() -> done.add("first"));
        inOrder.execute(() -> done.add("second"));
        runTheLastFirst();
        inOrder.execute(() -> done.add("third"));
        runTheLastFirst();
        assertThat(done).containsExactly("first", "second", "third");
    }

    @Test
    void shouldDoLaterWhatComesWhileOtherWorkIsDone() {
        inOrder.execute(() -> {
            inOrder.execute(() -> done.add("second"));
            done.add("first");
        });
        runTheLastFirst();
        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void shouldNotDoWhatWasRefused() {
        Executor full = new InOrder(_ -> {
            throw new RejectedExecutionException("full");
        });
        assertThatThrownBy(() -> full.execute(() -> done.add("refused")))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> full.execute(() -> done.add("again"))).isInstanceOf(RejectedExecutionException.class);
        assertThat(done).isEmpty();
    }

    @Test
    void shouldDoAtOnceWhatTheExecutorDoesAtOnce() {
        Executor atOnce = new InOrder(Runnable::run);
        atOnce.execute(() -> done.add("first"));
        atOnce.execute(() -> done.add("second"));
        assertThat(done).containsExactly("first", "second");
    }
}
