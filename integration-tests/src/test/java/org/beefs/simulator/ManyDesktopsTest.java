package org.beefs.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.beefs.queenbee.hive.Presence;
import org.beefs.simulator.hive.SimDesktop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a hive of two hundred desktops when many of them go at once, and come back. */
class ManyDesktopsTest {
    private static final int HALF = ManyDesktops.DESKTOPS / 2;

    /** Twice a lease: so a repair of this size ends. */
    private static final Duration A_WHILE = Duration.ofMinutes(1);

    /** A desktop that comes back registers, and once more if its link broke as it fell silent. */
    private static final int REGISTRATIONS = 2;

    /** Each time it tells digests, a page of what differs, and the end. */
    private static final int INVENTORIES = 3 * REGISTRATIONS;

    /** So many copies that it shows whether they are given up. */
    private static final int MANY_COPIES = 100;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldCopyNothingWhenDesktopsFallSilentAgainAndAgain(long seed) {
        ManyDesktops many = new ManyDesktops(seed);
        long before = many.copies().begun();
        int silences = 6;

        for (int time = 1; time <= silences; time++) {
            List<SimDesktop> some = many.some(HALF / 4);
            some.forEach(SimDesktop::fallAsleep);
            many.runFor(Duration.ofSeconds(7).multipliedBy(time)); // the last ones are longer than a lease
            many.comeBack(some);
            many.runFor(Duration.ofSeconds(5));
        }

        assertThat(many.copies().begun()).as("copies").isEqualTo(before);
        assertThat(many.changes())
                .as("goes and comes at most once in each silence")
                .allSatisfy((_, times) -> assertThat(times).isLessThanOrEqualTo(2 * silences));
        assertThat(many.losses()).isZero();
        assertAllIsInOrder(many);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldCopyNothingWhenHalfAreAwayForLessThanTheGraceTime(long seed) {
        ManyDesktops many = new ManyDesktops(seed);
        long before = many.copies().begun();
        List<SimDesktop> half = many.some(HALF);

        many.vanish(half);
        many.runFor(ManyDesktops.GRACE_TIME.minusSeconds(10));
        assertThat(many.count(Presence.ASLEEP)).isEqualTo(HALF);
        many.comeBack(half);
        many.runFor(A_WHILE);

        assertThat(many.copies().begun()).as("copies").isEqualTo(before);
        assertThat(many.changes())
                .as("goes and comes")
                .hasSize(HALF)
                .allSatisfy((_, times) -> assertThat(times).isEqualTo(2));
        assertThat(many.losses()).isZero();
        assertAllIsInOrder(many);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldMakeWhatHalfHadElsewhereWithinTheBudget(long seed) {
        ManyDesktops many = new ManyDesktops(seed);
        many.vanish(many.some(HALF));
        many.runUntil(() -> many.count(Presence.ASLEEP) == HALF, "not all are missed");
        long before = many.copies().begun();
        long unreachable = many.filesWith(0);
        long missing = 2 * many.filesWith(1) + many.filesWith(2);

        many.runUntil(() -> many.count(Presence.LOST) == HALF, "not all are given up");
        many.runFor(A_WHILE);

        assertThat(many.copies().contradictions()).isEmpty();
        assertThat(many.copies().begun() - before)
                .as("each is copied once")
                .isEqualTo(missing)
                .isPositive();
        assertThat(many.filesWith(ManyDesktops.REPLICAS)).isEqualTo(ManyDesktops.FILES - unreachable);
        assertThat(many.report().getUnderReplicated())
                .as("files that are reported")
                .isEqualTo(unreachable)
                .isPositive();
        assertThat(many.report().getCopiesUnderWay()).isZero();
        assertThat(many.contradictions()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldStopCopyingWhatComesBack(long seed) {
        ManyDesktops many = new ManyDesktops(seed);
        List<SimDesktop> half = many.some(HALF);
        half.forEach(SimDesktop::fallAsleep);
        many.runUntil(() -> many.count(Presence.LOST) >= HALF / 2, "they are not given up");
        long given = many.copies().begun();
        many.runUntil(() -> many.copies().begun() > given, "nothing is copied");
        long before = many.copies().begun();
        long missing = 2 * many.filesWith(1) + many.filesWith(2);
        assertThat(missing).as("copies to be made").isGreaterThan(MANY_COPIES);

        Map<String, Integer> registered = many.copies().registrations();
        Map<String, Integer> told = many.copies().inventories();
        many.comeBack(half);
        many.runFor(A_WHILE);

        assertThat(many.copies().begun() - before)
                .as("copies of %d that were missing", missing)
                .isLessThan(missing / 2);
        assertThat(many.copies().contradictions()).isEmpty();
        assertThat(many.copies().registrations())
                .as("registrations")
                .allSatisfy((desktop, times) ->
                        assertThat(times - registered.getOrDefault(desktop, 0)).isLessThanOrEqualTo(REGISTRATIONS));
        assertThat(many.copies().inventories())
                .as("messages of inventories")
                .allSatisfy((desktop, times) ->
                        assertThat(times - told.getOrDefault(desktop, 0)).isLessThanOrEqualTo(INVENTORIES));
        assertThat(many.changes())
                .as("goes, is lost or not yet, and comes")
                .hasSize(HALF)
                .allSatisfy((_, times) -> assertThat(times).isBetween(2, 3));
        assertAllIsInOrder(many);
    }

    @Test
    void shouldDoTheSameForTheSameSeed() {
        assertThat(digest(7)).isEqualTo(digest(7));
    }

    private static long digest(long seed) {
        ManyDesktops many = new ManyDesktops(seed);
        List<SimDesktop> half = many.some(HALF);
        many.vanish(half);
        many.runFor(A_WHILE);
        many.comeBack(half);
        many.runFor(Duration.ofSeconds(5));
        return many.digest();
    }

    private static void assertAllIsInOrder(ManyDesktops many) {
        assertThat(many.count(Presence.AWAKE)).isEqualTo(ManyDesktops.DESKTOPS);
        assertThat(many.filesWith(ManyDesktops.REPLICAS)).isEqualTo(ManyDesktops.FILES);
        assertThat(many.replicasOnDisk()).isEqualTo((long) ManyDesktops.FILES * ManyDesktops.REPLICAS);
        assertThat(many.report().getUnderReplicated()).isZero();
        assertThat(many.contradictions()).isEmpty();
    }
}
