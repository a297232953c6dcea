package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What has left the cache by a change of this desktop, whose thread has not told the kernels yet. */
class UntoldKernelsTest extends DelegatedCacheTest {
    private static final long ALL_ENTRIES = 0;
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final RecordingKernel other = new RecordingKernel();
    private final Node five = file(5);
    private Lifetimes lifetimes = view;
    private long made;

    @BeforeEach
    void tellAnotherMount() {
        lifetimes = cache.view().attach(other);
        Decided decided = decided(create("made"));
        made = decided.reply().getNode().getAttributes().getInode();
        answer(decided, 1);
        answer(lookup("f5"), reply(five));
        pass(Kernels.SETTLING.plus(MOMENT));
        lifetimes.entry(HOME, name("made"), made);
        lifetimes.entry(DIRECTORY, name("f5"), 5);
        pass(Kernels.SETTLING.plus(MOMENT));
        other.takeForgotten();
    }

    @Test
    void shouldBeToldBeforeARecallInAnotherDirectoryIsAnswered() {
        assertToldByBoth(decided(unlink(HOME, "made")), recallOf("f5"), ALL_ENTRIES);
    }

    @Test
    void shouldBeToldBeforeARecallOfTheSameInodeIsAnswered() {
        lifetimes.accessControl(made);
        pass(Kernels.SETTLING.plus(MOMENT));

        assertToldByBoth(decided(chmod(made, 0600)), recallOf(made), made);
    }

    /** The recall does not wait for the thread that has made the change, and that tells what it has to all the same. */
    private void assertToldByBoth(Decided untold, Recall recall, long forgotten) {
        assertThat(cache.recall(recall)).isCompleted();
        assertThat(other.takeForgotten()).containsExactly(forgotten);

        assertThat(untold.tell().get()).isCompleted();
        assertThat(other.takeForgotten()).containsExactly(forgotten);
    }

    @Test
    void shouldNotBeToldAgainWhenTheyWere() {
        lifetimes.accessControl(made);
        pass(Kernels.SETTLING.plus(MOMENT));
        decided(chmod(made, 0600)).tell().get().join();
        decided(unlink(HOME, "made")).tell().get().join();
        other.takeForgotten();

        recall(recallOf(made));
        recall(recallOf("f5"));

        assertThat(other.forgotten).isEmpty();
    }

    @Test
    void shouldBeWaitedForByARecallThatComesBeforeTheyAreToldTheSecondTime() {
        lifetimes.changedAttributes(five.getAttributes());
        Node.Builder changed = five.toBuilder();
        changed.getAttributesBuilder().setSize(7);
        CompletableFuture<Void> told = answer(lookup("f5"), reply(changed.build()));
        assertThat(told).isNotDone();

        CompletableFuture<List<Long>> recalled = cache.recall(recallOf(5));
        assertThat(recalled).isNotDone();
        pass(Kernels.SETTLING);

        assertThat(recalled).isCompleted();
        assertThat(other.takeForgotten()).contains(5L);
        pass(MOMENT);
        assertThat(cache.recall(recallOf(5))).isCompleted();
        assertThat(other.forgotten).isEmpty();
    }
}
