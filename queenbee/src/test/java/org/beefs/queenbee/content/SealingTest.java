package org.beefs.queenbee.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Which versions the queen-bee has sealed, and when. */
class SealingTest {
    private static final long ROOT = Namespace.ROOT;
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    /** Enough for everything that waited when it began, as the queue is looked at with each heartbeat. */
    private static final Duration DELAY = CONFIG.sealDelay().plus(CONFIG.heartbeat());

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldHaveACommittedVersionSealed() {
        long inode = createCommitted("f");
        hive.advance(DELAY);

        Seal seal = batches().getFirst().getFirst();
        Node node = desktop.ok(Ask.attributes(inode)).getNode();
        assertThat(seal.getReplica().getInode()).isEqualTo(inode);
        assertThat(seal.getVersion()).isEqualTo(node.getLayout().getVersion());
        assertThat(seal.getSize()).isEqualTo(100);
        assertThat(seal.getMtime()).isEqualTo(node.getLayout().getCommittedMtime());
        assertThat(isUnsealed(inode)).isFalse();
    }

    /** Opening to write has taken the version off the replica. */
    @Test
    void shouldHaveTheVersionSealedAgainWhenNothingChanged() {
        long inode = createCommitted("f");
        hive.advance(DELAY);
        long handle = 1000 + desktop.newHandle();
        desktop.ok(Ask.open(inode, handle, false, true));
        desktop.ok(Ask.release(
                inode, handle, written(inode, 1).toBuilder().setObservation(2).build()));
        hive.advance(DELAY);

        assertThat(batches()).hasSize(2);
        assertThat(batches().getLast()).isEqualTo(batches().getFirst());
        assertThat(isUnsealed(inode)).isFalse();
    }

    @Test
    void shouldSealTogetherWhatWasCommittedWhileTheFirstWaited() {
        long first = createCommitted("first");
        hive.advance(CONFIG.sealDelay().dividedBy(2));
        long second = createCommitted("second");
        assertThat(batches()).isEmpty();

        hive.advance(CONFIG.sealDelay());

        assertThat(batches()).hasSize(1);
        assertThat(inodes(batches().getFirst())).containsExactly(first, second);
    }

    @Test
    void shouldNotBeginABatchWhileOneIsUnderWay() {
        desktop.holdAnswers();
        createCommitted("first");
        hive.advance(DELAY);
        createCommitted("second");
        hive.advance(DELAY);
        assertThat(batches()).hasSize(1);

        desktop.answerHeld();

        assertThat(batches()).hasSize(2);
    }

    @Test
    void shouldLookAtWhatItsDesktopFindsChanged() {
        long inode = createCommitted("f");
        long other = createCommitted("other");
        desktop.findChanged(List.of(inode));
        hive.advance(DELAY);

        assertThat(isUnsealed(inode)).isTrue();
        assertThat(isUnsealed(other)).isFalse();
    }

    @Test
    void shouldAskAgainWhenADesktopFindsMoreChangedThanWasAsked() {
        long inode = createCommitted("f");
        desktop.findChanged(List.of(inode, inode + 1));
        hive.advance(DELAY);
        assertThat(isUnsealed(inode)).isTrue();

        desktop.findChanged(List.of());
        hive.advance(DELAY);

        assertThat(isUnsealed(inode)).isFalse();
        assertThat(batches()).hasSizeGreaterThan(1);
    }

    @Test
    void shouldNotSealWhatWasRemovedInTime() {
        createCommitted("f");
        desktop.ok(Ask.unlink(ROOT, "f"));
        hive.advance(DELAY);
        assertThat(batches()).isEmpty();
    }

    /** A loss of power would take the old content with the new one. */
    @Test
    void shouldSealWithoutDelayWhatReplacesAnotherFile() {
        createCommitted("f");
        hive.advance(DELAY);
        createCommitted("other");
        long inode = createCommitted("f.new");
        desktop.ok(Ask.rename(ROOT, "f.new", ROOT, "f"));

        assertThat(inodes(batches().getLast())).containsExactly(inode);
        assertThat(isUnsealed(inode)).isFalse();
    }

    /** The release of a file comes behind its close, and so maybe behind the rename. */
    @Test
    void shouldSealWithoutDelayWhatReplacesAnotherFileAndIsReleasedLater() {
        createCommitted("f");
        hive.advance(DELAY);
        long inode = createCommitted("f.new");
        long handle = desktop.openToWrite(inode);
        desktop.ok(Ask.rename(ROOT, "f.new", ROOT, "f"));
        desktop.ok(Ask.release(inode, handle, written(inode, 2)));

        assertThat(inodes(batches().getLast())).containsExactly(inode);
        assertThat(isUnsealed(inode)).isFalse();
    }

