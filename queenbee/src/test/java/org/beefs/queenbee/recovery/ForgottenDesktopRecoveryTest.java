package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.ManualTime;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A recovery after a desktop was forgotten. */
class ForgottenDesktopRecoveryTest {
    private static final Duration SETTLING = Duration.ofSeconds(40);

    private final TestHive hive = new TestHive();
    private final MemoryStateStore fresh = new MemoryStateStore();
    private final TestDesktop one = new TestDesktop(hive, "one");
    private final TestDesktop two = new TestDesktop(hive, "two");
    private final TestDesktop gone = new TestDesktop(hive, "gone");

    @BeforeEach
    void forget() {
        List.of(one, two, gone).forEach(TestDesktop::registered);
        one.ok(Ask.mkdir(Namespace.ROOT, "removed", 0755));
        one.ok(Ask.mkdir(Namespace.ROOT, "kept", 0755));
        hive.advance(List.of(one, two, gone), SETTLING);
        gone.disconnect();
        one.ok(QueenRequest.newBuilder().setDeclareLost(DeclareLost.newBuilder().setDesktop("gone")));
        hive.advance(List.of(one, two), SETTLING);
        one.ok(Ask.rmdir(Namespace.ROOT, "removed"));
        one.ok(Ask.forget("gone"));
        hive.advance(List.of(one, two), SETTLING);
        assertThat(hive.queenBee().state().records().tombstones()).isZero();
    }

    private RecoveryReport recover(Set<String> without, TestDesktop... asked) throws IOException {
        return HiveRecovery.run(
                fresh,
                new ManualTime(),
                HiveRecovery.UNBOUNDED,
                List.of(asked).stream().map(ListedRecords::of).toList(),
                0,
                new RollCall(without, 0));
    }

    @Test
    void shouldNotAskForAForgottenDesktop() throws IOException {
        assertThatThrownBy(() -> recover(Set.of("gone"), one, two))
                .hasMessageContaining("no desktop with that name, but one, two");

        assertThat(recover(Set.of(), one, two).lines()).noneMatch(line -> line.contains("gone"));
    }

    @Test
    void shouldNotBelieveTheCatalogOfAForgottenDesktop() throws IOException {
        assertThat(gone.records().values()).hasSizeGreaterThan(2);

        RecoveryReport report = recover(Set.of(), one, gone, two);

        assertThat(report.catalogs()).containsExactly("one", "two");
        assertThat(new TestHive(fresh).names(Namespace.ROOT)).containsOnlyKeys("kept");
    }

    @Test
    void shouldRefuseAForgottenDesktopAfterARecoveryToo() throws IOException {
        recover(Set.of(), one, two);
        TestHive recovered = new TestHive(fresh);
        TestDesktop again = new TestDesktop(recovered, "gone", 2, 2);

        QueenReply refusal = again.send(
                QueenRequest.newBuilder().setRegister(again.register()).build());

        assertThat(Errno.of(refusal.getFailure().getErrno())).isEqualTo(Errno.ESTALE);
        assertThat(refusal.getFailure().getReason()).contains("was forgotten");
        assertThat(recovered.queenBee().state().honeycombs().all()).hasSize(2);
    }
}
