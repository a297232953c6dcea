package org.beefs.common.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CurrentRequestTest {
    private final List<Long> seen = new ArrayList<>();

    @Test
    void shouldEndWithTheTaskHoweverThatEnds() {
        assertThatThrownBy(() -> CurrentRequest.run(7, () -> {
                    CurrentRequest.run(8, this::look);
                    look();
                    throw new IllegalStateException("a defect, made on purpose");
                }))
                .isInstanceOf(IllegalStateException.class);
        look();

        assertThat(seen).containsExactly(8L, 7L, CurrentRequest.NONE);
    }

    @Test
    void shouldGoWithATaskThatRunsLater() {
        List<Runnable> later = new ArrayList<>();
        CurrentRequest.run(7, () -> later.add(CurrentRequest.carrying(this::look)));

        CurrentRequest.run(8, () -> later.forEach(Runnable::run));

        assertThat(seen).containsExactly(7L);
    }

    @Test
    void shouldGoOnForEachOfThoseWhoWaitForTheSame() {
        CompletableFuture<String> shared = new CompletableFuture<>();
        for (long id = 1; id <= 2; id++) {
            CurrentRequest.run(id, () -> CurrentRequest.of(shared).thenRun(this::look));
        }

        CurrentRequest.run(3, () -> shared.complete("done"));

        assertThat(seen).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void shouldPassOnWhySomethingFailed() {
        CompletableFuture<String> shared = new CompletableFuture<>();
        List<CompletableFuture<String>> own = new ArrayList<>();
        CurrentRequest.run(1, () -> own.add(CurrentRequest.of(shared)));
        IllegalStateException why = new IllegalStateException("a defect, made on purpose");

        shared.completeExceptionally(why);

        assertThat(own.getFirst().exceptionNow()).isSameAs(why);
    }

    private void look() {
        seen.add(CurrentRequest.id());
    }
}
