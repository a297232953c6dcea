package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.Failure;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.hive.ConflictCopy;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

/** Desktops that do not come back are forgotten, once they have nothing that anybody may miss. */
class ForgottenDesktopTest extends ComingAndGoingTest {
    /** More than are looked at, or ended, in one pass. */
    private static final int MANY = 5000;

    private static final int WRITER = 1;

    private QueenState state() {
        return hive.queenBee().state();
    }

    private Honeycomb former() {
        return state().honeycombs().numbered(WRITER);
    }

    private Failure refused(String desktop) {
        QueenReply reply = awake.getLast().send(Ask.forget(desktop).build());
        assertThat(reply.hasFailure()).isTrue();
        return reply.getFailure();
    }

    private String whyRefused(String desktop) {
        Failure refusal = refused(desktop);
        assertThat(Errno.of(refusal.getErrno())).isEqualTo(Errno.EBUSY);
        return refusal.getReason();
    }

    private void forget(String desktop) {
        assertThat(awake.getLast().send(Ask.forget(desktop).build()).getFailure())
                .isEqualTo(Failure.getDefaultInstance());
    }

    private List<String> listed() {
        return awake.getLast().ok(Ask.status()).getHiveReport().getDesktopsList().stream()
                .map(DesktopReport::getDesktop)
                .toList();
    }

    private void restart() {
        hive.restart();
        awake.forEach(TestDesktop::registered);
        advance(CONFIG.heartbeat());
    }

    /** The writer is lost, and knew files that are gone. */
    private void loseTheWriterOf(int files) {
        for (int i = 0; i < files; i++) {
            writer.createWritten("f" + i, made -> written(made, 1));
        }
        advance(COHERENCE);
        go(writer);
        advance(CONFIG.heartbeat().multipliedBy(4));
        for (int i = 0; i < files; i++) {
            second.ok(Ask.unlink(ROOT, "f" + i));
        }
        declareLost("writer");
        advance(LEASE);
        assertThat(former().errandQueue().drops().pending()).isEqualTo(files);
        assertThat(state().records().tombstones()).isEqualTo(files);
    }

    /** The writer's machine has got another disk. */
    private TestDesktop withAnotherFolder() {
        TestDesktop again = new TestDesktop(hive, "writer", 2, 1);
        Register.Builder register = again.register();
        register.getHoneycombBuilder().setUuid(TestDesktop.uuid("another"));
        again.register(register);
        return again;
    }

    private void assertNothingIsKept() {
        assertThat(former().errandQueue().drops().pending()).isZero();
        assertThat(state().records().tombstones()).isZero();
        assertThat(state().records().isForgetting()).isFalse();
    }

    @Test
    void shouldNotForgetADesktopThatIsConnectedOrMayComeBack() {
        assertThat(whyRefused("writer")).contains("is connected");
        go(writer);
        advance(LEASE);
        assertThat(whyRefused("writer")).contains("nobody has said", "beefs lost writer");
        assertThat(Errno.of(refused("nobody").getErrno())).isEqualTo(Errno.ENODEV);
    }

    @Test
    void shouldNotAdviseToGiveUpADesktopOfWhichOnlyAnEarlierFolderIsGone() {
        go(writer);
        declareLost("writer");
        advance(LEASE);
        withAnotherFolder().disconnect();
        advance(LEASE);

        assertThat(whyRefused("writer")).contains("is only asleep").doesNotContain("beefs lost");
    }

    @Test
    void shouldNotForgetADesktopWhoseProgramsMayStillWrite() {
        go(writer);
        declareLost("writer");
        advance(CONFIG.heartbeat());
        assertThat(whyRefused("writer")).contains("may be running still");

        advance(LEASE);
        forget("writer");
    }

    @Test
    void shouldNotForgetADesktopThatHasTheOnlyReplicaOfAFile() {
        writer.createWritten("only", made -> written(made, 1));
        loseTheWriter();
        assertThat(whyRefused("writer")).contains("1 primary replica and 0 copies", "such as /only");

        second.ok(Ask.unlink(ROOT, "only"));
        forget("writer");
        advance(CONFIG.heartbeat());
        assertNothingIsKept();
    }

    @Test
    void shouldNotForgetADesktopWithAFileThatIsOpenAndHasNoNameAnyMore() {
        long inode = writer.createWritten("only", made -> written(made, 1));
        advance(CONFIG.heartbeat());
        second.ok(Ask.open(inode, 7, true, false));
        loseTheWriter();
        second.ok(Ask.unlink(ROOT, "only"));
        assertThat(whyRefused("writer")).contains("such as a removed file that is open");

        second.ok(Ask.release(inode, 7));
        forget("writer");
    }

    @Test
    void shouldNotForgetADesktopThatHasACopyOfAFileWhoseOtherDesktopsAreAway() {
        createCopied("f");
        go(second);
        go(third);
        go(writer);
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        declareLost("third");
        advance(LEASE);
        assertThat(whyRefused("third")).contains("0 primary replicas and 1 copy", "such as /f");

        come(writer);
        advance(COHERENCE);
        assertThat(hive.desktopsOf(inodeNamed("f"))).contains(fourth.name()).doesNotContain("third");
        forget("third");
    }

    private long inodeNamed(String name) {
        return Objects.requireNonNull(hive.names(ROOT).get(name));
    }

    @Test
    void shouldNotForgetADesktopWhoseChangesBecomeConflictCopiesWhenItComes() {
        Inode inode = hive.inode(createCopied("f"));
        ConflictCopy copy =
                ConflictCopy.reserve(inode.replicaName().build(), inode, state().namespace(), state().numbering());
        loseTheWriter();
        state().honeycombs().errandQueues().adopt(former(), copy);
        assertThat(whyRefused("writer")).contains("changes of 1 file", "conflict copies");
    }

