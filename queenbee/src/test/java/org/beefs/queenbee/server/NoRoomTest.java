package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.request.RequestIds;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Registered;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** A queen-bee that cannot take a request now. What a desktop has decided must be made in its order nevertheless. */
class NoRoomTest {
    private static final long ROOT = Namespace.ROOT;
    private static final QueenBeeConfig CONFIG = TestConfig.withLeastRoom();
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private final ManualTimers timers = new ManualTimers();
    private final TestHive hive = new TestHive(new MemoryStateStore(), CONFIG);

    @Test
    void shouldMakeNothingThatWasDecidedAfterAChangeWhoseAnswerCannotBeKept() {
        TestDesktop desktop = new TestDesktop(hive, "desk");
        Decided decided = Decided.register(desktop);
        long outer = decided.number();
        long beyond = desktop.numbered(Ask.mkdir(ROOT, "never sent", 0755)).getSequence() + CONFIG.maxAnswers();
        hive.submit(numbered(desktop, Decided.mkdir(ROOT, "outer", outer), beyond, 1), desktop);
        CompletableFuture<QueenReply> inner = hive.submit(
                numbered(desktop, Decided.mkdir(outer, "inner", decided.number()), beyond + 1, beyond), desktop);
        hive.run();

        assertThat(desktop.isClosed()).isTrue();
        assertThat(inner.join().getUnknownSession()).isTrue();
        assertThat(hive.names(ROOT)).isEmpty();
    }

    @Test
    void shouldHaveOtherRequestsSentAgainWhenTooManyWait() throws IOException {
        RpcConnection connection = connect();
        leaveRoomForOne();

        call(connection, Ask.lookup(ROOT, "a"));
        CompletableFuture<?> refused = call(connection, Ask.mkdir(ROOT, "d", 0755));
        timers.runDue();

        assertThat(Failures.toPosix(refused.exceptionNow()).errno()).isEqualTo(Errno.EAGAIN);
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void shouldHangUpOnWhoTellsOfAnOpenForWhichThereIsNoRoom() throws IOException {
        RpcConnection connection = connect();
        leaveRoomForOne();

        call(connection, Ask.lookup(ROOT, "a"));
        call(connection, Ask.open(2, 1, true, false));
        timers.runDue();

        assertThat(connection.isOpen()).as("its answer to a recall may follow").isFalse();
    }

    @Test
    void shouldTakeNothingThatFollowsADecisionForWhichThereIsNoRoom() throws IOException {
        RpcConnection connection = connect();
        CompletableFuture<Message<QueenReply>> answer =
                call(connection, QueenRequest.newBuilder().setRegister(new TestDesktop(hive, "desk").register()));
        timers.runDue();
        hive.run();
        timers.runDue();
        Registered registered = answer.join().body().getRegistered();
        Decided decided = new Decided(registered);
        long session = registered.getSession();

        leaveRoomForOne();
        call(connection, Ask.lookup(ROOT, "a").setSession(session));
        call(connection, decidedMkdir("outer", decided, session, 1));
        timers.schedule(Duration.ZERO, hive::run); // now there is room
        call(connection, decidedMkdir("later", decided, session, 2));
        timers.runDue();
        hive.run();

        assertThat(connection.isOpen()).isFalse();
        assertThat(hive.names(ROOT)).isEmpty();
    }

    private static QueenRequest.Builder decidedMkdir(String name, Decided decided, long session, long sequence) {
        return Decided.mkdir(ROOT, name, decided.number()).setSession(session).setSequence(sequence);
    }

    private static QueenRequest numbered(
            TestDesktop desktop, QueenRequest.Builder request, long sequence, long acknowledged) {
        return desktop.numbered(request).toBuilder()
                .setSequence(sequence)
                .setAcknowledged(acknowledged)
                .build();
    }

    private void leaveRoomForOne() {
        TestDesktop other = new TestDesktop(hive, "other");
        QueenRequest lookup = Ask.lookup(ROOT, "a").build();
        for (int i = 1; i < CONFIG.maxQueued(); i++) {
            hive.submit(lookup, other);
        }
    }

    private RpcConnection connect() throws IOException {
        MemoryNetwork network = new MemoryNetwork(timers);
        RequestIds ids = new RequestIds(1);
        network.listen(
                ADDRESS,
                link -> new RpcConnection(link, timers, HELLO, self -> new QueenService(hive.queenBee(), self, ids)));
        CompletableFuture<RpcConnection> connected = RpcConnection.connect(
                network, timers, ADDRESS, DEADLINE, HELLO, self -> new NoService<>(DesktopRequest.parser()));
        timers.runDue();
        return connected.join();
    }

    private static CompletableFuture<Message<QueenReply>> call(RpcConnection connection, QueenRequest.Builder request) {
        return connection.call(request.build(), QueenReply.parser(), DEADLINE);
    }
}
