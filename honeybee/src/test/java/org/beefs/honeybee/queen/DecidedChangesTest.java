package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the queen-bee is told what was made here before she was asked. */
class DecidedChangesTest {
    private static final Duration WHILE = Duration.ofSeconds(3);

    /** Whatever nobody waits for is sent by then. */
    private static final Duration SOON = Duration.ofMillis(20);

    private static final long FIRST = 5000;
    private static final int MOST = 256;

    /** u::rwx g::r-x o::--- */
    private static final ByteString PLAIN_LIST = ByteString.copyFrom(
            new byte[] {2, 0, 0, 0, 1, 0, 7, 0, -1, -1, -1, -1, 4, 0, 5, 0, -1, -1, -1, -1, 32, 0, 0, 0, -1, -1, -1, -1
            });

    private final FakeHive hive = new FakeHive(FakeHive.CONFIG, new EmptyHoneycomb(), null);
    private final FakeQueen queen = hive.queen;
    private long home;

    @BeforeEach
    void makeHome() {
        queen.grants = true;
        queen.newInodes = NewInodes.newBuilder()
                .setFirst(FIRST)
                .setCount(1000)
                .setLayout(queen.newFiles.toBuilder().setDirty(true))
                .build();
        hive.get(hive.session.start());
        home = inode(hive.get(makeDirectory(1, "home")));
        queen.requests.clear();
    }

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
    void shouldAskOnceForAttributesThatAreSetOneAfterTheOther() {
        long file = file("f");
        set(file, set -> set.setUid(1000).setGid(1000));
        set(file, set -> set.setMode(0600));
        set(file, set -> set.setMode(04755));
        set(file, set -> set.setGid(100));
        assertThat(asked()).isEmpty();

        hive.pass(SOON);

        assertThat(asked()).singleElement().satisfies(asked -> {
            assertThat(asked.getDecision().getInode()).isEqualTo(file);
            assertThat(asked.getSetAttributes())
                    .isEqualTo(SetAttributes.newBuilder()
                            .setInode(file)
                            .setUid(1000)
                            .setGid(100)
                            .setMode(0755)
                            .build());
        });
        assertThat(Objects.requireNonNull(hive.session.cache().rights(file))
                                .getAttributes()
                                .getMode()
                        & 07777)
                .isEqualTo(0755);
        assertThat(hive.session.settled()).isCompleted();
    }

    /** As {@code cp -a} does. */
    @Test
    void shouldAskForAListThatSaysNoMoreThanAModeTogetherWithOtherAttributes() {
        long file = file("f");
        set(file, set -> set.setUid(1000).setGid(100));
        assertThat(hive.proxy.setXattr(
                        ROOT,
                        SetXattr.newBuilder()
                                .setInode(file)
                                .setName(AccessControlList.ACCESS)
                                .setValue(PLAIN_LIST)
                                .build()))
                .isCompleted();
        assertThat(hive.files.getXattr(ROOT, file, AccessControlList.ACCESS)).isCompletedExceptionally();

        hive.pass(SOON);

        assertThat(asked())
                .singleElement()
                .extracting(QueenRequest::getSetAttributes)
                .isEqualTo(SetAttributes.newBuilder()
                        .setInode(file)
                        .setUid(1000)
                        .setGid(100)
                        .setMode(0750)
                        .build());
        assertThat(queen.requestsOf(OperationCase.SET_XATTR)).isEmpty();
    }

    @Test
    void shouldAskForAttributesBeforeWhateverIsMadeOrAskedNext() {
        queen.held = OperationCase.SET_ATTRIBUTES;
        long file = file("f");
        set(file, set -> set.setMode(0600));
        set(home, set -> set.setMode(0700));
        hive.get(makeDirectory(home, "d"));
        set(file, set -> set.setMode(0640));
        hive.proxy.attributes(home + 1000);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(
                        OperationCase.CREATE,
                        OperationCase.SET_ATTRIBUTES,
                        OperationCase.SET_ATTRIBUTES,
                        OperationCase.MAKE_DIRECTORY,
                        OperationCase.SET_ATTRIBUTES,
                        OperationCase.GET_ATTRIBUTES);
    }