    @Test
    void shouldKeepNothingForAForgottenDesktop() {
        loseTheWriterOf(3);
        assertThat(listed()).contains("writer");

        forget("writer");
        advance(CONFIG.heartbeat());

        assertThat(listed()).containsExactlyInAnyOrder("second", "third");
        assertNothingIsKept();
        assertThat(Errno.of(refused("writer").getErrno())).isEqualTo(Errno.ENODEV);
        restart();
        assertThat(listed()).containsExactlyInAnyOrder("second", "third");
        assertNothingIsKept();
    }

    @Test
    void shouldNotWaitForAForgottenDesktopWhenSomethingElseGoes() {
        long inode = createCopied("f");
        second.ok(Ask.mkdir(ROOT, "d", 0755));
        advance(CONFIG.heartbeat());
        loseTheWriter();
        advance(COHERENCE);
        assertThat(desktopsOf(inode)).doesNotContain("writer");
        forget("writer");

        second.ok(Ask.unlink(ROOT, "f"));
        second.ok(Ask.rmdir(ROOT, "d"));
        advance(COHERENCE);

        assertNothingIsKept();
    }

    @Test
    void shouldNotWaitForAForgottenDesktopThatHadHeardOfAnEndWhenOthersHadNot() {
        second.ok(Ask.mkdir(ROOT, "d", 0755));
        advance(CONFIG.heartbeat());
        go(third);
        advance(CONFIG.heartbeat().multipliedBy(4));
        second.ok(Ask.rmdir(ROOT, "d"));
        advance(CONFIG.heartbeat());
        loseTheWriter();
        forget("writer");
        advance(CONFIG.heartbeat());
        assertThat(state().records().tombstones()).isOne();

        come(third);
        advance(CONFIG.heartbeat().multipliedBy(3));

        assertNothingIsKept();
    }

    @Test
    void shouldForgetADesktopThatWasEmptied() {
        come(new TestDesktop(hive, "fourth"));
        createCopied("f");
        second.ok(Ask.drain("writer", false));
        advance(COHERENCE.multipliedBy(3));
        go(writer);
        advance(LEASE);

        forget("writer");

        assertThat(listed()).doesNotContain("writer");
        assertThat(former().absence().isGivenUp()).isTrue();
    }

    @Test
    void shouldNotForgetADesktopThatIsYetToBeEmptied() {
        createCopied("f");
        second.ok(Ask.drain("writer", false));
        go(writer);
        advance(LEASE);
        assertThat(whyRefused("writer")).contains("primary replica");
    }

    @Test
    void shouldRefuseTheFolderOfAForgottenDesktopAndTakeInAnEmptyOne() {
        loseTheWriter();
        forget("writer");
        restart();

        QueenReply refusal = writer.send(
                QueenRequest.newBuilder().setRegister(writer.register()).build());
        assertThat(Errno.of(refusal.getFailure().getErrno())).isEqualTo(Errno.ESTALE);
        assertThat(refusal.getFailure().getReason()).contains("writer, which was forgotten", "an empty folder");

        withAnotherFolder();
        assertThat(listed()).contains("writer");
        assertThat(hive.number("writer")).isEqualTo(4);
    }

    @Test
    void shouldForgetTheFolderThatADesktopHadBefore() {
        loseTheWriterOf(3);
        TestDesktop again = withAnotherFolder();
        again.inventoried();

        forget("writer");

        awake.add(again);
        advance(CONFIG.heartbeat());
        assertNothingIsKept();
        assertThat(listed()).contains("writer");
        assertThat(hive.number("writer")).isEqualTo(4);
        assertThat(whyRefused("writer")).contains("is connected");
    }

    @Test
    void shouldLookThroughAllFilesAPartAtATime() {
        for (int i = 0; i < MANY; i++) {
            second.ok(Ask.mkdir(ROOT, "d" + i, 0755));
        }
        writer.createWritten("only", made -> written(made, 1));
        loseTheWriter();

        CompletableFuture<QueenReply> reply = hive.submit(Ask.forget("writer").build(), second);
        hive.queenBee().runPass();
        assertThat(reply).isNotDone();
        hive.run();

        assertThat(reply.join().getFailure().getReason()).contains("such as /only");
    }

    @Test
    void shouldNotForgetADesktopThatComesWhileFilesAreLookedThrough() {
        for (int i = 0; i < MANY; i++) {
            second.ok(Ask.mkdir(ROOT, "d" + i, 0755));
        }
        loseTheWriter();
        CompletableFuture<QueenReply> reply = hive.submit(Ask.forget("writer").build(), second);
        hive.queenBee().runPass();

        come(writer);

        assertThat(reply.join().getFailure().getReason()).contains("is connected");
    }

    @Test
    void shouldGoOnAfterARestartWithWhatIsEndedAPartAtATime() {
        loseTheWriterOf(MANY);
        CompletableFuture<QueenReply> reply = hive.submit(Ask.forget("writer").build(), second);
        while (!former().isForgotten()) {
            hive.queenBee().runPass();
        }
        assertThat(reply.join().hasFailure()).isFalse();
        hive.queenBee().runPass();
        assertThat(former().errandQueue().drops().pending()).isBetween(1, MANY - 1);
        assertThat(state().records().tombstones()).isPositive();

        restart();

        advance(COHERENCE);
        assertNothingIsKept();
        hive.restart();
        assertNothingIsKept();
    }
}
