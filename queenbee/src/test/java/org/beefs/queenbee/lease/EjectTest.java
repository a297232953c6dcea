package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Eject;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** An administrator ends a desktop's session: what it caches and has decided is recalled before. */
class EjectTest {
    private static final long ROOT = Namespace.ROOT;
    private static final Duration RECALL_TIMEOUT = Duration.ofSeconds(5);

    private final TestHive hive = new TestHive();
    private final TestDesktop desk = new TestDesktop(hive, "desk");
    private final TestDesktop other = new TestDesktop(hive, "other").registered();
    private final Decided decided = Decided.register(desk);
    private final long directory =
            desk.ok(Ask.mkdir(ROOT, "d", 0755)).getNode().getAttributes().getInode();

    @Test
    void shouldNotEndASessionBeforeItHasLetGoOfWhatItCaches() {
        desk.holdOn();

        CompletableFuture<QueenReply> ejected = eject();

        assertThat(desk.recalls()).extracting(Recall::getEverything).containsExactly(true);
        assertThat(ejected).isNotDone();
        desk.letGo();
        assertThat(ejected).isCompleted();
        assertThat(isOver()).isTrue();
    }

    @Test
    void shouldShowNobodyLessThanWhatTheEjectedDesktopHasDecided() {
        desk.holdOn();
        CompletableFuture<QueenReply> ejected = eject();
        CompletableFuture<QueenReply> found = other.submit(Ask.lookup(directory, "made"));
        long made = decided.number();

        desk.ok(Decided.mkdir(directory, "made", made));
        desk.letGo();

        assertThat(found.join().getNode().getAttributes().getInode()).isEqualTo(made);
        assertThat(ejected).isCompleted();
        assertThat(hive.names(directory)).containsOnlyKeys("made");
    }

    @Test
    void shouldRecallWhatWasDecidedWhileTheRecallWasOnItsWay() {
        desk.holdOn();
        CompletableFuture<QueenReply> ejected = eject();
        long made = decided.number();
        desk.ok(Decided.mkdir(directory, "made", made));

        desk.letGoOnce();

        assertThat(ejected).as("it may have decided more in there").isNotDone();
        desk.ok(Decided.mkdir(made, "in it", decided.number()));
        desk.letGo();
        assertThat(ejected).isCompleted();
        assertThat(hive.names(made)).containsOnlyKeys("in it");
        assertThat(hive.names(ROOT)).as("nothing is placed elsewhere").containsOnlyKeys("d");
    }

    @Test
    void shouldGrantNothingToWhomIsBeingEjected() {
        desk.holdOn();
        CompletableFuture<QueenReply> ejected = eject();

        assertThat(desk.ok(Ask.attributes(ROOT)).getNode().getAttributesLeased())
                .isFalse();
        assertThat(desk.ok(Ask.list(ROOT, 0, 10)).getDirectoryPage().getLeased())
                .isFalse();
        assertThat(desk.ok(Ask.mkdir(ROOT, "e", 0755)).getNode().getDelegated()).isFalse();

        desk.letGo();
        assertThat(ejected).isCompleted();
        assertThat(desk.recalls()).hasSize(1);
        Decided.register(desk);
        assertThat(desk.ok(Ask.attributes(ROOT)).getNode().getAttributesLeased())
                .as("it has begun anew")
                .isTrue();
    }

    @Test
    void shouldNotWaitForEverForADesktopThatKeepsWhatItCaches() {
        long file = desk.ok(Ask.create(directory, "f", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        desk.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 0)));
        desk.holdOn();
        CompletableFuture<QueenReply> ejected = eject();

        hive.advance(List.of(other), RECALL_TIMEOUT.multipliedBy(2));

        assertThat(ejected).isCompleted();
        assertThat(isOver()).isTrue();
        other.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 0)));
    }

    @Test
    void shouldEndTheSessionOfWhoRegistersInsteadOfLettingGo() {
        desk.holdOn();
        CompletableFuture<QueenReply> ejected = eject();

        desk.register(desk.register());

        assertThat(ejected).isCompleted();
        assertThat(isOver()).isTrue();
    }

    @Test
    void shouldNotEndASessionThatMayStillCacheWhatItKnewBeforeARestart() {
        hive.restart();
        other.register(other.register());

        CompletableFuture<QueenReply> ejected = eject();
        assertThat(ejected).isNotDone();

        hive.advance(List.of(other), RECALL_TIMEOUT);
        assertThat(ejected).isCompleted();
    }

    @Test
    void shouldFailWhenThereIsNoSuchSession() {
        QueenReply reply = hive(Eject.newBuilder().setDesktop("nobody")).join();

        assertThat(Errno.of(reply.getFailure().getErrno())).isEqualTo(Errno.ENODEV);
    }

    private CompletableFuture<QueenReply> eject() {
        return hive(Eject.newBuilder().setDesktop("desk"));
    }

    private CompletableFuture<QueenReply> hive(Eject.Builder eject) {
        CompletableFuture<QueenReply> reply = hive.queenBee()
                .request(QueenRequest.newBuilder().setEject(eject).build());
        hive.run();
        return reply;
    }

    private boolean isOver() {
        return desk.send(Ask.attributes(ROOT)).getUnknownSession();
    }
}
