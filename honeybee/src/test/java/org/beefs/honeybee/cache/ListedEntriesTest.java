package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.RemoveDirectory;
import org.junit.jupiter.api.Test;

/** What kernels are told to forget of listings, whose entries count as new when they link them. */
class ListedEntriesTest extends CacheTest {
    private static final long ALL_ENTRIES = 0;
    private static final long LISTED = 7;

    private static final Duration MOMENT = Duration.ofMillis(1);

    @Test
    void shouldTellAKernelAgainThatMayJustBeTakingOverAListing() {
        answer(list(0), page(true, 5));
        view.listedEntry(DIRECTORY, name("f5"), 5);

        CompletableFuture<List<Long>> recalled = cache.recall(recallOf("f5"));
        assertThat(kernel.takeForgotten()).containsExactly(ALL_ENTRIES);
        assertThat(recalled).isNotDone();
        pass(Kernels.SETTLING);

        assertThat(kernel.takeForgotten()).containsExactly(ALL_ENTRIES);
        assertThat(recalled).isCompleted();
    }

    @Test
    void shouldLetKernelsKeepWhatTheyKnowOfARemovedDirectory() {
        answer(lookup("d"), reply(directory(LISTED, 0755)));
        answer(listed(), page(true, 5));
        view.listedEntry(LISTED, name("f5"), 5);
        QueenRequest.Builder emptied = unlink("f5").toBuilder();
        emptied.getUnlinkBuilder().setParent(LISTED);
        answer(emptied.build(), changed().build());

        CompletableFuture<Void> removed = answer(
                QueenRequest.newBuilder()
                        .setRemoveDirectory(RemoveDirectory.newBuilder()
                                .setParent(DIRECTORY)
                                .setName(name("d")))
                        .build(),
                changed().build());

        assertThat(kernel.forgotten).doesNotContain(ALL_ENTRIES);
        assertThat(removed).isCompleted();
    }

    @Test
    void shouldTellAKernelThatMayHaveTakenOverAListingSinceItHadToForgetAllEntries() {
        answer(lookup("f5"), reply(file(5)));
        view.entry(DIRECTORY, name("f5"), 5);
        pass(Kernels.SETTLING.plus(MOMENT));
        listOther();
        pass(MOMENT);
        recall(recallOf("f5"));
        assertThat(kernel.takeForgotten()).containsExactly(ALL_ENTRIES);
        pass(MOMENT);

        CompletableFuture<List<Long>> recalled = cache.recall(recallInOther());
        assertThat(kernel.takeForgotten()).containsExactly(ALL_ENTRIES);
        pass(Kernels.SETTLING);

        assertThat(kernel.takeForgotten()).containsExactly(ALL_ENTRIES);
        assertThat(recalled).isCompleted();
    }

    @Test
    void shouldNotTellAKernelThatHasTakenOverAListingBeforeItHadToForgetAllEntries() {
        answer(lookup("f5"), reply(file(5)));
        view.entry(DIRECTORY, name("f5"), 5);
        listOther();
        pass(Kernels.SETTLING.plus(MOMENT));
        recall(recallOf("f5"));
        assertThat(kernel.takeForgotten()).containsExactly(ALL_ENTRIES);

        recall(recallInOther());

        assertThat(kernel.takeForgotten()).isEmpty();
    }

    /** A kernel lists another directory, and then looks up a name in it. */
    private void listOther() {
        answer(listed(), page(true, 5, 6));
        view.listedEntry(LISTED, name("f5"), 5);
        view.entry(LISTED, name("f6"), 6);
    }

    private static QueenRequest listed() {
        QueenRequest.Builder listed = list(0).toBuilder();
        listed.getListDirectoryBuilder().setInode(LISTED);
        return listed.build();
    }

    private static Recall recallInOther() {
        return Recall.newBuilder()
                .addEntries(EntryName.newBuilder().setDirectory(LISTED).setName(name("f5")))
                .build();
    }
}
