package org.beefs.queenbee.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Until when a desktop may write, and what is done about its files before and after. */
class WriterAuthorityTest {
    private static final long ROOT = Namespace.ROOT;
    private static final Duration SILENT_FOR_RECALLS = Duration.ofSeconds(6);
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(32);

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldTellDesktopsToStopBeforeTheirLeaseEnds() {
        Registered registered = desktop.register(desktop.register());

        assertThat(registered.getLeaseMillis()).isEqualTo(30_000);
        assertThat(registered.getFenceMillis()).isEqualTo(25_000);
    }

    @Test
    void shouldTellWhichWrittenReplicasAreLost() {
        Layout mine = create(desktop, "mine").getLayout();
        Layout removed = create(desktop, "removed").getLayout();
        desktop.ok(Ask.unlink(ROOT, "removed"));
        desktop.ok(Ask.release(removed.getInode(), 1, status(removed.getInode())));
        TestDesktop other = new TestDesktop(hive, "other").registered();
        Layout elsewhere = create(other, "elsewhere").getLayout();
        List<ReplicaName> lost = List.of(
                name(mine).setEpoch(mine.getEpoch() - 1).build(),
                name(removed).build(),
                name(elsewhere).build());
        Register.Builder register = desktop.register();
        register.getHoneycombBuilder().addWritten(name(mine)).addAllWritten(lost);

        assertThat(desktop.register(register).getLostReplicasList()).containsExactlyElementsOf(lost);
    }

    @Test
    void shouldNotCommitWhatALivingProcessMayStillWrite() {
        long inode = writtenByAnotherOfTheSameName();

        assertThat(isDirty(inode))
                .as("before the lease of the first has passed")
                .isTrue();
        passLease();
        assertThat(isDirty(inode)).isFalse();
    }

    @Test
    void shouldNotCommitWhenAnotherWriterReleasesWhatALivingProcessMayStillWrite() {
        long inode = writtenByAnotherOfTheSameName();
        desktop.ok(Ask.open(inode, 7, false, true));
        desktop.ok(Ask.release(inode, 7, status(inode)));

        assertThat(isDirty(inode)).isTrue();
        passLease();
        assertThat(isDirty(inode)).isFalse();
    }

    @Test
    void shouldNotCommitAfterARestartWhatALivingProcessMayStillWriteThatHasNotComeBack() {
        TestDesktop laptop = withoutHoneycomb(1);
        long inode = openElsewhere(laptop);
        hive.restart();
        desktop.register(desktop.register());
        withoutHoneycomb(2);

        assertThat(isDirty(inode))
                .as("before the lease of the first has passed")
                .isTrue();
        passLease();
        assertThat(isDirty(inode)).isFalse();
    }

    @Test
    void shouldCommitAtOnceWhenTheWriterIsCertainlyDead() {
        TestDesktop writer = new TestDesktop(hive, "writer", 1, 1).registered();
        long inode = openElsewhere(writer);
        writer.disconnect();

        new TestDesktop(hive, "writer", 2, 2).registered();

        assertThat(isDirty(inode)).isFalse();
    }

    /** A copy of its disk comes first: that knows all starts, and says nothing of the other one's programs. */
    @Test
    void shouldNotCommitWhatTheOriginalOfACloneMayStillWrite() {
        TestDesktop writer = new TestDesktop(hive, "writer", 1, 1).registered();
        long inode = openElsewhere(writer);
        hive.advance(SILENT_FOR_RECALLS);
        desktop.register(desktop.register());

        new TestDesktop(hive, "writer", 2, 2).onMachine("another").registered();

        assertThat(isDirty(inode))
                .as("before the lease of the original has passed")
                .isTrue();
        passLease();
        assertThat(isDirty(inode)).isFalse();
    }

    @Test
    void shouldForgetWhoMayStillWriteAFileThatIsGone() {
        TestDesktop laptop = withoutHoneycomb(1);
        long inode = openElsewhere(laptop);
        desktop.ok(Ask.unlink(ROOT, "file"));
        laptop.disconnect();
        hive.advance(SILENT_FOR_RECALLS);
        desktop.register(desktop.register());

        withoutHoneycomb(2);

        assertThat(hive.queenBee().state().namespace().find(inode)).isNull();
        assertThat(hive.queenBee().state().leftFiles().lateWriters()).isZero();
    }

    @Test
    void shouldForgetWhoMayStillWriteWhenThatIsOver() {
        writtenByAnotherOfTheSameName();
        assertThat(hive.queenBee().state().leftFiles().lateWriters()).isEqualTo(1);

        passLease();

        assertThat(hive.queenBee().state().leftFiles().lateWriters()).isZero();
    }

    /** A laptop has a file open on the other desktop, is cut off, and another process takes its name. */
    private long writtenByAnotherOfTheSameName() {
        TestDesktop laptop = withoutHoneycomb(1);
        long inode = openElsewhere(laptop);
        laptop.disconnect();
        hive.advance(SILENT_FOR_RECALLS);
        desktop.register(desktop.register());
        withoutHoneycomb(2);
        return inode;
    }

    /** A process registers as the laptop. */
    private TestDesktop withoutHoneycomb(long process) {
        TestDesktop laptop = new TestDesktop(hive, "laptop", process, 1);
        laptop.register(laptop.register().clearHoneycomb());
        return laptop;
    }

    private long openElsewhere(TestDesktop writer) {
        Layout layout = create(desktop, "file").getLayout();
        desktop.ok(Ask.release(layout.getInode(), 1, status(layout.getInode())));
        writer.ok(Ask.open(layout.getInode(), 1, false, true));
        return layout.getInode();
    }

    /** With heartbeats of the other desktop. */
    private void passLease() {
        for (Duration passed = Duration.ZERO; passed.compareTo(LEASE) < 0; passed = passed.plus(HEARTBEAT)) {
            hive.advance(HEARTBEAT);
            desktop.ok(QueenRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
        }
    }

    private boolean isDirty(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getLayout().getDirty();
    }

    private static Node create(TestDesktop by, String name) {
        return by.ok(Ask.create(ROOT, name, 0666, 1)).getNode();
    }

    private ReplicaStatus status(long inode) {
        return desktop.replica(inode, ReplicaStatus.newBuilder().setSize(1));
    }

    private static ReplicaName.Builder name(Layout layout) {
        return ReplicaName.newBuilder().setInode(layout.getInode()).setEpoch(layout.getEpoch());
    }
}
