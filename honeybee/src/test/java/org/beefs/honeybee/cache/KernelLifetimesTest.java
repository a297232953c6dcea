package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.junit.jupiter.api.Test;

/** What kernels may keep, and what they are told to forget. */
class KernelLifetimesTest extends CacheTest {
    private static final long ALL_ENTRIES = 0;

    /** Long enough for requests to follow one another, and not for an answer to be surely taken over. */
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final Node five = file(5);

    @Test
    void shouldLetKernelsKeepAnswersForWhatIsLeftOfTheLease() {
        answer(lookup("f5"), reply(five));
        pass(Duration.ofSeconds(1));

        assertThat(tellAttributes(five))
                .isEqualTo(WHOLE_LEASE - Duration.ofSeconds(1).toNanos());
        assertThat(tellEntry("f5", 5))
                .isEqualTo(WHOLE_LEASE - Duration.ofSeconds(1).toNanos());
        pass(Duration.ofSeconds(3));
        assertThat(tellEntry("f5", 5)).isZero();
    }

    @Test
    void shouldLetKernelsKeepAbsence() {
        answer(lookup("gone"), absent());

        assertThat(tellEntry("gone", 0)).isEqualTo(WHOLE_LEASE);
        assertThat(tellEntry("other", 0)).isZero();
    }

    @Test
    void shouldLetKernelsKeepOnlyWhatIsStillTrue() {
        answer(lookup("f5"), reply(five));

        assertThat(tellEntry("f5", 6)).isZero();
        assertThat(tellAttributes(changed(five))).isZero();
        recall(recallOf(5));
        recall(recallOf("f5"));
        assertThat(tellEntry("f5", 5)).isZero();
        assertThat(tellAttributes(five)).isZero();
    }

    @Test
    void shouldNotLetKernelsKeepAttributesOfDirtyFiles() {
        answer(lookup("f5"), reply(dirty(5)));

        assertThat(tellAttributes(dirty(5))).isZero();
        assertThat(tellEntry("f5", 5)).isEqualTo(WHOLE_LEASE);
    }

    /** As an atime that the queen-bee does not know yet. */
    @Test
    void shouldLetAKernelKeepWhatItsMountAddsUntilWhatItAddsItToIsRecalled() {
        Attributes added = five.getAttributes().toBuilder().setSize(7).build();
        view.show(cached -> cached.toBuilder().setSize(7).build());
        answer(lookup("f5"), reply(five));

        assertThat(view.attributes(added)).isEqualTo(WHOLE_LEASE);
        assertThat(view.attributes(added.toBuilder().setSize(8).build())).isZero();
        recall(recallOf(5));

        assertThat(kernel.forgotten).containsExactly(5L);
        assertThat(view.attributes(added)).isZero();
    }

    @Test
    void shouldNotLetAKernelKeepEntriesThatCannotForgetThem() {
        RecordingKernel old = new RecordingKernel();
        old.hasEpochs = false;
        Lifetimes lifetimes = cache.view().attach(old);
        answer(lookup("f5"), reply(five));

        assertThat(lifetimes.entry(DIRECTORY, name("f5"), 5)).isZero();
        assertThat(lifetimes.attributes(five.getAttributes())).isEqualTo(WHOLE_LEASE);
    }