    @Test
    void shouldLetWaitWhatTakesANameThatNobodyHad() {
        createCommitted("f");
        desktop.ok(Ask.rename(ROOT, "f", ROOT, "g"));
        assertThat(batches()).isEmpty();
    }

    @Test
    void shouldSealOnceWhatIsWrittenAgainAndAgain() {
        long inode = createCommitted("f");
        for (int time = 2; time < 10; time++) {
            rewrite(inode, time);
        }
        hive.advance(DELAY);

        assertThat(batches()).hasSize(1);
        assertThat(inodes(batches().getFirst())).containsExactly(inode);
        assertThat(isUnsealed(inode)).isFalse();
    }

    @Test
    void shouldSealNowAndThenWhatIsWrittenAllTheTime() {
        long inode = createCommitted("f");
        for (int second = 2; second < 12; second++) {
            rewrite(inode, second);
            hive.advance(Duration.ofSeconds(1));
        }
        assertThat(batches()).hasSizeBetween(1, 2);
    }

    @Test
    void shouldSealTheNextVersionThatWasCommittedDuringABatch() {
        desktop.holdAnswers();
        long inode = createCommitted("f");
        hive.advance(DELAY);
        rewrite(inode, 2);
        desktop.answerHeld();
        assertThat(isUnsealed(inode)).isTrue();

        hive.advance(DELAY);

        assertThat(batches()).hasSize(2);
        assertThat(isUnsealed(inode)).isFalse();
    }

    /** It may say that the replica carries the version, which the open has taken off since. */
    @Test
    void shouldNotBelieveAnAnswerFromBeforeAnOpenThatChangedNothing() {
        desktop.holdAnswers();
        long inode = createCommitted("f");
        hive.advance(DELAY);
        rewrite(inode, 1);
        desktop.answerHeld();
        assertThat(isUnsealed(inode)).isTrue();

        hive.advance(DELAY);

        assertThat(batches()).hasSize(2);
        assertThat(isUnsealed(inode)).isFalse();
    }

    @Test
    void shouldSealAgainUntilAnsweredAlsoAfterARestart() {
        desktop.setAnswering(false);
        long inode = createCommitted("f");
        hive.advance(DELAY);
        assertThat(isUnsealed(inode)).isTrue();

        hive.restart();
        desktop.setAnswering(true);
        desktop.register(desktop.register());
        hive.advance(DELAY);

        assertThat(isUnsealed(inode)).isFalse();
        int asked = desktop.received().size();
        hive.advance(DELAY);
        assertThat(desktop.received()).hasSize(asked);
    }

    @Test
    void shouldSealAgainWhatAHoneycombThatConnectsAnewMayNotHaveHeard() {
        desktop.holdAnswers();
        long inode = createCommitted("f");
        hive.advance(DELAY);
        desktop.disconnect();
        desktop.register(desktop.register());
        desktop.answerHeld();
        assertThat(isUnsealed(inode)).isTrue();

        hive.advance(DELAY);

        assertThat(isUnsealed(inode)).isFalse();
    }

    @Test
    void shouldSealTheOthersWhenOneReplicaFails() {
        long broken = createCommitted("broken");
        long whole = createCommitted("whole");
        desktop.breakReplica(broken);

        hive.advance(DELAY.multipliedBy(3));

        assertThat(isUnsealed(whole)).isFalse();
        assertThat(isUnsealed(broken)).isTrue();
    }

    private List<List<Seal>> batches() {
        return desktop.received().stream()
                .filter(DesktopRequest::hasSeal)
                .map(request -> request.getSeal().getSealsList())
                .toList();
    }

    private static List<Long> inodes(List<Seal> batch) {
        return batch.stream().map(seal -> seal.getReplica().getInode()).toList();
    }

    private boolean isUnsealed(long inode) {
        Inode found = hive.queenBee().state().namespace().find(inode);
        return Objects.requireNonNull(found).unsealed();
    }

    private long createCommitted(String name) {
        return desktop.createWritten(name, inode -> written(inode, 1));
    }

    private void rewrite(long inode, long time) {
        desktop.ok(Ask.release(inode, desktop.openToWrite(inode), written(inode, time)));
    }

    /** The time also numbers the observation. */
    private static ReplicaStatus written(long inode, long time) {
        return Ask.written(inode, 100, time);
    }
}
