package org.beefs.queenbee.replication.primary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.UnsoundReplicas;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What becomes of replicas that honeycombs find rotten. */
class HealingTest {
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    /** For what is due to be copied, sealed and moved. */
    private static final Duration A_WHILE =
            CONFIG.timeToCoherence().plus(CONFIG.sealDelay().multipliedBy(4));

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> awake = new ArrayList<>();
    private final TestDesktop writer = come("writer");
    private final TestDesktop second = come("second");
    private final TestDesktop third = come("third");

    @Test
    void shouldFetchARottenSecondaryAgainAndRemoveNothing() {
        long inode = createCopied();
        int before = fetches(second, inode);
        second.holdAnswers();

        report(second, rotten(inode, true));
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));
        assertThat(hive.inode(inode).versionIn(hive.number("second"))).isZero();
        assertThat(report("second").getRotten()).isEqualTo(1);
        assertThat(report("second").getUnhealed()).isZero();

        second.answerHeld();
        report(second);
        hive.advance(awake, A_WHILE);
        assertThat(fetches(second, inode)).isGreaterThan(before);
        assertThat(hive.inode(inode).secondaries().areCurrent()).isTrue();
        assertThat(report("second").getRotten()).isZero();
        assertNothingDropped();
    }

    @Test
    void shouldMoveARottenPrimaryToACurrentSecondaryAndFetchItsPlaceAgain() {
        long inode = createCopied();
        long epoch = hive.inode(inode).epoch();

        report(writer, rotten(inode, false));
        report(writer);
        hive.advance(awake, A_WHILE);

        assertThat(desktopOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).epoch()).isGreaterThan(epoch);
        assertThat(fetches(writer, inode)).isPositive();
        assertThat(hive.inode(inode).secondaries().areCurrent()).isTrue();
        assertThat(hive.inode(inode).secondaries().has(hive.number("writer"))).isTrue();
        assertNothingDropped();
    }

    @Test
    void shouldAskTheDesktopFirstWhetherSomebodyThereHasOpenedTheFile() {
        long inode = createCopied();
        writer.setRecallListener(recall -> () -> writer.ok(Ask.open(inode, 7, true, false)));

        report(writer, rotten(inode, false));

        assertThat(desktopOf(inode)).isEqualTo("writer");
        assertThat(report("writer").getUnhealed()).isEqualTo(1);
    }

    @Test
    void shouldKeepWhatNobodyElseHasAndSaySo() {
        long inode = createCopied();
        awake.removeAll(List.of(second, third));
        second.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        third.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));

        report(writer, rotten(inode, false));
        hive.advance(awake, CONFIG.heartbeat());

        assertThat(desktopOf(inode)).isEqualTo("writer");
        assertThat(report("writer").getUnhealed()).isEqualTo(1);
        assertNothingDropped();

        second.registered();
        awake.add(second);
        report(writer, rotten(inode, false));
        report(writer);
        hive.advance(awake, A_WHILE);
        assertThat(desktopOf(inode)).isEqualTo("second");
        assertThat(report("writer").getUnhealed()).isZero();
    }

    @Test
    void shouldKeepAReturningReplicaThatTheFileHasNotWhileThePrimaryIsRotten() {
        long inode = createCopied();
        awake.removeAll(List.of(second, third));
        second.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        third.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        TestDesktop fourth = come("fourth");
        report(writer, rotten(inode, false));

        QueenRequest.Builder inventory =
                QueenRequest.newBuilder().setInventory(Inventory.newBuilder().addReplicas(rotten(inode, true)));
        assertThat(fourth.ok(inventory).getDrop().getReplicasList()).isEmpty();
        report(writer, rotten(inode, false));
        hive.advance(awake, CONFIG.heartbeat());

        assertThat(desktopOf(inode)).isEqualTo("fourth");
    }

    @Test
    void shouldKeepTheOnlyOtherReplicaOnADesktopThatIsEmptiedWhileThePrimaryIsRotten() {
        leave(third);
        long inode = createCopied(1);
        leave(second);
        report(writer, rotten(inode, false));
        writer.ok(Ask.drain("second", false));

        awake.add(second.registered());
        hive.run();

        assertThat(hive.inode(inode).isIn(hive.number("second"))).isTrue();
        report(writer, rotten(inode, false));
        assertThat(desktopOf(inode)).isEqualTo("second");
    }

    @Test
    void shouldKeepTheRecordOfAReplicaOnALostDesktopWhileThePrimaryIsRotten() {
        leave(third);
        long inode = createCopied(1);
        leave(second);
        report(writer, rotten(inode, false));

        writer.ok(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop("second")));
        hive.advance(awake, A_WHILE);

        assertThat(hive.inode(inode).isIn(hive.number("second"))).isTrue();
    }

    private void leave(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
    }

    @Test
    void shouldNotReplaceOneRottenReplicaByAnother() {
        long inode = createCopied();

        report(second, rotten(inode, true));
        report(third, rotten(inode, true));
        report(writer, rotten(inode, false));

        assertThat(desktopOf(inode)).isEqualTo("writer");
        assertThat(report("writer").getUnhealed()).isEqualTo(1);
        assertNothingDropped();
    }

    @Test
    void shouldNotTakeForHealedWhatAReportDoesNotSpeakOf() {
        long inode = createCopied();
        second.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        third.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        ScrubReport.Builder upToIt =
                ScrubReport.newBuilder().setRottenThrough(inode).setRottenTotal(1);

        tell(writer, upToIt.clone().addRotten(rotten(inode, false)));
        tell(writer, ScrubReport.newBuilder().setRottenAfter(inode).setRottenTotal(1));
        tell(writer, ScrubReport.newBuilder().setRottenThrough(inode - 1).setRottenTotal(1));

        Honeycomb primary = hive.queenBee().state().honeycombs().of(hive.inode(inode));
        assertThat(primary.isSound(inode)).isFalse();
        assertThat(report("writer").getRotten()).isEqualTo(1);
        assertThat(report("writer").getUnhealed()).isEqualTo(1);

        tell(writer, upToIt.setRottenTotal(0));
        assertThat(primary.isSound(inode)).isTrue();
        assertThat(report("writer").getUnhealed()).isZero();
    }

    @Test
    void shouldTellHowManyAreRottenThatAreNotNamedYet() {
        tell(writer, ScrubReport.newBuilder().setRottenTotal(2500));

        assertThat(report("writer").getRotten()).isEqualTo(2500);
    }

    @Test
    void shouldKeepARottenReplicaWhosePrimaryIsMissing() {
        long inode = createCopied();
        third.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        long version = hive.inode(inode).version();
        hive.queenBee().state().honeycombs().of(hive.inode(inode)).unsound().setMissing(inode, UnsoundReplicas.IN_USE);

        report(second, rotten(inode, true));

        assertThat(hive.inode(inode).versionIn(hive.number("second"))).isEqualTo(version);
        assertThat(report("second").getUnhealed()).isEqualTo(1);
    }

    @Test
    void shouldReplaceAPrimaryThatCannotBeSealedWhenNobodyHasItOpen() {
        long inode = createCopied();
        third.ok(Ask.open(inode, 7, true, false));
        writer.ok(Ask.open(inode, 8, false, true));
        writer.breakReplica(inode);
        writer.ok(Ask.release(
                inode, 8, ReplicaStatus.newBuilder().setObservation(2).build()));

        hive.advance(awake, A_WHILE);
        assertThat(desktopOf(inode)).isEqualTo("writer");

        third.ok(Ask.release(inode, 7));
        hive.advance(awake, A_WHILE);
        assertThat(desktopOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).unsealed()).isFalse();
        assertNothingDropped();
    }

    @Test
    void shouldKeepAPrimaryThatCannotBeSealedWhenItsVersionIsNowhereElse() {
        long inode = createCopied();
        writer.ok(Ask.open(inode, 8, false, true));
        writer.breakReplica(inode);
        writer.ok(Ask.release(inode, 8, Ask.written(inode, 5)));

        hive.advance(awake, A_WHILE);

        assertThat(desktopOf(inode)).isEqualTo("writer");
    }

    @Test
    void shouldNotLetARottenReplicaTakeThePlaceOfALostPrimary() {
        long inode = createCopied();
        awake.removeAll(List.of(writer, third));
        writer.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        third.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        report(second, rotten(inode, true));

        second.ok(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop("writer")));
        hive.advance(awake, A_WHILE.plus(CONFIG.lease()));
        assertThat(desktopOf(inode)).isEqualTo("writer");

        awake.add(third.registered());
        hive.advance(awake, A_WHILE);
        assertThat(desktopOf(inode)).isEqualTo("third");
    }

    @Test
    void shouldWaitUntilTheFileIsClosed() {
        long inode = createCopied();
        writer.ok(Ask.open(inode, 7, true, false));

        report(writer, rotten(inode, false));
        assertThat(desktopOf(inode)).isEqualTo("writer");
        assertThat(report("writer").getUnhealed()).isEqualTo(1);

        writer.ok(Ask.release(inode, 7, ReplicaStatus.getDefaultInstance()));
        report(writer, rotten(inode, false));
        hive.advance(awake, A_WHILE);
        assertThat(desktopOf(inode)).isNotEqualTo("writer");
    }

    @Test
    void shouldIgnoreWhatIsSaidOfAnotherVersion() {
        long inode = createCopied();

        report(writer, rotten(inode, false).toBuilder().setVersion(1).build());
        report(second, rotten(inode, true).toBuilder().setVersion(1).build());

        assertThat(desktopOf(inode)).isEqualTo("writer");
        assertThat(hive.inode(inode).secondaries().areCurrent()).isTrue();
    }

    @Test
    void shouldNotTakeARottenReplicaOfAnInventoryForACurrentOne() {
        long inode = createCopied();
        second.ok(QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addReplicas(rotten(inode, true).toBuilder().setRotten(true))));

        assertThat(hive.inode(inode).versionIn(hive.number("second"))).isZero();
    }

    private ReplicaName rotten(long inode, boolean secondary) {
        return ReplicaName.newBuilder()
                .setInode(inode)
                .setEpoch(hive.inode(inode).epoch())
                .setVersion(hive.inode(inode).version())
                .setSecondary(secondary)
                .build();
    }

    private void report(TestDesktop desktop, ReplicaName... rotten) {
        tell(desktop, ScrubReport.newBuilder().addAllRotten(List.of(rotten)).setRottenTotal(rotten.length));
    }

    private static void tell(TestDesktop desktop, ScrubReport.Builder report) {
        desktop.ok(QueenRequest.newBuilder().setHeartbeat(desktop.heartbeat().setScrub(report)));
    }

    private void assertNothingDropped() {
        assertThat(awake)
                .flatExtracting(TestDesktop::received)
                .noneMatch(request -> request.getDrop().getReplicasCount() > 0);
    }

    private static int fetches(TestDesktop desktop, long inode) {
        return (int) desktop.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .map(Fetch::getReplica)
                .filter(replica -> replica.getInode() == inode)
                .count();
    }

    private DesktopReport report(String desktop) {
        return writer.ok(Ask.status()).getHiveReport().getDesktopsList().stream()
                .filter(report -> report.getDesktop().equals(desktop))
                .findFirst()
                .orElseThrow();
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        awake.add(desktop);
        return desktop;
    }

    /** A file whose primary is the writer's, and that the others have. */
    private long createCopied() {
        return createCopied(2);
    }

    /** Likewise, and that so many others have. */
    private long createCopied(int copies) {
        long handle = 1000 + writer.newHandle();
        long inode = writer.ok(Ask.create(Namespace.ROOT, "file", 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        ReplicaStatus written = ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setObservation(1)
                .setSize(1 << 20)
                .setMtime(Timestamp.newBuilder().setSeconds(1))
                .build();
        writer.ok(Ask.release(inode, handle, written));
        hive.advance(awake, A_WHILE);
        assertThat(hive.inode(inode).secondaries().countCurrent()).isEqualTo(copies);
        return inode;
    }

    private String desktopOf(long inode) {
        return hive.queenBee().state().honeycombs().of(hive.inode(inode)).desktop();
    }
}
