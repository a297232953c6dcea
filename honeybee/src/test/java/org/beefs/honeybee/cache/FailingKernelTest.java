package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Node;
import org.junit.jupiter.api.Test;

/** What becomes of others when a kernel cannot be told, as on a machine that gives no threads. */
class FailingKernelTest extends CacheTest {
    private final Node five = file(5);

    @Test
    void shouldLetGoWhoWaitsForAKernelThatIsToldAgain() {
        answer(lookup("f5"), reply(five));
        view.changedAttributes(five.getAttributes());
        CompletableFuture<List<Long>> recalled = cache.recall(recallOf(5));
        assertThat(recalled).isNotDone();

        kernel.isFailing = true;
        settlingFails();

        assertThat(recalled).isDone();
    }

    @Test
    void shouldGoOnTellingKernelsAgainAfterAFailure() {
        answer(lookup("f5"), reply(five));
        view.madeAttributes(five.getAttributes());
        cache.recall(recallOf(5));
        pass(Kernels.SETTLING.dividedBy(2));
        answer(lookup("f6"), reply(file(6)));
        view.madeAttributes(file(6).getAttributes());
        cache.recall(recallOf(6));
        kernel.takeForgotten();

        kernel.isFailing = true;
        settlingFails();
        kernel.isFailing = false;
        pass(Kernels.SETTLING);

        assertThat(kernel.takeForgotten()).containsExactly(6L);
    }

    private void settlingFails() {
        assertThatExceptionOfType(InternalError.class).isThrownBy(() -> pass(Kernels.SETTLING));
    }
}