    @Test
    void shouldLetNoRemovalOvertakeAnOpenThatIsJustBeingTold() throws InterruptedException {
        Opened made = hive.get(create("f"));
        hive.get(hive.proxy.release(Objects.requireNonNull(made.open()), null));
        queen.layout(FIRST).setDirty(false).setReadable(true);
        hive.get(hive.proxy.attributes(FIRST));
        queen.requests.clear();
        assertThat(hive.proxy.openKnown(ROOT, Open.newBuilder().setInode(FIRST).setRead(true), layout -> true))
                .isNotNull();
        Thread removing = Thread.ofPlatform().unstarted(() -> hive.proxy.unlink(ROOT, home, bytes("f")));
        hive.atClock = () -> {
            hive.atClock = () -> {};
            removing.start();
            awaitStandstill(removing);
        };

        hive.pass(SOON);
        removing.join(WHILE);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(OperationCase.OPEN, OperationCase.UNLINK);
    }

    @Test
    void shouldLetNoReleaseOvertakeTimesThatAreJustBeingAskedFor() throws InterruptedException {
        Opened opened = hive.get(create("f"));
        OpenRecord open = Objects.requireNonNull(opened.open());
        hive.get(Objects.requireNonNull(hive.proxy.decideTimes(
                ROOT, SetAttributes.newBuilder().setInode(FIRST).setMtimeNow(true), open.handle())));
        Thread releasing = Thread.ofPlatform().unstarted(() -> hive.proxy.release(open, null));
        hive.atClock = () -> {
            hive.atClock = () -> {};
            releasing.start();
            awaitStandstill(releasing);
        };

        hive.session.settled();
        releasing.join(WHILE);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(OperationCase.CREATE, OperationCase.SET_ATTRIBUTES, OperationCase.RELEASE);
    }

