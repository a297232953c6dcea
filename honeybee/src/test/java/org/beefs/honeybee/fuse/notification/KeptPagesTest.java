package org.beefs.honeybee.fuse.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.honeybee.fuse.notification.KeptPages.Use;
import org.junit.jupiter.api.Test;

class KeptPagesTest {
    private final List<Long> dropped = new ArrayList<>();
    private final KeptPages pages = new KeptPages(inode -> {
        dropped.add(inode);
        return CompletableFuture.completedFuture(null);
    });

    /** As when somebody has mapped a library, and searches through a tree. */
    @Test
    void shouldDropWhatIsOpenWhenItsLeaseEndsHoweverManyFilesWereReadSince() {
        open(1);
        readOthers();

        pages.invalidate(1);
        pages.invalidate(1);

        assertThat(dropped).containsExactly(1L);
    }

    @Test
    void shouldLeaveToTheNextOpenWhatNobodyHasOpen() {
        open(1);
        readOthers();
        pages.release(1, 1);

        pages.invalidate(1);

        assertThat(dropped).isEmpty();
        assertThat(open(1)).isEqualTo(Use.FRESH);
    }

    @Test
    void shouldDropWhatIsReadWithoutALeaseBeforeAChangeOfAttributesIsAnswered() {
        open(1);
        pages.invalidate(1);
        dropped.clear();

        pages.beforeChange(1);

        assertThat(dropped).containsExactly(1L);
    }

    @Test
    void shouldDropNothingBeforeAChangeOfAttributesWhileTheLeaseHoldsOrNobodyReadsInPages() {
        open(1);
        pages.beforeChange(1);
        pages.release(1, 1);
        pages.invalidate(1);
        pages.beforeChange(1);
        pages.beforeChange(2);

        assertThat(dropped).isEmpty();
    }

    /** Else the queen-bee would wait for each further recall, and programs here for their opens. */
    @Test
    void shouldAnswerThoughPagesCannotBeDroppedAndDropThemNextTime() {
        KeptPages failing = new KeptPages(inode -> {
            dropped.add(inode);
            if (dropped.size() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return CompletableFuture.completedFuture(null);
        });
        failing.open(1, 1, () -> true);

        assertThat(failing.invalidate(1)).isDone();
        assertThat(failing.beforeChange(1))
                .as("otherwise old pages would pass for current")
                .isDone();
        assertThat(failing.invalidate(1)).isDone();
        assertThat(failing.invalidate(1)).isDone();

        assertThat(dropped).containsExactly(1L, 1L, 1L);
    }

    private Use open(long inode) {
        return pages.open(inode, inode, () -> true);
    }

    private void readOthers() {
        for (long inode = 2; inode < 2 + KeptPages.MOST; inode++) {
            open(inode);
            pages.release(inode, inode);
        }
    }
}
