package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.common.rpc.TimeService.time;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Timestamp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReconnectorTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
    private static final Duration ATTEMPT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(2);

    /** Bytes in a second. */
    private static final int SLOW = 10_000;

    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private final ManualTimers timers = new ManualTimers();
    private final MemoryNetwork network = new MemoryNetwork(timers);
    private final TimeService service = new TimeService();
    private final List<RpcConnection> shaken = new ArrayList<>();
    private CompletableFuture<Void> handshake = CompletableFuture.completedFuture(null);
    private @Nullable InetSocketAddress address = ADDRESS;
    private boolean threadsForAddress = true;
    private boolean threadsForHandshake = true;
    private final Reconnector reconnector = new Reconnector(
            new RpcEnvironment(network, timers, timers.clock(), new Random(1)),
            new Reconnector.Peer("the queen-bee", this::address, HELLO, _ -> new TimeService(), connection -> {
                shaken.add(connection);
                needThread(threadsForHandshake);
                return handshake;
            }));

    @Test
    void shouldConnectOnlyWhenSomebodyCalls() throws IOException {
        listen();
        timers.runDue();
        assertThat(network.connects()).isZero();

        var reply = ask(1);
        timers.runDue();
        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(10));
        assertThat(reconnector.isConnected()).isTrue();
    }

    @Test
    void shouldMakeTheHandshakeBeforeAnyCall() throws IOException {
        listen();
        handshake = new CompletableFuture<>();
        ask(1);
        timers.runDue();
        assertThat(shaken).hasSize(1);
        assertThat(service.asked).isEmpty();

        handshake.complete(null);
        timers.runDue();

        assertThat(service.asked).hasSize(1);
    }

    @Test
    void shouldSendAgainOnTheNextConnectionInTheOrderOfCalling() throws IOException {
        listen();
        ask(1);
        ask(2);
        var third = ask(3);
        timers.runDue();
        service.asked.clear();

        network.breakLinks("a cable was cut");
        timers.advance(SOON);

        assertThat(service.asked).extracting(TimeService.Asked::seconds).containsExactly(1L, 2L, 3L);
        service.asked.get(2).answer(30);
        timers.runDue();
        assertThat(third.join().body()).isEqualTo(time(30));
        assertThat(shaken).hasSize(2);
    }

    @Test
    void shouldSendAgainWithTheSameIdAndGoOnForIt() throws IOException {
        listen();
        List<Long> goneOnFor = new ArrayList<>();
        CurrentRequest.run(7, () -> ask(1).thenRun(() -> goneOnFor.add(CurrentRequest.id())));
        timers.runDue();

        network.breakLinks("a cable was cut");
        timers.advance(SOON);
        service.asked.getLast().answer(10);
        timers.runDue();

        assertThat(service.asked).extracting(TimeService.Asked::request).containsExactly(7L, 7L);
        assertThat(goneOnFor).containsExactly(7L);
    }

    @Test
    void shouldGiveAnIdToWhatBeginsHere() throws IOException {
        listen();

        ask(1);
        ask(2);
        timers.runDue();

        assertThat(service.asked)
                .extracting(TimeService.Asked::request)
                .doesNotHaveDuplicates()
                .doesNotContain(CurrentRequest.NONE);
    }

    @Test
    void shouldTellWhatWaitsForTheAnswerAndWhatForAConnection() throws IOException {
        List<String> waiting = new ArrayList<>();
        CurrentRequest.run(7, () -> ask(1));
        reconnector.forEachWaiting((request, connected) -> waiting.add(request + " " + connected));

        listen();
        timers.advance(SOON);
        reconnector.forEachWaiting((request, connected) -> waiting.add(request + " " + connected));
        service.asked.getFirst().answer(10);
        timers.runDue();
        reconnector.forEachWaiting((request, connected) -> waiting.add(request + " " + connected));

        assertThat(waiting).containsExactly("7 false", "7 true");
    }

    @Test
    void shouldWaitForAPeerThatIsAway() throws IOException {
        var reply = ask(1);
        timers.advance(PATIENCE.minus(SOON));
        assertThat(reply).isNotDone();

        listen();
        timers.advance(SOON.dividedBy(2));
        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(10));
    }

    @Test
    void shouldAskForTheAddressAtEachAttempt() throws IOException {
        listen();
        address = null;
        ask(1);
        timers.advance(SOON);
        assertThat(reconnector.trouble()).isEqualTo("its address is not known");

        address = ADDRESS;
        timers.advance(SOON);

        assertThat(service.asked).hasSize(1);
    }

    @Test
    void shouldTryAgainWhenNoThreadWasToBeHadForAnAttempt() throws IOException {
        listen();
        threadsForAddress = false;
        ask(1);
        timers.advance(SOON);
        assertThat(reconnector.trouble()).contains("native thread");

        threadsForAddress = true;
        timers.advance(SOON);

        assertThat(service.asked).hasSize(1);
    }

    @Test
    void shouldHangUpAndTryAgainWhenNoThreadWasToBeHadForTheHandshake() throws IOException {
        listen();
        threadsForHandshake = false;
        ask(1);
        timers.runDue();
        assertThat(shaken).singleElement().matches(connection -> !connection.isOpen());

        threadsForHandshake = true;
        timers.advance(SOON);

        assertThat(service.asked).hasSize(1);
    }

    @Test
    void shouldFailWithEioAndTheReasonWhenPatienceIsOver() {
        var reply = ask(1);

        timers.advance(PATIENCE);

        assertFailed(
                reply,
                Errno.EIO,
                "the queen-bee did not answer for 60 s: 127.0.0.1:7 cannot be reached: nobody listens there");
    }

    @Test
    void shouldWaitForASlowAnswerLongerThanForAPeerThatIsAway() throws IOException {
        listen();
        var reply = askSlowly();
        timers.runDue();

        timers.advance(PATIENCE.plus(SOON));
        assertThat(reply).isNotDone();
        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(10));
    }

    @Test
    void shouldSendASlowCallAgainThatBreaksOffAfterItsPatience() throws IOException {
        listen();
        var reply = askSlowly();
        timers.advance(PATIENCE.plus(SOON));

        network.breakLinks("a cable was cut");
        timers.advance(SOON);
        service.asked.getLast().answer(10);
        timers.runDue();

        assertThat(service.asked).hasSize(2);
        assertThat(reply.join().body()).isEqualTo(time(10));
        assertThat(timers.size()).isZero();
    }

    @Test
    void shouldWaitAnotherPatienceForAPeerThatGoesAwayDuringASlowCall() throws IOException {
        listen();
        var reply = askSlowly();
        timers.advance(PATIENCE.plus(SOON));
        address = null;
        network.breakLinks("the power has failed");

        timers.advance(PATIENCE.minus(SOON));
        assertThat(reply).isNotDone();
        timers.advance(SOON);

        assertFailed(reply, Errno.EIO, "the queen-bee did not answer for 60 s: its address is not known");
    }

    @Test
    void shouldEndASlowCallThatBreaksOffWhenItIsOlderThanAnAttemptMayBecome() throws IOException {
        listen();
        var reply = askSlowly();
        timers.advance(PATIENCE.plus(SOON));
        network.breakLinks("a cable was cut");
        timers.advance(PATIENCE.plus(SOON));
        assertThat(reply).isNotDone();

        network.breakLinks("a cable was cut");
        timers.runDue();

        assertFailed(
                reply, Errno.EIO, "the queen-bee did not answer for 60 s: no connection with port 7: a cable was cut");
        assertThat(timers.size()).isZero();
    }

    @Test
    void shouldNotWaitLongerForASlowCallThanForOthersWhenThePeerIsAway() {
        var reply = askSlowly();

        timers.advance(PATIENCE);

        assertThat(Failures.toPosix(reply.exceptionNow()).errno()).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldTryLessAndLessOftenWhilePeerIsAway() {
        ask(1);

        timers.advance(PATIENCE);

        assertThat(network.connects()).isBetween(60, 125);
    }

    @Test
    void shouldStopTryingWhenNobodyWaits() {
        var reply = ask(1);
        timers.advance(SOON);

        reply.cancel(false);
        timers.advance(SOON);
        int connects = network.connects();
        timers.advance(PATIENCE);

        assertThat(network.connects()).isEqualTo(connects);
        assertThat(timers.size()).isZero();
    }

    @Test
    void shouldGiveUpTheConnectionOfAStoppedPeer() throws IOException {
        listen();
        var reply = ask(1);
        timers.runDue();
        network.setSilent(true);
        service.asked.clear();

        timers.advance(ATTEMPT.plus(SOON));

        assertThat(shaken).hasSize(2);
        assertThat(shaken.getFirst().isOpen()).isFalse();
        service.asked.getFirst().answer(10);
        timers.runDue();
        assertThat(reply.join().body()).isEqualTo(time(10));
    }

    @Test
    void shouldKeepAConnectionThatMovesAndYetRunOutOfPatience() throws IOException {
        listen();
        var unanswered = askPatiently(1);
        askPatiently(2);
        timers.runDue();
        int seconds = (int) PATIENCE.plus(SOON).toSeconds();
        network.setRate(SLOW);

        service.asked
                .getLast()
                .responder()
                .answer(time(10), new Payload.Bytes(Unpooled.wrappedBuffer(new byte[seconds * SLOW])));
        timers.advance(PATIENCE);

        assertThat(shaken).hasSize(1);
        assertFailed(unanswered, Errno.EIO, "the queen-bee did not answer for 60 s: not connected yet");
    }

    @Test
    void shouldAskForANewPayloadForEachAttemptAndReleaseThemAll() throws IOException {
        listen();
        ByteBuf content = Unpooled.copiedBuffer(new byte[] {1, 2, 3});
        AtomicInteger attempts = new AtomicInteger();
        var reply = reconnector.call(
                () -> {
                    attempts.incrementAndGet();
                    return new Outgoing(time(1), new Payload.Bytes(content.retainedSlice()));
                },
                Timestamp.parser(),
                ATTEMPT,
                PATIENCE);
        timers.runDue();
        network.breakLinks("a cable was cut");
        timers.advance(SOON);
        service.asked.getLast().answer(10);
        timers.runDue();

        assertThat(reply).isCompleted();
        assertThat(attempts).hasValue(2);
        assertThat(content.refCnt()).isEqualTo(1);
    }

    @Test
    void shouldSendAgainWhatThePeerHadNoRoomFor() throws IOException {
        listen();
        var reply = ask(1);
        timers.runDue();
        service.asked.getFirst().responder().fail(new PosixException(Errno.EAGAIN, "too much"));
        timers.advance(SOON);
        service.asked.get(1).answer(10);
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(10));
        assertThat(shaken).hasSize(1);
    }

    @Test
    void shouldAskAPeerThatHasNoRoomForLongEverLessOften() throws IOException {
        listen();
        var reply = ask(1);
        timers.runDue();

        refuseAtOnce(Duration.ofMillis(100));
        assertThat(service.asked).as("at first soon").hasSizeBetween(4, 6);
        refuseAtOnce(Duration.ofSeconds(10));
        assertThat(service.asked)
                .as("then not more often than about twice a second")
                .hasSizeBetween(16, 42);
        timers.advance(SOON);
        service.asked.getLast().answer(10);
        timers.runDue();

        assertThat(reply).isCompleted();
    }

    /** It is waited for there: what comes meanwhile is not to wait for the next attempt. */
    @Test
    void shouldAskAPeerAgainSoonThatHasKeptTheRequestForAWhile() throws IOException {
        listen();
        ask(1);
        for (int attempts = 1; attempts <= 10; attempts++) {
            timers.advance(Duration.ofSeconds(3));
            assertThat(service.asked).hasSize(attempts);
            service.asked.getLast().responder().fail(new PosixException(Errno.EAGAIN, "desk8 must come back"));

            timers.advance(Duration.ofMillis(20));

            assertThat(service.asked).hasSize(attempts + 1);
        }
    }

    @Test
    void shouldSayWhatThePeerWaitedForWhenItCouldNotTakeItUpInTime() throws IOException {
        listen();
        var reply = ask(1);
        timers.advance(PATIENCE.minusMillis(5));
        service.asked.getLast().responder().fail(new PosixException(Errno.EAGAIN, "desk8 must come back"));

        timers.advance(SOON);

        assertFailed(reply, Errno.EIO, "the queen-bee did not take it up for 60 s: desk8 must come back");
    }

    @Test
    void shouldWaitLongerForATransferThatThePeerHasTakenUpAfterItHadRefusedIt() throws IOException {
        listen();
        var reply = askForTransfer();
        timers.runDue();
        service.asked.getFirst().responder().fail(new PosixException(Errno.EAGAIN, "too much"));

        timers.advance(PATIENCE.plus(SOON));
        assertThat(reply).isNotDone();
        service.asked.getLast().answer(10);
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(10));
    }

    @Test
    void shouldNotWaitLongerForATransferThatThePeerRefuses() throws IOException {
        listen();
        var reply = askForTransfer();
        timers.advance(PATIENCE.minusMillis(5));
        service.asked.getLast().responder().fail(new PosixException(Errno.EAGAIN, "too much"));

        timers.advance(SOON);

        assertFailed(reply, Errno.EIO, "the queen-bee did not take it up for 60 s: too much");
    }

    /** What was decided before must be made before. */
    @Test
    void shouldLetNothingOvertakeWhatThePeerHadNoRoomForWhenTheOrderMatters() throws IOException {
        listen();
        askInOrder(1);
        askInOrder(2);
        timers.runDue();
        TimeService.Asked refused = service.asked.getFirst();
        service.asked.clear();

        refused.responder().fail(new PosixException(Errno.EAGAIN, "too much"));
        timers.runDue();
        askInOrder(3);
        timers.advance(SOON);

        assertThat(service.asked).extracting(TimeService.Asked::seconds).containsExactly(1L, 2L, 3L);
        assertThat(shaken).hasSize(2);
    }

    @Test
    void shouldPassOnOtherFailuresOfThePeerAndOfTheSupplier() throws IOException {
        listen();
        var refused = ask(1);
        var broken = reconnector.call(
                () -> {
                    throw new PosixException(Errno.ESTALE, "the session is over");
                },
                Timestamp.parser(),
                ATTEMPT,
                PATIENCE);
        timers.runDue();
        service.asked.getFirst().responder().fail(new PosixException(Errno.ENOSPC, "full"));
        timers.runDue();

        assertFailed(refused, Errno.ENOSPC, "full");
        assertFailed(broken, Errno.ESTALE, "the session is over");
    }

    @Test
    void shouldFailWaitingCallsAtOnceWhenThePeerSpeaksAnotherProtocol() throws IOException {
        Hello other = HELLO.toBuilder().setProtocol(99).build();
        network.listen(ADDRESS, link -> new RpcConnection(link, timers, other, _ -> service));

        var reply = ask(1);
        timers.advance(SOON);

        assertThat(reply).isCompletedExceptionally();
        assertThat(Failures.toPosix(reply.exceptionNow()).errno()).isEqualTo(Errno.EPROTO);
        assertThat(reply.exceptionNow()).hasMessageContaining("install the same version on both machines");
    }

    @Test
    void shouldFailWaitingCallsWithWhatTheHandshakeFailsWithAndGoOnTrying() throws IOException {
        listen();
        reconnector.keepConnected();
        handshake = CompletableFuture.failedFuture(new PosixException(Errno.EBUSY, "the name is taken"));
        var reply = ask(1);
        timers.advance(SOON);
        assertFailed(reply, Errno.EBUSY, "the name is taken");

        handshake = CompletableFuture.completedFuture(null);
        timers.advance(SOON);

        assertThat(reconnector.isConnected()).isTrue();
        assertThat(shaken.getFirst().isOpen()).isFalse();
    }

    /**
     * Something else may answer where a desktop is for an hour; what programs were promised waits for the right peer.
     */
    @Test
    void shouldGoOnWithWhatIsNeverGivenUpWhenAnotherPeerHasRefused() throws IOException {
        listen();
        reconnector.keepConnected();
        handshake = CompletableFuture.failedFuture(new PosixException(Errno.EPROTO, "this is another hive"));
        var reply = reconnector.call(
                () -> new Outgoing(time(1)), Timestamp.parser(), ATTEMPT, Reconnector.FOR_EVER.minus(PATIENCE));
        timers.advance(SOON);
        assertThat(reply).isNotDone();

        handshake = CompletableFuture.completedFuture(null);
        timers.advance(SOON);
        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(10));
    }

    @Test
    void shouldNotWaitForeverForAHandshake() throws IOException {
        listen();
        handshake = new CompletableFuture<>();
        reconnector.keepConnected();

        timers.advance(Reconnector.HANDSHAKE_TIMEOUT.plus(SOON));

        assertThat(shaken).hasSizeGreaterThan(1);
        assertThat(shaken.getFirst().isOpen()).isFalse();
    }

    @Test
    void shouldReconnectByItselfWhenToldTo() throws IOException {
        listen();
        reconnector.keepConnected();
        timers.runDue();
        assertThat(reconnector.isConnected()).isTrue();

        network.breakLinks("a cable was cut");
        timers.runDue();
        assertThat(reconnector.isConnected()).isFalse();
        timers.advance(SOON);

        assertThat(reconnector.isConnected()).isTrue();
        assertThat(shaken).hasSize(2);
    }

    @Test
    void shouldFailEverythingWhenClosed() throws IOException {
        listen();
        var underWay = ask(1);
        timers.runDue();
        reconnector.close();
        var late = ask(2);
        timers.advance(SOON);

        assertFailed(underWay, Errno.EIO, "the connection with the queen-bee was closed");
        assertFailed(late, Errno.EIO, "the connection with the queen-bee was closed");
        assertThat(shaken.getFirst().isOpen()).isFalse();
        assertThat(timers.size()).isZero();
    }

    @Test
    void shouldNotOpenAConnectionAfterTheClose() throws IOException {
        listen();
        ask(1);
        reconnector.close();
        timers.advance(SOON);

        assertThat(reconnector.isConnected()).isFalse();
        assertThat(service.asked).isEmpty();
    }

    @Test
    void shouldNotConnectAfterTheCloseWhileItWaitsForTheNextAttempt() {
        reconnector.keepConnected();
        timers.runDue();
        int connects = network.connects();
        reconnector.close();

        timers.advance(PATIENCE);

        assertThat(network.connects()).isEqualTo(connects);
    }

    @Test
    void shouldBoundTheCallsThatWait() {
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < Reconnector.MAX_CALLS; i++) {
            calls.add(ask(i));
        }

        var refused = ask(1);
        calls.getFirst().cancel(false);

        assertFailed(refused, Errno.EAGAIN, "8192 calls are waiting for the queen-bee");
        assertThat(ask(2)).isNotDone();
    }

    @Test
    void shouldDropTheReplyToACancelledCall() throws IOException {
        listen();
        var reply = ask(1);
        timers.runDue();

        reply.cancel(false);
        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply).isCancelled();
        assertThat(timers.size()).isZero();
    }

    private @Nullable InetSocketAddress address() {
        needThread(threadsForAddress);
        return address;
    }

    private static void needThread(boolean there) {
        if (!there) {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    /** The peer has no room for whatever comes during that time. */
    private void refuseAtOnce(Duration time) {
        Duration step = Duration.ofMillis(5);
        for (Duration left = time; left.isPositive(); left = left.minus(step)) {
            service.asked.getLast().responder().fail(new PosixException(Errno.EAGAIN, "too much"));
            timers.advance(step);
        }
    }

    private void listen() throws IOException {
        network.listen(ADDRESS, link -> new RpcConnection(link, timers, HELLO, _ -> service));
    }

    private void askInOrder(long seconds) {
        reconnector.call(
                () -> new Outgoing(time(seconds), Payload.NONE, false, true), Timestamp.parser(), ATTEMPT, PATIENCE);
    }

    private CompletableFuture<Message<Timestamp>> ask(long seconds) {
        return reconnector.call(() -> new Outgoing(time(seconds)), Timestamp.parser(), ATTEMPT, PATIENCE);
    }

    /** For as long as the link moves. */
    private CompletableFuture<Message<Timestamp>> askPatiently(long seconds) {
        return reconnector.call(
                () -> new Outgoing(time(seconds), Payload.NONE, () -> true), Timestamp.parser(), ATTEMPT, PATIENCE);
    }

    /** For longer than its patience, as its answer is on its way. */
    private CompletableFuture<Message<Timestamp>> askForTransfer() {
        return reconnector.call(
                () -> new Outgoing(time(1), Payload.NONE, () -> true),
                Timestamp.parser(),
                PATIENCE.multipliedBy(2),
                PATIENCE,
                () -> PATIENCE);
    }

    /** What may take longer than a peer that is away is waited for. */
    private CompletableFuture<Message<Timestamp>> askSlowly() {
        return reconnector.call(() -> new Outgoing(time(1)), Timestamp.parser(), PATIENCE.multipliedBy(2), PATIENCE);
    }

    private static void assertFailed(CompletableFuture<?> future, Errno errno, String message) {
        assertThat(future).isCompletedExceptionally();
        PosixException failure = Failures.toPosix(future.exceptionNow());
        assertThat(failure).hasMessage(message);
        assertThat(failure.errno()).isEqualTo(errno);
    }
}
