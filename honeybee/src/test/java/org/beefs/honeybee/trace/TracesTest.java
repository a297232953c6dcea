package org.beefs.honeybee.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.USER;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.request.RequestIds;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.ExplainWaits;
import org.beefs.common.wire.ExplainedWait;
import org.beefs.common.wire.ExplainedWaits;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockRange;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.QueenRequest;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.junit.jupiter.api.Test;

/** What a desktop tells of the calls of its mounts. */
class TracesTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final Duration WHILE = Duration.ofMillis(300);

    private final FakeHive hive = FakeHive.started();
    private final FakeQueen queen = hive.queen;
    private final Calls calls = new Calls(new RequestIds(0), hive.timers.clock());
    private final Waits waits = new Waits(hive.session, hive.honeycombs, visitor -> {});
    private final Traces traces = new Traces(calls, waits, new CachedNames(), hive.timers);
    private final TracedFileSystem files = new TracedFileSystem(hive.files, hive.files::inodeOf, calls);
    private final long inode = queen.addFile(
            "file",
            hive.honeycomb.layout(),
            Attributes.newBuilder().setMode(0100644).setSize(5));

    private final class CachedNames implements Names {
        @Override
        public CompletableFuture<Long> inode(long directory, ByteString name) {
            return hive.proxy
                    .lookup(FakeHive.ROOT, directory, name)
                    .thenApply(node -> node.getAttributes().getInode());
        }

        @Override
        public List<Map.Entry<ByteString, Long>> known(long directory) {
            return hive.session.cache().children(directory);
        }
    }

    @Test
    void shouldTellWhatConcernsAPathAndHowItEnded() {
        look(path("file"));

        hive.get(files.lookup(USER, 1, bytes("file")));
        hive.failure(files.lookup(USER, 1, bytes("nothing")));
        OpenedFile opened = hive.get(files.open(USER, inode, READ));
        hive.failure(files.checkAccess(USER, 1, 4).thenCompose(any -> files.read(99, 0, 1)));
        hive.get(files.release(opened.handle()));

        assertThat(look(path("file")).ended())
                .extracting(TracedCall::operation)
                .containsExactly("lookup", "open", "release");
        assertThat(look(path("file")).ended()).as("told once").isEmpty();
    }

    @Test
    void shouldTellWhyACallFailedAndHowLongItTook() {
        look(path("missing"));
        queen.held = QueenRequest.OperationCase.LOOKUP;
        CompletableFuture<Attributes> answer = files.lookup(USER, 1, bytes("missing"));
        hive.pass(Duration.ofSeconds(2));
        queen.letGo();

        assertThat(hive.failure(answer)).isEqualTo(Errno.ENOENT);
        TracedCall call = look(path("missing")).ended().getFirst();
        assertThat(call.error()).isEqualTo("ENOENT");
        assertThat(call.micros()).isBetween(2_000_000L, 2_100_000L);
        assertThat(call.name()).isEqualTo("missing");
    }

    @Test
    void shouldLeaveOutWhatIsQuick() {
        TraceQuestion slow = new TraceQuestion(1, List.of("file"), 0, 1000);
        look(slow);
        hive.get(files.lookup(USER, 1, bytes("file")));
        queen.held = QueenRequest.OperationCase.GET_ATTRIBUTES;
        CompletableFuture<Attributes> waiting = files.getAttributes(inode);
        hive.pass(Duration.ofSeconds(1));
        queen.letGo();
        hive.get(waiting);

        assertThat(look(slow).ended()).extracting(TracedCall::operation).containsExactly("getattr");
    }

    @Test
    void shouldSayThatTheQueenBeeDoesNotAnswer() {
        look(path("file"));
        hive.network.setSilent(true);
        files.lookup(USER, 1, bytes("file"));
        hive.pass(WHILE);

        assertThat(waiting(look(path("file"), Duration.ofSeconds(1))))
                .containsExactly("queen-bee: the queen-bee, who does not answer");
    }

    @Test
    void shouldSayThatThereIsNoConnectionWithTheQueenBee() {
        queen.stop();
        hive.pass(WHILE);
        files.lookup(USER, 1, bytes("file"));
        hive.pass(WHILE);

        assertThat(waiting(look(path("file"))).getFirst()).startsWith("connection: a connection with the queen-bee (");
    }

    @Test
    void shouldPassOnWhatTheQueenBeeWaitsFor() {
        queen.held = QueenRequest.OperationCase.UNLINK;
        CompletableFuture<Void> removed = files.unlink(USER, 1, bytes("file"));
        hive.pass(WHILE);
        look(path("file"));
        queen.explained = ExplainedWaits.newBuilder()
                .addWaits(ExplainedWait.newBuilder()
                        .setRequest(asked().getRequests(0))
                        .setReason("desktop2 to let go of what it caches"))
                .build();

        assertThat(waiting(look(path("file"))))
                .containsExactly("queen-bee: the queen-bee, who waits for desktop2 to let go of what it caches");
        queen.letGo();
        hive.get(removed);
        assertThat(look(path("file")).open()).isEmpty();
    }

    @Test
    void shouldSayWhichHoneycombDoesNotAnswer() {
        look(path("file"));
        OpenedFile opened = hive.get(files.open(USER, inode, READ));
        hive.honeycomb.stop();
        hive.pass(WHILE);
        files.read(opened.handle(), 0, 5);
        hive.pass(WHILE);

        assertThat(waiting(look(path("file"))).getFirst())
                .startsWith("connection: a connection with the honeycomb of desktop2 (");
    }

    @Test
    void shouldSayWhoHasTheLock() {
        look(path("file"));
        OpenedFile opened = hive.get(files.open(USER, inode, WRITE));
        queen.lockState = LockState.newBuilder().setWaiting(true).build();
        files.setLock(opened.handle(), inode, lock(), new CompletableFuture<>());
        hive.pass(WHILE);
        look(path("file"));
        queen.explained = ExplainedWaits.newBuilder()
                .addWaits(ExplainedWait.newBuilder()
                        .setTicket(asked().getTickets(0))
                        .setReason("a lock that process 12 on desktop2 has"))
                .build();

        assertThat(waiting(look(path("file")))).containsExactly("lock: a lock that process 12 on desktop2 has");
    }

    @Test
    void shouldNameWhatIsOnTheWayToAPathWhileTheQueenBeeIsAway() {
        queen.stop();
        hive.pass(Duration.ofSeconds(10));
        files.lookup(USER, 1, bytes("folder"));
        files.lookup(USER, 1, bytes("other"));
        hive.pass(WHILE);

        assertThat(look(path("folder", "deep", "file")).open())
                .extracting(TracedCall::name)
                .containsExactly("folder");
    }

    @Test
    void shouldTellTheCallsOfAProcess() {
        TraceQuestion mine =
                new TraceQuestion(1, null, (int) ProcessHandle.current().pid(), 0);
        look(mine);
        CallingThread.set((int) ProcessHandle.current().pid());
        hive.get(files.getAttributes(inode));
        CallingThread.set(1);
        hive.get(files.lookup(USER, 1, bytes("file")));
        CallingThread.set(0);

        assertThat(look(mine).ended()).extracting(TracedCall::operation).containsExactly("getattr");
    }

    @Test
    void shouldAskOthersWithTheIdOfTheCall() {
        look(path("file"));
        List<Long> seen = new ArrayList<>();

        files.lookup(USER, 1, bytes("file")).thenRun(() -> seen.add(CurrentRequest.id()));
        hive.timers.runDue();

        assertThat(seen).hasSize(1);
        assertThat(look(path("file")).ended())
                .extracting(TracedCall::request)
                .containsExactly(RequestIds.text(seen.getFirst()));
    }

    @Test
    void shouldBoundWhatIsKeptAndCountTheRest() {
        look(path("file"));
        hive.get(files.lookup(USER, 1, bytes("file")));
        for (int i = 0; i < Trace.MOST_KEPT; i++) {
            files.setLock(0, inode, lock(), new CompletableFuture<>());
        }

        TraceAnswer first = look(path("file"));

        assertThat(first.ended()).hasSizeBetween(100, Trace.MOST_TOLD);
        assertThat(first.more()).isTrue();
        assertThat(first.leftOut()).isEqualTo(1);
    }

    @Test
    void shouldForgetWhoAsksNoMore() {
        for (int key = 0; key < Traces.MOST; key++) {
            look(new TraceQuestion(key, List.of(), 0, 0));
        }
        TraceQuestion another = new TraceQuestion(99, List.of(), 0, 0);
        assertThat(hive.failure(traces.look(another))).isEqualTo(Errno.EAGAIN);

        hive.pass(Traces.FORGOTTEN.multipliedBy(2));

        assertThat(look(another).ended()).isEmpty();
    }

    private ExplainWaits asked() {
        return queen.requests.stream()
                .filter(QueenRequest::hasExplainWaits)
                .map(QueenRequest::getExplainWaits)
                .toList()
                .getLast();
    }

    private TraceAnswer look(TraceQuestion question) {
        return hive.get(traces.look(question));
    }

    private TraceAnswer look(TraceQuestion question, Duration within) {
        return hive.get(traces.look(question), within);
    }

    private static List<String> waiting(TraceAnswer answer) {
        return answer.open().stream()
                .flatMap(call -> call.waits().stream())
                .map(reason -> reason.kind() + ": " + reason.text())
                .toList();
    }

    private static TraceQuestion path(String... names) {
        return new TraceQuestion(1, List.of(names), 0, 0);
    }

    private static FileLock lock() {
        return new FileLock(
                7, false, LockMode.EXCLUSIVE, LockRange.newBuilder().setEnd(9).build(), 77, true);
    }
}
