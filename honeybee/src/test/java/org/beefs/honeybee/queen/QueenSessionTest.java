package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Frame;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.SetXattr;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueenSessionTest extends RegisteredDesktopTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    @Test
    void shouldRegisterBeforeAnythingElse() {
        assertThat(queen.requests.getFirst().getRegister().getDesktop()).isEqualTo("desktop1");
        assertThat(queen.requests.getFirst().getRegister().getProcess()).isNotZero();
        assertThat(hive.session.number()).isEqualTo(queen.session);
    }

    /** No queen-bee wants longer ones than of 5 s. */
    private static final Duration TWO_LONG_HEARTBEATS = Duration.ofSeconds(10);

    @Test
    void shouldNumberChangesAndAcknowledgeWhatWasAnswered() {
        hive.get(makeDirectory("a"));
        hive.get(makeDirectory("b"));

        List<QueenRequest> sent = queen.requestsOf(OperationCase.MAKE_DIRECTORY);
        assertThat(sent).extracting(QueenRequest::getSequence).containsExactly(1L, 2L);
        assertThat(sent).extracting(QueenRequest::getAcknowledged).containsExactly(1L, 2L);
    }

    @Test
    void shouldRepeatAChangeUnderItsNumber() {
        queen.loseAnswers(1);

        hive.get(makeDirectory("a"), WHILE);

        assertThat(queen.requestsOf(OperationCase.MAKE_DIRECTORY))
                .hasSize(2)
                .allMatch(request -> request.getSequence() == 1);
        assertThat(queen.changes()).isEqualTo(1);
    }

    /** All of them may be answered before one of them is on her disk, and the next registration brings them. */
    @Test
    void shouldHaveNoMoreUnderWayThanARegistrationCanBring() {
        queen.held = OperationCase.SET_XATTR;
        SetXattr large = SetXattr.newBuilder()
                .setValue(ByteString.copyFrom(new byte[64 << 10]))
                .build();
        List<CompletableFuture<?>> changes = new ArrayList<>();
        for (int i = 0; i < FakeHive.CONFIG.maxChanges(); i++) {
            changes.add(hive.proxy.setXattr(FakeHive.ROOT, large));
        }
        hive.pass(Duration.ofSeconds(1));

        List<QueenRequest> sent = queen.requestsOf(OperationCase.SET_XATTR);
        assertThat(sent).hasSizeGreaterThan(32);
        assertThat(sent.stream().mapToLong(QueenRequest::getSerializedSize).sum())
                .isLessThan(Frame.MAX_MESSAGE / 4);
        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.breakConnections();
        hive.pass(WHILE);
        assertThat(changes).allMatch(CompletableFuture::isDone).noneMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void shouldWaitForAQueenThatIsAway() {
        queen.stop();
        CompletableFuture<Node> change = makeDirectory("a");
        hive.pass(Duration.ofSeconds(30));
        assertThat(change).isNotDone();

        queen.start(FakeQueen.PORT);

        hive.get(change, WHILE);
    }

    @Test
    void shouldFailWithEioWhenPatienceIsOver() {
        queen.stop();
        CompletableFuture<Node> change = makeDirectory("a");

        hive.pass(Duration.ofSeconds(61));

        assertThat(hive.failure(change)).isEqualTo(Errno.EIO);
    }

    /** A number that nobody ends is never acknowledged, and the queen-bee keeps all answers from it on. */
    @Test
    void shouldAcknowledgeAllNumbersThoughTheQueenComesBackWhenAChangeIsGivenUp() {
        queen.stop();
        hive.pass(AT_ONCE);
        CompletableFuture<Node> change = makeDirectory("a").whenComplete((_, _) -> {
            queen.start(FakeQueen.PORT);
            hive.pass(WHILE);
        });
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(change)).isEqualTo(Errno.EIO);

        hive.get(makeDirectory("b"), WHILE);

        QueenRequest sent = queen.requestsOf(OperationCase.MAKE_DIRECTORY).getLast();
        assertThat(sent.getAcknowledged()).isEqualTo(sent.getSequence());
    }

    @Test
    void shouldWaitForTheQueensDiskNoLongerThanForOthersWhenSheIsAway() {
        queen.stop();
        CompletableFuture<Void> sync = hive.proxy.sync();

        hive.pass(Duration.ofSeconds(61));

        assertThat(hive.failure(sync)).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldGiveTheQueensDiskItsTime() {
        queen.held = OperationCase.SYNC;
        CompletableFuture<Void> sync = hive.proxy.sync();

        hive.pass(Duration.ofSeconds(110));

        assertThat(sync).isNotDone();
    }

    @Test
    void shouldWaitForOtherDesktopsUntilTheQueenSaysWhichAreMissing() {
        queen.held = OperationCase.SECURE_CONTENT;
        queen.unsecured = new PosixException(Errno.EIO, "missing: desktop2 (asleep)");
        CompletableFuture<Void> secured = hive.proxy.secure(addFile("f"));

        hive.pass(queen.longestWait);
        assertThat(secured).isNotDone();
        queen.letGo();
        hive.pass(AT_ONCE);

        assertThat(Failures.toPosix(secured.exceptionNow())).hasMessage("missing: desktop2 (asleep)");
        assertThat(queen.registers)
                .as("over one connection, which keeps all leases")
                .hasSize(1);
    }

    @Test
    void shouldNumberAChangeAnewThatWasOnlyEverRefused() {
        hive.get(makeDirectory("a"));
        queen.endSession();

        hive.get(makeDirectory("b"));

        assertThat(hive.session.number()).isEqualTo(2);
        QueenRequest last = queen.requestsOf(OperationCase.MAKE_DIRECTORY).getLast();
        assertThat(last.getSession()).isEqualTo(2);
        assertThat(last.getSequence()).isEqualTo(1);
    }

    @Test
    void shouldNotRepeatAChangeInAnotherSessionThatMayHaveBeenMade() {
        queen.loseAnswers(1);
        CompletableFuture<Node> change = makeDirectory("a");
        hive.timers.runDue();
        assertThat(queen.changes()).isEqualTo(1);
        queen.endSession();

        hive.pass(WHILE);

        assertThat(hive.failure(change)).isEqualTo(Errno.EIO);
        assertThat(queen.changes()).isEqualTo(1);
    }

    @Test
    void shouldAskAgainInTheNewSession() {
        long inode = addFile("f");
        queen.endSession();

        assertThat(hive.get(hive.proxy.attributes(inode)).getAttributes().getInode())
                .isEqualTo(inode);
    }

    @Test
    void shouldTellWhyItsSessionHasEnded() {
        queen.endings = "an administrator has ejected it";

        assertThat(warningOfAnEndedSession()).endsWith("replaces it: an administrator has ejected it");
    }

    @Test
    void shouldTellWhyItMayHaveEndedWhenTheQueenBeeDoesNotKnow() {
        assertThat(warningOfAnEndedSession()).contains("the queen-bee has started anew since, or was recovered");
    }

    private String warningOfAnEndedSession() {
        queen.endSession();
        try (LogLines log = new LogLines("org.beefs.honeybee")) {
            hive.get(hive.proxy.attributes(addFile("f")));
            return log.warnings().getLast();
        }
    }

    @Test
    void shouldAnswerRecallsAlsoWithoutAHoneycomb() {
        DesktopReply reply = hive.get(queen.recall(Recall.getDefaultInstance())).body();

        assertThat(reply).isEqualTo(DesktopReply.getDefaultInstance());
    }

    @Test
    void shouldSendHeartbeats() {
        hive.pass(Duration.ofSeconds(10));

        assertThat(queen.requestsOf(OperationCase.HEARTBEAT)).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void shouldConnectAnewWhenHeartbeatsStayUnanswered() {
        queen.setMute(true);
        hive.pass(Duration.ofSeconds(13));
        queen.setMute(false);

        hive.pass(Duration.ofSeconds(20));

        assertThat(queen.registers).hasSizeGreaterThan(1);
        assertThat(hive.session.isConnected()).isTrue();
    }

    @Test
    void shouldConnectAnewWhenADefectEndsTheHeartbeats() {
        AtomicBoolean defect = new AtomicBoolean();
        FakeHive own = new FakeHive(
                FakeHive.CONFIG,
                new EmptyHoneycomb() {
                    @Override
                    public HoneycombSpace space() {
                        if (defect.getAndSet(false)) {
                            throw new AssertionError("a defect that a test has made");
                        }
                        return super.space();
                    }
                },
                null);
        own.get(own.session.start());
        defect.set(true);

        own.pass(Duration.ofSeconds(60));

        assertThat(defect).isFalse();
        assertThat(own.queen.registers).hasSize(2);
        assertThat(own.session.isConnected()).isTrue();
    }

    @Test
    void shouldTellWhereItTalksFromOnEachConnection() {
        List<@Nullable InetAddress> told = new ArrayList<>();
        FakeHive moving = new FakeHive(
                FakeHive.CONFIG,
                new EmptyHoneycomb() {
                    @Override
                    public CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from) {
                        told.add(from);
                        return super.offer(from);
                    }
                },
                null);
        InetAddress office = InetAddress.ofLiteral("10.1.0.7");
        InetAddress dock = InetAddress.ofLiteral("192.168.5.9");
        moving.network.setLocalAddress(office);
        moving.get(moving.session.start());

        moving.network.setLocalAddress(dock);
        moving.queen.breakConnections();
        moving.pass(WHILE);

        assertThat(told).containsExactly(office, dock);
    }

    @Test
    void shouldSayWhyItIsRefused() {
        FakeHive other = new FakeHive();
        other.queen.refusal = new PosixException(Errno.ESTALE, "the honeycomb's folder is an old copy");

        assertThat(other.failure(other.session.start())).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldWaitForTheEndOfADaemonThatWasKilledBefore() {
        FakeHive next = new FakeHive();
        next.queen.refusal = new PosixException(Errno.EBUSY, "there is a desktop1 already");
        try (LogLines log = new LogLines("org.beefs.honeybee")) {
            CompletableFuture<Void> started = next.session.start();
            next.pass(TWO_LONG_HEARTBEATS);
            assertThat(started).isNotDone();

            next.queen.refusal = null;

            next.get(started, Duration.ofSeconds(2));
            assertThat(log.warnings()).isEmpty();
            assertThat(log.all()).containsOnlyOnce("""
                    desktop1 waits for the end of its former daemon, and tries on: there is a desktop1 already""");
        }
    }

    @Test
    void shouldSayThatItsNameIsTakenWhenItStaysSo() {
        FakeHive other = new FakeHive();
        other.queen.refusal = new PosixException(Errno.EBUSY, "there is a desktop1 already");
        try (LogLines log = new LogLines("org.beefs.honeybee")) {
            CompletableFuture<Void> started = other.session.start();

            other.pass(TWO_LONG_HEARTBEATS.plusSeconds(3));

            assertThat(other.failure(started)).isEqualTo(Errno.EBUSY);
            assertThat(log.warnings()).contains("the queen-bee refuses desktop1: there is a desktop1 already");
        }
    }

    @Test
    void shouldSayGoodbye() {
        hive.get(hive.session.stop());

        assertThat(queen.requestsOf(OperationCase.GOODBYE)).hasSize(1);
    }

    @Test
    void shouldSayGoodbyeBeforeItSleepsAndComeBackAtOnce() {
        hive.get(hive.session.rest());
        queen.endSession();
        int heartbeats = queen.requestsOf(OperationCase.HEARTBEAT).size();
        hive.pass(Duration.ofSeconds(9));

        assertThat(queen.requestsOf(OperationCase.GOODBYE)).hasSize(1);
        assertThat(queen.requestsOf(OperationCase.HEARTBEAT)).hasSize(heartbeats);
        assertThat(queen.registers).hasSize(1);

        hive.get(hive.session.wake(), WHILE);

        assertThat(queen.registers).hasSize(2);
        hive.pass(WHILE);
        assertThat(queen.requestsOf(OperationCase.HEARTBEAT)).hasSizeGreaterThan(heartbeats);
    }

    @Test
    void shouldNotWaitForAConnectionThatHasDiedInItsSleep() {
        hive.network.setSilent(true);

        hive.get(hive.session.wake(), AT_ONCE);

        assertThat(queen.registers).hasSize(2);
    }

    @Test
    void shouldNotWaitForADeadConnectionThoughNobodySaysThatItHasSlept() {
        hive.network.setSilent(true);
        hive.timers.clock().advance(Duration.ofHours(8));

        hive.pass(Duration.ofSeconds(2).plus(AT_ONCE));

        assertThat(queen.registers).hasSize(2);
    }

    @Test
    void shouldNotRestForLongIfItDoesNotSleep() {
        hive.get(hive.session.rest());
        queen.endSession();

        hive.pass(Duration.ofSeconds(15));

        assertThat(hive.session.number()).isEqualTo(queen.session);
    }

    @Test
    void shouldServeProgramsThatGoOnBeforeItSleeps() {
        hive.get(hive.session.rest());
        queen.endSession();

        hive.get(makeDirectory("a"));

        assertThat(queen.changes()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheSessionOfProgramsWithOpenFilesWhileItSleeps() {
        hive.get(open(addFile("f")));

        hive.get(hive.session.rest());

        assertThat(queen.requestsOf(OperationCase.GOODBYE)).isEmpty();
    }
}
