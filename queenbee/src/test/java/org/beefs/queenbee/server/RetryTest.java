package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldAnswerARepeatedRequestAsAtFirst() {
        QueenRequest request = desktop.numbered(Ask.mkdir(ROOT, "d", 0755));
        QueenReply first = desktop.send(request);
        QueenReply second = desktop.send(request);

        assertThat(second.getFailure().getErrno()).isZero();
        assertThat(second.getNode().getAttributes()).isEqualTo(first.getNode().getAttributes());
        assertThat(second.getSequence()).isEqualTo(first.getSequence());
    }

    @Test
    void shouldAnswerARepeatedRequestAsAtFirstAfterARestart() {
        desktop.ok(Ask.mknod(ROOT, "f", 0100644));
        QueenRequest request = desktop.numbered(Ask.unlink(ROOT, "f"));
        QueenReply first = desktop.send(request);
        hive.restart();
        desktop.register(desktop.register().setAcknowledged(request.getSequence()));

        QueenReply second = desktop.send(request);

        assertThat(second.getFailure().getErrno()).isZero();
        assertThat(second.getSequence()).isEqualTo(first.getSequence());
    }

    @Test
    void shouldRepeatARefusalEvenWhenItWouldNowSucceed() {
        QueenRequest request = desktop.numbered(Ask.rmdir(ROOT, "d"));
        assertThat(desktop.send(request).getFailure().getErrno()).isEqualTo(Errno.ENOENT.number());
        desktop.ok(Ask.mkdir(ROOT, "d", 0755));

        assertThat(desktop.send(request).getFailure().getErrno()).isEqualTo(Errno.ENOENT.number());
        desktop.ok(Ask.lookup(ROOT, "d"));
    }

    @Test
    void shouldForgetAcknowledgedAnswersAndIgnoreTheirRequests() {
        QueenRequest request = desktop.numbered(Ask.mkdir(ROOT, "d", 0755));
        desktop.send(request);
        desktop.ok(Ask.rmdir(ROOT, "d").setAcknowledged(request.getSequence() + 1));

        assertThat(desktop.send(request).getFailure().getErrno()).isEqualTo(Errno.ECANCELED.number());
        assertThat(desktop.fails(Ask.lookup(ROOT, "d"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldOpenAgainWhatARepeatedRequestHadOpened() {
        QueenRequest create = desktop.numbered(Ask.create(ROOT, "f", 0644, 1));
        long inode = desktop.send(create).getNode().getAttributes().getInode();
        hive.restart();
        // The daemon has not heard the answer and so reports nothing open.
        desktop.register(desktop.register().setAcknowledged(create.getSequence()));

        assertThat(desktop.send(create).getNode().getAttributes().getInode()).isEqualTo(inode);

        desktop.ok(Ask.unlink(ROOT, "f"));
        assertThat(desktop.ok(Ask.attributes(inode)).getNode().getAttributes().getLinks())
                .isZero();
    }

    @Test
    void shouldKeepOpenWhatADaemonHasNotHeardOfYet() {
        QueenRequest create = desktop.numbered(Ask.create(ROOT, "f", 0644, 1));
        long inode = desktop.send(create).getNode().getAttributes().getInode();
        desktop.register(desktop.register().setAcknowledged(create.getSequence()));

        assertThat(desktop.ok(Ask.attributes(inode)).getNode().getLayout().getDirty())
                .isTrue();
    }

    @Test
    void shouldReleaseAgainWhatARegistrationHasReportedTooLate() {
        long inode = desktop.ok(Ask.create(ROOT, "f", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        QueenRequest release = desktop.numbered(Ask.release(inode, 1));
        desktop.send(release);
        desktop.register(desktop.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(1).setWrite(true)));

        desktop.send(release);

        assertThat(desktop.ok(Ask.attributes(inode)).getNode().getLayout().getDirty())
                .isFalse();
    }

    @Test
    void shouldTellADaemonThatItsSessionIsUnknown() {
        hive.restart();
        QueenRequest request = desktop.numbered(Ask.mkdir(ROOT, "d", 0755));
        assertThat(desktop.send(request).getUnknownSession()).isTrue();
        desktop.register(desktop.register().setAcknowledged(request.getSequence()));
        desktop.send(request);
        desktop.ok(Ask.lookup(ROOT, "d"));
    }

    @Test
    void shouldParkACreateUntilAHoneycombIsBack() {
        TestDesktop other = new TestDesktop(hive, "other").registered();
        hive.restart();
        other.register(other.register().clearHoneycomb());
        QueenRequest create = other.numbered(Ask.create(ROOT, "f", 0644, 1));
        CompletableFuture<QueenReply> parked = other.submit(create);
        assertThat(parked).isNotDone();
        CompletableFuture<QueenReply> repeated = other.submit(create);

        desktop.registered();

        assertThat(repeated).isCompleted();
        assertThat(repeated.join().getNode().getLayout().getDesktop()).isEqualTo("desk");
    }

    @Test
    void shouldParkACreateWhileTheOnlyHoneycombConnectsAgain() {
        TestDesktop other = new TestDesktop(hive, "other");
        other.register(other.register().clearHoneycomb());
        desktop.disconnect();
        CompletableFuture<QueenReply> parked = other.submit(Ask.create(ROOT, "f", 0644, 1));
        assertThat(parked).isNotDone();

        desktop.registered();

        assertThat(parked).isCompleted();
        assertThat(parked.join().getNode().getLayout().getDesktop()).isEqualTo("desk");
    }

    /** As when a whole hive was switched on, or was recovered. */
    @Test
    void shouldParkACreateWhenTheQueenBeeHasJustStartedAndNoSessionIsLeft() {
        desktop.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        hive.restart();
        TestDesktop other = new TestDesktop(hive, "other");
        other.register(other.register().clearHoneycomb());
        CompletableFuture<QueenReply> parked = other.submit(Ask.create(ROOT, "f", 0644, 1));
        assertThat(parked).isNotDone();

        desktop.registered();

        assertThat(parked.join().getNode().getLayout().getDesktop()).isEqualTo("desk");
    }

    @Test
    void shouldHaveACreateAskedForAgainAndFailItWhenNoHoneycombComesBack() {
        TestDesktop other = new TestDesktop(hive, "other").registered();
        hive.restart();
        other.register(other.register().clearHoneycomb());
        QueenRequest create = other.numbered(Ask.create(ROOT, "f", 0644, 1));
        CompletableFuture<QueenReply> asked = other.submit(create);
        for (int second = 0; second < 34; second++) {
            hive.advance(Duration.ofSeconds(1));
            other.ok(QueenRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
            if (asked.isCompletedExceptionally()) {
                assertThat(Failures.toPosix(asked.exceptionNow()).errno()).isEqualTo(Errno.EAGAIN);
                asked = other.submit(create);
            }
        }

        assertThat(asked).isCompleted();
        assertThat(asked.join().getFailure().getErrno()).isEqualTo(Errno.EIO.number());
    }
}
