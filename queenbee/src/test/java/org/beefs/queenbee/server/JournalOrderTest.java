package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class JournalOrderTest {
    private static final long ROOT = Namespace.ROOT;

    private final MemoryStateStore store = new MemoryStateStore();
    private final TestHive hive = new TestHive(store);
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldLetNothingLeaveThatIsNotWritten() {
        CompletableFuture<QueenReply> read = hive.submit(desktop.numbered(Ask.attributes(ROOT)), desktop);
        CompletableFuture<QueenReply> change = hive.submit(desktop.numbered(Ask.mkdir(ROOT, "d", 0755)), desktop);
        store.failWrites(new IOException("the disk is full"));

        hive.run();

        assertThat(read).isNotDone();
        assertThat(change).isNotDone();
        assertThat(hive.fatal()).containsExactly("the journal cannot be written");
        CompletableFuture<QueenReply> later = hive.submit(desktop.numbered(Ask.attributes(ROOT)), desktop);
        hive.queenBee().runPass();
        assertThat(later).isNotDone();
    }

    @Test
    void shouldAnswerSyncOnlyWhenItsChangesAreOnDisk() {
        hive.holdFlushes();
        QueenReply change = desktop.ok(Ask.mkdir(ROOT, "d", 0755));
        assertThat(change.getSequence()).isGreaterThan(change.getDurableSequence());

        CompletableFuture<QueenReply> sync = desktop.submit(Ask.sync());

        assertThat(sync).isNotDone();
        hive.runFlushes();
        assertThat(sync).isCompleted();
        assertThat(sync.join().getDurableSequence()).isGreaterThanOrEqualTo(change.getSequence());
    }

    @Test
    void shouldShareOneFlushAmongThoseWhoWaitMeanwhile() {
        hive.holdFlushes();
        desktop.ok(Ask.mkdir(ROOT, "d", 0755));
        CompletableFuture<QueenReply> first = desktop.submit(Ask.sync());
        assertThat(hive.heldFlushes()).isEqualTo(1);
        int before = store.syncs();
        desktop.ok(Ask.mkdir(ROOT, "e", 0755));
        CompletableFuture<QueenReply> second = desktop.submit(Ask.sync());
        desktop.ok(Ask.mkdir(ROOT, "f", 0755));
        CompletableFuture<QueenReply> third = desktop.submit(Ask.sync());
        assertThat(hive.heldFlushes()).isEqualTo(1);

        hive.runFlushes();

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
        assertThat(store.syncs()).isEqualTo(before + 2);
    }

    @Test
    void shouldAnswerSyncAtOnceWhenEverythingIsOnDisk() {
        desktop.ok(Ask.sync());
        hive.holdFlushes();
        assertThat(desktop.submit(Ask.sync())).isCompleted();
    }

    @Test
    void shouldFlushNowAndThenWithoutBeingAsked() {
        hive.holdFlushes();
        int before = store.syncs();
        desktop.ok(Ask.mkdir(ROOT, "d", 0755));
        hive.runFlushes();
        assertThat(store.syncs()).isEqualTo(before);
        hive.advance(Duration.ofMillis(60));
        hive.runFlushes();
        assertThat(store.syncs()).isEqualTo(before + 1);
        hive.advance(Duration.ofMillis(500));
        hive.runFlushes();
        assertThat(store.syncs()).as("nothing new to flush").isEqualTo(before + 1);
    }

    @Test
    void shouldNeverNumberAnythingTwiceAfterPowerWasLost() {
        desktop.ok(Ask.sync());
        QueenReply lost = desktop.ok(Ask.mkdir(ROOT, "lost", 0755));
        store.losePower(bound -> 0);
        hive.restart();
        desktop.registered();

        QueenReply after = desktop.ok(Ask.mkdir(ROOT, "new", 0755));

        assertThat(after.getSequence()).isGreaterThan(lost.getSequence());
        assertThat(after.getNode().getAttributes().getInode())
                .isGreaterThan(lost.getNode().getAttributes().getInode());
    }
}
