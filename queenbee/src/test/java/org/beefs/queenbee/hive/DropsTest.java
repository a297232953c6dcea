package org.beefs.queenbee.hive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which replicas a honeycomb is told to remove, and when again. */
class DropsTest {
    private static final int BATCH = 1000;

    private final Drops drops =
            new Honeycomb(1, ByteString.EMPTY, new Owing()).errandQueue().drops();

    @Test
    void shouldLookOnceAtEachThatCannotGoUntilItMay() {
        for (long inode = 1; inode <= 5 * BATCH; inode++) {
            drops.add(new Drop(inode, 0, 1, 0));
        }

        assertThat(lookedAtIn(100)).isEqualTo(5 * BATCH);
        assertThat(drops.isEmpty()).as("nothing can be told").isTrue();
        assertThat(drops.pending()).isEqualTo(5 * BATCH);
        assertThat(drops.has(7)).isTrue();

        drops.lookAgain();

        assertThat(lookedAtIn(100)).isEqualTo(5 * BATCH);
    }

    /** Those of 200,000 files whose primaries are off would else be moved to and fro with each tick. */
    @Test
    void shouldLookAgainAtSomeInTurnThatCannotGo() {
        for (long inode = 1; inode <= 100 * BATCH; inode++) {
            drops.add(new Drop(inode, 0, 1, 0));
            drops.rest(inode);
        }

        drops.lookAgain(BATCH);
        assertThat(drops.isEmpty()).isFalse();
        assertThat(drops.next(1, any -> true)).extracting(Drop::inode).containsExactly(1L);
        assertThat(lookedAtIn(100)).isEqualTo(BATCH);
        assertThat(drops.isEmpty()).isTrue();

        drops.lookAgain(BATCH);
        assertThat(drops.next(1, any -> true)).extracting(Drop::inode).containsExactly(BATCH + 1L);

        drops.lookAgain();
        assertThat(lookedAtIn(1000)).isEqualTo(100 * BATCH);
        assertThat(drops.pending()).isEqualTo(100 * BATCH);
    }

    @Test
    void shouldLookAtNoneThatWasForgottenSince() {
        drops.add(new Drop(7, 0, 1, 0));
        drops.rest(7);
        drops.lookAgain();

        drops.cancel(7);

        assertThat(drops.next(BATCH, any -> true)).isEmpty();
        assertThat(drops.isEmpty()).isTrue();
    }

    private int lookedAtIn(int passes) {
        int looked = 0;
        for (int pass = 0; pass < passes; pass++) {
            List<Drop> next = drops.next(BATCH, any -> true);
            next.forEach(drop -> drops.rest(drop.inode()));
            looked += next.size();
        }
        return looked;
    }

    @Test
    void shouldTellOfOneAgainThatCouldNotGoWhenItsFileIsGone() {
        Drop drop = new Drop(7, 0, 1, 0);
        drops.add(drop);
        drops.rest(7);
        assertThat(drops.next(BATCH, any -> true)).isEmpty();

        drops.add(drop);

        assertThat(drops.next(BATCH, any -> true)).containsExactly(drop);
        assertThat(drops.pending()).isEqualTo(1);
    }

    @Test
    void shouldForgetOneThatMayStayThoughItCouldNotGo() {
        drops.add(new Drop(7, 0, 1, 0));
        drops.rest(7);

        assertThat(drops.cancel(7)).isTrue();

        assertThat(drops.has(7)).isFalse();
        assertThat(drops.pending()).isZero();
    }
}
