package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.common.rpc.TimeService.time;

import com.google.protobuf.ByteString;
import com.google.protobuf.Parser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RpcConnectionTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** Bytes in a second. */
    private static final int SLOW = 30_000;

    private static final Hello DESKTOP = hello(RpcConnection.PROTOCOL, "desktop");
    private static final Hello QUEENBEE = hello(RpcConnection.PROTOCOL, "queenbee");

    private final ManualTimers timers = new ManualTimers();
    private final MemoryNetwork network = new MemoryNetwork(timers);
    private final TimeService service = new TimeService();
    private final List<RpcConnection> accepted = new ArrayList<>();
    private Hello serverHello = QUEENBEE;
    private Service<?> offered = service;

    @BeforeEach
    void listen() throws IOException {
        network.listen(ADDRESS, link -> {
            RpcConnection connection = new RpcConnection(link, timers, serverHello, _ -> offered);
            accepted.add(connection);
            return connection;
        });
    }

    @Test
    void shouldIntroduceBothSides() {
        RpcConnection client = connect();

        assertThat(client.greeted()).isCompletedWithValue(QUEENBEE);
        assertThat(accepted.getFirst().greeted()).isCompletedWithValue(DESKTOP);
    }

    @Test
    void shouldAnswerPipelinedCallsInAnyOrder() {
        RpcConnection client = connect();

        var first = ask(client, 1);
        var second = ask(client, 2);
        timers.runDue();
        service.asked.get(1).answer(20);
        service.asked.get(0).answer(10);
        timers.runDue();

        assertThat(first.join().body()).isEqualTo(time(10));
        assertThat(second.join().body()).isEqualTo(time(20));
    }

    @Test
    void shouldServeForTheRequestOfTheCallerAndGoOnForItWithTheAnswer() {
        RpcConnection client = connect();
        List<Long> goneOnFor = new ArrayList<>();
        CurrentRequest.run(7, () -> ask(client, 1).thenRun(() -> goneOnFor.add(CurrentRequest.id())));
        CurrentRequest.run(
                8,
                () -> ask(client, 2).exceptionally(failure -> {
                    goneOnFor.add(CurrentRequest.id());
                    return null;
                }));
        timers.runDue();

        service.asked.getFirst().answer(10);
        timers.runDue();
        network.breakLinks("a cable was cut");
        timers.runDue();

        assertThat(service.asked).extracting(TimeService.Asked::request).containsExactly(7L, 8L);
        assertThat(goneOnFor).containsExactly(7L, 8L);
        assertThat(CurrentRequest.id()).isEqualTo(CurrentRequest.NONE);
    }

    @Test
    void shouldCallInBothDirections() {
        TimeService clients = new TimeService();
        connect(clients, DESKTOP);

        var reply = ask(accepted.getFirst(), 3);
        timers.runDue();
        clients.asked.getFirst().answer(30);
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(30));
    }

    @Test
    void shouldSeeAReplyBeforeWhatCameLaterThoughNobodyWaitsForItYet() {
        TimeService clients = new TimeService();
        RpcConnection client = connect(clients, DESKTOP);
        List<Integer> requestsBefore = new ArrayList<>();
        var reply = client.call(
                new Outgoing(time(1)), Timestamp.parser(), DEADLINE, now -> requestsBefore.add(clients.asked.size()));
        timers.runDue();

        service.asked.getFirst().answer(10);
        ask(accepted.getFirst(), 2);
        timers.runDue();

        assertThat(requestsBefore).containsExactly(0);
        assertThat(clients.asked).hasSize(1);
        assertThat(reply).isCompleted();
    }

    @Test
    void shouldFailACallWhoseReplyCannotBeTaken() {
        RpcConnection client = connect();
        var reply = client.call(new Outgoing(time(1)), Timestamp.parser(), DEADLINE, now -> {
            throw new IllegalStateException("a defect, made on purpose");
        });
        timers.runDue();

        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply).isCompletedExceptionally();
        assertThat(client.isOpen()).isTrue();
    }

    /** As when no thread can be made: closing the connection would not fail it, as it waits for no reply any more. */
    @Test
    void shouldFailACallForWhoseReplyTheMachineHasNothingLeft() {
        var reply = connect().call(new Outgoing(time(1)), Timestamp.parser(), DEADLINE, now -> {
            throw new InternalError("made to fail"); // after an OutOfMemoryError JUnit would not go on
        });
        timers.runDue();

        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply).isCompletedExceptionally();
    }

    @Test
    void shouldFailACallAfterItsDeadlineAndDropTheLateReply() {
        RpcConnection client = connect();
        var reply = ask(client, 1);

        timers.advance(DEADLINE);
        service.asked.getFirst().answer(10);
        timers.runDue();

        assertFailed(reply, Errno.ETIMEDOUT, "port 7 did not answer within 5000 ms");
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void shouldWaitForAReplyThatTrickles() {
        RpcConnection client = connect();
        var reply = askPatiently(client, () -> true);
        timers.runDue();
        network.setRate(SLOW);
        service.asked.getFirst().responder().answer(time(10), content(30 * SLOW));

        timers.advance(Duration.ofSeconds(29));
        assertThat(reply).isNotDone();
        timers.advance(Duration.ofSeconds(2));

        assertThat(reply).isCompleted();
        reply.join().payload().close();
        assertThat(timers.size()).isZero();
    }

    @Test
    void shouldWaitForTheReplyToARequestThatTrickles() {
        network.setRate(SLOW);
        RpcConnection client = connect();
        var reply = client.call(
                new Outgoing(time(1), content(30 * SLOW), () -> true), Timestamp.parser(), DEADLINE, now -> {});

        timers.advance(Duration.ofSeconds(31));
        service.asked.getFirst().answer(10);
        timers.advance(Duration.ofSeconds(1));

        assertThat(reply).isCompleted();
    }

    @Test
    void shouldFailACallThatMayTakeLongerOnceTheLinkIsSilent() {
        RpcConnection client = connect();
        var unanswered = askPatiently(client, () -> true);
        var impatient = ask(client, 1);
        var answered = askPatiently(client, () -> true);
        timers.runDue();
        network.setRate(SLOW);
        service.asked.getLast().responder().answer(time(10), content(8 * SLOW));

        timers.advance(DEADLINE);
        assertFailed(impatient, Errno.ETIMEDOUT, "port 7 did not answer within 5000 ms");
        timers.advance(Duration.ofSeconds(7));
        assertThat(answered).isCompleted();
        answered.join().payload().close();
        assertThat(unanswered).isNotDone();
        timers.advance(Duration.ofSeconds(2));

        assertFailed(unanswered, Errno.ETIMEDOUT, "port 7 did not answer within 5000 ms");
    }

    @Test
    void shouldFailACallAtItsDeadlineWhenTheLinkIsSilentOrItMayNotTakeLonger() {
        RpcConnection client = connect();
        var silent = askPatiently(client, () -> true);
        timers.advance(DEADLINE);
        assertFailed(silent, Errno.ETIMEDOUT, "port 7 did not answer within 5000 ms");

        var notAllowed = askPatiently(client, () -> false);
        timers.runDue();
        network.setRate(SLOW);
        service.asked.getLast().responder().answer(time(10), content(30 * SLOW));
        timers.advance(DEADLINE);
        assertFailed(notAllowed, Errno.ETIMEDOUT, "port 7 did not answer within 5000 ms");
    }

    @Test
    void shouldLeaveNoTimerBehind() {
        RpcConnection client = connect();
        var reply = ask(client, 1);
        timers.runDue();
        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(reply).isCompleted();
        assertThat(timers.size()).isZero();
    }

    @Test
    void shouldFailCallsUnderWayWhenTheConnectionBreaks() {
        RpcConnection client = connect();
        var before = ask(client, 1);

        network.breakLinks("a cable was cut");
        var after = ask(client, 2);

        assertFailed(before, Errno.ENOTCONN, "no connection with port 7: a cable was cut");
        assertFailed(after, Errno.ENOTCONN, "no connection with port 7: a cable was cut");
        timers.runDue();
        assertThat(service.closed).isTrue();
        assertThat(timers.size()).isZero();
    }

    @Test
    void shouldRunCloseTasksOnceAlsoWhenAddedLate() {
        RpcConnection client = connect();
        AtomicInteger runs = new AtomicInteger();
        client.onClose(() -> {
            throw new IllegalStateException("a task that fails keeps no other from running");
        });
        client.onClose(runs::incrementAndGet);

        client.close();
        timers.runDue();
        client.onClose(runs::incrementAndGet);

        assertThat(runs).hasValue(2);
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void shouldTellBothSidesWhyVersionsDoNotFit() {
        RpcConnection client = connect(new TimeService(), hello(99, "desktop"));

        assertFailed(
                accepted.getFirst().greeted(),
                Errno.EPROTO,
                "this is BeeFS protocol 4, and desktop 0.1 at client 1 speaks protocol 99: "
                        + "install the same version on both machines");
        assertFailed(
                client.greeted(),
                Errno.EPROTO,
                "this is BeeFS protocol 99, and queenbee 0.1 at port 7 speaks protocol 4: "
                        + "install the same version on both machines");
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void shouldRefuseForOtherReasonsToo() {
        RpcConnection client = connect();
        var reply = ask(client, 1);

        accepted.getFirst().refuse("this hive is another one");
        timers.runDue();

        assertFailed(reply, Errno.EPROTO, "port 7 refused us: this hive is another one");
    }

    @Test
    void shouldAnswerWhatAServiceThrows() {
        offered = new Failing(new IllegalStateException("a defect"));

        var reply = ask(connect(), 1);
        timers.runDue();

        assertFailed(reply, Errno.EIO, "unexpected failure: java.lang.IllegalStateException: a defect");
        assertThat(accepted.getFirst().isOpen()).isTrue();
    }

    @Test
    void shouldPassOnTheErrnoAServiceThrowsButNotTakeItForOurOwn() {
        offered = new Failing(new PosixException(Errno.EAGAIN, "later"));
        RpcConnection client = connect();
        var again = ask(client, 1);
        timers.runDue();
        assertFailed(again, Errno.EAGAIN, "later");

        offered = new Failing(new PosixException(Errno.ENOTCONN, "its own peer is away"));
        var other = ask(connect(), 1);
        timers.runDue();
        assertFailed(other, Errno.EIO, "its own peer is away");
    }

    @Test
    void shouldSendOnlyTheFirstAnswer() {
        RpcConnection client = connect();
        var reply = ask(client, 1);
        timers.runDue();
        ByteBuf unwanted = Unpooled.copiedBuffer(new byte[] {1});

        service.asked.getFirst().answer(10);
        service.asked.getFirst().responder().answer(time(11), new Payload.Bytes(unwanted));
        timers.runDue();

        assertThat(reply.join().body()).isEqualTo(time(10));
        assertThat(unwanted.refCnt()).isZero();
    }

    @Test
    void shouldStopReadingWhileTooManyRequestsWait() {
        RpcConnection client = connect();
        for (int i = 0; i < RpcConnection.MAX_SERVED + 10; i++) {
            ask(client, i);
        }
        timers.runDue();
        assertThat(service.asked).hasSize(RpcConnection.MAX_SERVED);

        for (int i = 0; i < RpcConnection.MAX_SERVED / 2; i++) {
            service.asked.get(i).answer(0);
        }
        timers.runDue();

        assertThat(service.asked).hasSize(RpcConnection.MAX_SERVED + 10);
    }

    @Test
    void shouldRefuseMoreCallsThanItsBoundAndTakeNewOnesAfterwards() {
        RpcConnection client = connect();
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < RpcConnection.MAX_CALLS; i++) {
            calls.add(ask(client, i));
        }
        ByteBuf payload = Unpooled.copiedBuffer(new byte[] {1});

        var refused =
                client.call(new Outgoing(time(0), new Payload.Bytes(payload)), Timestamp.parser(), DEADLINE, _ -> {});
        calls.getFirst().cancel(false);
        var taken = ask(client, 1);

        assertFailed(refused, Errno.EAGAIN, "too many calls are waiting for port 7");
        assertThat(payload.refCnt()).isZero();
        assertThat(taken).isNotDone();
    }

    @Test
    void shouldFailARequestThatNoFrameHolds() {
        RpcConnection client = connect();
        Hello huge = Hello.newBuilder()
                .setNameBytes(ByteString.copyFrom(new byte[Frame.MAX_MESSAGE]))
                .build();
        ByteBuf payload = Unpooled.copiedBuffer(new byte[] {1});

        var reply = client.call(new Outgoing(huge, new Payload.Bytes(payload)), Timestamp.parser(), DEADLINE, _ -> {});

        assertFailed(reply, Errno.E2BIG, "a request is too large to be sent");
        assertThat(payload.refCnt()).isZero();
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void shouldAnswerEioInsteadOfAnAnswerThatNoFrameHolds() {
        var reply = ask(connect(), 1);
        timers.runDue();
        Hello huge = Hello.newBuilder()
                .setNameBytes(ByteString.copyFrom(new byte[Frame.MAX_MESSAGE]))
                .build();

        service.asked.getFirst().responder().answer(huge);
        timers.runDue();

        assertFailed(reply, Errno.EIO, "the answer is too large to be sent");
    }

    @Test
    void shouldCloseTheConnectionWithAPeerThatCannotBeUnderstood() {
        RpcConnection client = connect();
        var reply = ask(client, 1);
        ByteBuf payload = Unpooled.copiedBuffer(new byte[] {1});

        client.received(new Frame(
                Frame.Kind.REPLY, 1, ByteString.copyFrom(new byte[] {(byte) 0xff}), new Payload.Bytes(payload)));
        timers.runDue();

        assertFailed(reply, Errno.EPROTO, "the reply cannot be read");
        assertThat(payload.refCnt()).isZero();
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void shouldTakeNoRequestBeforeTheGreeting() {
        RecordingListener client = new RecordingListener();
        network.connect(ADDRESS, DEADLINE, link -> {
            link.send(new Frame(Frame.Kind.REQUEST, 1, ByteString.EMPTY, Payload.NONE));
            return client;
        });
        timers.runDue();

        assertThat(service.asked).isEmpty();
        assertThat(client.closed).isCompleted();
    }

    private RpcConnection connect() {
        return connect(new TimeService(), DESKTOP);
    }

    private RpcConnection connect(Service<?> own, Hello hello) {
        List<RpcConnection> made = new ArrayList<>();
        network.connect(ADDRESS, DEADLINE, link -> {
            made.add(new RpcConnection(link, timers, hello, _ -> own));
            return made.getFirst();
        });
        timers.runDue();
        return made.getFirst();
    }

    private static CompletableFuture<Message<Timestamp>> ask(RpcConnection connection, long seconds) {
        return connection.call(time(seconds), Timestamp.parser(), DEADLINE);
    }

    private static CompletableFuture<Message<Timestamp>> askPatiently(RpcConnection connection, BooleanSupplier may) {
        return connection.call(new Outgoing(time(1), Payload.NONE, may), Timestamp.parser(), DEADLINE, now -> {});
    }

    private static Payload content(int bytes) {
        return new Payload.Bytes(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    private static Hello hello(int protocol, String role) {
        return Hello.newBuilder()
                .setProtocol(protocol)
                .setProgram("0.1")
                .setRole(role)
                .build();
    }

    private static void assertFailed(CompletableFuture<?> future, Errno errno, String message) {
        assertThat(future).isCompletedExceptionally();
        PosixException failure = Failures.toPosix(future.exceptionNow());
        assertThat(failure).hasMessage(message);
        assertThat(failure.errno()).isEqualTo(errno);
    }

    private record Failing(RuntimeException thrown) implements Service<Timestamp> {
        @Override
        public Parser<Timestamp> requests() {
            return Timestamp.parser();
        }

        @Override
        public void handle(Message<Timestamp> request, Responder responder) {
            throw thrown;
        }
    }
}
