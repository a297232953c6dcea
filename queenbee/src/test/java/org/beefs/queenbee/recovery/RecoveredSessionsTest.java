package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.ManualTime;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Desktops that a recovered queen-bee has yet to hear of: their sessions went with the disk. */
class RecoveredSessionsTest {
    /** Longer than anybody caches anything, and shorter than a lease. */
    private static final Duration CACHED = Duration.ofSeconds(6);

    private final MemoryStateStore fresh = new MemoryStateStore();

    @Test
    void shouldLetAChangeWaitUntilNobodyCachesAnythingFromBefore() throws IOException {
        TestHive recovered = new TestHive(fresh);
        TestDesktop writer = comeTo(recovered);

        CompletableFuture<QueenReply> change = writer.submit(Ask.mkdir(Namespace.ROOT, "d", 0755));
        assertThat(change).isNotDone();
        recovered.advance(List.of(writer), CACHED);

        assertThat(change).isCompleted();
    }

    @Test
    void shouldWaitAgainWhenTheFirstStartHasNotWaitedLongEnough() throws IOException {
        TestHive recovered = new TestHive(fresh);
        TestDesktop writer = comeTo(recovered);
        recovered.restart();
        writer.registered();

        assertThat(writer.submit(Ask.mkdir(Namespace.ROOT, "d", 0755))).isNotDone();
    }

    @Test
    void shouldNotWaitAfterAStartThatHasWaited() throws IOException {
        TestHive recovered = new TestHive(fresh);
        TestDesktop writer = comeTo(recovered);
        recovered.advance(List.of(writer), TestConfig.usual().lease().plus(CACHED));
        recovered.restart();
        writer.registered();

        assertThat(writer.submit(Ask.mkdir(Namespace.ROOT, "d", 0755))).isCompleted();
    }

    RecoveredSessionsTest() throws IOException {
        TestHive lost = new TestHive();
        TestDesktop writer = new TestDesktop(lost, "writer").registered();
        lost.advance(List.of(writer), CACHED);
        HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(writer)), 0);
    }

    private static TestDesktop comeTo(TestHive hive) {
        return new TestDesktop(hive, "writer", 2, 2).registered();
    }
}
