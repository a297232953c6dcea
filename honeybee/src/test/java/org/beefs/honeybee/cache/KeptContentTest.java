package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetAttributes;
import org.junit.jupiter.api.Test;

/** For how long kernels may keep content of files. */
class KeptContentTest extends CacheTest {
    private static final long ALL_FILES = 0;

    @Test
    void shouldLetKernelsKeepContentOfCleanFilesUnderTheLease() {
        answer(attributes(5), reply(file(5)));
        answer(attributes(6), reply(dirty(6)));

        assertThat(view.pages(5)).isTrue();
        assertThat(view.pages(6)).isFalse();
        assertThat(view.pages(7)).isFalse();
    }

    @Test
    void shouldAnswerARecallWhenKernelsHaveDroppedTheContent() {
        answer(attributes(5), reply(file(5)));
        kernel.dropping = new CompletableFuture<>();

        CompletableFuture<List<Long>> recalled = cache.recall(recallOf(5));

        assertThat(view.pages(5)).isFalse();
        assertThat(kernel.dropped).containsExactly(5L);
        assertThat(recalled).isNotDone();
        kernel.dropping.complete(null);
        assertThat(recalled).isCompleted();
    }

    @Test
    void shouldRecallContentAlsoWhenTheAttributesHadToMakeRoom() {
        answer(attributes(5), reply(file(5)));
        for (int i = 0; i < 100; i++) {
            answer(attributes(1000 + i), reply(file(1000 + i)));
        }
        assertThat(view.pages(5)).isFalse();
        assertThat(kernel.dropped).isEmpty();

        recall(recallOf(5));

        assertThat(kernel.dropped).containsExactly(5L);
    }

    @Test
    void shouldDropContentBeforeThisDesktopWritesIt() {
        answer(attributes(5), reply(file(5)));
        QueenRequest open = openToWrite(5);

        Runnable changed = cache.changing(open);
        assertThat(view.pages(5)).isFalse();
        kernel.dropping = new CompletableFuture<>();
        CompletableFuture<Void> opened = answer(open, reply(dirty(5)));
        changed.run();

        assertThat(kernel.dropped).contains(5L);
        assertThat(opened).isNotDone();
    }

    @Test
    void shouldKeepContentWhenThisDesktopChangesAttributesOnly() {
        answer(attributes(5), reply(file(5)));
        QueenRequest chmod = QueenRequest.newBuilder()
                .setSetAttributes(SetAttributes.newBuilder().setInode(5).setMode(0600))
                .build();

        answer(chmod, reply(file(5)));
        assertThat(kernel.dropped).isEmpty();
        answer(chmod, QueenReply.getDefaultInstance());
        assertThat(kernel.dropped).containsExactly(5L);
    }

    @Test
    void shouldDropAllContentWithTheLeases() {
        answer(attributes(5), reply(file(5)));

        pass(Duration.ofSeconds(4));

        assertThat(view.pages(5)).isFalse();
        assertThat(kernel.dropped).containsExactly(ALL_FILES);
    }

    @Test
    void shouldNotHoldBackAfterASilenceThoughNothingElseIsKnown() {
        Node written = dirty(70).toBuilder()
                .setAttributesLeased(false)
                .setWriteLeased(true)
                .build();
        answer(openToWrite(70), reply(written));
        assertThat(cache.writeLease(70)).isPositive();

        pass(Duration.ofSeconds(5));
        cache.heard(timers.clock().bootNanos());

        assertThat(cache.writeLease(70)).isZero();
    }

    private static QueenRequest openToWrite(long inode) {
        return QueenRequest.newBuilder()
                .setOpen(Open.newBuilder().setInode(inode).setWrite(true))
                .build();
    }
}
