package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.ManualTime;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which honeycombs a recovery does not go without. */
class RollCallTest {
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final TestHive hive = new TestHive();
    private final MemoryStateStore fresh = new MemoryStateStore();
    private final TestDesktop one = new TestDesktop(hive, "desk1");
    private final TestDesktop two = new TestDesktop(hive, "desk2");
    private final TestDesktop ten = new TestDesktop(hive, "desk10");

    @BeforeEach
    void comeAll() {
        List.of(one, two, ten).forEach(TestDesktop::registered);
        hive.advance(SETTLING);
    }

    /** As an administrator does on a server that is also a desktop, or who forgets an address. */
    @Test
    void shouldNameThoseThatWereForgottenAndMakeNoHive() {
        assertThatThrownBy(() -> recover(Set.of(), 0, one))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("2 of the hive's honeycombs")
                .hasMessageContaining("desk2, desk10")
                .hasMessageContaining("--without desk2,desk10");
        assertThat(fresh.size()).isZero();
    }

    @Test
    void shouldGoWithoutThoseThatAreNamed() throws IOException {
        RecoveryReport report = recover(Set.of("desk2", "desk10"), 0, one);
        assertThat(report.lines()).anyMatch(line -> line.startsWith("not asked: desk2, desk10; files"));
    }

    @Test
    void shouldTellOfNobodyWhenAllWereAsked() throws IOException {
        RecoveryReport report = recover(Set.of(), 0, one, two, ten);
        assertThat(report.lines()).noneMatch(line -> line.contains("not asked"));
    }

    @Test
    void shouldRefuseToGoWithoutADesktopThatTheHiveDoesNotHave() {
        assertThatThrownBy(() -> recover(Set.of("desk3"), 0, one, two, ten))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("no desktop with that name, but desk1, desk2, desk10");
    }

    /** It was made anew because the former one was damaged, and has been told nothing yet. */
    @Test
    void shouldTakeAnEmptyCatalogForOneThatWasNotAsked() throws IOException {
        two.loseRecords();
        assertThatThrownBy(() -> recover(Set.of(), 0, one, two, ten))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("desk2")
                .hasMessageContaining("catalog.damaged")
                .hasMessageContaining("--without desk2");
        assertThat(fresh.size()).isZero();

        recover(Set.of("desk2"), 0, one, two, ten);
    }

    @Test
    void shouldNotMindTheEmptyCatalogOfADesktopThatTheHiveHasNeverSeen() throws IOException {
        recover(Set.of(), 0, one, two, ten, new TestDesktop(hive, "new"));
    }

    /** The unreached ones may be those that are missing. */
    @Test
    void shouldNotCallThoseForgottenThatMayBeOutstanding() throws IOException {
        recover(Set.of(), 2, one);
        assertThatThrownBy(() -> recover(Set.of(), 1, one)).hasMessageContaining("1 of the hive's honeycombs");
    }

    @Test
    void shouldGoWithoutWhoWasDeclaredLost() throws IOException {
        ten.disconnect();
        one.ok(QueenRequest.newBuilder().setDeclareLost(DeclareLost.newBuilder().setDesktop("desk10")));
        hive.advance(List.of(one, two), SETTLING);
        recover(Set.of(), 0, one, two);
    }

    /** It still has what only it knows. */
    @Test
    void shouldAskWhoIsOnlyAwayForLong() {
        ten.disconnect();
        passGraceTime();
        assertThatThrownBy(() -> recover(Set.of(), 0, one, two)).hasMessageContaining("not asked: desk10");
    }

    /** One that is away for less has perhaps not been emptied. */
    @Test
    void shouldGoWithoutWhoWasEmptiedAndHasGoneForGood() throws IOException {
        one.ok(Ask.drain("desk10", false));
        hive.advance(List.of(one, two, ten), SETTLING);
        assertThatThrownBy(() -> recover(Set.of(), 0, one, two)).hasMessageContaining("not asked: desk10");

        ten.disconnect();
        passGraceTime();
        recover(Set.of(), 0, one, two);
    }

    /** The others are there again afterwards. */
    private void passGraceTime() {
        hive.advance(TestConfig.LONGER_THAN_THE_GRACE_TIME);
        one.registered();
        two.registered();
        hive.advance(List.of(one, two), SETTLING);
    }

    private RecoveryReport recover(Set<String> without, int outstanding, TestDesktop... asked) throws IOException {
        return HiveRecovery.run(
                fresh,
                new ManualTime(),
                HiveRecovery.UNBOUNDED,
                List.of(asked).stream().map(ListedRecords::of).toList(),
                0,
                new RollCall(without, outstanding));
    }
}
