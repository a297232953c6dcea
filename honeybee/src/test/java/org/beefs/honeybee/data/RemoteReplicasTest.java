package org.beefs.honeybee.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.groups.Tuple;
import org.beefs.common.config.Addresses;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.cache.ReadableFile;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.fake.FakeLocalReplicas;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemoteReplicasTest {
    private static final Duration WHILE = Duration.ofSeconds(5);
    private static final int MIB = 1 << 20;

    private static final int TRANSFERS = FakeHive.CONFIG.maxTransfers();

    /** Bytes in a second: 250 kbit/s. */
    private static final int SLOWEST = 31_250;

    /** Time for all transfers then, which is much longer than the patience of 60 s. */
    private static final Duration TRANSFER = Duration.ofMinutes(9);

    private final FakeHive hive = FakeHive.started();
    private final FakeHoneycomb honeycomb = hive.honeycomb;
    private long inode;
    private ReplicaAccess replicas;
    private ReplicaTarget target;

    @BeforeEach
    void openFile() {
        inode = hive.queen.addFile("f", honeycomb.layout(), Attributes.newBuilder());
        var layout = hive.queen.layout(inode).build();
        replicas = hive.honeycombs.at(layout);
        target = ReplicaTargets.of(layout);
    }

    @Test
    void shouldReadAndWrite() {
        ReplicaStatus status = hive.get(replicas.write(target, 0, false, buffer("hello")));

        assertThat(status.getSize()).isEqualTo(5);
        assertThat(text(hive.get(replicas.read(target, 1, 100)))).isEqualTo("ello");
    }

    @Test
    void shouldMakeAChangeOnceThoughTheAnswerIsLost() {
        honeycomb.loseAnswers(1);

        hive.get(replicas.write(target, 0, true, buffer("once")), WHILE);

        assertThat(honeycomb.content(inode)).isEqualTo("once");
        assertThat(honeycomb.requestsOf(OperationCase.WRITE))
                .hasSize(2)
                .allMatch(request -> request.getSequence() == 1 && request.getSession() == hive.session.number());
    }

    @Test
    void shouldNumberChangesForThisHoneycomb() {
        hive.get(replicas.write(target, 0, false, buffer("a")));
        hive.get(replicas.truncate(target, 0));

        DataRequest last = honeycomb.requestsOf(OperationCase.TRUNCATE).getFirst();
        assertThat(last.getSequence()).isEqualTo(2);
        assertThat(last.getAcknowledged()).isEqualTo(2);
    }

    @Test
    void shouldFailAnAppendOfUnknownOutcomeAfterARestart() {
        honeycomb.loseAnswers(1);
        CompletableFuture<ReplicaStatus> append = replicas.write(target, 0, true, buffer("x"));
        hive.timers.runDue();
        restartHoneycomb();

        hive.pass(WHILE);

        assertThat(hive.failure(append)).isEqualTo(Errno.EIO);
        assertThat(honeycomb.content(inode)).isEqualTo("x");
    }

    @Test
    void shouldRepeatAnAppendThatAStoppingHoneycombHasNotMade() {
        hive.get(replicas.write(target, 0, true, buffer("a")));
        honeycomb.takeLeave();
        CompletableFuture<ReplicaStatus> append = replicas.write(target, 0, true, buffer("x"));
        hive.timers.runDue();
        restartHoneycomb();

        hive.get(append, WHILE);

        assertThat(honeycomb.content(inode)).isEqualTo("ax");
    }

    @Test
    void shouldRepeatAnAppendThatWasNeverSent() {
        honeycomb.stop();
        CompletableFuture<ReplicaStatus> append = replicas.write(target, 0, true, buffer("x"));
        hive.pass(WHILE);
        startHoneycomb();

        hive.get(append, WHILE);

        assertThat(honeycomb.content(inode)).isEqualTo("x");
    }

    @Test
    void shouldRepeatAWriteAtAnOffsetAfterARestart() {
        honeycomb.loseAnswers(1);
        CompletableFuture<ReplicaStatus> write = replicas.write(target, 2, false, buffer("x"));
        hive.timers.runDue();
        restartHoneycomb();

        hive.get(write, WHILE);

        assertThat(honeycomb.content(inode)).isEqualTo("\0\0x");
    }

    @Test
    void shouldFindAHoneycombThatMovedToAnotherPort() {
        hive.get(replicas.write(target, 0, false, buffer("a")));
        String before = honeycomb.address();
        restartHoneycomb();
        assertThat(honeycomb.address()).isNotEqualTo(before);

        assertThat(text(hive.get(replicas.read(target, 0, 10), WHILE))).isEqualTo("a");
    }

    @Test
    void shouldAskNothingOfAnotherHoneycombAtItsAddress() {
        FakeHoneycomb other = takeOverAddress();

        CompletableFuture<ReplicaStatus> write = replicas.write(target, 0, false, buffer("a"));
        hive.pass(WHILE);

        assertThat(write).isNotDone();
        assertThat(other.requests).isEmpty();
        assertThat(hive.network.connects()).as("attempts with pauses").isLessThan(20);

        startHoneycomb();
        hive.get(write, WHILE);
        assertThat(honeycomb.content(inode)).isEqualTo("a");
        assertThat(other.requests).isEmpty();
    }

    @Test
    void shouldSayWhoseHoneycombAnswersAtItsAddress() {
        takeOverAddress();

        assertThat(readInVain().exceptionNow())
                .hasMessageContaining("desktop2 must come back")
                .hasMessageContaining("another honeycomb (of desktop3) answers at port ");
    }

    private FakeHoneycomb takeOverAddress() {
        int port = Addresses.parse(honeycomb.address()).getPort();
        honeycomb.stop();
        FakeHoneycomb other = new FakeHoneycomb(hive.network, hive.timers, "desktop3");
        other.start(port);
        return other;
    }

    @Test
    void shouldFindAHoneycombThatMovedWhileFilesWereFetchedAhead() {
        hive.get(replicas.write(target, 0, false, buffer("a")));
        honeycomb.stop();
        Layout layout = hive.queen.layout(inode).setCommittedSize(1).build();
        hive.honeycombs.readAhead().fetch(List.of(new ReadableFile(layout, 1)));
        hive.pass(WHILE);
        startHoneycomb();

        assertThat(text(hive.get(replicas.read(target, 0, 10), WHILE))).isEqualTo("a");
    }

    @Test
    void shouldNotTakeForAwayWhoDoesNotAnswerInTimeWhatIsFetchedAhead() {
        hive.get(replicas.write(target, 0, false, buffer("a")));
        honeycomb.held = OperationCase.READ_FILES;
        Layout layout = hive.queen.layout(inode).setCommittedSize(1).build();
        try (LogLines log = new LogLines(Reachability.class.getName())) {
            for (int lease = 1; lease <= 61; lease++) {
                hive.honeycombs.readAhead().fetch(List.of(new ReadableFile(layout, lease)));
                hive.pass(ReadAhead.PATIENCE);
            }

            assertThat(log.warnings()).isEmpty();
        }
        honeycomb.held = OperationCase.READ;
        assertThatAReadIsPatient();
    }

    @Test
    void shouldNotWaitForAConnectionThatHasDiedInItsSleep() {
        hive.get(replicas.write(target, 0, false, buffer("a")));
        hive.network.setSilent(true);
        CompletableFuture<Payload> read = replicas.read(target, 0, 10);
        hive.timers.runDue();

        hive.honeycombs.connections().wake();

        assertThat(text(hive.get(read, Duration.ofSeconds(1)))).isEqualTo("a");
    }

    @Test
    void shouldFailWithEioWhenPatienceIsOver() {
        honeycomb.stop();
        assertThat(readInVain().exceptionNow()).hasMessageContaining("desktop2 must come back");
    }

    private CompletableFuture<Payload> readInVain() {
        CompletableFuture<Payload> read = replicas.read(target, 0, 10);
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(read)).isEqualTo(Errno.EIO);
        return read;
    }

    @Test
    void shouldTransferOverTheSlowestNetworkAsMuchAsMayBeUnderWay() {
        hive.network.setRate(SLOWEST);
        int length = TRANSFERS * MIB;

        hive.get(replicas.write(target, 0, false, Unpooled.wrappedBuffer(new byte[length])), TRANSFER);
        Payload read = hive.get(replicas.read(target, 0, length), TRANSFER);

        assertThat(read.length()).isEqualTo(length);
        read.close();
        assertThat(honeycomb.requestsOf(OperationCase.WRITE)).hasSize(TRANSFERS);
        assertThat(honeycomb.requestsOf(OperationCase.READ)).hasSize(TRANSFERS);
    }

    @Test
    void shouldNotWaitForEverForOneAnswerWhileOthersCome() {
        honeycomb.held = OperationCase.WRITE;
        CompletableFuture<ReplicaStatus> write = replicas.write(target, 0, false, buffer("x"));

        passWithReads(Duration.ofMinutes(9));
        assertThat(write).isNotDone();
        passWithReads(Duration.ofMinutes(1));

        assertThat(hive.failure(write)).isEqualTo(Errno.EIO);
    }

    private void passWithReads(Duration time) {
        for (Duration left = time; left.isPositive(); left = left.minus(WHILE)) {
            hive.get(replicas.read(target, 0, 1)).close();
            hive.pass(WHILE);
        }
    }

    @Test
    void shouldLetReadsNotWaitSoLongAgainForAHoneycombThatWasWaitedForInVain() {
        honeycomb.stop();
        readInVain();

        CompletableFuture<Payload> second = replicas.read(target, 0, 10);
        CompletableFuture<ReplicaStatus> write = replicas.write(target, 0, false, buffer("a"));
        hive.pass(Reachability.AWAY_PATIENCE);
        assertThat(hive.failure(second)).isEqualTo(Errno.EIO);
        assertThat(write).isNotDone();

        startHoneycomb();
        hive.get(write, WHILE);
        assertThat(text(hive.get(replicas.read(target, 0, 10)))).isEqualTo("a");
        honeycomb.stop();
        assertThatAReadIsPatient();
    }

    @Test
    void shouldLetReadsWaitAsLongAsEverForAHoneycombThatWasAwayALongTimeAgo() {
        honeycomb.stop();
        readInVain();

        hive.pass(Duration.ofSeconds(61));

        assertThatAReadIsPatient();
    }

    @Test
    void shouldNotWaitLongForAHoneycombThatTheQueenBeeHasLongMissed() {
        hive.get(replicas.write(target, 0, false, buffer("a")));
        honeycomb.stop();
        hive.queen.layout(inode).clearAddress().setAwaySeconds(7200);
        hive.pass(WHILE);

        CompletableFuture<Payload> read = replicas.read(target, 0, 10);
        CompletableFuture<ReplicaStatus> sync = replicas.sync(target, true);
        CompletableFuture<ReplicaStatus> write = replicas.write(target, 0, false, buffer("b"));
        hive.pass(Reachability.MISSED_PATIENCE);

        assertThat(hive.failure(read)).isEqualTo(Errno.EIO);
        assertThat(read.exceptionNow()).hasMessage("desktop2 must come back: the queen-bee has missed it for 2h");
        assertThat(sync).isNotDone();
        assertThat(write).isNotDone();
    }

    @Test
    void shouldReadFromAHoneycombThatComesBackAfterALongTime() {
        honeycomb.stop();
        hive.queen.layout(inode).clearAddress().setAwaySeconds(3600);
        CompletableFuture<Payload> read = replicas.read(target, 0, 10);
        hive.pass(Reachability.MISSED_PATIENCE.dividedBy(2));

        hive.queen.layout(inode).clearAwaySeconds();
        startHoneycomb();

        assertThat(text(hive.get(read, WHILE))).isEmpty();
    }

    @Test
    void shouldWaitForAHoneycombThatTheQueenBeeHasMissedForAMomentOnly() {
        honeycomb.stop();
        hive.queen.layout(inode).clearAddress().setAwaySeconds(5);

        assertThatAReadIsPatient();
    }

    @Test
    void shouldTellTheQueenBeeWhichHoneycombsAreNotReached() {
        assertThat(toldUnreached()).isEmpty();
        honeycomb.stop();
        readInVain();

        assertThat(toldUnreached()).containsExactly(honeycomb.uuid);

        startHoneycomb();
        hive.get(replicas.read(target, 0, 10), WHILE).close();
        assertThat(toldUnreached()).isEmpty();
    }

    @Test
    void shouldFindOutThatAHoneycombIsReachedAgainThoughNobodyWantsItAnyMore() {
        honeycomb.stop();
        readInVain();
        startHoneycomb();
        assertThat(toldUnreached()).containsExactly(honeycomb.uuid);

        hive.pass(Reachability.NEXT_ATTEMPT);

        assertThat(toldUnreached()).isEmpty();
    }

    @Test
    void shouldNotTellTheQueenBeeOfHoneycombsThatSheMissesHerself() {
        honeycomb.stop();
        hive.queen.layout(inode).clearAddress().setAwaySeconds(7200);
        readInVain();

        assertThat(toldUnreached()).isEmpty();
    }

    /** With the last heartbeat. */
    private List<ByteString> toldUnreached() {
        hive.pass(Duration.ofSeconds(5));
        return hive.queen
                .requestsOf(QueenRequest.OperationCase.HEARTBEAT)
                .getLast()
                .getHeartbeat()
                .getUnreachedList();
    }

    private void assertThatAReadIsPatient() {
        CompletableFuture<Payload> read = replicas.read(target, 0, 10);
        hive.pass(Reachability.AWAY_PATIENCE.multipliedBy(2));
        assertThat(read).isNotDone();
    }

    @Test
    void shouldSplitWhatIsTooLongForOneRequest() {
        ByteBuf content = Unpooled.wrappedBuffer(new byte[2 * MIB + 5]);
        content.setByte(2 * MIB + 4, 'z');

        hive.get(replicas.write(target, 0, false, content));
        Payload read = hive.get(replicas.read(target, 0, 3 * MIB));

        assertThat(honeycomb.requestsOf(OperationCase.WRITE)).hasSize(3);
        assertThat(read.length()).isEqualTo(2 * MIB + 5);
        assertThat(((Payload.Bytes) read).buffer().getByte(2 * MIB + 4)).isEqualTo((byte) 'z');
        read.close();
    }

    @Test
    void shouldNotKeepTheContentOfAWriteThatIsDone() {
        ByteBuf content = buffer("hello");

        hive.get(replicas.write(target, 0, false, content));

        assertThat(content.refCnt()).isEqualTo(1);
        assertThat(content.readableBytes()).isEqualTo(5);
    }

    @Test
    void shouldUseTheHoneycombOfThisProcessDirectly() {
        LocalReplicaAccess own = new FakeLocalReplicas();
        Honeycombs honeycombs = new Honeycombs(
                new DataWorld(
                        FakeHive.CONFIG,
                        new RpcEnvironment(hive.network, hive.timers, hive.timers.clock(), new Random(1)),
                        Hello.getDefaultInstance(),
                        () -> 1,
                        () -> true,
                        unknown -> new CompletableFuture<>(),
                        hive.session.cache(),
                        hive.session.sending()),
                new LocalReplicas(honeycomb.uuid, own));

        assertThat(honeycombs.at(honeycomb.layout().build())).isSameAs(own);
        assertThat(honeycombs.at(honeycomb
                        .layout()
                        .setHoneycomb(ByteString.copyFromUtf8("another"))
                        .build()))
                .isNotSameAs(own);
        assertThat(honeycombs.local(honeycomb.layout().build())).isSameAs(own);
    }

    @Test
    void shouldAnswerStatusesInTheOrderAsked() {
        honeycomb.put(7, "seven", Timestamp.getDefaultInstance());

        assertThat(hive.get(replicas.statuses(List.of(of(9), of(7)))))
                .extracting(ReplicaStatus::getInode, ReplicaStatus::getExists)
                .containsExactly(Tuple.tuple(9L, false), Tuple.tuple(7L, true));
    }

    private ReplicaTarget of(long other) {
        return target.toBuilder().setInode(other).build();
    }

    private void restartHoneycomb() {
        honeycomb.stop();
        startHoneycomb();
    }

    private void startHoneycomb() {
        honeycomb.start(0);
        hive.queen.layout(inode).setAddress(honeycomb.address());
    }

    private static ByteBuf buffer(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    private static String text(Payload payload) {
        String text = ((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8);
        payload.close();
        return text;
    }
}