    @Test
    void shouldTellKernelsWhatIsRecalledBeforeItIsAnswered() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);
        tellEntry("f5", 5);

        CompletableFuture<List<Long>> attributes = cache.recall(recallOf(5));
        assertThat(kernel.takeForgotten()).containsExactly(5L);
        CompletableFuture<List<Long>> entry = cache.recall(recallOf("f5"));
        assertThat(kernel.takeForgotten()).containsExactly(ALL_ENTRIES);

        assertThat(attributes).isCompleted();
        assertThat(entry).isCompleted();
    }

    @Test
    void shouldTellKernelsNothingThatTheyDoNotKeep() {
        answer(lookup("f5"), reply(five));

        recall(recallOf(5));
        recall(recallOf("f5"));

        assertThat(kernel.forgotten).isEmpty();
    }

    /** It would keep the kernel from taking over answers that are on their way, and have nothing to forget. */
    @Test
    void shouldNotTellAKernelThatWasToldNothingSince() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);
        recall(recallOf(5));
        kernel.takeForgotten();
        answer(lookup("f5"), reply(five));
        answer(lookup("f5"), reply(changed(five)));

        recall(recallOf(5));

        assertThat(kernel.forgotten).isEmpty();
    }

    @Test
    void shouldNotMakeKernelsForgetAllEntriesTwice() {
        answer(lookup("f5"), reply(five));
        answer(lookup("f6"), reply(file(6)));
        tellEntry("f5", 5);
        pass(Duration.ofMillis(1));
        recall(recallOf("f5"));
        pass(Duration.ofMillis(1));

        recall(recallOf("f6"));

        assertThat(kernel.forgotten).containsExactly(ALL_ENTRIES);
    }

    @Test
    void shouldTellAKernelAgainThatMayJustBeGettingToKnowTheInode() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);
        kernel.unknown.add(5L);

        CompletableFuture<List<Long>> recalled = cache.recall(recallOf(5));
        assertThat(kernel.takeForgotten()).containsExactly(5L);
        assertThat(recalled).isNotDone();
        pass(Kernels.SETTLING);

        assertThat(kernel.takeForgotten()).containsExactly(5L);
        assertThat(recalled).isCompleted();
    }

    @Test
    void shouldTellAKernelAgainThatMayJustBeTakingOverTheAnswerToItsOwnChange() {
        answer(lookup("f5"), reply(five));
        view.changedAttributes(five.getAttributes());

        CompletableFuture<List<Long>> recalled = cache.recall(recallOf(5));
        assertThat(kernel.takeForgotten()).containsExactly(5L);
        assertThat(recalled).isNotDone();
        pass(Kernels.SETTLING);

        assertThat(kernel.takeForgotten()).containsExactly(5L);
        assertThat(recalled).isCompleted();
    }

    @Test
    void shouldNotWaitForAKernelThatHasTakenTheAnswerToItsChangeOverLongAgo() {
        answer(lookup("f5"), reply(five));
        view.changedAttributes(five.getAttributes());
        pass(Kernels.SETTLING.plusMillis(1));

        assertThat(cache.recall(recallOf(5))).isCompleted();
    }

    @Test
    void shouldNotWaitForAKernelThatHasGoneOnToItsNextChangeUnderTheSameLock() {
        answer(lookup("f5"), reply(five));
        view.changedAttributes(five.getAttributes());
        pass(MOMENT);

        assertThat(answer(link(5, "again"), reply(changed(five)))).isCompleted();
        assertThat(kernel.takeForgotten()).containsExactly(5L);
    }

    @Test
    void shouldWaitForAKernelWhoseChangeWasBegunBeforeTheAnswerThatItMayStillBeTakingOver() {
        answer(lookup("f5"), reply(five));
        Stamp interrupted = cache.stamp();
        pass(MOMENT);
        view.changedAttributes(five.getAttributes());

        CompletableFuture<Void> told = cache.answered(interrupted, link(5, "again"), reply(changed(five)), view);
        assertThat(told).isNotDone();
        pass(Kernels.SETTLING);

        assertThat(told).isCompleted();
    }

    @Test
    void shouldWaitForAnotherMountsKernelThatMayStillBeTakingOverTheAnswerToItsChange() {
        CacheView other = cache.view();
        other.attach(new RecordingKernel());
        answer(lookup("f5"), reply(five));
        other.changedAttributes(five.getAttributes());
        pass(MOMENT);
        view.changedAttributes(five.getAttributes());
        pass(MOMENT);

        assertThat(answer(link(5, "again"), reply(changed(five)))).isNotDone();
    }

    @Test
    void shouldTellAKernelThatHasMadeTheInodeAgainAndNotWaitForThat() {
        answer(lookup("f5"), reply(five));
        view.madeAttributes(five.getAttributes());

        CompletableFuture<List<Long>> recalled = cache.recall(recallOf(5));
        assertThat(kernel.takeForgotten()).containsExactly(5L);
        assertThat(recalled).isCompleted();
        pass(Kernels.SETTLING);

        assertThat(kernel.takeForgotten()).containsExactly(5L);
    }

    @Test
    void shouldLetAKernelKeepANewFileThatNobodyElseKnows() {
        Node made = made(true);

        assertThat(view.madeAttributes(made.getAttributes())).isEqualTo(WHOLE_LEASE);
        assertThat(view.attributes(made.getAttributes())).isZero();
        assertThat(view.changedAttributes(made.getAttributes())).isZero();
        recall(recallOf(5));
        assertThat(kernel.takeForgotten()).containsExactly(5L);
    }

    @Test
    void shouldNotLetAKernelKeepANewFileThatOthersMayWrite() {
        Node made = made(false);

        assertThat(view.madeAttributes(made.getAttributes())).isZero();
    }

    @Test
    void shouldTakeANewFileFromTheKernelBeforeOthersMayWriteIt() {
        Node made = made(true);
        view.madeAttributes(made.getAttributes());

        cache.endWriting(5);

        assertThat(kernel.takeForgotten()).containsExactly(5L);
        assertThat(cache.rights(5)).isNotNull();
    }

    /** The answer to a create for writing. */
    private Node made(boolean writeLeased) {
        Node made = five.toBuilder()
                .setLayout(Layout.newBuilder().setInode(5).setDirty(true))
                .setWriteLeased(writeLeased)
                .build();
        answer(
                QueenRequest.newBuilder()
                        .setCreate(Create.newBuilder()
                                .setParent(DIRECTORY)
                                .setName(name("f5"))
                                .setExclusive(true)
                                .setWrite(true))
                        .build(),
                reply(made));
        return made;
    }

    @Test
    void shouldNotWaitForAKernelThatHasForgottenTheInodeLongAgo() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);
        kernel.unknown.add(5L);
        pass(Kernels.SETTLING.plusMillis(1));

        assertThat(cache.recall(recallOf(5))).isCompleted();
    }

    @Test
    void shouldTellTheOtherMountsOfItsOwnChanges() {
        RecordingKernel other = new RecordingKernel();
        Lifetimes lifetimes = cache.view().attach(other);
        answer(list(0), page(true, 5, 6));
        answer(attributes(DIRECTORY), reply(directory(DIRECTORY, 0711)));
        tellEntry("f5", 5);
        lifetimes.entry(DIRECTORY, name("f5"), 5);
        lifetimes.attributes(directory(DIRECTORY, 0711).getAttributes());

        CompletableFuture<Void> told = answer(unlink("f5"), changed().build());

        assertThat(other.forgotten).containsExactlyInAnyOrder(DIRECTORY, ALL_ENTRIES);
        assertThat(kernel.forgotten).doesNotContain(ALL_ENTRIES);
        assertThat(told).isCompleted();
    }

    @Test
    void shouldLetItsOwnKernelForgetAttributesThatMayStillBeOnTheirWayToIt() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);

        answer(lookup("f5"), reply(changed(five)));

        assertThat(kernel.forgotten).containsExactly(5L);
    }

    @Test
    void shouldTellTheKernelOfAFileThatItsOwnOpenHasMadeDirty() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);

        answer(attributes(5), reply(dirty(5)));

        assertThat(kernel.forgotten).containsExactly(5L);
    }

    @Test
    void shouldTellKernelsNothingWhenTheSameIsAnsweredAgain() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);
        tellEntry("f5", 5);

        answer(lookup("f5"), reply(file(5)));

        assertThat(kernel.forgotten).isEmpty();
        assertThat(tellAttributes(five)).isEqualTo(WHOLE_LEASE);
    }

    @Test
    void shouldTellKernelsEverythingWhenLeasesEnd() {
        answer(list(0), page(true, 5, 6));
        tellEntry("f5", 5);
        tellAttributes(five);
        tellAttributes(file(6));

        pass(Duration.ofSeconds(4));

        assertThat(kernel.takeForgotten()).containsExactlyInAnyOrder(ALL_ENTRIES, 5L, 6L);
        pass(Duration.ofSeconds(60));
        assertThat(kernel.forgotten).isEmpty();
    }

    @Test
    void shouldTellKernelsAfterASleepBeforeAnythingElseIsAnswered() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);
        timers.clock().advance(Duration.ofHours(1));

        assertThat(cache.node(99)).isNull();

        assertThat(kernel.forgotten).containsExactly(5L);
    }

    @Test
    void shouldTellKernelsWhatItHasNoRoomFor() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);

        for (long inode = 101; inode <= 200; inode++) {
            answer(attributes(inode), reply(file(inode)));
        }

        assertThat(kernel.forgotten).containsExactly(5L);
    }

    @Test
    void shouldFollowAnEntryThatItsOwnKernelHasMovedToAnotherDirectory() {
        answer(lookup("f5"), reply(five));
        tellEntry("f5", 5);
        QueenRequest rename = QueenRequest.newBuilder()
                .setRename(Rename.newBuilder()
                        .setOldParent(DIRECTORY)
                        .setOldName(name("f5"))
                        .setNewParent(2)
                        .setNewName(name("f5")))
                .build();
        QueenRequest lookupThere = QueenRequest.newBuilder()
                .setLookup(lookup("f5").getLookup().toBuilder().setParent(2))
                .build();
        answer(lookupThere, absent());
        answer(rename, QueenReply.newBuilder().setEntryLeased(true).build());

        recall(org.beefs.common.wire.Recall.newBuilder()
                .addEntries(recallOf("f5").getEntries(0).toBuilder().setDirectory(2))
                .build());

        assertThat(kernel.forgotten).containsExactly(ALL_ENTRIES);
    }

    @Test
    void shouldGiveNoLifetimesInDirectoriesThatOthersChangeAgainAndAgain() {
        for (String name : List.of("a", "b")) {
            answer(list(0), page(true, 5));
            recall(recallOf(name));
            passHearing(Duration.ofSeconds(5));
            answer(lookup(name), absent());
        }

        assertThat(tellEntry("f5", 5)).isZero();
        assertThat(tellAttributes(five)).isPositive();
        passHearing(Duration.ofSeconds(60));
        assertThat(tellEntry("f5", 5)).isPositive();
    }

    @Test
    void shouldReleaseADirectoryThatIsNotUsedBetweenTwoRecalls() {
        answer(list(0), page(true, 5));
        assertThat(recall(recallOf("a"))).isEmpty();
        cache.lookup(ROOT, DIRECTORY, name("f5"));
        assertThat(recall(recallOf("b"))).isEmpty();

        assertThat(recall(recallOf("c"))).containsExactly(DIRECTORY);

        assertThat(cache.lookup(ROOT, DIRECTORY, name("f5"))).isNull();
    }

    @Test
    void shouldTellAMountNothingAfterItsEnd() {
        answer(lookup("f5"), reply(five));
        tellAttributes(five);

        view.close();

        recall(recallOf(5));
        assertThat(kernel.forgotten).isEmpty();
        assertThat(tellAttributes(five)).isZero();
    }

    private static Node changed(Node node) {
        Node.Builder changed = node.toBuilder();
        changed.getAttributesBuilder().setUid(1000);
        return changed.build();
    }

    private long tellAttributes(Node node) {
        return view.attributes(node.getAttributes());
    }

    private long tellEntry(String name, long inode) {
        return view.entry(DIRECTORY, name(name), inode);
    }
}
