package org.beefs.queenbee.hive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.FolderStart;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/**
 * Folders that were copied, rolled back or moved are recognised by their starts, and old content never becomes a new
 * version.
 */
class CopiedFoldersTest {
    private static final int MANY = 10_000;
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final TestHive hive = new TestHive();
    private TestDesktop last = new TestDesktop(hive, "desk");

    /** A start of the one folder: the numbers of all its starts, the last one's being that of the running process. */
    private QueenReply start(long... numbers) {
        int boot = numbers.length;
        TestDesktop desktop = new TestDesktop(hive, "desk", numbers[boot - 1], boot);
        last.disconnect();
        last = desktop;
        return register(
                desktop,
                IntStream.range(0, boot)
                        .mapToObj(i -> started(i + 1, numbers[i]))
                        .toList());
    }

    private static FolderStart started(long boot, long number) {
        return FolderStart.newBuilder().setBoot(boot).setNumber(number).build();
    }

    private static QueenReply register(TestDesktop desktop, List<FolderStart> starts) {
        var register = desktop.register();
        register.getHoneycombBuilder().addAllStarts(starts);
        return desktop.send(QueenRequest.newBuilder().setRegister(register));
    }

    private static void assertRefused(QueenReply reply, String why) {
        assertThat(Errno.of(reply.getFailure().getErrno())).isEqualTo(Errno.ESTALE);
        assertThat(reply.getFailure().getReason()).contains(why);
    }

    @Test
    void shouldAcceptAFolderAtEachOfItsStarts() {
        assertThat(start(11).hasRegistered()).isTrue();
        assertThat(start(11, 12).hasRegistered()).isTrue();
        assertThat(start(11, 12, 13, 14, 15).hasRegistered())
                .as("some of them without the queen-bee")
                .isTrue();
        hive.restart();
        assertThat(start(11, 12, 13, 14, 15, 16).hasRegistered()).isTrue();
    }

    @Test
    void shouldRefuseAFolderThatWasRolledBackUntilAndWhenItsCounterHasCaughtUp() {
        start(11);
        start(11, 12, 13);
        hive.restart();
        assertRefused(start(11, 22), "is an old copy: it was started 2 times, and 3 times on desk");
        assertRefused(start(11, 22, 23), "is a copy of the one that was last started on desk");
        assertRefused(start(11, 22, 23, 24), "does not know of start 3, on desk");
        assertThat(start(11, 12, 13, 14).hasRegistered())
                .as("the one that was not rolled back")
                .isTrue();
    }

    @Test
    void shouldRefuseTheOtherCopyOfAFolderThatWasStartedTwice() {
        start(11);
        start(11, 12);
        assertRefused(start(11, 22), "is a copy");
        assertRefused(start(11, 22, 23), "does not know of start 2");
    }

    /** They were refused: that does not make it another folder. */
    @Test
    void shouldRefuseItHoweverOftenItIsStarted() {
        start(11);
        start(11, 12);
        TestDesktop desktop = new TestDesktop(hive, "desk", 99, MANY);
        last.disconnect();
        assertRefused(
                register(desktop, List.of(started(1, 11), started(MANY - 1, 98), started(MANY, 99))),
                "does not know of start 2");
    }

    @Test
    void shouldAcceptFoldersOfOlderPrograms() {
        new TestDesktop(hive, "desk", 1, 1).registered().disconnect();
        new TestDesktop(hive, "desk", 2, 2).registered().disconnect();
        TestDesktop updated = new TestDesktop(hive, "desk", 3, 3);
        assertThat(register(updated, List.of(started(3, 13))).hasRegistered()).isTrue();
    }

    /** It was copied while its desktop ran, so that it knows all starts. */
    @Test
    void shouldRefuseACopyOfAFolderThatWasMarkedAsInUseSince() {
        last.register(startedAndMarked());
        last.ok(QueenRequest.newBuilder().setHeartbeat(last.heartbeat().setMarked(20)));
        last.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        hive.restart();

        TestDesktop copy = new TestDesktop(hive, "desk", 12, 2).onMachine("another");
        assertRefused(
                register(copy, List.of(marked(1, 11, 15), marked(2, 12, 12))),
                "is an old copy: it was in use on desk after it was copied");

        TestDesktop original = new TestDesktop(hive, "desk", 13, 2);
        assertThat(register(original, List.of(marked(1, 11, 20), marked(2, 13, 13)))
                        .hasRegistered())
                .isTrue();
    }

    @Test
    void shouldAcceptAFolderWhoseMarksAnOlderProgramHasTakenAway() {
        last.register(startedAndMarked());

        TestDesktop older = new TestDesktop(hive, "desk", 12, 2);
        assertThat(register(older, List.of(started(1, 11), started(2, 12))).hasRegistered())
                .isTrue();
    }

    private Register.Builder startedAndMarked() {
        Register.Builder register = last.register();
        register.getHoneycombBuilder().addStarts(marked(1, 11, 11));
        return register;
    }

    private static FolderStart marked(long boot, long number, long at) {
        return started(boot, number).toBuilder().setMarked(at).build();
    }

    @Test
    void shouldNotTakeAnOlderVersionForAChange() {
        TestDesktop desktop = new TestDesktop(hive, "desk").registered();
        long file = desktop.ok(Ask.create(Namespace.ROOT, "file", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        commit(desktop, file, 1, 10);
        long old = inode(file).version();
        desktop.ok(Ask.open(file, 2, true, true));
        commit(desktop, file, 2, 20);
        assertThat(inode(file).version()).isGreaterThan(old);
        assertThat(inode(file).unsealed()).isFalse();

        desktop.disconnect();
        TestDesktop back = new TestDesktop(hive, "desk", 2, 2);
        back.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1));
        back.registered();
        long newest = inode(file).version();
        ReplicaName.Builder shown = ReplicaName.newBuilder()
                .setInode(file)
                .setEpoch(inode(file).epoch())
                .setVersion(old);
        back.ok(QueenRequest.newBuilder().setInventory(Inventory.newBuilder().addReplicas(shown)));
        back.ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
        hive.advance(SETTLING);

        assertThat(inode(file).version()).isEqualTo(newest);
        assertThat(inode(file).size()).isEqualTo(20);
        assertThat(back.received()).noneMatch(request -> request.hasExamine());
    }

    private void commit(TestDesktop desktop, long file, long handle, long size) {
        ReplicaStatus status =
                desktop.replica(file, ReplicaStatus.newBuilder().setSize(size).setObservation(size));
        desktop.ok(Ask.release(file, handle, status));
        hive.advance(SETTLING);
    }

    private Inode inode(long file) {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(file));
    }
}
