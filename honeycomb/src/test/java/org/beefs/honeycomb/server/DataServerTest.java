package org.beefs.honeycomb.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.target;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.AdmitCopy;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.GetStatuses;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Read;
import org.beefs.common.wire.ReadFiles;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seek;
import org.beefs.common.wire.SyncReplica;
import org.beefs.common.wire.Truncate;
import org.beefs.common.wire.UserActivity;
import org.beefs.common.wire.Write;
import org.beefs.honeycomb.memory.MemoryCatalog;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.memory.MemoryRecords;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.records.RecordKeeper;
import org.beefs.honeycomb.state.Boot;
import org.beefs.honeycomb.store.ReplicaStore;
import org.beefs.honeycomb.store.Space;
import org.beefs.honeycomb.store.WriteGate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DataServerTest {
    private static final long SESSION = 7;
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private static final int COPIED_IN_A_SECOND = 1 << 20;

    private final ManualTimers timers = new ManualTimers();
    private final MemoryNetwork network = new MemoryNetwork(timers);
    private final MemoryDisk disk = new MemoryDisk(timers.clock(), 1 << 30);
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final Deque<Runnable> work = new ArrayDeque<>();
    private boolean overloaded;
    private boolean memoryIsFull;
    private DataServer server;
    private DataOperations operations;
    private ReplicaStore store;

    @BeforeEach
    void start() throws IOException {
        var files = disk.mount();
        Space space = new Space(files, timers.clock(), OptionalLong.of(1 << 29), 0, 0);
        WriteGate gate = new WriteGate(timers.clock(), List.of());
        gate.lease(Long.MAX_VALUE);
        store = new ReplicaStore(
                files,
                new MemoryCatalog(),
                space,
                new Boot(1, 0),
                gate,
                new BoundedBuffers(),
                timers.clock(),
                timers,
                Runnable::run,
                Runnable::run,
                16);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RecordKeeper records = new RecordKeeper(ByteString.copyFromUtf8("sixteen bytes id"), new MemoryRecords());
        Pace pace =
                new Pace(timers.clock(), timers, () -> 0, () -> UserActivity.UNKNOWN, new ByteSize(COPIED_IN_A_SECOND));
        operations = new DataOperations(store, records, pace);
        server = new DataServer(store, records, pace, network, address, timers.clock(), timers, HELLO, this::execute);
    }

    @Test
    void shouldLetWhoCopiesWaitForTheDesktopsPace() {
        RpcConnection copier = connect();
        assertThat(call(copier, admit(COPIED_IN_A_SECOND), "").getAdmitted()).isTrue();

        var second = send(copier, admit(1), "");
        runWork();
        assertThat(second).isNotDone();
        timers.advance(Duration.ofSeconds(1));
        assertThat(second.join().body().getAdmitted()).isTrue();

        send(copier, admit(16 << 20), "");
        runWork();
        var late = send(copier, admit(1), "");
        runWork();
        timers.advance(Duration.ofSeconds(2));
        assertThat(late.join().body().getAdmitted())
                .as("so that nobody takes it for dead")
                .isFalse();
        assertThat(call(copier, admit((16 << 20) + 1), "").getFailure().getErrno())
                .isEqualTo(Errno.EINVAL.number());
    }

    private static DataRequest.Builder admit(long bytes) {
        return DataRequest.newBuilder().setAdmitCopy(AdmitCopy.newBuilder().setBytes(bytes));
    }

    @AfterEach
    void noBufferLeaks() {
        assertThat(buffers.metric().usedDirectMemory()).isZero();
    }

    private final class BoundedBuffers extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return buffers.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (memoryIsFull) {
                throw new OutOfMemoryError("no direct memory");
            }
            return buffers.directBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    private void execute(Runnable task) {
        if (overloaded) {
            throw new RejectedExecutionException("full");
        }
        work.add(task);
    }

    private RpcConnection connect() {
        CompletableFuture<RpcConnection> connection = RpcConnection.connect(
                network,
                timers,
                server.address(),
                Duration.ofSeconds(5),
                HELLO,
                _ -> new NoService<>(DataRequest.parser()));
        timers.runDue();
        return connection.join();
    }

    private CompletableFuture<Message<DataReply>> send(RpcConnection on, DataRequest.Builder request, String content) {
        Payload payload = new Payload.Bytes(Unpooled.copiedBuffer(content, StandardCharsets.UTF_8));
        var reply =
                on.call(new Outgoing(request.build(), payload), DataReply.parser(), Duration.ofSeconds(30), _ -> {});
        timers.runDue();
        return reply;
    }

    private void runWork() {
        while (!work.isEmpty()) {
            work.removeFirst().run();
        }
        timers.runDue();
    }

    private DataReply call(RpcConnection on, DataRequest.Builder request, String content) {
        var reply = send(on, request, content);
        runWork();
        reply.join().payload().close();
        return reply.join().body();
    }

    private String read(RpcConnection on, long inode) {
        var reply = send(on, reading(inode), "");
        runWork();
        Payload payload = reply.join().payload();
        try {
            return ((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8);
        } finally {
            payload.close();
        }
    }

    private static DataRequest.Builder reading(long inode) {
        return DataRequest.newBuilder()
                .setSession(SESSION)
                .setTarget(target(inode))
                .setRead(Read.newBuilder().setLength(1000));
    }

    private static DataRequest.Builder change(long sequence, long inode) {
        return DataRequest.newBuilder()
                .setSession(SESSION)
                .setSequence(sequence)
                .setAcknowledged(1)
                .setTarget(target(inode));
    }

    private static DataRequest.Builder write(long sequence, long inode) {
        return change(sequence, inode).setWrite(Write.newBuilder());
    }

    private static DataRequest.Builder append(long sequence, long inode) {
        return change(sequence, inode).setWrite(Write.newBuilder().setAppend(true));
    }

    private static Errno errno(CompletableFuture<Message<DataReply>> reply) {
        assertThat(reply).isCompletedExceptionally();
        return Failures.toPosix(reply.exceptionNow()).errno();
    }

    @Test
    void shouldWriteAndRead() {
        RpcConnection connection = connect();
        ReplicaStatus status = call(connection, write(1, 5), "honey").getStatuses(0);
        assertThat(status.getSize()).isEqualTo(5);
        assertThat(read(connection, 5)).isEqualTo("honey");
    }

    @Test
    void shouldAnswerASmallReadOfWhatIsInMemoryAtOnce() {
        RpcConnection connection = connect();
        call(connection, write(1, 5), "honey");
        disk.setMemory(() -> true);
        overloaded = true;
        assertThat(read(connection, 5)).isEqualTo("honey");
        DataRequest.Builder unauthorized =
                reading(5).setTarget(target(5).toBuilder().clearCapability());
        assertThat(send(connection, unauthorized, "").join().body().getFailure().getErrno())
                .isEqualTo(Errno.EACCES.number());

        disk.setMemory(() -> false);
        assertThat(errno(send(connection, reading(5), ""))).isEqualTo(Errno.EAGAIN);
        overloaded = false;
        assertThat(read(connection, 5)).isEqualTo("honey");
    }

    /** So that others of the thread get their turn, and not too much waits to be sent. */
    @Test
    void shouldLeaveToTheDiskWhatComesWithManyReads() {
        call(connect(), write(1, 5), "honey");
        disk.setMemory(() -> true);
        DataService service = service();
        Message<DataRequest> request = new Message<>(reading(5).build(), Payload.NONE);
        for (int i = 0; i < DataService.MOST_AT_HAND + 3; i++) {
            service.handle(request, new Closing());
        }
        assertThat(work).hasSize(3);
        service.handledAll();
        service.handle(request, new Closing());
        assertThat(work).as("others had their turn").hasSize(3);
        runWork();
    }

    private static final class Closing implements Service.Responder {
        @Override
        public void answer(MessageLite reply, Payload payload) {
            payload.close();
        }

        @Override
        public void fail(PosixException cause) {
            throw new AssertionError(cause);
        }
    }

    @Test
    void shouldAnswerNoReadOfAnOlderConnection() {
        RpcConnection older = connect();
        call(older, write(1, 5), "honey");
        disk.setMemory(() -> true);
        assertThat(read(connect(), 5)).isEqualTo("honey");
        var late = send(older, reading(5), "");
        runWork();
        assertThat(errno(late)).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldAnswerWhatItHasTakenWhenItStopsAndTakeNothingElse() {
        RpcConnection connection = connect();
        var taken = send(connection, append(1, 5), "honey");
        var stopped = server.stop();
        var late = send(connection, append(2, 5), "comb");
        assertThat(stopped).isNotDone();

        runWork();

        assertThat(taken.join().body().getStatuses(0).getSize()).isEqualTo(5);
        assertThat(errno(late)).isEqualTo(Errno.EAGAIN);
        assertThat(stopped).isCompleted();
    }

    @Test
    void shouldStopThoughTheDiskDoesNotAnswer() {
        RpcConnection connection = connect();
        send(connection, append(1, 5), "honey");
        var stopped = server.stop();

        timers.advance(Duration.ofSeconds(3));

        assertThat(stopped).isCompleted();
        runWork();
    }

    /** So that it is sent again, to the one who comes after: nothing of it was done. */
    @Test
    void shouldSayOfWhatItHasNotBegunWhenItsStoreIsClosedThatItMayComeAgain() {
        RpcConnection connection = connect();
        call(connection, write(1, 5), "honey");
        var write = send(connection, write(2, 5), "comb");
        var sync = send(connection, change(0, 5).setSync(SyncReplica.getDefaultInstance()), "");
        server.stop();
        timers.advance(Duration.ofSeconds(3));

        store.close();
        runWork();

        assertThat(errno(write)).isEqualTo(Errno.EAGAIN);
        assertThat(errno(sync)).isEqualTo(Errno.EAGAIN);
        assertThat(write.exceptionNow()).hasMessage("the honeycomb has stopped");
    }

    @Test
    void shouldCarryOutEachOperation() {
        RpcConnection connection = connect();
        call(connection, write(1, 5), "honey");
        assertThat(call(connection, append(2, 5), "comb").getStatuses(0).getSize())
                .isEqualTo(9);
        DataReply truncated =
                call(connection, change(3, 5).setTruncate(Truncate.newBuilder().setSize(3)), "");
        assertThat(truncated.getStatuses(0).getSize()).isEqualTo(3);
        DataReply synced = call(connection, change(0, 5).setSync(SyncReplica.getDefaultInstance()), "");
        assertThat(synced.getStatuses(0).getSize()).isEqualTo(3);
        DataReply sought =
                call(connection, change(0, 5).setSeek(Seek.newBuilder().setHole(true)), "");
        assertThat(sought.getPosition()).isPositive();
        GetStatuses statuses = GetStatuses.newBuilder()
                .addTargets(target(6))
                .addTargets(target(5))
                .build();
        assertThat(call(connection, change(0, 0).setGetStatuses(statuses), "").getStatusesList())
                .extracting(ReplicaStatus::getInode)
                .containsExactly(6L, 5L);
    }

    @Test
    void shouldReadSmallFilesTogetherAndLeaveOutWhatCannotBeRead() {
        RpcConnection connection = connect();
        call(connection, write(1, 5), "honey");
        call(connection, write(2, 6), "comb");
        ReadFiles.Builder read = ReadFiles.newBuilder()
                .addTargets(target(5))
                .addLengths(100)
                .addTargets(target(6).toBuilder().clearCapability())
                .addLengths(4)
                .addTargets(target(6))
                .addLengths(4);

        var reply = send(connection, change(0, 0).setReadFiles(read), "");
        runWork();

        assertThat(reply.join().body().getLengthsList()).containsExactly(5, -1, 4);
        try (Payload payload = reply.join().payload()) {
            assertThat(((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8))
                    .isEqualTo("honeycomb");
        }
    }

    @Test
    void shouldRefuseToReadTooMuchTogether() {
        ReadFiles.Builder many = ReadFiles.newBuilder();
        for (int i = 0; i < 65; i++) {
            many.addTargets(target(5)).addLengths(1);
        }
        ReadFiles.Builder large = ReadFiles.newBuilder().addTargets(target(5)).addLengths((64 << 10) + 1);
        ReadFiles.Builder unclear = ReadFiles.newBuilder().addTargets(target(5));

        for (ReadFiles.Builder refused : List.of(many, large, unclear, ReadFiles.newBuilder())) {
            assertThat(call(connect(), change(0, 0).setReadFiles(refused), "")
                            .getFailure()
                            .getErrno())
                    .isEqualTo(Errno.EINVAL.number());
        }
    }

    @Test
    void shouldAnswerFailuresWithTheirErrno() {
        DataRequest.Builder unauthorized =
                write(1, 5).setTarget(target(5).toBuilder().clearCapability());
        assertThat(call(connect(), unauthorized, "x").getFailure().getErrno()).isEqualTo(Errno.EACCES.number());
        assertThat(call(connect(), DataRequest.newBuilder(), "").getFailure().getErrno())
                .isEqualTo(Errno.EOPNOTSUPP.number());
    }

    @Test
    void shouldCarryOutARepeatedRequestOnce() {
        RpcConnection connection = connect();
        DataReply first = call(connection, append(1, 5), "once ");
        assertThat(call(connection, append(1, 5), "once ")).isEqualTo(first);
        assertThat(call(connect(), append(1, 5), "once ")).isEqualTo(first);
        call(connect(), append(2, 5), "twice");
        assertThat(read(connect(), 5)).isEqualTo("once twice");
    }

    @Test
    void shouldAnswerARequestThatComesAgainWhileItIsUnderWay() {
        RpcConnection connection = connect();
        var first = send(connection, append(1, 5), "once");
        var again = send(connection, append(1, 5), "once");
        runWork();
        assertThat(first.join().body()).isEqualTo(again.join().body());
        assertThat(read(connection, 5)).isEqualTo("once");
    }

    @Test
    void shouldNotCarryOutWhatIsLeftOfAnOlderConnection() {
        RpcConnection older = connect();
        send(older, write(1, 5), "early");
        Runnable late = work.removeFirst();

        RpcConnection newer = connect();
        call(newer, write(1, 5), "early");
        call(newer, write(2, 5).setAcknowledged(2), "later");
        work.add(late);
        runWork();

        assertThat(read(newer, 5)).isEqualTo("later");
    }

    @Test
    void shouldNotCarryOutWhatTheSessionHasGivenUp() {
        RpcConnection connection = connect();
        var givenUp = send(connection, write(1, 5), "given up");
        Runnable late = work.removeFirst();
        call(connection, write(2, 5).setAcknowledged(2), "later");
        work.add(late);
        runWork();
        assertThat(errno(givenUp)).isEqualTo(Errno.ECANCELED);
        assertThat(read(connection, 5)).isEqualTo("later");
    }

    @Test
    void shouldLetARequestComeAgainThatWasTooMuch() {
        RpcConnection connection = connect();
        overloaded = true;
        assertThat(errno(send(connection, append(1, 5), "x"))).isEqualTo(Errno.EAGAIN);
        overloaded = false;
        assertThat(call(connection, append(1, 5), "x").getStatuses(0).getSize()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeInMoreContentThanItsBacklogHolds() {
        RpcConnection connection = connect();
        String mebibyte = "x".repeat(1 << 20);
        long most = Backlog.MOST_UNWRITTEN >> 20;
        for (long i = 1; i <= most; i++) {
            assertThat(send(connection, write(i, 5), mebibyte)).isNotDone();
        }
        var refused = send(connection, write(most + 1, 5), mebibyte);
        assertThat(errno(refused)).isEqualTo(Errno.EAGAIN);
        runWork();
        assertThat(call(connection, write(most + 1, 5), mebibyte).hasFailure()).isFalse();
    }

    @Test
    void shouldReadNoMoreThanMayWaitToBeSent() {
        RpcConnection connection = connect();
        call(connection, write(1, 5), "x".repeat(1 << 20));
        Slow reader = new Slow();
        while (reader.refused == null) {
            reader.ask(whole(5));
        }
        assertThat(reader.refused).isEqualTo(Errno.EAGAIN);
        assertThat(reader.received)
                .as("all that a desktop asks of one honeycomb at a time, and not much more")
                .hasSizeBetween(16, 24);

        reader.ask(append(1, 6));
        assertThat(reader.refused).as("what needs no room").isNull();
        reader.received.forEach(Payload::close);
        reader.ask(change(0, 0)
                .setReadFiles(ReadFiles.newBuilder().addTargets(target(5)).addLengths(9)));
        assertThat(reader.received.getLast().length()).isEqualTo(9);
        reader.received.getLast().close();
    }

    @Test
    void shouldLetAReadComeAgainThatFoundNoMemory() {
        call(connect(), write(1, 5), "honey");
        Slow reader = new Slow();
        memoryIsFull = true;
        reader.ask(reading(5));
        assertThat(reader.refused).isEqualTo(Errno.EAGAIN);
        disk.setMemory(() -> true);
        reader.ask(reading(5));
        assertThat(reader.refused).as("on the network's thread").isEqualTo(Errno.EAGAIN);

        memoryIsFull = false;
        reader.ask(reading(5));

        assertThat(reader.received.getLast().length()).isEqualTo(5);
        reader.received.getLast().close();
    }

    private static DataRequest.Builder whole(long inode) {
        return change(0, inode).setRead(Read.newBuilder().setLength(1 << 20));
    }

    /** Somebody whose connection has not taken yet what he was answered. */
    private final class Slow implements Service.Responder {
        private final Deque<Payload> received = new ArrayDeque<>();
        private final DataService service = service();
        private @Nullable Errno refused;

        void ask(DataRequest.Builder request) {
            refused = null;
            service.handle(new Message<>(request.build(), Payload.NONE), this);
            runWork();
        }

        @Override
        public void answer(MessageLite reply, Payload payload) {
            received.add(payload);
        }

        @Override
        public void fail(PosixException cause) {
            refused = cause.errno();
        }
    }

    private DataService service() {
        return new DataService(
                operations,
                new Sessions(),
                new Backlog(Backlog.MOST_UNWRITTEN),
                new Unsent(new Backlog(Backlog.MOST_UNSENT)),
                this::execute,
                1);
    }

    @Test
    void shouldNotCountInItsBacklogWhatItHasRefused() {
        RpcConnection connection = connect();
        String mebibyte = "x".repeat(1 << 20);
        overloaded = true;
        for (long i = 0; i <= Backlog.MOST_UNWRITTEN >> 20; i++) {
            assertThat(errno(send(connection, write(1, 5), mebibyte))).isEqualTo(Errno.EAGAIN);
        }
        overloaded = false;

        assertThat(call(connection, write(1, 5), mebibyte).hasFailure()).isFalse();
    }

    @Test
    void shouldRefuseChangesWithoutSequence() {
        var reply = send(connect(), write(0, 5), "x");
        runWork();
        assertThat(errno(reply)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldKeepSessionsApart() {
        RpcConnection connection = connect();
        call(connection, append(1, 5), "one ");
        call(connect(), append(1, 5).setSession(SESSION + 1), "other");
        assertThat(read(connection, 5)).isEqualTo("one other");
    }
}
