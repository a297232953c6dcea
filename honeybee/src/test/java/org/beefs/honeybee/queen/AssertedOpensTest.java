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
import org.beefs.common.wire.Create;
import org.beefs.common.wire.EndedFile;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Release;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.junit.jupiter.api.Test;

/** What the queen-bee is told of files that are open here when a session goes on, begins anew, or answers are lost. */
class AssertedOpensTest extends RegisteredDesktopTest {
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
    void shouldNameWhatIsClosedUntilThatIsOnTheQueenBeesDisk() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        queen.released = 7;
        queen.durable = 6;
        hive.get(hive.proxy.release(open, null));

        breakConnections();
        assertThat(queen.registers.getLast().getEndedList())
                .containsExactly(EndedFile.newBuilder()
                        .setInode(open.inode())
                        .setChange(7)
                        .build());
        assertThat(queen.registers.getLast().getEndingList()).isEmpty();

        queen.durable = 7;
        hive.get(hive.proxy.attributes(open.inode()));
        breakConnections();
        assertThat(queen.registers.getLast().getEndedList()).isEmpty();
    }

    @Test
    void shouldHearFromHeartbeatsThatWhatIsClosedIsOnTheQueenBeesDisk() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        queen.released = 7;
        queen.durable = 6;
        hive.get(hive.proxy.release(open, null));

        queen.durable = 7;
        hive.pass(WHILE); // with a heartbeat, and nothing else
        breakConnections();

        assertThat(queen.registers.getLast().getEndedList()).isEmpty();
        assertThat(queen.registers.getLast().getDurable()).isEqualTo(7);
    }

    @Test
    void shouldNameWhatIsClosedWhileThatIsNotAnswered() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        queen.held = OperationCase.RELEASE;
        hive.proxy.release(open, null);

        breakConnections();

        assertThat(queen.registers.getLast().getEndingList()).containsExactly(open.inode());
        assertThat(queen.registers.getLast().getEndedList()).isEmpty();
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
    void shouldNotOpenAgainWhatIsReleased() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        hive.get(hive.proxy.release(open, null));

        assertThat(hive.failure(hive.proxy.openAgain(open))).isEqualTo(Errno.EBADF);
        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldReleaseOnceMoreWhatIsOpenedAgainAfterItsRelease() {
        OpenRecord open = handleOf(hive.get(open(addFile("f"))));
        queen.held = OperationCase.OPEN;
        CompletableFuture<Node> again = hive.proxy.openAgain(open);
        hive.get(hive.proxy.release(open, null));

        queen.letGo();

        hive.timers.runDue();
        assertThat(again).isCompleted();
        assertThat(queen.releases).hasSize(2).allMatch(release -> release.getHandle() == open.handle());
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
    void shouldRefuseOpensAboveTheBound() {
        assertThat(FakeHive.CONFIG.maxOpenFiles()).isPositive();
        OpenRegistry registry = new OpenRegistry(1);
        registry.add(OpenRecord.told(1, registry.nextHandle(), false));

        assertThat(registry.full()).isTrue();
    }

    @Test
    void shouldWaitForTheQueenBeesDiskWhenSheHasYetToBringManyEndsThere() {
        long inode = addFile("f");
        queen.released = 7;
        for (int i = 0; i < 8191; i++) {
            hive.get(hive.proxy.release(handleOf(hive.get(open(inode))), null));
        }
        assertThat(queen.requestsOf(OperationCase.SYNC)).isEmpty();

        hive.get(hive.proxy.release(handleOf(hive.get(open(inode))), null));

        assertThat(queen.requestsOf(OperationCase.SYNC)).hasSize(1);
        queen.durable = 7;
        hive.get(hive.proxy.attributes(inode));
        hive.get(open(inode));
        assertThat(queen.requestsOf(OperationCase.SYNC)).hasSize(1);
    }

    @Test
    void shouldNotCountHandlesWhoseFileIsGone() {
        OpenRegistry registry = new OpenRegistry(1);
        OpenRecord open = registry.add(OpenRecord.told(1, registry.nextHandle(), false));

        registry.lose(List.of(open.handle()));

        assertThat(open.lost()).isTrue();
        assertThat(registry.full()).isFalse();
    }

    private void breakConnections() {
        queen.breakConnections();
        hive.pass(WHILE);
    }

    private static OpenRecord handleOf(Opened opened) {
        assertThat(opened.open()).isNotNull();
        return Objects.requireNonNull(opened.open());
    }
}
