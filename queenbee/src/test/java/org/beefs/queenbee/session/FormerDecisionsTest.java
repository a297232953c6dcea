package org.beefs.queenbee.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.Test;

/** How much of what desktops had decided is remembered. */
class FormerDecisionsTest {
    private static final Timestamp THEN = Timestamp.newBuilder().setSeconds(7).build();

    private final FormerDecisions decisions = new FormerDecisions();

    @Test
    void shouldForgetTheEldestChange() {
        shouldForgetTheEldest(inode -> decisions.add(inode, THEN), inode -> decisions.has(inode, THEN));
    }

    @Test
    void shouldForgetTheEldestThatIsElsewhere() {
        shouldForgetTheEldest(decisions::placeElsewhere, decisions::isElsewhere);
    }

    @Test
    void shouldForgetTheEldestThatIsInTheRoot() {
        shouldForgetTheEldest(inode -> decisions.placeInRoot(inode, 7, 1), decisions::isInRoot);
    }

    private static void shouldForgetTheEldest(LongConsumer add, LongPredicate has) {
        for (long inode = 1; inode <= FormerDecisions.MOST; inode++) {
            add.accept(inode);
        }
        assertThat(has.test(1)).isTrue();

        add.accept(FormerDecisions.MOST + 1);

        assertThat(has.test(1)).isFalse();
        assertThat(has.test(2)).isTrue();
        assertThat(has.test(FormerDecisions.MOST + 1)).isTrue();
    }
}
