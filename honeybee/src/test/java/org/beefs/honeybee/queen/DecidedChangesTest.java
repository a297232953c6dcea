package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.fake.FakeHive;
import org.junit.jupiter.api.Test;

/** How the queen-bee is told what was made here before she was asked. */
class DecidedChangesTest extends DelegatedHomeTest {
    private static final int MOST = 256;

    @Test
    void shouldLetProgramsGoOnBeforeTheQueenBeeAnswers() {
        queen.held = OperationCase.CREATE;

        Opened opened = hive.get(create("f"));

        assertThat(inode(opened.node())).isEqualTo(FIRST);
        assertThat(opened.node().getCreated()).isTrue();
        assertThat(queen.requestsOf(OperationCase.CREATE))
                .singleElement()
                .satisfies(sent -> assertThat(sent.getDecision().getInode()).isEqualTo(FIRST));
    }

    @Test
    void shouldAskInTheOrderOfItsDecisions() {
        queen.setMute(true);
        hive.get(create("a"));
        Node directory = hive.get(makeDirectory(home, "b"));
        hive.get(create("c"));
        hive.get(hive.proxy.unlink(ROOT, home, bytes("a")));
        hive.get(hive.proxy.removeDirectory(ROOT, home, bytes("b")));

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(
                        OperationCase.CREATE,
                        OperationCase.MAKE_DIRECTORY,
                        OperationCase.CREATE,
                        OperationCase.UNLINK,
                        OperationCase.REMOVE_DIRECTORY);
        assertThat(queen.requests)
                .extracting(QueenRequest::getSequence)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(queen.requests)
                .extracting(sent -> sent.getDecision().getInode())
                .containsExactly(FIRST, FIRST + 1, FIRST + 2, FIRST, inode(directory));
    }

    @Test
    void shouldAskForWhatWasDecidedBeforeWhatIsAskedLater() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));

        hive.proxy.attributes(home + 1000);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(OperationCase.CREATE, OperationCase.GET_ATTRIBUTES);
    }

    @Test
    void shouldAskFirstWhenTooManyAreUnanswered() {
        queen.held = OperationCase.CREATE;
        for (int i = 0; i < MOST; i++) {
            assertThat(create("f" + i)).as("%d", i).isCompleted();
        }

        CompletableFuture<Opened> oneMore = create("one more");

        hive.timers.runDue();
        assertThat(oneMore).isNotDone();
        assertThat(queen.requestsOf(OperationCase.CREATE)).hasSize(MOST + 1);
        assertThat(queen.requestsOf(OperationCase.CREATE).getLast().hasDecision())
                .isFalse();
        letGo();
        assertThat(hive.get(oneMore).node().getCreated()).isTrue();
        assertThat(create("another")).as("she has answered").isCompleted();
    }

    @Test
    void shouldBeSettledWhenAllThatWasDecidedBeforeIsAnswered() {
        assertThat(hive.session.settled()).isCompleted();
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        hive.get(create("b"));

        CompletableFuture<Void> settled = hive.session.settled();
        hive.timers.runDue();
        assertThat(settled).isNotDone();

        letGo();
        hive.get(settled);
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldAnswerARecallWhenAllIsAnswered() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));

        CompletableFuture<Message<DesktopReply>> recalled =
                queen.recall(Recall.newBuilder().addInodes(home).build());
        hive.timers.runDue();
        assertThat(recalled).isNotDone();
        CompletableFuture<Opened> later = create("b");
        assertThat(later).as("nothing is decided there any more").isNotDone();

        letGo();
        hive.get(recalled);
        hive.get(later);
        assertThat(queen.requestsOf(OperationCase.CREATE).getLast().hasDecision())
                .isFalse();
    }

    @Test
    void shouldForgetEverythingWhenADecisionIsRefused() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        queen.decidedRefusal = new PosixException(Errno.EACCES, "somebody has forbidden it");

        letGo();

        assertThat(hive.session.settled()).isCompleted();
        assertThat(hive.session.cache().node(home)).isNull();
        assertThat(hive.session.cache().children(home)).isEmpty();
        queen.decidedRefusal = null;
        hive.get(create("b"));
        assertThat(queen.requestsOf(OperationCase.CREATE).getLast().hasDecision())
                .as("the delegation is forgotten too")
                .isFalse();
    }

    @Test
    void shouldDecideNothingWhileTheQueenBeeIsAway() {
        queen.breakConnections();
        queen.stop();
        hive.timers.runDue();

        assertThat(create("a")).isNotDone();
    }

    @Test
    void shouldDecideWithoutAHoneycombToo() {
        FakeHive without = new FakeHive();
        without.queen.grants = true;
        without.queen.newInodes = queen.newInodes;
        without.get(without.session.start());
        MakeDirectory make =
                MakeDirectory.newBuilder().setParent(1).setName(bytes("home")).build();
        long made = inode(without.get(without.proxy.makeDirectory(ROOT, make)));

        without.get(without.proxy.makeDirectory(
                ROOT, make.toBuilder().setParent(made).build()));

        assertThat(without.queen.requestsOf(OperationCase.MAKE_DIRECTORY))
                .extracting(QueenRequest::hasDecision)
                .containsExactly(false, true);
    }

    @Test
    void shouldTellHowManyNumbersAreLeft() {
        hive.get(create("a"));
        hive.pass(Duration.ofSeconds(2));

        assertThat(queen.requestsOf(OperationCase.HEARTBEAT)
                        .getLast()
                        .getHeartbeat()
                        .getNumbersLeft())
                .isEqualTo(999);
    }

    @Test
    void shouldSayGoodbyeWhenAllIsAnswered() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));

        CompletableFuture<Void> stopped = hive.session.stop();
        hive.timers.runDue();
        assertThat(queen.requestsOf(OperationCase.GOODBYE)).isEmpty();

        letGo();
        hive.get(stopped);
        assertThat(queen.requestsOf(OperationCase.GOODBYE)).hasSize(1);
    }

    @Test
    void shouldNotStayForeverBecauseNothingIsAnswered() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));

        hive.get(hive.session.stop(), WHILE);

        assertThat(queen.requestsOf(OperationCase.GOODBYE)).hasSize(1);
    }
}
