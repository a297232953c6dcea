package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Examine;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.common.wire.UserActivity;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueenSessionTest {
    private static final Duration WHILE = Duration.ofSeconds(3);

    private final FakeHive hive = FakeHive.started();
    private final FakeQueen queen = hive.queen;

    @Test
    void shouldRegisterBeforeAnythingElse() {
        assertThat(queen.requests.getFirst().getRegister().getDesktop()).isEqualTo("desktop1");
        assertThat(queen.requests.getFirst().getRegister().getProcess()).isNotZero();
        assertThat(hive.session.number()).isEqualTo(queen.session);
    }

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
    void shouldAssertOpenFilesWhenRegisteringAnew() {
        long inode = addFile("f");
        Opened opened = hive.get(open(inode));
        queen.endSession();

        hive.get(hive.proxy.attributes(inode));

        assertThat(queen.registers.getLast().getOpenFilesList())
                .containsExactly(OpenFile.newBuilder()
                        .setInode(inode)
                        .setHandle(handleOf(opened).handle())
                        .setWrite(true)
                        .build());
    }

    @Test
    void shouldAssertAnOpenThatWasUnderWayDuringARegistration() {
        queen.loseAnswers(1);

        Opened opened = hive.get(
                hive.proxy.create(ROOT, Create.newBuilder().setName(bytes("f")).setWrite(true)), WHILE);

        assertThat(queen.registers.getLast().getOpenFilesList())
                .extracting(OpenFile::getHandle)
                .containsExactly(handleOf(opened).handle());
    }

    @Test
    void shouldNotAssertWhatIsBeingReleased() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        queen.loseAnswers(1);

        hive.get(hive.proxy.release(open, null), WHILE);

        assertThat(queen.registers.getLast().getOpenFilesList()).isEmpty();
        assertThat(queen.releases).hasSize(1);
    }

    @Test
    void shouldAnswerRecallsAlsoWithoutAHoneycomb() {
        DesktopReply reply = hive.get(queen.recall(Recall.getDefaultInstance())).body();

        assertThat(reply).isEqualTo(DesktopReply.getDefaultInstance());
    }

    @Test
    void shouldReleaseAfterARegistrationThatMayAssertTheOpen() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        queen.ignoresRegisters = true;
        queen.endSession();
        CompletableFuture<Node> asked = hive.proxy.attributes(open.inode());
        hive.timers.runDue();
        assertThat(queen.requestsOf(OperationCase.REGISTER)
                        .getLast()
                        .getRegister()
                        .getOpenFilesList())
                .hasSize(1);

        CompletableFuture<Void> released = hive.proxy.release(open, null);
        hive.timers.runDue();
        assertThat(queen.requestsOf(OperationCase.RELEASE)).isEmpty();
        queen.ignoresRegisters = false;
        hive.pass(Duration.ofSeconds(15));

        assertThat(released).isCompleted();
        assertThat(asked).isCompleted();
        assertThat(queen.registers.getLast().getOpenFilesList()).isEmpty();
        assertThat(queen.releases).hasSize(1);
    }

    @Test
    void shouldReleaseWhatMayHaveBeenOpenedThoughNoAnswerCame() {
        queen.setMute(true);
        CompletableFuture<Opened> lost =
                hive.proxy.create(ROOT, Create.newBuilder().setName(bytes("f")).setWrite(true));
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(lost)).isEqualTo(Errno.EIO);
        long handle =
                queen.requestsOf(OperationCase.CREATE).getFirst().getCreate().getHandle();

        queen.setMute(false);
        hive.pass(Duration.ofSeconds(60));

        assertThat(queen.releases).extracting(Release::getHandle).containsExactly(handle);
    }

    @Test
    void shouldKeepReleasesFromTakingThePlacesOfOthers() {
        List<OpenRecord> open = new ArrayList<>();
        for (int i = 0; i < 2 * FakeHive.CONFIG.maxChanges(); i++) {
            open.add(handleOf(hive.get(open(addFile("f" + i)))));
        }
        queen.stop();
        List<CompletableFuture<Void>> releases =
                open.stream().map(each -> hive.proxy.release(each, null)).toList();

        CompletableFuture<Node> change = makeDirectory("a");
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(change)).isEqualTo(Errno.EIO);
        queen.start(FakeQueen.PORT);
        hive.pass(WHILE);

        assertThat(releases).allMatch(CompletableFuture::isDone).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(queen.releases).hasSameSizeAs(open);
    }

    @Test
    void shouldMarkHandlesWhoseFileIsGone() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        queen.lostHandles.add(open.handle());

        queen.breakConnections();
        hive.pass(WHILE);

        assertThat(open.lost()).isTrue();
    }

    @Test
    void shouldSendHeartbeats() {
        hive.pass(Duration.ofSeconds(10));

        assertThat(queen.requestsOf(OperationCase.HEARTBEAT)).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void shouldSendHeartbeatsAlsoWhenTheHoneycombsDiskCannotBeAsked() {
        RecordingHoneycomb own = new RecordingHoneycomb();
        FakeHive other = new FakeHive(FakeHive.CONFIG, own, null);
        other.get(other.session.start());
        own.failure = new PosixException(Errno.EIO, "the disk is broken");

        other.pass(Duration.ofSeconds(10));

        assertThat(other.queen.requestsOf(OperationCase.HEARTBEAT)).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void shouldTellWhetherItsDesktopIsUsed() {
        RecordingHoneycomb own = new RecordingHoneycomb();
        own.userActivity = UserActivity.ACTIVE;
        FakeHive other = new FakeHive(FakeHive.CONFIG, own, null);
        other.get(other.session.start());

        other.pass(Duration.ofSeconds(10));

        assertThat(other.queen.requestsOf(OperationCase.HEARTBEAT))
                .anyMatch(request -> request.getHeartbeat().getUserActivity() == UserActivity.ACTIVE);
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
    void shouldSayWhyItIsRefused() {
        FakeHive other = new FakeHive();
        other.queen.refusal = new PosixException(Errno.EBUSY, "there is a desktop1 already");

        assertThat(other.failure(other.session.start())).isEqualTo(Errno.EBUSY);
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

        hive.get(hive.session.wake());

        assertThat(queen.registers).hasSize(2);
        hive.pass(WHILE);
        assertThat(queen.requestsOf(OperationCase.HEARTBEAT)).hasSizeGreaterThan(heartbeats);
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

    @Test
    void shouldRefuseOpensAboveTheBound() {
        assertThat(FakeHive.CONFIG.maxOpenFiles()).isPositive();
        OpenRegistry registry = new OpenRegistry(1);
        registry.add(OpenRecord.told(1, registry.nextHandle(), false));

        assertThat(registry.full()).isTrue();
    }

    @Test
    void shouldNotCountHandlesWhoseFileIsGone() {
        OpenRegistry registry = new OpenRegistry(1);
        OpenRecord open = registry.add(OpenRecord.told(1, registry.nextHandle(), false));

        registry.lose(List.of(open.handle()));

        assertThat(open.lost()).isTrue();
        assertThat(registry.full()).isFalse();
    }

    @Test
    void shouldReportItsReplicasAndRemoveWhatIsUnwanted() {
        RecordingHoneycomb own = new RecordingHoneycomb();
        FakeHive other = new FakeHive(FakeHive.CONFIG, own, null);
        other.queen.unwanted = ReplicaNames.newBuilder()
                .addReplicas(ReplicaName.newBuilder().setInode(2))
                .build();

        other.get(other.session.start());

        List<QueenRequest> told = other.queen.requestsOf(OperationCase.INVENTORY);
        assertThat(told.getFirst().getInventory().getRanges(0).getReplicas()).isEqualTo(2);
        assertThat(told.get(1).getInventory().getReplicasList())
                .extracting(ReplicaName::getInode)
                .containsExactly(1L, 2L);
        assertThat(told.getLast().getInventory()).isEqualTo(Inventory.getDefaultInstance());
        assertThat(own.served.getDrop()).isEqualTo(other.queen.unwanted);
    }

    @Test
    void shouldListNothingThatIsAsItShouldBe() {
        FakeHive other = new FakeHive(FakeHive.CONFIG, new RecordingHoneycomb(), null);
        other.queen.agrees = true;

        other.get(other.session.start());

        assertThat(other.queen.requestsOf(OperationCase.INVENTORY))
                .allMatch(request -> request.getInventory().getReplicasCount() == 0)
                .hasSize(2);
    }

    @Test
    void shouldReportItsReplicasAgainWhenThatHasFailed() {
        RecordingHoneycomb own = new RecordingHoneycomb();
        own.listingFailure = new PosixException(Errno.EIO, "the disk is busy");
        FakeHive other = new FakeHive(FakeHive.CONFIG, own, null);
        other.get(other.session.start());
        assertThat(other.queen.requestsOf(OperationCase.INVENTORY)).isEmpty();

        own.listingFailure = null;
        other.pass(InventoryReport.PAUSE);

        assertThat(other.queen.requestsOf(OperationCase.INVENTORY)).hasSize(3);
    }

    @Test
    void shouldReportItsReplicasOnceInEachSession() {
        FakeHive other = new FakeHive(FakeHive.CONFIG, new RecordingHoneycomb(), null);
        other.get(other.session.start());
        assertThat(other.queen.requestsOf(OperationCase.INVENTORY)).hasSize(3);

        long inode = other.queen.addFile("f", other.honeycomb.layout(), Attributes.newBuilder());
        other.queen.endSession();
        other.get(other.proxy.attributes(inode));

        assertThat(other.queen.registers).hasSize(2);
        assertThat(other.queen.requestsOf(OperationCase.INVENTORY)).hasSize(6);
    }

    @Test
    void shouldDoWhatTheQueenAsksOfTheDesktop() {
        RecordingHoneycomb own = new RecordingHoneycomb();
        FakeHive other = new FakeHive(FakeHive.CONFIG, own, null);
        other.get(other.session.start());
        DesktopRequest examine = DesktopRequest.newBuilder()
                .setExamine(Examine.getDefaultInstance())
                .build();

        other.get(other.queen.newestConnection().call(examine, Payload.NONE, DesktopReply.parser(), WHILE));

        assertThat(own.served).isEqualTo(examine);
    }

    private CompletableFuture<Node> makeDirectory(String name) {
        return hive.proxy.makeDirectory(
                ROOT, MakeDirectory.newBuilder().setName(bytes(name)).build());
    }

    private CompletableFuture<Opened> open(long inode) {
        return hive.proxy.open(ROOT, Open.newBuilder().setInode(inode).setWrite(true));
    }

    private long addFile(String name) {
        return queen.addFile(name, hive.honeycomb.layout(), Attributes.newBuilder());
    }

    private static OpenRecord handleOf(Opened opened) {
        assertThat(opened.open()).isNotNull();
        return Objects.requireNonNull(opened.open());
    }

    private static final class RecordingHoneycomb extends EmptyHoneycomb {
        private DesktopRequest served = DesktopRequest.getDefaultInstance();
        private UserActivity userActivity = UserActivity.UNKNOWN;
        private @Nullable PosixException failure;
        private @Nullable PosixException listingFailure;

        @Override
        public HoneycombSpace space() {
            if (failure != null) {
                throw failure;
            }
            return HoneycombSpace.getDefaultInstance();
        }

        @Override
        public UserActivity userActivity() {
            return userActivity;
        }

        @Override
        public CompletableFuture<List<ReplicaName>> replicas(@Nullable ReplicaName after, int limit) {
            if (listingFailure != null) {
                return CompletableFuture.failedFuture(listingFailure);
            }
            return CompletableFuture.completedFuture(
                    after != null
                            ? List.of()
                            : List.of(
                                    ReplicaName.newBuilder().setInode(1).build(),
                                    ReplicaName.newBuilder().setInode(2).build()));
        }

        @Override
        public CompletableFuture<DesktopReply> serve(DesktopRequest request) {
            served = request;
            return CompletableFuture.completedFuture(DesktopReply.getDefaultInstance());
        }
    }
}
