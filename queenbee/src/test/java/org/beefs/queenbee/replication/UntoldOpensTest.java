package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Files that a desktop may have opened to read, under the lease on their attributes, without having told so yet. */
class UntoldOpensTest {
    private static final long ROOT = Namespace.ROOT;
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    /** For what is due to be copied, sealed, moved and removed. */
    private static final Duration A_WHILE =
            CONFIG.timeToCoherence().plus(CONFIG.sealDelay().multipliedBy(4));

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> awake = new ArrayList<>();
    private final TestDesktop writer = come("writer");
    private final TestDesktop second = come("second");
    private final TestDesktop third = come("third");

    @Test
    void shouldLetEverybodyReadWhatHeKnows() throws Exception {
        long inode = createCopied();

        for (TestDesktop desktop : awake) {
            assertThat(layout(desktop, inode).getReadable()).isTrue();
            assertThat(capability(desktop, inode).getRead()).isTrue();
            assertThat(capability(desktop, inode).getWrite()).isFalse();
        }
    }

    @Test
    void shouldNotLetAnybodyCountOnAPrimaryThatIsAway() {
        long inode = createCopied();
        writer.disconnect();

        assertThat(layout(second, inode).getReadable()).isFalse();
    }

    @Test
    void shouldNotLetAnybodyCountOnAPrimaryThatHasYetToHearOfIt() {
        long inode = createCopied();
        second.setAnswering(false);
        second.submit(Ask.open(inode, second.newHandle(), false, true));
        hive.run();
        assertThat(primaryOf(inode)).isEqualTo("second");

        assertThat(layout(third, inode).getReadable()).isFalse();
    }

    @Test
    void shouldNameTheReplicaOnTheDesktopOfWhoeverLooksAFileUp() {
        long inode = createCopied();

        assertThat(lookedUp(second).getSecondariesList())
                .extracting(ReplicaPlace::getDesktop)
                .containsExactly("second");
        assertThat(lookedUp(writer).getSecondariesList()).isEmpty();
        assertThat(layout(writer, inode).getSecondariesList()).hasSize(2);
    }

    @Test
    void shouldLeaveThePrimaryWhereSomebodyTellsThatHeReads() {
        long inode = createCopied();
        layout(writer, inode);
        writer.holdOn();

        CompletableFuture<QueenReply> opening = second.submit(Ask.open(inode, second.newHandle(), false, true));
        hive.run();
        assertThat(writer.recalls().getLast().getInodesList()).contains(inode);
        assertThat(primaryOf(inode)).isEqualTo("writer");

        writer.ok(Ask.open(inode, writer.newHandle(), true, false));
        writer.letGo();

        assertThat(opening).isCompleted();
        assertThat(primaryOf(inode)).isEqualTo("writer");
    }

    @Test
    void shouldKeepAFileThatSomebodyTellsThatHeReadsWhileItsPrimaryMoves() {
        long inode = createCopied();
        second.setAnswering(false);
        second.submit(Ask.open(inode, second.newHandle(), false, true));
        hive.run();
        CompletableFuture<QueenReply> told = third.submit(Ask.open(inode, 77, true, false));
        assertThat(told).isNotDone();

        writer.ok(Ask.chmod(inode, 0));
        writer.ok(Ask.unlink(ROOT, "f"));
        second.setAnswering(true);
        hive.advance(awake, A_WHILE);

        assertThat(told).isCompleted();
        assertThat(told.join().getNode().getAttributes().getInode()).isEqualTo(inode);
        third.ok(Ask.release(inode, 77));
    }

    @Test
    void shouldMoveThePrimaryWhenNobodyReadsIt() {
        long inode = createCopied();
        layout(writer, inode);
        writer.holdOn();
        CompletableFuture<QueenReply> opening = second.submit(Ask.open(inode, second.newHandle(), false, true));
        hive.run();

        writer.letGo();
        hive.advance(awake, Duration.ofSeconds(1));

        assertThat(opening).isCompleted();
        assertThat(primaryOf(inode)).isEqualTo("second");
    }

    @Test
    void shouldAskADrainedDesktopBeforeAPrimaryLeavesIt() {
        long inode = createCopied();
        come("fourth");
        layout(writer, inode);
        writer.setRecallListener(recall -> () -> {
            if (recall.getInodesList().contains(inode)) {
                writer.ok(Ask.open(inode, 7777, true, false));
            }
        });

        third.ok(Ask.drain("writer", false));
        hive.advance(awake, A_WHILE);

        assertThat(primaryOf(inode)).isEqualTo("writer");
        writer.ok(Ask.release(inode, 7777));
        hive.advance(awake, A_WHILE);
        assertThat(primaryOf(inode)).isNotEqualTo("writer");
    }

    @Test
    void shouldMoveAPrimaryThoughItsDesktopLooksAtItAgainAndAgain() {
        long inode = createCopied();
        come("fourth");
        layout(writer, inode);
        writer.setRecallListener(recall -> () -> layout(writer, inode));

        third.ok(Ask.drain("writer", false));
        for (int i = 0; i < 100; i++) {
            layout(writer, inode);
            hive.advance(awake, A_WHILE.dividedBy(100));
        }

        assertThat(primaryOf(inode)).isNotEqualTo("writer");
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        awake.add(desktop);
        return desktop;
    }

    private long createCopied() {
        long handle = writer.newHandle();
        long inode = writer.ok(Ask.create(ROOT, "f", 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(inode, handle, Ask.written(inode, 100)));
        hive.advance(awake, A_WHILE);
        return inode;
    }

    private static Layout lookedUp(TestDesktop desktop) {
        return desktop.ok(Ask.lookup(ROOT, "f")).getNode().getLayout();
    }

    private static Layout layout(TestDesktop desktop, long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getLayout();
    }

    private static Capability capability(TestDesktop desktop, long inode) throws Exception {
        ByteString capability = layout(desktop, inode).getCapability();
        return Capability.parseFrom(capability);
    }

    private String primaryOf(long inode) {
        return hive.queenBee().state().honeycombs().of(hive.inode(inode)).desktop();
    }
}
