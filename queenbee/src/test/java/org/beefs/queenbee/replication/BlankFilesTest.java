package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.wire.Failure;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

/** Files that nobody has ever written, such as lock files and stamps: they depend on no desktop. */
class BlankFilesTest extends ComingAndGoingTest {
    /** Its maker has closed it without having written, so that there is no replica. */
    private long createBlank(String name) {
        long inode = writer.createWritten(
                name, made -> ReplicaStatus.newBuilder().setInode(made).build());
        advance(COHERENCE);
        assertThat(hive.inode(inode).isBlank()).isTrue();
        assertThat(desktopsOf(inode)).containsExactly("writer");
        return inode;
    }

    private void drain(String desktop) {
        awake.getLast().ok(Ask.drain(desktop, false));
        advance(COHERENCE);
    }

    @Test
    void shouldBeWrittenElsewhereWhenTheirPlaceIsAway() {
        long inode = createBlank("lock");
        go(writer);

        assertThat(second.submit(Ask.open(inode, 77, true, true)))
                .as("programs there may still write")
                .isNotDone();
        advance(LEASE);
        open(second, inode);

        assertThat(desktopsOf(inode)).doesNotContain("writer");
    }

    @Test
    void shouldLeaveADesktopThatIsEmptied() {
        long inode = createBlank("lock");

        drain("writer");

        assertThat(desktopsOf(inode)).hasSize(1).doesNotContain("writer");
        assertThat(hive.queenBee()
                        .state()
                        .honeycombs()
                        .lastOn("writer")
                        .errandQueue()
                        .drops()
                        .pending())
                .isZero();
    }

    /** Places for copies are chosen of a file that is open for long, whatever is written then. */
    @Test
    void shouldLeaveWithThePlacesThatWereChosenForTheirCopies() {
        long handle = 1000 + writer.newHandle();
        long inode = writer.ok(Ask.create(ROOT, "lock", 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        advance(CONFIG.checkpointDistance().plus(COHERENCE));
        writer.ok(Ask.release(
                inode, handle, ReplicaStatus.newBuilder().setInode(inode).build()));
        assertThat(hive.inode(inode).isBlank()).isTrue();
        assertThat(hive.inode(inode).secondaries().size()).isPositive();

        drain("writer");

        assertThat(desktopsOf(inode)).hasSize(1).doesNotContain("writer");
    }

    @Test
    void shouldStayWhileSomebodyHasThemOpenOnADesktopThatIsEmptied() {
        long inode = createBlank("lock");
        second.ok(Ask.open(inode, 7, true, false));

        drain("writer");
        assertThat(desktopsOf(inode)).containsExactly("writer");

        second.ok(Ask.release(inode, 7));
        advance(COHERENCE);
        assertThat(desktopsOf(inode)).doesNotContain("writer");
    }

    @Test
    void shouldNotKeepALostDesktopFromBeingForgotten() {
        long inode = createBlank("lock");
        loseTheWriter();
        advance(COHERENCE);

        assertThat(desktopsOf(inode)).hasSize(1).doesNotContain("writer");
        assertThat(third.send(Ask.forget("writer").build()).getFailure()).isEqualTo(Failure.getDefaultInstance());
    }

    @Test
    void shouldBeWhereTheyAreAfterARestart() {
        long inode = createBlank("lock");
        drain("writer");
        String there = desktopsOf(inode).getFirst();
        long epoch = hive.inode(inode).epoch();

        hive.restart();
        awake.forEach(TestDesktop::registered);
        advance(CONFIG.heartbeat());

        assertThat(desktopsOf(inode)).containsExactly(there);
        assertThat(hive.inode(inode).epoch()).isEqualTo(epoch);
    }
}
