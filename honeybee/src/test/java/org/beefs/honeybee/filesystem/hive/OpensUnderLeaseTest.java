package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.USER;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are opened to read under the lease on their attributes. */
class OpensUnderLeaseTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final Duration A_MOMENT = Duration.ofMillis(100);

    private final FakeHive hive = new FakeHive(FakeHive.CONFIG, new EmptyHoneycomb(), null);
    private final FakeQueen queen = hive.queen;
    private final HiveFileSystem files = hive.files;

    @BeforeEach
    void start() {
        queen.grants = true;
        hive.get(hive.session.start());
        connectWithItsHoneycomb();
    }

    @Test
    void shouldOpenAndCloseWhatIsKnownWithoutTheQueen() {
        long inode = known("f", 0100644);

        OpenedFile file = open(inode, READ);
        hive.get(files.release(file.handle()));
        hive.pass(A_MOMENT);

        assertThat(queen.requestsOf(OperationCase.OPEN)).isEmpty();
        assertThat(queen.requestsOf(OperationCase.RELEASE)).isEmpty();
    }

    @Test
    void shouldTellTheQueenSoonOfWhatStaysOpen() {
        long inode = known("f", 0100644);

        OpenedFile file = open(inode, READ);
        assertThat(queen.requestsOf(OperationCase.OPEN)).isEmpty();
        hive.pass(A_MOMENT);

        assertThat(queen.requestsOf(OperationCase.OPEN))
                .singleElement()
                .extracting(request -> request.getOpen().getHandle())
                .isEqualTo(file.handle());
        hive.get(files.release(file.handle()));
        assertThat(queen.requestsOf(OperationCase.RELEASE)).hasSize(1);
    }

    @Test
    void shouldTellBeforeItLetsGoOfTheLease() {
        long inode = known("f", 0100644);
        open(inode, READ);

        hive.get(queen.recall(Recall.newBuilder().addInodes(inode).build()));

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldAskWhenTheLeaseIsOver() {
        long inode = known("f", 0100644);
        hive.get(queen.recall(Recall.newBuilder().addInodes(inode).build()));

        open(inode, READ);

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldTellBeforeItRemovesTheName() {
        long inode = known("f", 0100644);
        open(inode, READ);

        hive.get(files.unlink(ROOT, FileSystem.ROOT, bytes("f")));

        List<OperationCase> changes = queen.requests.stream()
                .map(QueenRequest::getOperationCase)
                .filter(operation -> operation == OperationCase.OPEN || operation == OperationCase.UNLINK)
                .toList();
        assertThat(changes).containsExactly(OperationCase.OPEN, OperationCase.UNLINK);
    }

    @Test
    void shouldAssertItWhenRegisteringAndReleaseItThen() {
        long inode = known("f", 0100644);
        OpenedFile file = open(inode, READ);

        queen.breakConnections();
        hive.pass(Duration.ofSeconds(6));

        assertThat(queen.registers.getLast().getOpenFilesList())
                .extracting(OpenFile::getHandle)
                .containsExactly(file.handle());
        hive.get(files.release(file.handle()));
        assertThat(queen.requestsOf(OperationCase.RELEASE)).hasSize(1);
    }

    @Test
    void shouldNotAssertWhatWasClosedBefore() {
        long inode = known("f", 0100644);
        hive.get(files.release(open(inode, READ).handle()));

        queen.breakConnections();
        hive.pass(Duration.ofSeconds(6));

        assertThat(queen.registers.getLast().getOpenFilesList()).isEmpty();
    }

    @Test
    void shouldReleaseOnlyWhatTheQueenHasOpened() {
        long inode = known("f", 0100644);
        OpenedFile file = open(inode, READ);
        queen.held = OperationCase.OPEN;
        hive.pass(A_MOMENT);

        hive.files.release(file.handle());
        hive.pass(A_MOMENT);
        assertThat(queen.requestsOf(OperationCase.RELEASE)).isEmpty();

        queen.letGo();
        hive.pass(A_MOMENT);
        assertThat(queen.requestsOf(OperationCase.RELEASE)).hasSize(1);
    }

    @Test
    void shouldFailWithEstaleWhenTheFileTurnsOutToBeGone() {
        long inode = known("f", 0100644);
        OpenedFile file = open(inode, READ);
        queen.forget(inode);

        hive.pass(A_MOMENT);

        assertThat(hive.failure(files.read(file.handle(), 0, 1))).isEqualTo(Errno.ESTALE);
        hive.get(files.release(file.handle()));
        assertThat(queen.releases).isEmpty();
    }

    @Test
    void shouldLeaveItToTheQueenToRefuseSomebody() {
        long inode = known("f", 0100600);

        hive.get(files.open(USER, inode, READ));

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldAskToWrite() {
        open(known("f", 0100644), WRITE);

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldAskWhereContentIsWhoseHoneycombIsAway() {
        long inode = known("f", 0100644);
        hive.honeycomb.stop();
        hive.pass(A_MOMENT);

        open(inode, READ);

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldAskWhereContentIsOnAHoneycombThatItHasNoConnectionWith() {
        FakeHoneycomb other = new FakeHoneycomb(hive.network, hive.timers, "desktop3");
        other.start(0);
        long inode = queen.addFile("f", other.layout(), Attributes.newBuilder().setMode(0100644));
        queen.layout(inode).setReadable(true);
        hive.get(files.lookup(ROOT, FileSystem.ROOT, bytes("f")));

        open(inode, READ);

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldAskForTheNearestReplicaWhenItsOwnHoneycombHasGotOne() {
        long inode = known("f", 0100644);

        hive.get(queen.fetch(inode));
        open(inode, READ);

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    @Test
    void shouldAskForAFileThatSomebodyWrites() {
        long inode = add("f", 0100644);
        queen.layout(inode).setReadable(true).setDirty(true);
        hive.get(files.lookup(ROOT, FileSystem.ROOT, bytes("f")));

        open(inode, READ);

        assertThat(queen.requestsOf(OperationCase.OPEN)).hasSize(1);
    }

    private void connectWithItsHoneycomb() {
        OpenedFile other = open(add("other", 0100644), READ);
        hive.get(files.read(other.handle(), 0, 1)).close();
        hive.get(files.release(other.handle()));
        queen.requests.clear();
        queen.releases.clear();
    }

    private long known(String name, int mode) {
        long inode = add(name, mode);
        queen.layout(inode).setReadable(true);
        hive.get(files.lookup(ROOT, FileSystem.ROOT, bytes(name)));
        return inode;
    }

    private long add(String name, int mode) {
        return queen.addFile(
                name, hive.honeycomb.layout(), Attributes.newBuilder().setMode(mode));
    }

    private OpenedFile open(long inode, OpenFlags flags) {
        return hive.get(files.open(ROOT, inode, flags));
    }
}