    /** Until it has ended, or waits for somebody else. */
    private static void awaitStandstill(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldNotPutTogetherWhatDifferentCallersSet() {
        long file = file("f");
        set(file, set -> set.setUid(FakeHive.USER.getUid()));
        hive.get(hive.proxy.setAttributes(
                FakeHive.USER,
                SetAttributes.newBuilder().setInode(file).setMode(0600).build()));
        hive.pass(SOON);

        assertThat(asked())
                .extracting(asked -> asked.getCredentials().getUid())
                .containsExactly(0, FakeHive.USER.getUid());
    }

    @Test
    void shouldAskForAttributesWhenTheyAreRecalled() {
        long file = file("f");
        set(file, set -> set.setMode(0600));

        hive.get(queen.recall(Recall.newBuilder().addInodes(file).build()));

        assertThat(asked()).hasSize(1);
    }

    @Test
    void shouldBringAttributesThatWereNotAskedForWithARegistration() {
        long file = file("f");
        setModeAndOwner(file);
        queen.breakConnections();
        hive.pass(WHILE);

        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(QueenRequest::getSetAttributes)
                .containsExactly(modeAndOwner(file));
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldLeaveAttributesThatWereNotAskedForToTheNextProcess() {
        long file = file("f");
        hive.pass(SOON);
        setModeAndOwner(file);

        assertThat(new DecidedLog(hive.decided, "start").left())
                .extracting(QueenRequest::getSetAttributes)
                .containsExactly(modeAndOwner(file));
    }

    @Test
    void shouldLeaveNothingToTheNextProcessThatIsAnswered() {
        long file = file("f");
        setModeAndOwner(file);
        hive.pass(SOON);

        assertThat(new DecidedLog(hive.decided, "start").left()).isEmpty();
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
    void shouldBringWhatIsUnansweredWithARegistrationAndAskAgainUnderItsNumber() {
        queen.loseAnswers(1);
        hive.get(create("a"));
        hive.pass(WHILE);

        QueenRequest first = queen.requestsOf(OperationCase.CREATE).getFirst();
        Register register = queen.registers.getLast();
        assertThat(register.getDecidedList()).singleElement().satisfies(brought -> {
            assertThat(brought.getSequence()).isEqualTo(first.getSequence());
            assertThat(brought.getDecision()).isEqualTo(first.getDecision());
            assertThat(brought.getCreate()).isEqualTo(first.getCreate());
        });
        assertThat(register.getOpenFilesList()).extracting(OpenFile::getInode).containsExactly(FIRST);
        assertThat(queen.requestsOf(OperationCase.CREATE))
                .hasSize(2)
                .allMatch(sent -> sent.getSequence() == first.getSequence());
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldBringThemInTheirOrder() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        hive.get(create("b"));
        hive.get(create("c"));

        queen.breakConnections();
        queen.held = OperationCase.OPERATION_NOT_SET;
        hive.pass(WHILE);

        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(brought -> brought.getDecision().getInode())
                .containsExactly(FIRST, FIRST + 1, FIRST + 2);
        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(QueenRequest::getSequence)
                .isSorted()
                .doesNotContain(0L);
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldAskAgainInAnotherSession() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        queen.breakConnections();
        queen.endSession();
        queen.held = OperationCase.OPERATION_NOT_SET;

        hive.pass(WHILE);

        QueenRequest last = queen.requestsOf(OperationCase.CREATE).getLast();
        assertThat(last.getSession()).isEqualTo(queen.session);
        assertThat(last.getSequence()).isEqualTo(1);
        assertThat(last.getDecision().getInode()).isEqualTo(FIRST);
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldBringWhatIsUnansweredHoweverLongTheQueenBeeWasAway() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.stop();
        hive.pass(Duration.ofHours(3));

        queen.start(FakeQueen.PORT);
        hive.pass(Duration.ofMinutes(1));

        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(brought -> brought.getDecision().getInode())
                .containsExactly(FIRST);
        assertThat(hive.session.settled()).isCompleted();
        assertThat(new DecidedLog(hive.decided, "start").left()).isEmpty();
    }

    @Test
    void shouldKeepWhatAFormerProcessHasLeftForAQueenBeeThatMayChangeThings() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        FakeHive next = new FakeHive(FakeHive.CONFIG, new EmptyHoneycomb(), null, hive.decided);
        next.queen.isReadOnly = true;

        next.get(next.session.start());
        assertThat(new DecidedLog(hive.decided, "start").left()).hasSize(1);

        next.queen.isReadOnly = false;
        next.queen.breakConnections();
        next.pass(WHILE);
        assertThat(next.queen.registers.getLast().getDecidedList())
                .extracting(brought -> brought.getDecision().getInode())
                .containsExactly(FIRST);
        assertThat(new DecidedLog(hive.decided, "start").left()).isEmpty();
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

    private void letGo() {
        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.letGo();
        hive.timers.runDue();
    }

    private CompletableFuture<Opened> create(String name) {
        CompletableFuture<Opened> made = hive.proxy.create(
                ROOT,
                Create.newBuilder()
                        .setParent(home)
                        .setName(bytes(name))
                        .setMode(0644)
                        .setRead(true)
                        .setWrite(true));
        hive.timers.runDue();
        return made;
    }

    private CompletableFuture<Node> makeDirectory(long parent, String name) {
        CompletableFuture<Node> made = hive.proxy.makeDirectory(
                ROOT,
                MakeDirectory.newBuilder()
                        .setParent(parent)
                        .setName(bytes(name))
                        .setMode(0755)
                        .build());
        hive.timers.runDue();
        return made;
    }

    private long file(String name) {
        return inode(hive.get(create(name)).node());
    }

    /** As the superuser. */
    private void set(long inode, UnaryOperator<SetAttributes.Builder> change) {
        hive.get(hive.proxy.setAttributes(
                ROOT, change.apply(SetAttributes.newBuilder().setInode(inode)).build()));
    }

    private void setModeAndOwner(long inode) {
        set(inode, set -> set.setMode(0600));
        set(inode, set -> set.setUid(7));
    }

    /** What {@link #setModeAndOwner} asks for in the end. */
    private static SetAttributes modeAndOwner(long inode) {
        return SetAttributes.newBuilder()
                .setInode(inode)
                .setMode(0600)
                .setUid(7)
                .build();
    }

    private List<QueenRequest> asked() {
        return queen.requestsOf(OperationCase.SET_ATTRIBUTES);
    }

    private static long inode(Node node) {
        return node.getAttributes().getInode();
    }
}
