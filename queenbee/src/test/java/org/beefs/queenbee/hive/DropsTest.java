package org.beefs.queenbee.hive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which replicas a honeycomb is told to remove, and when again. */
class DropsTest {
    private static final int BATCH = 1000;

    private final Drops drops = new Honeycomb(1, ByteString.EMPTY, new Owing()).drops();

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
